#include "core/store/embedded/log_syncer.h"

#include <QMetaObject>
#include <QObject>

#include <cerrno>

#include <unistd.h>

namespace ym::embedded {

LogSyncer::LogSyncer(QObject *receiver, std::function<void(qint64, int)> onSynced)
    : m_receiver(receiver)
    , m_onSynced(std::move(onSynced))
    , m_thread([this](const std::stop_token &stop) { run(stop); })
{
}

LogSyncer::~LogSyncer() = default;

void LogSyncer::request(int file, qint64 offset)
{
    {
        const std::lock_guard lock(m_mutex);
        m_file = file;
        m_wanted = offset;
    }
    m_wake.notify_one();
}

void LogSyncer::run(const std::stop_token &stop)
{
    std::unique_lock lock(m_mutex);
    while (m_wake.wait(lock, stop, [this] { return m_wanted >= 0; })) {
        const int file = m_file;
        const qint64 offset = std::exchange(m_wanted, -1);
        lock.unlock();
        const int code = ::fdatasync(file) == 0 ? 0 : errno;
        const auto report = m_onSynced;
        QMetaObject::invokeMethod(
            m_receiver, [report, offset, code] { report(offset, code); }, Qt::QueuedConnection);
        lock.lock();
    }
}

} // namespace ym::embedded
