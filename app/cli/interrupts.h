// Signals of the operating system as events.
#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <stop_token>

namespace ym::cli {

/// Turns SIGINT, SIGTERM and SIGHUP into events of the main thread while it lives (a self-pipe: children start with
/// the signals as usual). One at a time in a process.
class Interrupts : public QObject {
    Q_OBJECT
public:
    explicit Interrupts(QObject *parent = nullptr);
    ~Interrupts() override;

    int count() const { return m_count; }
    /// Asks as a first signal would: for a standard output that nobody reads any more.
    void request();
    /// Requested at the first interrupt that nobody handles (`setHandled`), else at the second.
    std::stop_token token() const { return m_stop.get_token(); }

    /// While on, the first interrupt only emits requested(): the command ends by itself.
    void setHandled(bool on) { m_isHandled = on; }
    bool isHandled() const { return m_isHandled; }

Q_SIGNALS:
    /// `count` is 1 at the first signal, 2 at the second, …
    void requested(int count);

private:
    void readPipe();

    int m_count = 0;
    bool m_isHandled = false;
    std::stop_source m_stop;
    QSocketNotifier *m_notifier = nullptr;
};

} // namespace ym::cli
