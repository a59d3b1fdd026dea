#include "core/store/embedded/log_syncer.h"

#include <QMetaObject>
#include <QObject>

namespace ym::embedded {

LogSyncer::LogSyncer(QObject *receiver, std::function<void(qint64, int)> onSynced)
    : m_receiver(receiver)
    , m_onSynced(std::move(onSynced))
    , m_thread([this](const std::stop_token &stop) { loop(stop); })
{
}

LogSyncer::~LogSyncer() = default;

void LogSyncer::request(std::shared_ptr<const FileHandle> file, qint64 offset)
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_tasks.empty() && m_tasks.back().file == file)
            m_tasks.back().offset = offset;
        else
            m_tasks.push_back({std::move(file), offset, {}, {}});
    }
    m_wake.notify_one();
}

void LogSyncer::run(std::function<void()> job, std::function<void()> onDone)
{
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back({{}, 0, std::move(job), std::move(onDone)});
    }
    m_wake.notify_one();
}

void LogSyncer::loop(const std::stop_token &stop)
{
    std::unique_lock lock(m_mutex);
    while (m_wake.wait(lock, stop, [this] { return !m_tasks.empty(); })) {
        Task task = std::move(m_tasks.front());
        m_tasks.pop_front();
        lock.unlock();
        perform(std::move(task));
        lock.lock();
    }
}

void LogSyncer::perform(Task task)
{
    std::function<void()> report = std::move(task.onDone);
    if (task.job) {
        task.job();
    } else {
        const int code = LogFile::sync(*task.file);
        report = [onSynced = m_onSynced, offset = task.offset, code] { onSynced(offset, code); };
    }
    QMetaObject::invokeMethod(m_receiver, report, Qt::QueuedConnection);
}

} // namespace ym::embedded
