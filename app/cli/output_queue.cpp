#include "app/cli/output_queue.h"

#include <cerrno>

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

namespace ym::cli {

OutputQueue::OutputQueue(std::function<void()> onClosed)
    : m_onClosed(std::move(onClosed))
{
    // Signals are the main thread's business: the writer inherits a full mask.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    m_thread = std::thread([this] { work(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

OutputQueue::~OutputQueue()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void OutputQueue::write(int descriptor, QByteArray bytes)
{
    if (bytes.isEmpty())
        return;
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_queuedBytes < limitBytes || m_closed[descriptor]; });
        if (m_closed[descriptor])
            return;
        m_queuedBytes += bytes.size();
        m_chunks.push_back({descriptor, std::move(bytes)});
    }
    m_changed.notify_all();
}

void OutputQueue::work()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [&] { return m_ending || !m_chunks.empty(); });
        if (m_chunks.empty())
            return;
        const Chunk chunk = std::move(m_chunks.front());
        m_chunks.pop_front();
        if (!m_closed[chunk.descriptor]) {
            lock.unlock();
            const bool written = put(chunk);
            lock.lock();
            if (!written) {
                m_closed[chunk.descriptor] = true;
                m_onClosed();
            }
        }
        m_queuedBytes -= chunk.bytes.size();
        m_changed.notify_all();
    }
}

/// False when nobody can read the stream any more. A descriptor that somebody else made non-blocking is waited for.
bool OutputQueue::put(const Chunk &chunk)
{
    const char *next = chunk.bytes.constData();
    qsizetype left = chunk.bytes.size();
    while (left > 0) {
        const ssize_t written = ::write(chunk.descriptor, next, size_t(left));
        if (written >= 0) {
            next += written;
            left -= written;
        } else if (errno == EAGAIN) {
            pollfd waiting{chunk.descriptor, POLLOUT, 0};
            ::poll(&waiting, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

} // namespace ym::cli
