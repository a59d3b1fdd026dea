// A unix socket with nothing between us and the operating system.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QSocketNotifier>
#include <QString>

#include <functional>
#include <memory>

namespace ym {

/// A connected AF_UNIX stream that reads and writes directly and wakes its owner when bytes have come. QLocalSocket
/// buffers always, asks for the byte count before each read and wakes the event loop twice for each write; without it a
/// round trip takes two thirds of the time. One use; lives in one thread.
class UnixStream final : public QObject {
public:
    /// `onReadable` is called when bytes have come, or the end. A plain call: signals on the way from the notifier to
    /// the connection cost a tenth of the processor time of a round trip.
    explicit UnixStream(std::function<void()> onReadable, QObject *parent = nullptr);
    ~UnixStream() override;

    /// Connects, which never waits on a unix socket. 0, or the errno of the failure.
    int open(const QString &path);
    void close();

    /// Up to `most` bytes; 0 when there are none for now, -1 at the end or after an error.
    qint64 read(char *bytes, qint64 most);
    /// Sends at once what the kernel takes, and the rest when it takes more. That the peer is gone is told by read()
    /// alone, behind what the peer said last; what cannot be sent then is dropped.
    void write(const char *bytes, qsizetype count);

private:
    qsizetype sendNow(const char *bytes, qsizetype count);
    void sendRest();

    std::function<void()> m_onReadable;
    int m_descriptor = -1;
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<QSocketNotifier> m_writable;
    QByteArray m_rest;
    qsizetype m_restSent = 0;
};

} // namespace ym
