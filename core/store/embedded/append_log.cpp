#include "core/store/embedded/append_log.h"

#include "core/base/log.h"
#include "core/store/embedded/resp.h"

namespace ym::embedded {

namespace {

constexpr qsizetype keptBuffer = 1 << 20; ///< a buffer that grew beyond this is given back

QByteArray policyName(AppendLog::Fsync fsync)
{
    switch (fsync) {
    case AppendLog::Fsync::EverySecond:
        return "everysec";
    case AppendLog::Fsync::Always:
        return "always";
    case AppendLog::Fsync::Never:
        break;
    }
    return "no";
}

} // namespace

AppendLog::AppendLog(Fsync fsync, RewritePolicy policy, Clock *clock, QObject *parent)
    : QObject(parent)
    , m_fsync(fsync)
    , m_clock(clock)
    , m_savedAt(clock->now())
    , m_compaction(policy, clock, this)
{
    connect(&m_compaction, &LogCompaction::troubleChanged, this, &AppendLog::troubleChanged);
    connect(&m_compaction, &LogCompaction::ended, this, [this] {
        flush();
        Q_EMIT compacted();
    });
}

AppendLog::~AppendLog()
{
    close();
}

Result<void> AppendLog::open(const QString &path, qint64 validSize, qint64 baseSize)
{
    if (const auto opened = m_file.open(path); !opened)
        return opened;
    if (m_file.size() > validSize) {
        if (const int code = m_file.truncate(validSize)) {
            m_file.close();
            return failure(ErrorKind::Io, tr("The log %1 cannot be cut (%2).").arg(path, errnoText(code)));
        }
    }
    if (m_file.size() == 0)
        appendCommand(m_pending, {"SELECT", "0"});
    m_synced = m_file.size();
    m_syncer = std::make_unique<LogSyncer>(this, [this](qint64 offset, int code) { onSynced(offset, code); });
    m_compaction.opened(path, baseSize);
    writePending();
    return {};
}

Result<void> AppendLog::close()
{
    m_scope.stop();
    if (!m_file.isOpen())
        return {};
    m_compaction.stop();
    m_syncer.reset();
    m_compaction.settle();
    if (!m_pending.isEmpty() && m_writeError == 0)
        m_writeError = write(); // also after a failed fsync: better there than nowhere
    if (m_writeError == 0 && m_fsync != Fsync::Never && LogFile::sync(*m_file.handle()) == 0)
        m_synced = m_syncError == 0 ? written() : m_synced;
    m_file.giveBack();
    rejectWaiters();
    m_file.close();
    if (m_writeError != 0 || m_syncError != 0)
        return failure(ErrorKind::NotWritable, troubles().join(u' '));
    return {};
}

void AppendLog::append(const QList<QList<QByteArray>> &effects)
{
    const bool isElsewhere = effects.first().first() == "SELECT"; // by itself it changes nothing
    const bool isUnit = effects.size() > (isElsewhere ? 2 : 1);
    for (qsizetype i = 0; i < effects.size(); ++i) {
        if (isUnit && i == (isElsewhere ? 1 : 0))
            appendCommand(m_pending, {"MULTI"});
        appendCommand(m_pending, effects[i]);
    }
    if (isUnit)
        appendCommand(m_pending, {"EXEC"});
    m_unitEnds.push_back(m_pending.size());
}

QByteArray AppendLog::refusal() const
{
    const int code = m_syncError != 0 ? m_syncError : m_writeError;
    return code == 0 ? QByteArray() : "MISCONF Errors writing to the AOF file: " + errnoText(code).toUtf8();
}

QStringList AppendLog::troubles() const
{
    QStringList troubles;
    const int code = m_syncError != 0 ? m_syncError : m_writeError;
    if (code != 0)
        troubles.append(
            tr("The workspace cannot be saved (%1); nothing new is accepted until it can.").arg(errnoText(code)));
    if (!m_compaction.trouble().isEmpty())
        troubles.append(m_compaction.trouble());
    return troubles;
}

void AppendLog::flush()
{
    if (!m_pending.isEmpty())
        writePending();
}

bool AppendLog::writePending()
{
    if (!m_file.isOpen() || m_syncError != 0 || m_compaction.isHandingOver())
        return m_pending.isEmpty();
    int code = write();
    if (code != 0 && m_compaction.giveWay())
        code = write();
    setTrouble(code);
    if (code != 0) {
        rejectWaiters();
        if (!m_scope.isStopping() && !std::exchange(m_isRetryDue, true))
            m_scope.spawn(retryLater());
        return m_pending.isEmpty();
    }
    if (m_synced < written()) {
        if (m_fsync == Fsync::Always)
            requestSync();
        else if (m_fsync == Fsync::EverySecond && !m_scope.isStopping() && !std::exchange(m_isSyncDue, true))
            m_scope.spawn(syncLater());
    }
    resolveWaiters();
    if (!m_scope.isStopping())
        m_compaction.written();
    return true;
}

/// Writes what is pending and makes room for what comes next; the errno when either fails.
int AppendLog::write()
{
    const qsizetype size = m_pending.size();
    if (const int code = writeFirst(size)) {
        // All of it does not fit, but what was acknowledged does.
        const auto end = std::upper_bound(m_unitEnds.begin(), m_unitEnds.end(), m_file.reserved());
        if (end != m_unitEnds.begin())
            writeFirst(*std::prev(end));
        return code;
    }
    return m_file.reserve();
}

/// Writes the first `size` pending bytes, which are whole units; the errno when that fails.
int AppendLog::writeFirst(qsizetype size)
{
    if (size == 0)
        return 0;
    if (const int code = m_file.append(QByteArray::fromRawData(m_pending.constData(), size)))
        return code;
    dropPending(size);
    return 0;
}

void AppendLog::dropPending(qsizetype size)
{
    m_pending.remove(0, size);
    if (m_pending.isEmpty() && m_pending.capacity() > keptBuffer)
        m_pending = {};
    std::erase_if(m_unitEnds, [size](qsizetype end) { return end <= size; });
    for (qsizetype &end : m_unitEnds)
        end -= size;
}

void AppendLog::setTrouble(int code)
{
    if (m_writeError == code)
        return;
    m_writeError = code;
    if (code != 0)
        qCWarning(logStore).noquote() << "the log cannot be written:" << errnoText(code);
    else
        qCInfo(logStore) << "the log can be written again";
    Q_EMIT troubleChanged();
}

void AppendLog::requestSync()
{
    if (m_syncer && m_file.isOpen())
        m_syncer->request(m_file.handle(), written());
}

void AppendLog::onSynced(qint64 offset, int code)
{
    if (code != 0)
        syncFailed(code);
    if (m_syncError != 0) // later syncs of the same file may succeed and prove nothing
        return;
    m_synced = std::max(m_synced, offset);
    m_savedAt = m_clock->now();
    resolveWaiters();
}

void AppendLog::syncFailed(int code)
{
    m_syncError = code;
    qCCritical(logStore).noquote() << "the log could not be brought to disk:" << errnoText(code);
    rejectWaiters();
    Q_EMIT troubleChanged();
    if (!m_scope.isStopping() && !std::exchange(m_isRenewDue, true))
        m_scope.spawn(renewLater());
}

void AppendLog::adopt(LogFile next, LogCompaction::Source source, qint64 covered)
{
    const qint64 end = this->end();
    dropPending(covered);
    m_file = std::move(next);
    m_shift = end - m_pending.size() - m_file.size();
    if (source == LogCompaction::Source::Memory)
        m_syncError = 0; // nothing of the doubtful file is left
    if (m_syncError == 0) {
        m_synced = written();
        m_savedAt = m_clock->now();
    }
    m_writeError = 0;
    Q_EMIT troubleChanged();
    resolveWaiters();
}

bool AppendLog::isAcknowledgeable(qint64 end) const
{
    return end <= (m_fsync == Fsync::Always ? m_synced : written() + m_file.reserved());
}

void AppendLog::resolveWaiters()
{
    std::vector<Completion<bool>> done;
    auto waiter = m_waiters.begin();
    for (; waiter != m_waiters.end() && isAcknowledgeable(waiter->first); ++waiter)
        done.push_back(waiter->second);
    m_waiters.erase(m_waiters.begin(), waiter);
    for (const auto &completion : done) // may end in our own destruction
        completion.resolve(true);
}

void AppendLog::rejectWaiters()
{
    std::vector<std::pair<Completion<bool>, bool>> ended;
    for (const auto &[offset, completion] : std::exchange(m_waiters, {}))
        ended.emplace_back(completion, isAcknowledgeable(offset));
    for (const auto &[completion, isSafe] : ended)
        completion.resolve(isSafe);
}

QCoro::Task<void> AppendLog::acknowledgeable(qint64 end)
{
    if (m_fsync != Fsync::Always && !isAcknowledgeable(end))
        flush();
    if (isAcknowledgeable(end))
        co_return;
    bool isSafe = false;
    if (refusal().isEmpty()) {
        const Completion<bool> safe;
        m_waiters.emplace(end, safe);
        isSafe = co_await safe;
    }
    if (!isSafe) {
        Error error{ErrorKind::NotWritable, tr("The change could not be saved."),
                    tr("Free space on the disk of the workspace."), true};
        throw StoreError(std::move(error));
    }
}

PersistenceFacts AppendLog::facts() const
{
    PersistenceFacts facts;
    facts.fsync = policyName(m_fsync);
    facts.rewritePercentage = m_compaction.policy().percentage;
    facts.rewriteMinSize = m_compaction.policy().minSize;
    facts.currentSize = m_file.size() + m_pending.size();
    facts.baseSize = m_compaction.baseSize();
    facts.bufferSize = m_pending.size();
    facts.lastSave = m_savedAt.time_since_epoch().count() / 1000;
    facts.isRewriting = m_compaction.isRunning();
    facts.lastRewriteWorked = m_compaction.trouble().isEmpty();
    facts.lastWriteWorked = refusal().isEmpty();
    facts.rewriteCount = m_compaction.count();
    facts.lastRewriteTime = m_compaction.lastDuration();
    facts.currentRewriteTime = m_compaction.currentDuration();
    return facts;
}

QByteArray AppendLog::startRewrite()
{
    if (m_syncError != 0)
        return refusal();
    const bool wasRunning = m_compaction.isRunning();
    flush(); // may begin it
    return !wasRunning && m_compaction.isRunning() ? QByteArray() : m_compaction.start();
}

/// A file that is being renamed cannot be saved at once: it will be on disk in a moment.
QByteArray AppendLog::saveRefusal() const
{
    return m_compaction.isHandingOver() ? QByteArray("ERR Background save already in progress") : refusal();
}

QByteArray AppendLog::save()
{
    if (m_compaction.isHandingOver() || !writePending() || !refusal().isEmpty())
        return saveRefusal();
    onSynced(written(), LogFile::sync(*m_file.handle()));
    return refusal();
}

QByteArray AppendLog::saveSoon()
{
    if (!writePending() || !refusal().isEmpty())
        return saveRefusal();
    requestSync();
    return {};
}

QCoro::Task<void> AppendLog::syncLater()
{
    const bool passed = co_await m_clock->sleep(syncInterval, m_scope.token());
    if (!passed)
        co_return;
    m_isSyncDue = false;
    requestSync();
}

QCoro::Task<void> AppendLog::retryLater()
{
    const bool passed = co_await m_clock->sleep(retryInterval, m_scope.token());
    if (!passed)
        co_return;
    m_isRetryDue = false;
    writePending();
}

/// Writes the log anew until it can be trusted again.
QCoro::Task<void> AppendLog::renewLater()
{
    m_compaction.stop(); // what it reads may not be what the disk holds
    bool isFirst = true;
    while (m_syncError != 0) {
        const Milliseconds wait = isFirst ? Milliseconds{0} : renewInterval;
        isFirst = false;
        const bool passed = co_await m_clock->sleep(wait, m_scope.token());
        if (!passed)
            co_return;
        if (m_syncError != 0)
            m_compaction.renew();
    }
    m_isRenewDue = false;
}

} // namespace ym::embedded
