#include "core/engine/connection.h"

#include "core/base/log.h"
#include "core/base/text.h"
#include "core/engine/doctor.h"
#include "core/engine/protocols.h"
#include "core/engine/store_factory.h"
#include "core/engine/workspace_store.h"
#include "core/protocol/schedule.h"
#include "core/store/read_only_store.h"
#include "core/worker/job_log.h"

#include <QtConcurrent>

#include <QCoroFuture>

namespace ym {

using namespace std::chrono_literals;

namespace {

constexpr Milliseconds resubmitWait = 5s;

ProtocolOptions optionsOf(const Profile &profile)
{
    ProtocolOptions options;
    options.order = profile.order;
    options.keys = profile.keys;
    return options;
}

ConnectionState::Phase phaseOf(StoreStatus::Phase phase)
{
    switch (phase) {
    case StoreStatus::Phase::Closed:
        return ConnectionState::Phase::Closed;
    case StoreStatus::Phase::Connecting:
        return ConnectionState::Phase::Connecting;
    case StoreStatus::Phase::Ready:
        return ConnectionState::Phase::Ready;
    case StoreStatus::Phase::Waiting:
        return ConnectionState::Phase::Waiting;
    case StoreStatus::Phase::Refused:
        return ConnectionState::Phase::Refused;
    }
    return ConnectionState::Phase::Closed;
}

/// What the store warned of when it connected, and what has become of the server since.
QStringList warningsOf(const QStringList &fromStore, const LiveFeed &feed)
{
    QStringList warnings = fromStore;
    const Unread &unread = feed.unread();
    for (const QString &trouble :
         {feed.writeTrouble(), unread.jobs.text(), unread.queues.text(), unread.workers.text()}) {
        if (!trouble.isEmpty() && !warnings.contains(trouble))
            warnings << trouble;
    }
    return warnings + feed.serverNews();
}

/// A read-only connection is one in its store already, whatever asks it.
std::unique_ptr<Store> storeOf(const Connection::Setup &setup)
{
    std::unique_ptr<Store> store = makeStore(setup.address, setup.paths, setup.clock);
    if (!setup.profile.readOnly)
        return store;
    return std::make_unique<ReadOnlyStore>(std::move(store));
}

} // namespace

Result<std::unique_ptr<Connection>> Connection::create(Setup setup)
{
    const Protocol *protocol = protocols().find(setup.profile.protocol);
    if (!protocol)
        return failure(ErrorKind::Usage, tr("This build does not know the protocol “%1”.").arg(QString::fromUtf8(setup.profile.protocol)));
    return std::unique_ptr<Connection>(new Connection(std::move(setup), protocol));
}

Connection::Connection(Setup setup, const Protocol *protocol)
    : m_setup(std::move(setup))
    , m_store(storeOf(m_setup))
    , m_door(qobject_cast<WorkspaceStore *>(m_store.get()))
    , m_producer(protocol->producer(m_store.get(), optionsOf(m_setup.profile), m_setup.clock))
    , m_inspector(protocol->inspector(m_store.get(), optionsOf(m_setup.profile), m_setup.clock))
    , m_feed(m_store.get(), m_inspector.get(), m_setup.clock, m_setup.address.database)
    , m_workers(LocalWorkers::Parts{m_store.get(), protocol, optionsOf(m_setup.profile), m_setup.executor, m_setup.clock,
                                    m_setup.paths.logs(), m_setup.paths.spool() + u'/' + m_setup.profile.id,
                                    m_setup.paths.auditFile(), m_setup.profile.limitsOnly})
    , m_dispatcher(m_store.get(), protocol->rescuer(m_store.get(), optionsOf(m_setup.profile), m_setup.clock),
                   optionsOf(m_setup.profile).lease, m_setup.clock)
    , m_bulk(BulkActions::Parts{m_producer.get(), m_inspector.get(), m_setup.clock,
                                folderFor(m_setup.address, m_setup.profile.protocol, m_setup.paths.removed())})
{
    connect(m_store.get(), &Store::statusChanged, this, &Connection::publishState);
    connect(&m_feed, &LiveFeed::unreadChanged, this, &Connection::publishState);
    connect(&m_door, &WorkspaceDoor::changed, this, &Connection::attachChanged);
    m_door.setPort(m_setup.port);
    connect(&m_stateTimer, &QTimer::timeout, this, &Connection::onSecond);
    connect(&m_bulk, &BulkActions::touched, this, [this](const QByteArray &id) { m_feed.touch({id}); });
    connect(&m_bulk, &BulkActions::removed, &m_feed, &LiveFeed::noteRemoved);
    connect(&m_bulk, &BulkActions::restorableChanged, this, &Connection::publishState);
    connect(&m_workers, &LocalWorkers::infosChanged, this, [this] { m_feed.batcher()->setLocalWorkers(m_workers.infos()); });
    connect(&m_workers, &LocalWorkers::claimsLost, &m_bulk, &BulkActions::keepLost);
    connect(&m_workers, &LocalWorkers::jobTouched, this, [this](const QByteArray &id) { m_feed.touch({id}); });
    connect(&m_workers, &LocalWorkers::jobOutput, this, [this](const OutputChunk &chunk) {
        if (chunk.jobId == m_focused)
            m_feed.batcher()->addOutput(chunk);
    });
}

Connection::~Connection() = default;

void Connection::start()
{
    m_stateTimer.start(1s);
    m_scope.spawn(openStore());
    m_feed.start();
    if (!m_setup.profile.readOnly)
        m_dispatcher.start();
}

QCoro::Task<void> Connection::openStore()
{
    try {
        co_await m_store->open();
    } catch (const StoreError &e) {
        qCInfo(logEngine, "opening %s: %s", qUtf8Printable(m_store->displayName()), e.what());
    }
    publishState();
}

QCoro::Task<void> Connection::close(Milliseconds patience)
{
    if (std::exchange(m_closed, true))
        co_return;
    m_stateTimer.stop();
    co_await m_workers.stopAll(patience);
    m_scope.stop();
    m_bulk.cancel();
    co_await m_feed.stop();
    m_store->close();
    co_await m_dispatcher.drain();
    co_await m_bulk.drain();
    co_await m_scope.drain();
}

void Connection::onSecond()
{
    const quint64 commands = m_store->cost().commands;
    m_commandsPerSecond = double(commands - std::exchange(m_lastCommands, commands));
    publishState();
}

void Connection::publishState()
{
    const StoreStatus status = m_store->status();
    ConnectionState state;
    state.phase = phaseOf(status.phase);
    state.trouble = status.trouble;
    state.retryInMs = status.retryIn.count();
    state.server = status.server.isEmpty() ? m_store->displayName() : tr("%1 at %2").arg(status.server, m_store->displayName());
    state.warnings = warningsOf(status.warnings, m_feed);
    state.unread = m_feed.unread();
    state.containment = m_setup.executor ? m_setup.executor->containmentLine() : QString();
    state.commandsPerSecond = m_commandsPerSecond;
    state.pictureAgeMs = m_feed.pictureAgeMs();
    state.restorable = m_bulk.restorableCount();
    if (state == m_state)
        return;
    m_state = state;
    Q_EMIT stateChanged(m_state);
}

void Connection::setFocused(const QByteArray &id)
{
    m_focused = id;
    m_feed.setFocused(id);
    for (const OutputChunk &chunk : m_workers.output().of(id))
        m_feed.batcher()->addOutput(chunk);
}

void Connection::retryNow()
{
    if (m_store->status().phase == StoreStatus::Phase::Ready)
        return m_feed.refresh();
    m_scope.spawn(openStore());
}

void Connection::requireWritable() const
{
    if (m_setup.profile.readOnly)
        throw StoreError(readOnlyError());
}

/// Its time is by our clock.
QCoro::Task<Producer::Receipt> Connection::submitOnce(Job draft)
{
    std::vector<Job> drafts(1, std::move(draft));
    drafts = co_await byStoreClock(m_store.get(), m_setup.clock, std::move(drafts));
    Producer::Receipt receipt = co_await m_producer->submit(drafts.front());
    co_return receipt;
}

QCoro::Task<void> Connection::submitGraphOnce(std::vector<Job> drafts)
{
    drafts = co_await byStoreClock(m_store.get(), m_setup.clock, std::move(drafts));
    co_await m_producer->submitGraph(std::move(drafts));
}

QCoro::Task<SubmitReceipt> Connection::submit(Job draft)
{
    requireWritable();
    if (draft.id.isEmpty())
        draft.id = newJobId();
    std::optional<StoreError> lost;
    try {
        Producer::Receipt receipt = co_await submitOnce(draft);
        m_feed.touch({receipt.id});
        co_return SubmitReceipt{receipt.id, receipt.queueKeys};
    } catch (const StoreError &e) {
        if (!e.error().ambiguous)
            throw;
        lost = e;
    }
    co_await waitAfter(*lost); // the same draft with the same id is one job (RELIABILITY HD2), so asking again is safe
    Producer::Receipt receipt = co_await submitOnce(draft);
    m_feed.touch({receipt.id});
    co_return SubmitReceipt{receipt.id, receipt.queueKeys};
}

/// An answer was lost: returns when the store is ready again, throws what was lost when that takes too long.
QCoro::Task<void> Connection::waitAfter(StoreError lost)
{
    const Monotonic until = m_setup.clock->monotonic() + resubmitWait;
    while (m_store->status().phase != StoreStatus::Phase::Ready && m_setup.clock->monotonic() < until && !m_scope.isStopping())
        co_await m_setup.clock->sleep(100ms, m_scope.token());
    if (m_store->status().phase != StoreStatus::Phase::Ready)
        throw lost;
}

QCoro::Task<int> Connection::submitGraph(std::vector<Job> drafts)
{
    requireWritable();
    std::optional<StoreError> lost;
    try {
        co_await submitGraphOnce(drafts);
    } catch (const StoreError &e) {
        if (!e.error().ambiguous)
            throw;
        lost = e;
    }
    if (lost) {
        co_await waitAfter(*lost);
        co_await submitGraphOnce(drafts);
    }
    QList<QByteArray> ids;
    for (const Job &draft : drafts)
        ids.append(draft.id);
    m_feed.touch(ids);
    co_return int(drafts.size());
}

QCoro::Task<RoutePreview> Connection::preview(Target target)
{
    co_return co_await m_producer->preview(target);
}

QCoro::Task<JobDetail> Connection::job(QByteArray id)
{
    Inspector::Detail detail = co_await m_inspector->job(id, Inspector::defaultPreview);
    co_return JobDetail{std::move(detail.job), std::move(detail.fullSize), m_feed.isWatched(id)};
}

QCoro::Task<QByteArray> Connection::loadField(QByteArray id, QByteArray field)
{
    Inspector::FieldPart part = co_await m_inspector->fieldPart(id, field, 0, loadableBytes);
    if (part.fullSize > part.bytes.size())
        throw StoreError(ErrorKind::TooLarge, tr("This value has %1 MiB; at most 16 MiB are shown.").arg(part.fullSize >> 20),
                         tr("Write it to a file with: yardmaster show ID --field %1.").arg(shownText(field, Lines::Flatten, 80)));
    co_return std::move(part.bytes);
}

QCoro::Task<BulkResult> Connection::stopJobs(QList<QByteArray> ids)
{
    requireWritable();
    co_return co_await m_bulk.stop(ids);
}

QCoro::Task<BulkResult> Connection::removeJobs(QList<QByteArray> ids)
{
    requireWritable();
    co_return co_await m_bulk.remove(ids);
}

QCoro::Task<BulkResult> Connection::retryJobs(QList<QByteArray> ids)
{
    requireWritable();
    co_return co_await m_bulk.retry(ids);
}

QCoro::Task<BulkResult> Connection::requeueJobs(QList<QByteArray> ids)
{
    requireWritable();
    co_return co_await m_bulk.requeue(ids);
}

QCoro::Task<BulkResult> Connection::moveJobs(QList<QByteArray> ids, Target to)
{
    requireWritable();
    co_return co_await m_bulk.move(ids, to);
}

QCoro::Task<BulkResult> Connection::purgeQueue(QByteArray key)
{
    requireWritable();
    BulkResult result = co_await m_bulk.purge(key);
    m_feed.refresh();
    co_return result;
}

QCoro::Task<BulkResult> Connection::restoreRemoved(QString removal)
{
    requireWritable();
    BulkResult result = co_await m_bulk.restore(removal);
    m_feed.refresh();
    co_return result;
}

QCoro::Task<QList<QByteArray>> Connection::queueContent(QByteArray key, qint64 offset, qint64 count)
{
    co_return co_await m_inspector->queueContent(key, offset, count);
}

/// With an inspector of its own: a listing walks but one way at a time.
QCoro::Task<Examination> Connection::examine()
{
    Clock *const clock = m_setup.clock;
    const std::chrono::seconds ahead = co_await storeAhead(m_store.get(), clock);
    const Protocol *const protocol = protocols().find(m_setup.profile.protocol);
    const std::unique_ptr<Inspector> inspector = protocol->inspector(m_store.get(), optionsOf(m_setup.profile), clock);
    Doctor doctor(inspector.get(), clock->now() + ahead);
    co_return co_await doctor.examine(warningsOf(m_store->status().warnings, m_feed), {});
}

QCoro::Task<OpenLog> Connection::openLog(QByteArray id)
{
    const Inspector::Detail detail = co_await m_inspector->job(id, Inspector::defaultPreview);
    JobLog::Options options;
    options.root = m_setup.paths.logs();
    // Off the core thread: a slow disk must not stop heartbeats.
    QFuture<Result<OpenLog>> opening = QtConcurrent::run([options, path = detail.job.logPath, id]() -> Result<OpenLog> {
        Result<FileDescriptor> file = openJobLog(options, path, id);
        if (!file)
            return tl::unexpected(file.error());
        OpenLog log;
        log.inode = inodeOf(*file);
        log.file = std::make_shared<QFile>();
        log.file->open(file->release(), QIODevice::ReadOnly, QFileDevice::AutoCloseHandle);
        return log;
    });
    Result<OpenLog> opened = co_await opening;
    if (!opened)
        throw StoreError(opened.error());
    co_return *opened;
}

QCoro::Task<quint32> Connection::startWorker(WorkerRequest request)
{
    requireWritable();
    co_return co_await m_workers.start(request);
}

QCoro::Task<bool> Connection::quietWorker(quint32 handle, bool quiet)
{
    m_workers.setQuiet(handle, quiet);
    co_return quiet;
}

QCoro::Task<bool> Connection::stopWorker(quint32 handle)
{
    co_await m_workers.stop(handle, 10s);
    co_return true;
}

QCoro::Task<AttachState> Connection::attachState()
{
    co_return m_door.state();
}

QCoro::Task<bool> Connection::cutClient(qint64 id)
{
    co_return m_door.cut(id);
}

QCoro::Task<quint16> Connection::setPort(PortAccess access)
{
    const Result<quint16> opened = m_door.setPort(access);
    if (!opened)
        throw StoreError(opened.error());
    co_return quint16(*opened);
}

} // namespace ym
