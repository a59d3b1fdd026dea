#include "core/store/embedded/append_log.h"

#include "core/base/log.h"
#include "core/store/embedded/resp.h"

#include <unistd.h>

namespace ym::embedded {

AppendLog::AppendLog(Fsync fsync, Clock *clock, QObject *parent)
    : QObject(parent)
    , m_fsync(fsync)
    , m_clock(clock)
{
}

AppendLog::~AppendLog()
{
    close();
}

Result<void> AppendLog::open(const QString &path, qint64 validSize)
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
    flush();
    return {};
}

Result<void> AppendLog::close()
{
    m_scope.stop();
    if (!m_file.isOpen())
        return {};
    flush();
    m_syncer.reset();
    if (m_writeError == 0 && m_fsync != Fsync::Never && ::fdatasync(m_file.descriptor()) == 0)
        m_synced = m_file.size();
    m_file.close();
    rejectWaiters();
    if (m_writeError != 0)
        return failure(ErrorKind::NotWritable, trouble());
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
}

QByteArray AppendLog::refusal() const
{
    const int code = m_syncError != 0 ? m_syncError : m_writeError;
    return code == 0 ? QByteArray() : "MISCONF Errors writing to the AOF file: " + errnoText(code).toUtf8();
}

QString AppendLog::trouble() const
{
    const int code = m_syncError != 0 ? m_syncError : m_writeError;
    return code == 0
        ? QString()
        : tr("The workspace cannot be saved (%1); nothing new is accepted until it can.").arg(errnoText(code));
}

void AppendLog::flush()
{
    if (m_pending.isEmpty() || !m_file.isOpen() || m_syncError != 0)
        return;
    const int code = m_file.append(m_pending);
    if (code == 0)
        m_pending.clear();
    setTrouble(code);
    if (code != 0) {
        rejectWaiters();
        if (!std::exchange(m_isRetryDue, true) && !m_scope.isStopping())
            m_scope.spawn(retryLater());
        return;
    }
    if (m_fsync == Fsync::Always)
        requestSync();
    else if (m_fsync == Fsync::EverySecond && !m_scope.isStopping() && !std::exchange(m_isSyncDue, true))
        m_scope.spawn(syncLater());
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
    if (m_syncer)
        m_syncer->request(m_file.descriptor(), m_file.size());
}

void AppendLog::onSynced(qint64 offset, int code)
{
    if (code != 0) {
        m_syncError = code;
        qCCritical(logStore).noquote() << "the log could not be brought to disk:" << errnoText(code);
        rejectWaiters();
        Q_EMIT troubleChanged();
        return;
    }
    m_synced = std::max(m_synced, offset);
    std::vector<Completion<bool>> done;
    const auto last = m_waiters.upper_bound(m_synced);
    for (auto waiter = m_waiters.begin(); waiter != last; ++waiter)
        done.push_back(waiter->second);
    m_waiters.erase(m_waiters.begin(), last);
    for (const auto &completion : done) // may end in our own destruction
        completion.resolve(true);
}

void AppendLog::rejectWaiters()
{
    const auto waiters = std::exchange(m_waiters, {});
    for (const auto &[offset, completion] : waiters)
        completion.resolve(offset <= m_synced);
}

QCoro::Task<void> AppendLog::acknowledgeable(qint64 end)
{
    if (isAcknowledgeable(end))
        co_return;
    const Completion<bool> synced;
    m_waiters.emplace(end, synced);
    const bool isSafe = co_await synced;
    if (!isSafe) {
        Error error{ErrorKind::NotWritable, tr("The change could not be saved."),
                    tr("Free space on the disk of the workspace."), true};
        throw StoreError(std::move(error));
    }
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
    flush();
}

} // namespace ym::embedded
