#include "tests/support/fake_session.h"

#include <sys/stat.h>

#include <QPromise>

namespace ym::test {

namespace {

Timestamp now()
{
    return Clock::system().now();
}

Capabilities heroCapabilities()
{
    Capabilities capabilities;
    capabilities.flags = Capability::Submit | Capability::Stop | Capability::Remove | Capability::Retry
        | Capability::Prerequisites | Capability::Priority | Capability::Environment | Capability::LogFile
        | Capability::Presence | Capability::Reply | Capability::Schedule | Capability::KeyModes;
    capabilities.targetFields = {
        {"type", QStringLiteral("Type"), QStringLiteral("python"), true},
        {"group", QStringLiteral("Group"), QStringLiteral("any"), false},
        {"instance", QStringLiteral("Instance"), QStringLiteral("any"), false},
        {"worker", QStringLiteral("Worker ID"), QStringLiteral("legacy"), false},
    };
    return capabilities;
}

JobSummary summaryOf(const Job &job)
{
    JobSummary summary;
    summary.id = job.id;
    summary.state = job.state;
    summary.statusText = job.state == JobState::Unknown ? job.statusText.left(64) : QByteArray();
    summary.target = job.target;
    summary.callerId = job.callerId;
    summary.contextId = job.contextId;
    summary.claimedBy = job.claimedBy;
    summary.createdAt = job.createdAt;
    summary.updatedAt = job.updatedAt;
    summary.attempt = job.attempt;
    summary.access = job.access;
    return summary;
}

FakeSession::Request made(const QByteArray &verb, const QList<QByteArray> &ids = {})
{
    FakeSession::Request request;
    request.verb = verb;
    request.ids = ids;
    return request;
}

} // namespace

FakeSession::FakeSession(Profile profile, QObject *parent)
    : Session(parent)
    , m_profile(std::move(profile))
    , m_capabilities(heroCapabilities())
{
    m_state.phase = ConnectionState::Phase::Connecting;
}

FakeSession::~FakeSession()
{
    releaseAnswers();
}

void FakeSession::showJobs(const std::vector<JobSummary> &jobs)
{
    constexpr size_t batch = 2'000;
    ++m_generation;
    m_jobs.clear();
    m_details.clear();
    for (size_t first = 0; first < jobs.size(); first += batch) {
        const auto begin = jobs.begin() + qsizetype(first);
        const auto end = jobs.begin() + qsizetype(std::min(first + batch, jobs.size()));
        ChangeSet changes;
        changes.generation = m_generation;
        changes.knownJobs = qint64(jobs.size());
        changes.jobs.assign(begin, end);
        for (auto job = begin; job != end; ++job)
            m_jobs.insert(job->id, *job);
        Q_EMIT changed(changes);
    }
    ChangeSet last;
    last.generation = m_generation;
    last.knownJobs = qint64(jobs.size());
    last.listingComplete = true;
    Q_EMIT changed(last);
}

void FakeSession::showJob(const JobDetail &detail)
{
    m_details.insert(detail.job.id, detail);
    m_jobs.insert(detail.job.id, summaryOf(detail.job));
    ChangeSet changes;
    changes.generation = m_generation;
    changes.jobs = {m_jobs.value(detail.job.id)};
    Q_EMIT changed(changes);
    if (detail.job.id == m_focused)
        Q_EMIT focusedJobChanged(m_focused);
}

void FakeSession::showQueues(const QList<QueueInfo> &queues)
{
    ChangeSet changes;
    changes.generation = m_generation;
    changes.queues = queues;
    Q_EMIT changed(changes);
}

void FakeSession::showWorkers(const QList<WorkerInfo> &workers)
{
    ChangeSet changes;
    changes.generation = m_generation;
    changes.workers = workers;
    Q_EMIT changed(changes);
}

void FakeSession::showLocalWorkers(const QList<LocalWorkerInfo> &workers)
{
    m_localWorkers = workers;
    ChangeSet changes;
    changes.generation = m_generation;
    changes.localWorkers = workers;
    Q_EMIT changed(changes);
}

void FakeSession::showOutput(const QByteArray &id, const QByteArray &bytes, OutputChunk::Stream stream, int attempt)
{
    ChangeSet changes;
    changes.generation = m_generation;
    changes.output = {{id, attempt, stream, bytes}};
    Q_EMIT changed(changes);
}

void FakeSession::removeJob(const QByteArray &id)
{
    m_jobs.remove(id);
    m_details.remove(id);
    ChangeSet changes;
    changes.generation = m_generation;
    changes.removedJobs = {id};
    Q_EMIT changed(changes);
}

void FakeSession::loseJob(const QByteArray &id, const QByteArray &why)
{
    m_jobs.remove(id);
    m_details.remove(id);
    ChangeSet changes;
    changes.generation = m_generation;
    changes.lostJobs = {{id, why}};
    Q_EMIT changed(changes);
}

void FakeSession::tell(const ChangeSet &changes)
{
    Q_EMIT changed(changes);
}

void FakeSession::moveJob(const QByteArray &id, JobState state)
{
    JobSummary &job = m_jobs[id];
    job.state = state;
    job.updatedAt = now();
    if (state == JobState::Running)
        ++job.attempt;
    if (const auto detail = m_details.find(id); detail != m_details.end()) {
        detail->job.state = state;
        detail->job.updatedAt = job.updatedAt;
        detail->job.attempt = job.attempt;
    }
    const JobSummary copy = job;
    ChangeSet changes;
    changes.generation = m_generation;
    changes.jobs = {copy};
    Q_EMIT changed(changes);
    if (id == m_focused)
        Q_EMIT focusedJobChanged(id);
    if (isTerminal(state) && m_watched.remove(id))
        Q_EMIT watchedJobEnded(copy);
}

void FakeSession::setState(const ConnectionState &state)
{
    m_state = state;
    Q_EMIT stateChanged();
}

void FakeSession::setReady()
{
    ConnectionState ready;
    ready.phase = ConnectionState::Phase::Ready;
    ready.server = QStringLiteral("embedded store");
    ready.commandsPerSecond = 4.2;
    ready.pictureAgeMs = 600;
    setState(ready);
}

void FakeSession::setProfile(const Profile &profile)
{
    m_profile = profile;
    Q_EMIT stateChanged();
}

void FakeSession::setCapabilities(const Capabilities &capabilities)
{
    m_capabilities = capabilities;
    Q_EMIT stateChanged();
}

void FakeSession::setQueueContent(const QByteArray &key, const QList<QByteArray> &ids)
{
    m_queues.insert(key, ids);
}

void FakeSession::setLog(const QByteArray &id, const QByteArray &bytes)
{
    QFile file(logFile(id));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("the log of the test cannot be written");
}

void FakeSession::setField(const QByteArray &id, const QByteArray &field, const QByteArray &bytes)
{
    m_fields.insert({id, field}, bytes);
}

void FakeSession::setPreview(const RoutePreview &preview)
{
    m_preview = preview;
}

void FakeSession::failNext(const Error &error)
{
    m_failure = error;
}

void FakeSession::holdAnswers()
{
    m_holds = true;
}

void FakeSession::releaseAnswers()
{
    m_holds = false;
    for (const auto &held : std::exchange(m_held, {}))
        held();
}

QList<FakeSession::Request> FakeSession::requests(const QByteArray &verb) const
{
    QList<Request> found;
    std::copy_if(m_requests.begin(), m_requests.end(), std::back_inserter(found),
                 [&](const Request &request) { return request.verb == verb; });
    return found;
}

std::optional<JobSummary> FakeSession::summary(const QByteArray &id) const
{
    const auto found = m_jobs.find(id);
    return found == m_jobs.end() ? std::nullopt : std::optional(*found);
}

void FakeSession::watchJob(QByteArray id, bool on)
{
    if (on)
        m_watched.insert(id);
    else
        m_watched.remove(id);
}

template <typename T> QFuture<Result<T>> FakeSession::answer(Request request, std::function<Result<T>()> make)
{
    m_requests.append(std::move(request));
    auto promise = std::make_shared<QPromise<Result<T>>>();
    QFuture<Result<T>> future = promise->future();
    promise->start();
    const auto failure = std::exchange(m_failure, std::nullopt);
    const auto deliver = [promise, failure, make = std::move(make)] {
        promise->addResult(failure ? Result<T>(tl::unexpected<Error>(*failure)) : make());
        promise->finish();
    };
    if (m_holds)
        m_held.push_back(deliver);
    else
        deliver();
    return future;
}

QFuture<Result<SubmitReceipt>> FakeSession::submit(Job draft)
{
    Request request = made("submit");
    request.draft = draft;
    return answer<SubmitReceipt>(std::move(request), [this, job = std::move(draft)]() mutable -> Result<SubmitReceipt> {
        if (job.id.isEmpty())
            job.id = newJobId();
        if (m_jobs.contains(job.id))
            return failure(ErrorKind::Conflict, QStringLiteral("A job with this id exists already."));
        job.state = JobState::Queued;
        job.createdAt = job.updatedAt = now();
        showJob({job, {}, false});
        return SubmitReceipt{job.id, {"hero:q:work:type:" + job.target.type}};
    });
}

QFuture<Result<int>> FakeSession::submitGraph(std::vector<Job> drafts)
{
    Request request = made("submitGraph");
    request.drafts = drafts;
    return answer<int>(std::move(request), [this, drafts]() -> Result<int> {
        for (Job job : drafts) {
            job.state = job.prerequisites.isEmpty() ? JobState::Queued : JobState::Waiting;
            job.createdAt = job.updatedAt = now();
            showJob({job, {}, false});
        }
        return int(drafts.size());
    });
}

QFuture<Result<RoutePreview>> FakeSession::preview(Target target)
{
    Request request = made("preview");
    request.target = target;
    return answer<RoutePreview>(std::move(request), [this, target]() -> Result<RoutePreview> {
        RoutePreview preview = m_preview;
        if (preview.queueKeys.isEmpty())
            preview.queueKeys = {"hero:q:work:type:" + target.type};
        return preview;
    });
}

JobDetail FakeSession::detailOf(const JobSummary &summary) const
{
    const auto known = m_details.find(summary.id);
    return known == m_details.end() ? demoDetail(summary, now()) : *known;
}

QFuture<Result<JobDetail>> FakeSession::job(QByteArray id)
{
    Request request = made("job", {id});
    return answer<JobDetail>(std::move(request), [this, id]() -> Result<JobDetail> {
        const auto found = m_jobs.find(id);
        if (found == m_jobs.end())
            return failure(ErrorKind::NotFound, QStringLiteral("There is no such job."));
        JobDetail detail = detailOf(*found);
        detail.watched = m_watched.contains(id);
        return detail;
    });
}

QFuture<Result<QByteArray>> FakeSession::loadField(QByteArray id, QByteArray field)
{
    Request request = made("loadField", {id});
    request.name = field;
    return answer<QByteArray>(std::move(request), [this, id, field]() -> Result<QByteArray> {
        const auto found = m_fields.find({id, field});
        if (found == m_fields.end())
            return failure(ErrorKind::NotFound, QStringLiteral("There is no such field."));
        return *found;
    });
}

template <typename Accept>
BulkResult FakeSession::changeStates(const QList<QByteArray> &ids, JobState state, Accept accept)
{
    BulkResult result;
    for (const QByteArray &id : ids) {
        const auto found = m_jobs.find(id);
        if (found == m_jobs.end() || !accept(found->state)) {
            ++result.unchanged;
            continue;
        }
        moveJob(id, state);
        ++result.done;
    }
    return result;
}

QFuture<Result<BulkResult>> FakeSession::stopJobs(QList<QByteArray> ids)
{
    return answer<BulkResult>(made("stopJobs", ids), [this, ids]() -> Result<BulkResult> {
        return changeStates(ids, JobState::Failed, [](JobState state) { return !isTerminal(state); });
    });
}

QFuture<Result<BulkResult>> FakeSession::removeJobs(QList<QByteArray> ids)
{
    return answer<BulkResult>(made("removeJobs", ids), [this, ids]() -> Result<BulkResult> {
        BulkResult result;
        for (const QByteArray &id : ids) {
            if (!m_jobs.contains(id)) {
                ++result.unchanged;
                continue;
            }
            removeJob(id);
            ++result.done;
        }
        result.removal = QStringLiteral("removal %1").arg(++m_removals);
        return result;
    });
}

QFuture<Result<BulkResult>> FakeSession::retryJobs(QList<QByteArray> ids)
{
    return answer<BulkResult>(made("retryJobs", ids), [this, ids]() -> Result<BulkResult> {
        return changeStates(ids, JobState::Queued, [](JobState state) { return isTerminal(state); });
    });
}

QFuture<Result<BulkResult>> FakeSession::requeueJobs(QList<QByteArray> ids)
{
    return answer<BulkResult>(made("requeueJobs", ids), [this, ids]() -> Result<BulkResult> {
        return changeStates(ids, JobState::Queued, [](JobState state) { return !isTerminal(state); });
    });
}

QFuture<Result<BulkResult>> FakeSession::moveJobs(QList<QByteArray> ids, Target to)
{
    Request request = made("moveJobs", ids);
    request.target = to;
    return answer<BulkResult>(std::move(request), [ids]() -> Result<BulkResult> {
        BulkResult result;
        result.done = int(ids.size());
        return result;
    });
}

QFuture<Result<BulkResult>> FakeSession::purgeQueue(QByteArray key)
{
    Request request = made("purgeQueue");
    request.name = key;
    return answer<BulkResult>(std::move(request), [this, key]() -> Result<BulkResult> {
        BulkResult result;
        for (const QByteArray &id : m_queues.take(key)) {
            removeJob(id);
            ++result.done;
        }
        result.removal = QStringLiteral("removal %1").arg(++m_removals);
        return result;
    });
}

QFuture<Result<BulkResult>> FakeSession::restoreRemoved(QString removal)
{
    Request request = made("restoreRemoved");
    request.name = removal.toUtf8();
    return answer<BulkResult>(std::move(request), [this]() -> Result<BulkResult> {
        BulkResult result;
        result.done = m_state.restorable;
        return result;
    });
}

QFuture<Result<QList<QByteArray>>> FakeSession::queueContent(QByteArray key, qint64 offset, qint64 count)
{
    Request request = made("queueContent");
    request.name = key;
    request.offset = offset;
    request.count = count;
    return answer<QList<QByteArray>>(std::move(request), [this, key, offset, count]() -> Result<QList<QByteArray>> {
        return m_queues.value(key).mid(offset, count);
    });
}

QFuture<Result<Examination>> FakeSession::examine()
{
    return answer<Examination>(made("examine"), [this]() -> Result<Examination> { return m_examination; });
}

QFuture<Result<OpenLog>> FakeSession::openLog(QByteArray id)
{
    return answer<OpenLog>(made("openLog", {id}), [this, id]() -> Result<OpenLog> {
        OpenLog log{std::make_shared<QFile>(logFile(id)), 0};
        if (!log.file->open(QIODevice::ReadOnly))
            return failure(ErrorKind::NotFound, QStringLiteral("This job has no log file here."));
        struct stat about { };
        if (fstat(log.file->handle(), &about) == 0)
            log.inode = about.st_ino;
        return log;
    });
}

QFuture<Result<quint32>> FakeSession::startWorker(WorkerRequest worker)
{
    Request request = made("startWorker");
    request.worker = worker;
    return answer<quint32>(std::move(request), [this, worker]() -> Result<quint32> {
        LocalWorkerInfo info;
        info.handle = m_nextHandle++;
        info.types = worker.types;
        info.group = worker.group;
        info.instance = worker.instance.isEmpty() ? QByteArray("1") : worker.instance;
        info.slotCount = worker.slotCount;
        info.state = LocalWorkerInfo::State::Running;
        showLocalWorkers(m_localWorkers + QList{info});
        return info.handle;
    });
}

void FakeSession::changeLocalWorker(quint32 handle, const std::function<void(LocalWorkerInfo &)> &change)
{
    for (LocalWorkerInfo &worker : m_localWorkers) {
        if (worker.handle == handle)
            change(worker);
    }
    showLocalWorkers(QList(m_localWorkers));
}

QFuture<Result<bool>> FakeSession::quietWorker(quint32 handle, bool quiet)
{
    Request request = made("quietWorker");
    request.handle = handle;
    request.on = quiet;
    return answer<bool>(std::move(request), [this, handle, quiet]() -> Result<bool> {
        changeLocalWorker(handle, [quiet](LocalWorkerInfo &worker) {
            worker.state = quiet ? LocalWorkerInfo::State::Quiet : LocalWorkerInfo::State::Running;
        });
        return true;
    });
}

QFuture<Result<bool>> FakeSession::stopWorker(quint32 handle)
{
    Request request = made("stopWorker");
    request.handle = handle;
    return answer<bool>(std::move(request), [this, handle]() -> Result<bool> {
        changeLocalWorker(handle, [](LocalWorkerInfo &worker) { worker.state = LocalWorkerInfo::State::Stopped; });
        return true;
    });
}

FakeConnections::FakeConnections(QObject *parent)
    : Connections(parent)
{
    Profile local;
    local.id = QString::fromLatin1(localProfileId);
    local.name = QStringLiteral("Local workspace");
    local.url = QStringLiteral("embedded:");
    m_profiles = {local};
    for (const Interpreter &interpreter : {Interpreter{
             "python", {QStringLiteral("python3"), QStringLiteral("{file}")}, {}, {}, QStringLiteral(".py"), {}}})
        m_interpreters.append({interpreter, true, QStringLiteral("/usr/bin/python3"), QStringLiteral("Python 3.11.2"), false, {}});
}

FakeConnections::~FakeConnections()
{
    qDeleteAll(m_sessions);
}

FakeSession *FakeConnections::fake(const QString &id)
{
    open(id);
    return m_sessions.value(id);
}

void FakeConnections::setInterpreters(const QList<InterpreterStatus> &interpreters)
{
    m_interpreters = interpreters;
    Q_EMIT interpretersChanged();
}

std::optional<QString> FakeConnections::password(const QString &id) const
{
    return m_passwords.contains(id) ? std::optional(m_passwords.value(id)) : std::nullopt;
}

QString FakeConnections::save(Profile profile, std::optional<QString> password)
{
    if (profile.id.isEmpty())
        profile.id = QStringLiteral("connection-%1").arg(m_nextId++);
    if (password)
        m_passwords.insert(profile.id, *password);
    const auto same =
        std::find_if(m_profiles.begin(), m_profiles.end(), [&](const Profile &p) { return p.id == profile.id; });
    if (same == m_profiles.end())
        m_profiles.append(profile);
    else
        *same = profile;
    if (FakeSession *const open = m_sessions.value(profile.id))
        open->setProfile(profile);
    Q_EMIT profilesChanged();
    return profile.id;
}

void FakeConnections::remove(const QString &id)
{
    if (id == QLatin1String(localProfileId))
        return;
    close(id);
    m_profiles.removeIf([&](const Profile &profile) { return profile.id == id; });
    m_passwords.remove(id);
    Q_EMIT profilesChanged();
}

Session *FakeConnections::open(const QString &id)
{
    if (Session *const known = session(id))
        return known;
    for (const Profile &profile : std::as_const(m_profiles)) {
        if (profile.id != id)
            continue;
        auto *const made = new FakeSession(profile, this);
        m_sessions.insert(id, made);
        Q_EMIT sessionOpened(made);
        return made;
    }
    return nullptr;
}

Session *FakeConnections::session(const QString &id) const
{
    return m_sessions.value(id);
}

void FakeConnections::close(const QString &id)
{
    FakeSession *const session = m_sessions.take(id);
    if (!session)
        return;
    Q_EMIT sessionClosing(session);
    delete session;
}

QFuture<Result<QString>> FakeConnections::test(Profile profile, std::optional<QString>)
{
    m_tested.append(profile);
    QPromise<Result<QString>> promise;
    QFuture<Result<QString>> future = promise.future();
    promise.start();
    promise.addResult(m_testAnswer);
    promise.finish();
    return future;
}

QFuture<void> FakeConnections::shutDown()
{
    m_shutDown = true;
    QPromise<void> promise;
    QFuture<void> future = promise.future();
    promise.start();
    promise.finish();
    return future;
}

std::unique_ptr<LocalRun> FakeConnections::runHere(Job job, bool)
{
    auto run = std::make_unique<FakeLocalRun>(std::move(job));
    m_trial = run.get();
    return run;
}

QFuture<InterpreterStatus> FakeConnections::examineInterpreter(Interpreter interpreter)
{
    for (const InterpreterStatus &status : std::as_const(m_interpreters)) {
        if (status.interpreter == interpreter)
            return QtFuture::makeReadyFuture(status);
    }
    return QtFuture::makeReadyFuture(InterpreterStatus{interpreter, false, {}, {}, false, {}});
}

void FakeConnections::setInterpreter(Interpreter interpreter)
{
    const auto same = std::find_if(m_interpreters.begin(), m_interpreters.end(), [&interpreter](const auto &status) {
        return status.interpreter.type == interpreter.type;
    });
    if (same == m_interpreters.end())
        m_interpreters.append({interpreter, false, {}, QStringLiteral("not probed"), false, {}});
    else
        same->interpreter = interpreter;
    Q_EMIT interpretersChanged();
}

void FakeConnections::resetInterpreter(const QByteArray &type)
{
    const QList<Interpreter> builtin = builtinInterpreters();
    const auto original =
        std::find_if(builtin.begin(), builtin.end(), [&type](const Interpreter &row) { return row.type == type; });
    for (InterpreterStatus &status : m_interpreters) {
        if (status.interpreter.type == type && original != builtin.end())
            status.interpreter = *original;
    }
    if (original == builtin.end())
        m_interpreters.removeIf([&type](const auto &status) { return status.interpreter.type == type; });
    Q_EMIT interpretersChanged();
}

} // namespace ym::test
