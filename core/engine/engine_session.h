// The real Session: a façade in the GUI thread over a Connection in the core thread.
#pragma once

#include "core/engine/answer.h"
#include "core/engine/connection.h"
#include "core/engine/session.h"

namespace ym {

/// Created by EngineConnections. Until attach() is called (while the password is fetched) requests answer Unavailable.
class EngineSession final : public Session {
    Q_OBJECT
public:
    EngineSession(Profile profile, QObject *parent);
    ~EngineSession() override;

    /// Takes the connection, which lives in `coreThread` already, and starts it.
    void attach(std::shared_ptr<Connection> connection);
    /// The connection could not even be made: shown as Refused.
    void refuse(Error error);
    /// Ends everything; the future ends when the connection is down. Idempotent.
    QFuture<void> shutDown(Milliseconds patience);

    Profile profile() const override { return m_profile; }
    /// Takes what changes nothing of the connection itself: name, colour, production, port.
    void setProfile(const Profile &profile) { m_profile = profile; }
    Capabilities capabilities() const override;
    ConnectionState state() const override { return m_state; }
    void setVisibleJobs(QList<QByteArray> ids) override;
    void setFocusedJob(QByteArray id) override;
    void setOnScreen(bool shown) override;
    void refresh() override;
    void retryNow() override;
    void watchJob(QByteArray id, bool on) override;
    QFuture<Result<SubmitReceipt>> submit(Job draft) override;
    QFuture<Result<int>> submitGraph(std::vector<Job> drafts) override;
    QFuture<Result<RoutePreview>> preview(Target target) override;
    QFuture<Result<JobDetail>> job(QByteArray id) override;
    QFuture<Result<QByteArray>> loadField(QByteArray id, QByteArray field) override;
    QFuture<Result<BulkResult>> stopJobs(QList<QByteArray> ids) override;
    QFuture<Result<BulkResult>> removeJobs(QList<QByteArray> ids) override;
    QFuture<Result<BulkResult>> retryJobs(QList<QByteArray> ids) override;
    QFuture<Result<BulkResult>> requeueJobs(QList<QByteArray> ids) override;
    QFuture<Result<BulkResult>> moveJobs(QList<QByteArray> ids, Target to) override;
    QFuture<Result<BulkResult>> purgeQueue(QByteArray key) override;
    QFuture<Result<BulkResult>> restoreRemoved(QString removal) override;
    void cancelBulk() override;
    QFuture<Result<QList<QByteArray>>> queueContent(QByteArray key, qint64 offset, qint64 count) override;
    QFuture<Result<Examination>> examine() override;
    QFuture<Result<OpenLog>> openLog(QByteArray id) override;
    QFuture<Result<quint32>> startWorker(WorkerRequest request) override;
    QFuture<Result<bool>> quietWorker(quint32 handle, bool quiet) override;
    QFuture<Result<bool>> stopWorker(quint32 handle) override;
    QFuture<Result<AttachState>> attachState() override;
    QFuture<Result<bool>> cutClient(qint64 id) override;
    /// Opens or closes the loopback port; returns the one that is open, 0 = none.
    QFuture<Result<quint16>> setPort(PortAccess access);

private:
    template<typename T, typename Start>
    QFuture<Result<T>> ask(Start start);
    template<typename Do>
    void tell(Do what);
    void connectConnection();

    Profile m_profile;
    ConnectionState m_state;
    std::shared_ptr<Connection> m_connection;
    QFuture<void> m_down;
    bool m_shuttingDown = false;
};

} // namespace ym
