#include "core/engine/engine_session.h"

#include "core/engine/protocols.h"

namespace ym {

namespace {

/// Keeps the connection until it is down, even when its session is deleted meanwhile.
QCoro::Task<void> closeDown(std::shared_ptr<Connection> connection, Milliseconds patience,
                            std::shared_ptr<QPromise<void>> down)
{
    co_await connection->close(patience);
    down->finish();
}

} // namespace

EngineSession::EngineSession(Profile profile, QObject *parent)
    : Session(parent)
    , m_profile(std::move(profile))
{
    m_state.phase = ConnectionState::Phase::Connecting;
}

/// ~QObject() would still call what is connected here (QObject::disconnectNotify()), and without the session's share
/// the core thread may be deleting that by then.
EngineSession::~EngineSession()
{
    if (!m_connection)
        return;
    for (QObject *sender : std::initializer_list<QObject *>{m_connection.get(), m_connection->bulk(),
                                                            m_connection->feed(), m_connection->feed()->batcher()})
        sender->disconnect(this);
}

void EngineSession::attach(std::shared_ptr<Connection> connection)
{
    if (m_shuttingDown)
        return;
    m_connection = std::move(connection);
    connectConnection();
    tell([](Connection &core) { core.start(); });
}

void EngineSession::refuse(Error error)
{
    m_state.phase = ConnectionState::Phase::Refused;
    m_state.trouble = std::move(error);
    Q_EMIT stateChanged();
}

void EngineSession::connectConnection()
{
    Connection *core = m_connection.get();
    connect(core, &Connection::stateChanged, this, [this](const ConnectionState &state) {
        m_state = state;
        Q_EMIT stateChanged();
    });
    connect(core, &Connection::attachChanged, this, &Session::attachChanged);
    connect(core->bulk(), &BulkActions::progressed, this, &Session::bulkProgressed);
    connect(core->bulk(), &BulkActions::lost, this, &Session::jobsLost);
    connect(core->feed(), &LiveFeed::focusedJobChanged, this, &Session::focusedJobChanged);
    connect(core->feed(), &LiveFeed::watchedJobEnded, this, &Session::watchedJobEnded);
    connect(core->feed()->batcher(), &ChangeBatcher::batch, this,
            [this](const std::shared_ptr<ChangeSet> &changes) { Q_EMIT changed(*changes); });
}

/// Runs `what(Connection &)` in the core thread, in order with everything else that was told.
template <typename Do> void EngineSession::tell(Do what)
{
    if (!m_connection)
        return;
    QMetaObject::invokeMethod(
        m_connection.get(), [core = m_connection, what] { what(*core); }, Qt::QueuedConnection);
}

/// Starts the coroutine `start(Connection &)` in the core thread and brings its end back as a future.
template <typename T, typename Start> QFuture<Result<T>> EngineSession::ask(Start start)
{
    if (!m_connection || m_shuttingDown) {
        const Error why = m_state.trouble.message.isEmpty()
            ? Error{ErrorKind::Unavailable, tr("The connection is not open yet."), tr("Try again in a moment."), false}
            : m_state.trouble;
        return answered<T>(tl::unexpected<Error>(why));
    }
    auto answer = std::make_shared<Answer<T>>();
    const QFuture<Result<T>> future = answer->future();
    tell([answer = std::move(answer), start](Connection &core) {
        core.scope()->spawn(answerWith<T>(answer, start(core)));
    });
    return future;
}

QFuture<void> EngineSession::shutDown(Milliseconds patience)
{
    if (std::exchange(m_shuttingDown, true))
        return m_down;
    auto promise = std::make_shared<QPromise<void>>();
    promise->start();
    m_down = promise->future();
    if (!m_connection) {
        promise->finish();
        return m_down;
    }
    tell([promise, patience, keep = m_connection](Connection &) { closeDown(keep, patience, promise); });
    return m_down;
}

Capabilities EngineSession::capabilities() const
{
    const Protocol *protocol = protocols().find(m_profile.protocol);
    return protocol ? protocol->capabilities() : Capabilities{};
}

void EngineSession::setVisibleJobs(QList<QByteArray> ids)
{
    tell([ids](Connection &core) { core.feed()->setVisible(ids); });
}

void EngineSession::setFocusedJob(QByteArray id)
{
    tell([id](Connection &core) { core.setFocused(id); });
}

void EngineSession::setOnScreen(bool shown)
{
    tell([shown](Connection &core) { core.feed()->setOnScreen(shown); });
}

void EngineSession::refresh()
{
    tell([](Connection &core) { core.feed()->refresh(); });
}

void EngineSession::retryNow()
{
    tell([](Connection &core) { core.retryNow(); });
}

void EngineSession::watchJob(QByteArray id, bool on)
{
    tell([id, on](Connection &core) { core.feed()->watch(id, on); });
}

QFuture<Result<SubmitReceipt>> EngineSession::submit(Job draft)
{
    return ask<SubmitReceipt>([draft](Connection &core) { return core.submit(draft); });
}

QFuture<Result<int>> EngineSession::submitGraph(std::vector<Job> drafts)
{
    return ask<int>([drafts](Connection &core) { return core.submitGraph(drafts); });
}

QFuture<Result<RoutePreview>> EngineSession::preview(Target target)
{
    return ask<RoutePreview>([target](Connection &core) { return core.preview(target); });
}

QFuture<Result<JobDetail>> EngineSession::job(QByteArray id)
{
    return ask<JobDetail>([id](Connection &core) { return core.job(id); });
}

QFuture<Result<QByteArray>> EngineSession::loadField(QByteArray id, QByteArray field)
{
    return ask<QByteArray>([id, field](Connection &core) { return core.loadField(id, field); });
}

QFuture<Result<BulkResult>> EngineSession::stopJobs(QList<QByteArray> ids)
{
    return ask<BulkResult>([ids](Connection &core) { return core.stopJobs(ids); });
}

QFuture<Result<BulkResult>> EngineSession::removeJobs(QList<QByteArray> ids)
{
    return ask<BulkResult>([ids](Connection &core) { return core.removeJobs(ids); });
}

QFuture<Result<BulkResult>> EngineSession::retryJobs(QList<QByteArray> ids)
{
    return ask<BulkResult>([ids](Connection &core) { return core.retryJobs(ids); });
}

QFuture<Result<BulkResult>> EngineSession::requeueJobs(QList<QByteArray> ids)
{
    return ask<BulkResult>([ids](Connection &core) { return core.requeueJobs(ids); });
}

QFuture<Result<BulkResult>> EngineSession::moveJobs(QList<QByteArray> ids, Target to)
{
    return ask<BulkResult>([ids, to](Connection &core) { return core.moveJobs(ids, to); });
}

QFuture<Result<BulkResult>> EngineSession::purgeQueue(QByteArray key)
{
    return ask<BulkResult>([key](Connection &core) { return core.purgeQueue(key); });
}

QFuture<Result<BulkResult>> EngineSession::restoreRemoved(QString removal)
{
    return ask<BulkResult>([removal](Connection &core) { return core.restoreRemoved(removal); });
}

void EngineSession::cancelBulk()
{
    tell([](Connection &core) { core.bulk()->cancel(); });
}

QFuture<Result<QList<QByteArray>>> EngineSession::queueContent(QByteArray key, qint64 offset, qint64 count)
{
    return ask<QList<QByteArray>>(
        [key, offset, count](Connection &core) { return core.queueContent(key, offset, count); });
}

QFuture<Result<Examination>> EngineSession::examine()
{
    return ask<Examination>([](Connection &core) { return core.examine(); });
}

QFuture<Result<OpenLog>> EngineSession::openLog(QByteArray id)
{
    return ask<OpenLog>([id](Connection &core) { return core.openLog(id); });
}

QFuture<Result<quint32>> EngineSession::startWorker(WorkerRequest request)
{
    return ask<quint32>([request](Connection &core) { return core.startWorker(request); });
}

QFuture<Result<bool>> EngineSession::quietWorker(quint32 handle, bool quiet)
{
    return ask<bool>([handle, quiet](Connection &core) { return core.quietWorker(handle, quiet); });
}

QFuture<Result<bool>> EngineSession::stopWorker(quint32 handle)
{
    return ask<bool>([handle](Connection &core) { return core.stopWorker(handle); });
}

QFuture<Result<AttachState>> EngineSession::attachState()
{
    return ask<AttachState>([](Connection &core) { return core.attachState(); });
}

QFuture<Result<bool>> EngineSession::cutClient(qint64 id)
{
    return ask<bool>([id](Connection &core) { return core.cutClient(id); });
}

QFuture<Result<quint16>> EngineSession::setPort(PortAccess access)
{
    return ask<quint16>([access](Connection &core) { return core.setPort(access); });
}

} // namespace ym
