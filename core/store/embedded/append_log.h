// The append-only log: what commands changed, in Redis's own AOF format.
#pragma once

#include "core/base/clock.h"
#include "core/base/completion.h"
#include "core/base/task_scope.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/log_compaction.h"
#include "core/store/embedded/log_file.h"
#include "core/store/embedded/log_syncer.h"
#include "core/store/embedded/persistence.h"

#include <QObject>

#include <map>
#include <memory>
#include <vector>

namespace ym::embedded {

/// Collects effects, writes them in one write per event-loop turn (`flush`, called by the store) and syncs them as its
/// policy says. One thread.
///
/// A full disk loses nothing that was acknowledged: room for what is still in memory is reserved in the file system, a
/// command is acknowledged only when it fits there or is written, and when no room can be had any more, writes are
/// refused with Redis's words. It looks for room every second. (Where the file system reserves nothing, each command is
/// written before it is acknowledged.)
///
/// A failed fsync is not forgotten: nobody knows what is on the disk, so writes are refused until the whole log has
/// been written anew from memory, which is tried at once and then every ten seconds.
class AppendLog final : public QObject, public EffectSink, public Persistence, private LogCompaction::Host {
    Q_OBJECT
public:
    enum class Fsync : quint8 { EverySecond, Always, Never };
    static constexpr Milliseconds syncInterval{1000};
    static constexpr Milliseconds retryInterval{1000};
    static constexpr Milliseconds renewInterval{10'000};

    AppendLog(Fsync fsync, RewritePolicy policy, Clock *clock, QObject *parent = nullptr);
    ~AppendLog() override;

    /// Who writes all keys when the log must be made anew; needed for that alone.
    void setSnapshot(LogCompaction::Snapshot snapshot) { m_compaction.setSnapshot(std::move(snapshot)); }
    /// Takes a file that was loaded up to `validSize`; what is behind it is cut off. `baseSize` as in LogLoader.
    Result<void> open(const QString &path, qint64 validSize, qint64 baseSize = 0);
    /// Writes and syncs what is left. Returns the failure.
    Result<void> close();

    void append(const QList<QList<QByteArray>> &effects) override;
    QByteArray refusal() const override;
    PersistenceFacts facts() const override;
    QByteArray startRewrite() override;
    QByteArray save() override;
    QByteArray saveSoon() override;

    void flush();
    bool hasPending() const { return !m_pending.isEmpty(); }
    /// Everything appended so far, in bytes; goes on counting when the file is compacted.
    qint64 end() const { return written() + m_pending.size(); }
    /// Returns when everything before `end` is as safe as the policy promises before a command is acknowledged: on disk
    /// for Always, sure of its place in the file else. Throws NotWritable when that failed.
    QCoro::Task<void> acknowledgeable(qint64 end);
    /// True when it is so now.
    bool isAcknowledgeable(qint64 end) const;
    Fsync policy() const { return m_fsync; }
    /// What is wrong now, for people.
    QStringList troubles() const;

Q_SIGNALS:
    void troubleChanged();
    /// A compaction has ended, well or not.
    void compacted();

private:
    const LogFile &file() const override { return m_file; }
    LogSyncer &syncer() override { return *m_syncer; }
    bool writePending() override;
    qint64 pendingSize() const override { return m_pending.size(); }
    void adopt(LogFile next, LogCompaction::Source source, qint64 covered) override;
    void syncFailed(int code) override;

    qint64 written() const { return m_shift + m_file.size(); }
    QByteArray saveRefusal() const;
    int write();
    int writeFirst(qsizetype size);
    void dropPending(qsizetype size);
    void setTrouble(int code);
    void requestSync();
    void onSynced(qint64 offset, int code);
    void resolveWaiters();
    void rejectWaiters();
    QCoro::Task<void> syncLater();
    QCoro::Task<void> retryLater();
    QCoro::Task<void> renewLater();

    Fsync m_fsync;
    Clock *m_clock;
    LogFile m_file;
    qint64 m_shift = 0; ///< bytes that compactions have taken out of the file
    QByteArray m_pending;
    std::vector<qsizetype> m_unitEnds; ///< where in it what belongs together ends
    int m_writeError = 0;
    int m_syncError = 0; ///< stays until the log is written anew
    qint64 m_synced = 0; ///< counts as end() does
    Timestamp m_savedAt;
    bool m_isSyncDue = false;
    bool m_isRetryDue = false;
    bool m_isRenewDue = false;
    std::multimap<qint64, Completion<bool>> m_waiters;
    TaskScope m_scope{"AppendLog"};
    LogCompaction m_compaction;
    std::unique_ptr<LogSyncer> m_syncer;
};

} // namespace ym::embedded
