// fsync on a thread of its own.
#pragma once

#include <QtGlobal>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

class QObject;

namespace ym::embedded {

/// Brings a log file to disk without stopping the thread that writes it. Requests that come while a sync runs are
/// answered together by the next one.
class LogSyncer {
public:
    /// `onSynced(offset, errno)` is called in `receiver`'s thread: everything before `offset` is on disk when errno is
    /// 0. `receiver` must outlive the syncer.
    LogSyncer(QObject *receiver, std::function<void(qint64 offset, int code)> onSynced);
    /// Finishes a running sync.
    ~LogSyncer();

    /// Asks for everything that was written to `file` before now, which is `offset` bytes.
    void request(int file, qint64 offset);

private:
    void run(const std::stop_token &stop);

    QObject *m_receiver;
    std::function<void(qint64, int)> m_onSynced;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    int m_file = -1;
    qint64 m_wanted = -1;
    std::jthread m_thread;
};

} // namespace ym::embedded
