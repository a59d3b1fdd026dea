// The same action on many jobs, with progress, an end before its time, and a way back.
#pragma once

#include "core/base/task_scope.h"
#include "core/engine/removal_journal.h"
#include "core/engine/session.h"

#include <QTimer>

namespace ym {

/// Several actions may go on at once; progress and cancel() are of all of them. Each job is one compare-and-set step in the
/// store: one that has moved on meanwhile is told as failed and left alone. Core thread; drain() before destruction.
class BulkActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Producer *producer = nullptr;
        Inspector *inspector = nullptr;
        Clock *clock = nullptr;
        QString journalFolder; ///< for what is removed; empty = nothing is kept
    };
    explicit BulkActions(Parts parts, QObject *parent = nullptr);

    QCoro::Task<BulkResult> stop(QList<QByteArray> ids);
    QCoro::Task<BulkResult> remove(QList<QByteArray> ids);
    QCoro::Task<BulkResult> retry(QList<QByteArray> ids);
    QCoro::Task<BulkResult> requeue(QList<QByteArray> ids);
    QCoro::Task<BulkResult> move(QList<QByteArray> ids, Target to);
    QCoro::Task<BulkResult> purge(QByteArray queue);
    /// Brings back what this removal of this session took away, as BulkResult::removal or lost() named it; empty = the
    /// newest one.
    QCoro::Task<BulkResult> restore(QString removal = {});
    /// Keeps what is gone of these lost claims, so that restore() brings it back, and tells by lost().
    void keepLost(std::vector<Claim> claims);
    /// How many jobs the newest removal took away.
    int restorableCount() const { return m_removals.isEmpty() ? 0 : m_removals.last().count; }

    /// Nothing further is begun; what was done stays done.
    void cancel();
    QCoro::Task<void> drain();

Q_SIGNALS:
    /// Of all actions that go on, at most ten times a second; 0 of 0 when none does any more.
    void progressed(qint64 done, qint64 total);
    void touched(const QByteArray &id);
    /// It is not there, by our doing or because it was gone already.
    void removed(const QByteArray &id);
    void restorableChanged();
    /// So many jobs are gone that ran here; restore() brings all of them back by this name, which is empty when they
    /// could not be kept.
    void lost(int count, const QString &removal);

private:
    struct Run;
    using Act = std::function<QCoro::Task<bool>(QByteArray)>;
    QCoro::Task<BulkResult> run(QList<QByteArray> ids, Act act);
    QCoro::Task<void> lane(std::shared_ptr<Run> run, Completion<bool> done);
    QCoro::Task<bool> stopOne(QByteArray id);
    QCoro::Task<bool> removeOne(QByteArray id, std::shared_ptr<RemovalJournal::Batch> batch);
    QCoro::Task<bool> retryOne(QByteArray id);
    QCoro::Task<bool> requeueOne(QByteArray id);
    QCoro::Task<bool> restoreOne(std::shared_ptr<QHash<QByteArray, RemovedJob>> jobs, QByteArray id);
    QCoro::Task<void> keepGone(std::vector<Claim> claims);
    std::shared_ptr<RemovalJournal::Batch> beginRemoval();
    QString keep(std::shared_ptr<RemovalJournal::Batch> batch);
    void keep(const RemovalJournal::Entry &entry);
    RemovalJournal::Entry takeRemoval(const QString &name);
    void count(qint64 done, qint64 total);
    void finishCount(qint64 done, qint64 total);

    Parts m_parts;
    RemovalJournal m_journal;
    QList<RemovalJournal::Entry> m_removals; ///< of this session, oldest first
    std::stop_source m_stop;
    qint64 m_done = 0;
    qint64 m_total = 0;
    QTimer m_progress;
    TaskScope m_scope{"BulkActions"};
};

} // namespace ym
