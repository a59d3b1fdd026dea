// The whole core as the window sees it: profiles, sessions, a local worker, jobs that run, on both stores.
#include "core/engine/answer.h"
#include "core/engine/engine_connections.h"
#include "tests/support/memory_secrets.h"
#include "tests/support/redis_server.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace ym;
using namespace ym::test;

namespace {

/// The picture that a window would have.
struct Picture : QObject {
    QHash<QByteArray, JobSummary> jobs;
    QList<QueueInfo> queues;
    QList<WorkerInfo> workers;
    QList<LocalWorkerInfo> localWorkers;
    QByteArray output;
    bool complete = false;

    explicit Picture(Session *session)
    {
        connect(session, &Session::changed, this, [this](const ChangeSet &changes) {
            for (const JobSummary &job : changes.jobs)
                jobs[job.id] = job;
            for (const auto &[id, why] : changes.lostJobs)
                jobs.remove(id);
            for (const OutputChunk &chunk : changes.output)
                output += chunk.bytes;
            complete = complete || changes.listingComplete;
            queues = changes.queues.value_or(queues);
            workers = changes.workers.value_or(workers);
            localWorkers = changes.localWorkers.value_or(localWorkers);
        });
    }
};

template<typename T>
T valueOf(QFuture<Result<T>> future)
{
    if (!QTest::qWaitFor([&] { return future.isFinished(); }, 20000))
        qFatal("a request was not answered");
    const Result<T> result = future.result();
    if (!result)
        qFatal("a request failed: %s", qUtf8Printable(result.error().text()));
    return *result;
}

template<typename T>
std::optional<ErrorKind> errorOf(QFuture<Result<T>> future)
{
    if (!QTest::qWaitFor([&] { return future.isFinished(); }, 20000))
        qFatal("a request was not answered");
    const Result<T> result = future.result();
    return result ? std::nullopt : std::optional(result.error().kind);
}

/// Answers when it is told to.
class LateSecrets final : public Secrets {
public:
    bool isPersistent() const override { return false; }
    QFuture<Result<QString>> read(QString) override
    {
        m_waiting.push_back(std::make_unique<Answer<QString>>());
        return m_waiting.back()->future();
    }
    QFuture<Result<bool>> write(QString, QString) override { return answered<bool>(true); }
    QFuture<Result<bool>> remove(QString) override { return answered<bool>(true); }

    void answerAll()
    {
        for (const auto &answer : m_waiting)
            answer->give(QString());
    }
    size_t waiting() const { return m_waiting.size(); }

private:
    std::vector<std::unique_ptr<Answer<QString>>> m_waiting;
};

Job pythonJob(const QByteArray &script)
{
    Job job;
    job.target.type = "python";
    job.script = script;
    return job;
}

} // namespace

class TestEngineConnections : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    MemorySecrets m_secrets;
    std::unique_ptr<EngineConnections> m_connections;

    EngineConfig config() const { return {{m_folder->filePath("config"), m_folder->filePath("data")}, Milliseconds{500}}; }

    Session *openReady(const QString &id)
    {
        Session *session = m_connections->open(id);
        if (!QTest::qWaitFor([&] { return session->state().phase == ConnectionState::Phase::Ready; }, 20000))
            qFatal("not ready: %s", qUtf8Printable(session->state().trouble.text()));
        return session;
    }

    void bothStores()
    {
        QTest::addColumn<bool>("onRedis");
        QTest::newRow("the local workspace") << false;
        QTest::newRow("a redis-server") << true;
    }
    /// Opens the store of the data row.
    Session *openRow(RedisServer *server)
    {
        QFETCH(bool, onRedis);
        if (!onRedis)
            return openReady(QString::fromLatin1(localProfileId));
        Profile profile;
        profile.name = QStringLiteral("test");
        profile.url = server->url();
        return openReady(m_connections->save(profile, std::nullopt));
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_connections = std::make_unique<EngineConnections>(config(), &m_secrets);
    }
    void cleanup() { m_connections.reset(); }

    void aJobIsSubmittedRunByALocalWorkerAndSeenToTheEnd_data() { bothStores(); }
    void aJobIsSubmittedRunByALocalWorkerAndSeenToTheEnd()
    {
        RedisServer server;
        Session *session = openRow(&server);
        Picture picture(session);
        WorkerRequest request;
        request.types = {"python"};
        const quint32 handle = valueOf(session->startWorker(request));
        QTRY_COMPARE(picture.localWorkers.size(), 1);

        const SubmitReceipt receipt = valueOf(session->submit(pythonJob("import time\nprint('first', flush=True)\ntime.sleep(0.5)\nprint('second')")));
        session->setFocusedJob(receipt.id);
        QTRY_COMPARE_WITH_TIMEOUT(picture.jobs.value(receipt.id).state, JobState::Finished, 20000);
        QTRY_VERIFY(picture.output.contains("first") && picture.output.contains("second"));

        const JobDetail detail = valueOf(session->job(receipt.id));
        QCOMPARE(detail.job.output.trimmed(), QByteArray("first\nsecond"));
        QCOMPARE(detail.job.attempt, 1);
        QTRY_COMPARE_WITH_TIMEOUT(picture.workers.size(), 1, 10000);
        QVERIFY(valueOf(session->stopWorker(handle)));
        QTRY_VERIFY(picture.localWorkers.isEmpty());
    }

    void outputThatCameBeforeSomebodyLookedIsShown()
    {
        Session *session = openReady(QString::fromLatin1(localProfileId));
        Picture picture(session);
        WorkerRequest request;
        request.types = {"python"};
        valueOf(session->startWorker(request));
        const SubmitReceipt receipt = valueOf(session->submit(pythonJob("print('early')")));
        QTRY_COMPARE_WITH_TIMEOUT(picture.jobs.value(receipt.id).state, JobState::Finished, 20000);
        QVERIFY(picture.output.isEmpty());
        session->setFocusedJob(receipt.id);
        QTRY_COMPARE(picture.output.trimmed(), QByteArray("early"));
    }

    void aRunningJobIsStoppedAndAQueuedOneIsTakenOut_data() { bothStores(); }
    void aRunningJobIsStoppedAndAQueuedOneIsTakenOut()
    {
        RedisServer server;
        Session *session = openRow(&server);
        Picture picture(session);
        WorkerRequest request;
        request.types = {"python"};
        valueOf(session->startWorker(request));
        const QByteArray running = valueOf(session->submit(pythonJob("import time\ntime.sleep(60)"))).id;
        QTRY_COMPARE_WITH_TIMEOUT(picture.jobs.value(running).state, JobState::Running, 20000);
        const QByteArray queued = valueOf(session->submit(pythonJob("print(1)"))).id;
        const BulkResult result = valueOf(session->stopJobs({running, queued}));
        QCOMPARE(result.done, 2);
        QTRY_COMPARE_WITH_TIMEOUT(picture.jobs.value(running).state, JobState::Failed, 20000);
        QTRY_COMPARE(picture.jobs.value(queued).state, JobState::Failed);
        QCOMPARE(valueOf(session->job(running)).job.error, QByteArray("stopped_by_request"));
        QCOMPARE(valueOf(session->job(queued)).job.error, QByteArray("stopped"));
        // Once more: both are over.
        QCOMPARE(valueOf(session->stopJobs({running, queued})).unchanged, 2);
        QCOMPARE(valueOf(session->removeJobs({running, queued})).done, 2);
        QTRY_VERIFY(picture.jobs.isEmpty());
    }

    void aWatchedJobIsToldWhenItEnds()
    {
        Session *session = openReady(QString::fromLatin1(localProfileId));
        QSignalSpy ended(session, &Session::watchedJobEnded);
        const QByteArray id = valueOf(session->submit(pythonJob("print(1)"))).id;
        session->watchJob(id, true);
        WorkerRequest request;
        request.types = {"python"};
        valueOf(session->startWorker(request));
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 20000);
        QCOMPARE(ended[0][0].value<JobSummary>().id, id);
    }

    void theWorkspaceIsThereAgainAfterARestart()
    {
        Session *session = openReady(QString::fromLatin1(localProfileId));
        const QByteArray id = valueOf(session->submit(pythonJob("print('kept')"))).id;
        m_connections.reset();
        m_connections = std::make_unique<EngineConnections>(config(), &m_secrets);
        session = openReady(QString::fromLatin1(localProfileId));
        Picture picture(session);
        session->refresh();
        QTRY_VERIFY(picture.jobs.contains(id));
        QCOMPARE(picture.jobs[id].state, JobState::Queued);
    }

    void aWorkspaceThatIsClosedAndOpenedAtOnceIsNotInItsOwnWay()
    {
        const QPointer<Session> session = openReady(QString::fromLatin1(localProfileId));
        WorkerRequest request;
        request.types = {"python"};
        valueOf(session->startWorker(request));
        m_connections->close(QString::fromLatin1(localProfileId));
        openReady(QString::fromLatin1(localProfileId));
        QTRY_VERIFY(!session); // the one before is gone, with all that it knew
    }

    void sessionsMayEndBeforeTheirPasswordsCome()
    {
        LateSecrets secrets;
        m_connections = std::make_unique<EngineConnections>(config(), &secrets);
        const QString id = QString::fromLatin1(localProfileId);
        const QPointer<Session> session = m_connections->open(id);
        m_connections->close(id);
        QTRY_VERIFY(!session);
        m_connections->open(id);
        const QFuture<Result<PortAccess>> access = m_connections->portAccess(id);
        m_connections.reset();
        QCOMPARE(errorOf(access), ErrorKind::Cancelled); // whoever asked is answered
        QCOMPARE(secrets.waiting(), size_t(3));
        secrets.answerAll();
    }

    void whatIsChangedInAProfileHoldsForTheOpenSession_data()
    {
        QTest::addColumn<std::function<void(Profile &)>>("change");
        QTest::addColumn<bool>("reopens");
        using Change = std::function<void(Profile &)>;
        QTest::newRow("name") << Change([](Profile &p) { p.name = QStringLiteral("other"); }) << false;
        QTest::newRow("colour") << Change([](Profile &p) { p.colour = QStringLiteral("#ff0000"); }) << false;
        QTest::newRow("production") << Change([](Profile &p) { p.production = true; }) << false;
        QTest::newRow("queue keys") << Change([](Profile &p) { p.keys.mode = KeyMode::Legacy; }) << true;
        QTest::newRow("order") << Change([](Profile &p) { p.order = ServingOrder::Lifo; }) << true;
        QTest::newRow("consent") << Change([](Profile &p) { p.limitsOnly = true; }) << true;
        QTest::newRow("read-only") << Change([](Profile &p) { p.readOnly = true; }) << true;
    }
    void whatIsChangedInAProfileHoldsForTheOpenSession()
    {
        QFETCH(std::function<void(Profile &)>, change);
        QFETCH(bool, reopens);
        const QPointer<Session> before = openReady(QString::fromLatin1(localProfileId));
        Profile profile = before->profile();
        change(profile);
        m_connections->save(profile, std::nullopt);
        QCOMPARE(m_connections->session(profile.id) == nullptr, reopens);
        QCOMPARE(openReady(profile.id)->profile(), profile);
    }

    void endingGivesRunningJobsBackAndAnswersEveryRequest()
    {
        RedisServer server;
        Profile profile;
        profile.url = server.url();
        Session *session = openReady(m_connections->save(profile, std::nullopt));
        Picture picture(session);
        WorkerRequest request;
        request.types = {"python"};
        valueOf(session->startWorker(request));
        const QByteArray id = valueOf(session->submit(pythonJob("import time\ntime.sleep(60)"))).id;
        QTRY_COMPARE_WITH_TIMEOUT(picture.jobs.value(id).state, JobState::Running, 20000);
        const QFuture<Result<JobDetail>> late = session->job("no-such-job");
        m_connections.reset();
        QVERIFY(late.isFinished());
        QVERIFY(!late.result());
        QCOMPARE(server.cli({"hget", "hero:job:" + QString::fromLatin1(id), "status"}), QByteArray("dispatched"));
        QCOMPARE(server.cli({"lrange", "hero:q:work:type:python", "0", "-1"}), id);
    }

    void aReadOnlyConnectionRefusesEveryChangeInTheCore()
    {
        RedisServer server;
        Profile profile;
        profile.url = server.url();
        profile.readOnly = true;
        Session *session = openReady(m_connections->save(profile, std::nullopt));
        QCOMPARE(errorOf(session->submit(pythonJob("print(1)"))), ErrorKind::ReadOnly);
        QCOMPARE(errorOf(session->submitGraph({pythonJob("print(1)")})), ErrorKind::ReadOnly);
        QCOMPARE(errorOf(session->stopJobs({"x"})), ErrorKind::ReadOnly);
        QCOMPARE(errorOf(session->removeJobs({"x"})), ErrorKind::ReadOnly);
        QCOMPARE(errorOf(session->retryJobs({"x"})), ErrorKind::ReadOnly);
        QCOMPARE(errorOf(session->requeueJobs({"x"})), ErrorKind::ReadOnly);
        QCOMPARE(errorOf(session->moveJobs({"x"}, {"osis", {}, {}, 1, {}})), ErrorKind::ReadOnly);
        QCOMPARE(errorOf(session->purgeQueue("hero:q:work:type:python")), ErrorKind::ReadOnly);
        QCOMPARE(errorOf(session->restoreRemoved({})), ErrorKind::ReadOnly);
        QCOMPARE(errorOf(session->startWorker({{"python"}, "default", {}, 1})), ErrorKind::ReadOnly);
        QCOMPARE(server.cli({"dbsize"}), QByteArray("0"));
    }

    void theTestOfAConnectionSaysWhatIsThereOrWhatToDo()
    {
        RedisServer server;
        Profile profile;
        profile.url = server.url();
        QVERIFY(valueOf(m_connections->test(profile, QString())).contains("7.0"));
        profile.url = QStringLiteral("unix:/nonexistent/redis.sock");
        QCOMPARE(errorOf(m_connections->test(profile, QString())), ErrorKind::Unavailable);
        profile.url = QStringLiteral("redis://localhost:99999");
        QCOMPARE(errorOf(m_connections->test(profile, QString())), ErrorKind::Usage);
    }

    void passwordsComeFromTheSecretsAndAreNotInTheFile()
    {
        RedisServer server({false, false, {"--requirepass", "s3cret-pw"}});
        Profile profile;
        profile.url = server.url();
        const QString id = m_connections->save(profile, QStringLiteral("s3cret-pw"));
        openReady(id);
        QFile file(config().paths.profilesFile());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("s3cret"));
    }

    void aWrongPasswordIsToldAndNotTriedAgain()
    {
        RedisServer server({false, false, {"--requirepass", "right"}});
        Profile profile;
        profile.url = server.url();
        Session *session = m_connections->open(m_connections->save(profile, QStringLiteral("wrong")));
        QTRY_COMPARE_WITH_TIMEOUT(session->state().phase, ConnectionState::Phase::Refused, 10000);
        QCOMPARE(session->state().trouble.kind, ErrorKind::Authentication);
        QVERIFY(!session->state().trouble.text().contains("wrong "));
    }
};

QTEST_GUILESS_MAIN(TestEngineConnections)
#include "tst_engine_connections.moc"
