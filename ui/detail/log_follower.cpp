#include "ui/detail/log_follower.h"

#include "core/base/when_ready.h"

#include <utility>

namespace ym {

namespace {

constexpr std::chrono::milliseconds lookInterval{40}; ///< what is written is to be seen within 100 ms
constexpr int looksPerOpening = 25;

} // namespace

LogFollower::LogFollower(LogLines *lines, QObject *parent)
    : QObject(parent)
    , m_lines(lines)
{
    m_poll.setInterval(lookInterval);
    connect(&m_poll, &QTimer::timeout, this, &LogFollower::look);
}

void LogFollower::follow(Session *session, const QByteArray &jobId)
{
    if (jobId == m_jobId && session == m_session && m_poll.isActive())
        return;
    const bool isOther = jobId != m_jobId;
    m_session = session;
    m_jobId = jobId;
    if (isOther)
        m_lines->open({});
    open();
}

void LogFollower::clear()
{
    stop();
    m_jobId.clear();
    m_lines->open({});
}

/// The file of a job that is over may still be written to: by the next run of the same log path.
void LogFollower::look()
{
    m_lines->look();
    if (++m_looks % looksPerOpening == 0)
        open();
}

void LogFollower::open()
{
    if (!m_session || m_jobId.isEmpty())
        return;
    m_poll.start();
    if (std::exchange(m_isOpening, true))
        return;
    whenReady(m_session->openLog(m_jobId), this, [this, id = m_jobId](const Result<OpenLog> &log) {
        m_isOpening = false;
        if (id == m_jobId)
            take(log);
        else if (m_poll.isActive())
            open();
    });
}

void LogFollower::take(const Result<OpenLog> &log)
{
    if (!log && m_lines->isOpen())
        return; // what was read stays
    if (!log) {
        Q_EMIT failed(log.error());
        return;
    }
    if (m_lines->isOpen() && m_lines->inode() == log->inode)
        m_lines->look();
    else
        m_lines->open(*log);
    Q_EMIT opened();
}

} // namespace ym
