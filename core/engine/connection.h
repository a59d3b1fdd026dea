// One open connection in the core thread: its store, its protocol's parts, its feed and its workers.
#pragma once

#include "core/base/task_scope.h"
#include "core/engine/bulk_actions.h"
#include "core/engine/dispatcher.h"
#include "core/engine/live_feed.h"
#include "core/engine/local_workers.h"
#include "core/engine/paths.h"
#include "core/engine/session.h"
#include "core/engine/workspace_door.h"
#include "core/store/store_address.h"

#include <QObject>
#include <QTimer>

namespace ym {

/// What a Session asks for, as coroutines. Everything throws StoreError. Core thread; close() before destruction.
class Connection : public QObject {
    Q_OBJECT
public:
    struct Setup {
        Profile profile;
        StoreAddress address;
        Paths paths;
        PortAccess port; ///< opened whenever this process has the workspace
        Executor *executor = nullptr; ///< shared by all connections; outlives them
        Clock *clock = nullptr;
    };
    /// Usage when the profile names an unknown protocol.
    static Result<std::unique_ptr<Connection>> create(Setup setup);
    ~Connection() override;

    /// Begins to connect; returns at once. What becomes of it is told by stateChanged().
    void start();
    /// Stops the local workers within `patience`, gives their jobs back, ends every loop and request. Idempotent.
    QCoro::Task<void> close(Milliseconds patience);

    LiveFeed *feed() { return &m_feed; }
    LocalWorkers *workers() { return &m_workers; }
    BulkActions *bulk() { return &m_bulk; }

    void setFocused(const QByteArray &id);
    void retryNow();

    QCoro::Task<SubmitReceipt> submit(Job draft);
    QCoro::Task<int> submitGraph(std::vector<Job> drafts);
    QCoro::Task<RoutePreview> preview(Target target);
    QCoro::Task<JobDetail> job(QByteArray id);
    QCoro::Task<QByteArray> loadField(QByteArray id, QByteArray field);
    QCoro::Task<BulkResult> stopJobs(QList<QByteArray> ids);
    QCoro::Task<BulkResult> removeJobs(QList<QByteArray> ids);
    QCoro::Task<BulkResult> retryJobs(QList<QByteArray> ids);
    QCoro::Task<BulkResult> requeueJobs(QList<QByteArray> ids);
    QCoro::Task<BulkResult> moveJobs(QList<QByteArray> ids, Target to);
    QCoro::Task<BulkResult> purgeQueue(QByteArray key);
    QCoro::Task<BulkResult> restoreRemoved(QString removal = {});
    QCoro::Task<QList<QByteArray>> queueContent(QByteArray key, qint64 offset, qint64 count);
    QCoro::Task<Examination> examine();
    QCoro::Task<OpenLog> openLog(QByteArray id);
    QCoro::Task<quint32> startWorker(WorkerRequest request);
    QCoro::Task<bool> quietWorker(quint32 handle, bool quiet);
    QCoro::Task<bool> stopWorker(quint32 handle);
    QCoro::Task<AttachState> attachState();
    QCoro::Task<bool> cutClient(qint64 id);
    QCoro::Task<quint16> setPort(PortAccess access);

    /// Owns the coroutines of requests.
    TaskScope *scope() { return &m_scope; }

Q_SIGNALS:
    void stateChanged(const ym::ConnectionState &state);
    void attachChanged();

private:
    Connection(Setup setup, const Protocol *protocol);

    QCoro::Task<void> openStore();
    void requireWritable() const;
    QCoro::Task<Producer::Receipt> submitOnce(Job draft);
    QCoro::Task<void> submitGraphOnce(std::vector<Job> drafts);
    QCoro::Task<void> waitAfter(StoreError lost);
    void onSecond();
    void publishState();

    Setup m_setup;
    std::unique_ptr<Store> m_store;
    WorkspaceDoor m_door;
    std::unique_ptr<Producer> m_producer;
    std::unique_ptr<Inspector> m_inspector;
    LiveFeed m_feed;
    LocalWorkers m_workers;
    Dispatcher m_dispatcher;
    BulkActions m_bulk;
    TaskScope m_scope{"Connection"};
    QTimer m_stateTimer;
    ConnectionState m_state;
    quint64 m_lastCommands = 0;
    double m_commandsPerSecond = 0;
    QByteArray m_focused;
    bool m_closed = false;
};

} // namespace ym
