// Keeps the picture of a connection fresh at a bounded cost.
#pragma once

#include "core/base/alarm.h"
#include "core/base/task_scope.h"
#include "core/engine/change_batcher.h"
#include "core/engine/loss_watch.h"
#include "core/engine/unread.h"
#include "core/engine/write_watch.h"
#include "core/protocol/protocol.h"

#include <QObject>
#include <QSet>

#include <deque>

namespace ym {

/// Three loops, none of which ever asks for everything at once:
///  * listing: pages through all jobs; at full speed the first time, later at a fifth of the connection's time;
///  * fresh: reads again what is on screen, what is watched and what has probably changed – about once a second, and
///    within a tenth of a second for ids that keyspace events name, where the server sends them (never switched on by us);
///  * overview: queues and workers, about once a second.
/// A connection that is not on screen is looked at every ten seconds. While the store is away the loops wait for it and
/// then look at everything again. Core thread; stop() before destruction.
class LiveFeed : public QObject {
    Q_OBJECT
public:
    LiveFeed(Store *store, Inspector *inspector, Clock *clock, int database, QObject *parent = nullptr);
    ~LiveFeed() override;

    void start();
    QCoro::Task<void> stop();

    ChangeBatcher *batcher() { return &m_batcher; }

    void setVisible(QList<QByteArray> ids);
    void setFocused(QByteArray id);
    void setOnScreen(bool shown);
    void watch(const QByteArray &id, bool on);
    bool isWatched(const QByteArray &id) const { return m_watched.contains(id); }
    /// These jobs have changed or will at once: read them within a tenth of a second.
    void touch(const QList<QByteArray> &ids);
    /// We have removed this job, or there was none: it is not lost.
    void noteRemoved(const QByteArray &id);
    /// Everything again, now.
    void refresh();

    /// Age of the oldest fact that the fresh and overview loops keep; -1 before the first look.
    qint64 pictureAgeMs() const;
    /// What became of the server while this ran, as LossWatch tells it.
    QStringList serverNews() const { return m_losses.news(); }
    /// Why it cannot write now; empty when it can.
    QString writeTrouble() const { return m_writes.trouble(); }
    /// What the store refuses to tell. What is refused is asked for again, but rarely.
    const Unread &unread() const { return m_unread; }

Q_SIGNALS:
    void unreadChanged();
    void focusedJobChanged(const QByteArray &id);
    void watchedJobEnded(const ym::JobSummary &job);

private:
    QCoro::Task<void> listLoop();
    QCoro::Task<void> listAll();
    QCoro::Task<void> freshLoop();
    QCoro::Task<void> readAgain(QList<QByteArray> ids);
    QCoro::Task<void> overviewLoop();
    QCoro::Task<void> readQueues();
    QCoro::Task<void> readWorkers();
    QCoro::Task<bool> canRead(Error Unread::*part, QCoro::Task<void> (LiveFeed::*read)());
    QCoro::Task<void> listenForEvents();
    QCoro::Task<void> waitForStore();
    QList<QByteArray> takeDirty();
    QList<QByteArray> lookedAt() const;
    void noteSeen(const std::vector<JobSummary> &jobs);
    void noteGone(const QByteArray &id, const QByteArray &why);
    void noteUnread(Error Unread::*part, const Error &why);
    void onEvent(const QByteArray &channel);
    void onStoreStatus();

    Store *m_store;
    Inspector *m_inspector;
    Clock *m_clock;
    int m_database;
    ChangeBatcher m_batcher;
    LossWatch m_losses;
    WriteWatch m_writes;
    TaskScope m_scope{"LiveFeed"};
    Alarm m_listAlarm;
    Alarm m_freshAlarm;
    Alarm m_overviewAlarm;
    std::unique_ptr<Subscription> m_events;

    quint64 m_generation = 0;
    bool m_listWanted = true;
    Unread m_unread;
    bool m_hasEvents = false;
    bool m_storeReady = false;
    bool m_onScreen = true;
    Monotonic m_lastListing{0};
    Milliseconds m_listingTook{0};
    QList<QByteArray> m_visible;
    QByteArray m_focused;
    JobSummary m_focusedSeen;
    QSet<QByteArray> m_watched;
    QSet<QByteArray> m_gone; ///< asked for and not there; nobody has to ask again why
    QSet<QByteArray> m_dirty;
    std::deque<QByteArray> m_dirtyOrder;
    std::optional<QList<QueueInfo>> m_queues;
    std::optional<QList<WorkerInfo>> m_workers;
    std::optional<Monotonic> m_freshAt;
    std::optional<Monotonic> m_overviewAt;
};

} // namespace ym
