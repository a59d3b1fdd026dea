// The append-only log: what commands changed, in Redis's own AOF format.
#pragma once

#include "core/base/clock.h"
#include "core/base/completion.h"
#include "core/base/task_scope.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/log_file.h"
#include "core/store/embedded/log_syncer.h"

#include <QObject>

#include <map>
#include <memory>

namespace ym::embedded {

/// Collects effects, writes them in one write per event-loop turn (`flush`, called by the store) and syncs them as its
/// policy says. When a write fails, nothing half-written stays in the file, writes are refused with Redis's words, and
/// it tries again every second until there is space. One thread.
class AppendLog final : public QObject, public EffectSink {
    Q_OBJECT
public:
    enum class Fsync : quint8 { EverySecond, Always, Never };
    static constexpr Milliseconds syncInterval{1000};
    static constexpr Milliseconds retryInterval{1000};

    AppendLog(Fsync fsync, Clock *clock, QObject *parent = nullptr);
    ~AppendLog() override;

    /// Takes a file that was loaded up to `validSize`; what is behind it is cut off.
    Result<void> open(const QString &path, qint64 validSize);
    /// Writes and syncs what is left. Returns the failure.
    Result<void> close();

    void append(const QList<QList<QByteArray>> &effects) override;
    QByteArray refusal() const override;

    void flush();
    bool hasPending() const { return !m_pending.isEmpty(); }
    /// Everything appended so far, in bytes of the file.
    qint64 end() const { return m_file.size() + m_pending.size(); }
    /// Returns when everything before `end` is as safe as the policy promises before a command is acknowledged: on disk
    /// for Always, nothing to wait for else. Throws NotWritable when that failed.
    QCoro::Task<void> acknowledgeable(qint64 end);
    bool isAcknowledgeable(qint64 end) const { return m_fsync != Fsync::Always || end <= m_synced; }
    Fsync policy() const { return m_fsync; }
    /// What is wrong now, for people; empty = nothing.
    QString trouble() const;

Q_SIGNALS:
    void troubleChanged();

private:
    void setTrouble(int code);
    void requestSync();
    void onSynced(qint64 offset, int code);
    void rejectWaiters();
    QCoro::Task<void> syncLater();
    QCoro::Task<void> retryLater();

    Fsync m_fsync;
    Clock *m_clock;
    LogFile m_file;
    QByteArray m_pending;
    int m_writeError = 0;
    int m_syncError = 0; ///< stays: after a failed fsync nobody knows what is on the disk
    qint64 m_synced = 0;
    bool m_isSyncDue = false;
    bool m_isRetryDue = false;
    std::multimap<qint64, Completion<bool>> m_waiters;
    TaskScope m_scope{"AppendLog"};
    std::unique_ptr<LogSyncer> m_syncer;
};

} // namespace ym::embedded
