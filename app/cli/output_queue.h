// Writes to standard output and error from a thread of its own.
#pragma once

#include <QByteArray>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace ym::cli {

/// A reader that pauses (`yardmaster run job.py | less`) must not stop the event loop that renews the job's lease, so
/// writing happens elsewhere. Order is kept across both streams. Memory is bounded: over `limitBytes` the caller waits.
class OutputQueue {
public:
    static constexpr qsizetype limitBytes = 64 * 1024 * 1024;

    /// `onClosed` is called once, from the writer's thread, when a stream has no reader any more.
    explicit OutputQueue(std::function<void()> onClosed);
    /// Writes what is left, then ends the thread.
    ~OutputQueue();

    /// Hands over bytes for file descriptor 1 or 2. Bytes for a closed stream are dropped.
    void write(int descriptor, QByteArray bytes);

private:
    struct Chunk {
        int descriptor;
        QByteArray bytes;
    };
    void work();
    bool put(const Chunk &chunk);

    std::function<void()> m_onClosed;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Chunk> m_chunks;
    qsizetype m_queuedBytes = 0;
    bool m_ending = false;
    bool m_closed[3] = {false, false, false};
    std::thread m_thread;
};

} // namespace ym::cli
