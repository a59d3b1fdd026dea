#include "core/store/embedded/log_compaction.h"

#include "core/base/log.h"

#include <QFile>

#include <cerrno>
#include <cstdio>

namespace ym::embedded {

/// A new file on its way to the old one's name.
struct LogCompaction::Handover {
    struct Result {
        int code = 0;
        bool isRenamed = false;
    };
    LogFile next;
    qint64 baseSize;
    Source source;
    qint64 covered = 0; ///< pending bytes that it holds already
    std::shared_ptr<Result> result = std::make_shared<Result>(); ///< written by the syncer's thread
};

LogCompaction::LogCompaction(RewritePolicy policy, Clock *clock, Host *host)
    : m_policy(policy)
    , m_clock(clock)
    , m_host(host)
    , m_notBefore(clock->monotonic())
{
}

LogCompaction::~LogCompaction() = default;

void LogCompaction::opened(const QString &path, qint64 baseSize)
{
    m_path = path;
    m_baseSize = baseSize;
    QFile::remove(LogRewriter::newPath(path)); // of a process that died over it
}

bool LogCompaction::isDue() const
{
    const qint64 size = m_host->file().size();
    if (m_policy.percentage == 0 || size < m_policy.minSize || m_clock->monotonic() < m_notBefore)
        return false;
    return m_baseSize == 0 || (size - m_baseSize) / double(m_baseSize) * 100 >= m_policy.percentage;
}

void LogCompaction::written()
{
    if (m_rewriter)
        m_rewriter->grown(m_host->file().size());
    else if (!isRunning() && isDue())
        start();
}

QByteArray LogCompaction::start()
{
    if (isRunning())
        return "ERR Background append only file rewriting already in progress";
    m_startedAt = m_clock->monotonic();
    const LogFile &file = m_host->file();
    m_rewriter = std::make_unique<LogRewriter>(
        this, LogRewriter::Log{file.handle(), m_path, file.size()},
        [this](const std::shared_ptr<LogRewriter::Outcome> &outcome) { onRewritten(outcome); });
    return {};
}

void LogCompaction::onRewritten(const std::shared_ptr<LogRewriter::Outcome> &outcome)
{
    if (!m_rewriter || !m_rewriter->made(outcome))
        return; // of one that was stopped
    if (outcome->error) {
        const Error error = *outcome->error;
        m_rewriter.reset();
        if (outcome->isUnreadable) {
            qCCritical(logStore).noquote() << "the log cannot be read back:" << error.text();
            if (renew())
                return;
        }
        fail(error.message);
        return;
    }
    if (const int code = catchUp(outcome.get())) {
        m_rewriter.reset();
        fail(tr("The compacted log cannot be written (%1).").arg(errnoText(code)));
        return;
    }
    handOver({std::move(outcome->file), outcome->baseSize, Source::Log});
    m_rewriter.reset();
}

/// Brings the new file to where the log is.
int LogCompaction::catchUp(LogRewriter::Outcome *outcome)
{
    if (!m_host->writePending())
        return ENOSPC;
    const LogFile &log = m_host->file();
    if (const int code = copyBytes(*log.handle(), outcome->copiedTo, log.size(), &outcome->file))
        return code;
    return outcome->file.reserve();
}

bool LogCompaction::renew()
{
    if (!m_snapshot || m_handover)
        return false;
    m_rewriter.reset();
    m_startedAt = m_clock->monotonic();
    const QString path = LogRewriter::newPath(m_path);
    QFile::remove(path);
    LogFile next;
    if (!next.open(path)) {
        fail(tr("The file %1 cannot be made.").arg(path));
        return true;
    }
    int code = m_snapshot(KeyspaceWriter([&next](const QByteArray &bytes) { return next.append(bytes); }));
    const qint64 baseSize = next.size();
    if (code == 0)
        code = next.reserve();
    if (code != 0) {
        QFile::remove(path);
        fail(tr("The log cannot be written anew (%1).").arg(errnoText(code)));
        return true;
    }
    handOver({std::move(next), baseSize, Source::Memory, m_host->pendingSize()});
    return true;
}

void LogCompaction::handOver(Handover handover)
{
    m_handover = std::make_unique<Handover>(std::move(handover));
    m_host->syncer().run(
        [file = m_handover->next.handle(), result = m_handover->result, path = m_path] {
            const QByteArray from = QFile::encodeName(LogRewriter::newPath(path));
            result->code = LogFile::sync(*file);
            if (result->code == 0 && std::rename(from.constData(), QFile::encodeName(path).constData()) != 0)
                result->code = errno;
            if (result->code != 0)
                return;
            result->isRenamed = true;
            result->code = LogFile::syncFolderOf(path);
        },
        [this] { settle(); });
}

void LogCompaction::settle()
{
    if (!m_handover)
        return;
    const std::unique_ptr<Handover> handover = std::move(m_handover);
    const int code = handover->result->code;
    if (!handover->result->isRenamed) {
        QFile::remove(LogRewriter::newPath(m_path));
        fail(tr("The compacted log cannot take the old one's place (%1).").arg(errnoText(code)));
        return;
    }
    m_baseSize = handover->baseSize;
    m_host->adopt(std::move(handover->next), handover->source, handover->covered);
    if (code != 0) // nobody knows which of the two a crash would leave
        m_host->syncFailed(code);
    succeed();
}

bool LogCompaction::giveWay()
{
    if (!m_rewriter)
        return false;
    m_rewriter.reset();
    fail(tr("The compacted log needs more space than the disk has."));
    return true;
}

void LogCompaction::stop()
{
    m_rewriter.reset();
}

void LogCompaction::fail(const QString &reason)
{
    m_notBefore = m_clock->monotonic() + retryInterval;
    m_lastDuration = (m_clock->monotonic() - m_startedAt).count() / 1000;
    qCWarning(logStore).noquote() << "the log was not compacted:" << reason;
    setTrouble(tr("The workspace's log could not be compacted: %1 It goes on growing; nothing is lost.").arg(reason));
    Q_EMIT ended();
}

void LogCompaction::succeed()
{
    ++m_count;
    m_lastDuration = (m_clock->monotonic() - m_startedAt).count() / 1000;
    qCInfo(logStore) << "the log was compacted to" << m_baseSize << "bytes";
    setTrouble({});
    Q_EMIT ended();
}

void LogCompaction::setTrouble(const QString &trouble)
{
    if (std::exchange(m_trouble, trouble) != trouble)
        Q_EMIT troubleChanged();
}

qint64 LogCompaction::currentDuration() const
{
    return isRunning() ? (m_clock->monotonic() - m_startedAt).count() / 1000 : -1;
}

} // namespace ym::embedded
