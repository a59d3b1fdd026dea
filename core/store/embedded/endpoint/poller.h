// One place where all sockets of an endpoint are watched.
#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <span>

#include <sys/epoll.h>

namespace ym::embedded {

/// An epoll set in Qt's event loop: one notifier however many sockets there are, and those that have something to say
/// at the same time are handed over together. Level-triggered. One thread.
class Poller final : public QObject {
    Q_OBJECT
public:
    explicit Poller(QObject *parent = nullptr);
    ~Poller() override;

    /// Watches `descriptor` for `events` (EPOLLIN …); `tag` comes back with them.
    bool add(int descriptor, quint32 events, quint64 tag);
    void change(int descriptor, quint32 events, quint64 tag);
    void remove(int descriptor);

    /// Those that have something to say now, into `room`; returns how many. For those who cannot wait for ready().
    int take(std::span<epoll_event> room);

Q_SIGNALS:
    /// A tag may be of a socket that an earlier event of the same batch has closed.
    void ready(std::span<const epoll_event> events);

private:
    void collect();

    int m_epoll = -1;
    QSocketNotifier *m_notifier = nullptr;
};

} // namespace ym::embedded
