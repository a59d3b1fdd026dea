// Slow work on the log's disk, on a thread of its own.
#pragma once

#include "core/store/embedded/log_file.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

class QObject;

namespace ym::embedded {

/// Brings a log file to disk without stopping the thread that writes it, and does other slow things with it, one after
/// the other. Syncs that are asked for while one runs are answered together by the next one.
class LogSyncer {
public:
    /// `onSynced(offset, errno)` is called in `receiver`'s thread: everything before `offset` is on disk when errno is
    /// 0. `receiver` must outlive the syncer.
    LogSyncer(QObject *receiver, std::function<void(qint64 offset, int code)> onSynced);
    /// Finishes what was asked for.
    ~LogSyncer();

    /// Asks for everything that was written to `file` before now, which is up to `offset`.
    void request(std::shared_ptr<const FileHandle> file, qint64 offset);
    /// Runs `job` on the thread, then `onDone` in the receiver's.
    void run(std::function<void()> job, std::function<void()> onDone);

private:
    struct Task {
        std::shared_ptr<const FileHandle> file; ///< a sync
        qint64 offset = 0;
        std::function<void()> job; ///< else
        std::function<void()> onDone;
    };

    void loop(const std::stop_token &stop);
    void perform(Task task);

    QObject *m_receiver;
    std::function<void(qint64, int)> m_onSynced;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::deque<Task> m_tasks;
    std::jthread m_thread;
};

} // namespace ym::embedded
