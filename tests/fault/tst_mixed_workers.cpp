// Our worker beside plain workers of others, which pop and look at nothing, in every key mode (RELIABILITY HC1): who
// ran what, how often, and that we commit nothing twice. YM_MIXED_JOBS=N for more than the few of every day.
#include "tests/conformance/protocol_fixture.h"
#include "tests/support/die_with_test.h"
#include "tests/support/program.h"

using namespace ym;
using namespace ym::test;

namespace {

/// A worker as the protocol documents have it: BLPOP, started, run, finished, reply. It asks nobody whether a job was
/// run.
constexpr auto plainWorker = R"py(
import os, socket, sys, time
queue, reply = sys.argv[1], sys.argv[2]
link = socket.socket(socket.AF_UNIX)
link.connect(os.environ["SOCKET"])
stream = link.makefile("rb")

def read():
    line = stream.readline()
    kind, rest = line[:1], line[1:-2]
    if kind == b"$":
        return None if rest == b"-1" else stream.read(int(rest) + 2)[:-2]
    if kind == b"*":
        return None if rest == b"-1" else [read() for _ in range(int(rest))]
    return rest

def ask(*words):
    words = [w if isinstance(w, bytes) else w.encode() for w in words]
    link.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))
    return read()

print("ready", flush=True)
while True:
    popped = ask("BLPOP", queue, "1")
    if not popped:
        continue
    job = b"hero:job:" + popped[1]
    ask("HSET", job, "status", "started")
    ask("RPUSH", "ran-elsewhere", popped[1])
    time.sleep(0.02)  # the job: as long as one of ours takes
    ask("HSET", job, "status", "finished", "output", "elsewhere")
    ask("LPUSH", reply.encode() + popped[1], "elsewhere")
)py";

struct Figures {
    int jobs = 0;
    int ranElsewhere = 0;
    int ranHere = 0;
    int committedHere = 0;
    int ranTwice = 0;
    int ranHereTwice = 0;
};

} // namespace

class TestMixedWorkers : public QObject {
    Q_OBJECT

    ProtocolFixture m;
    Program m_program;

    std::unique_ptr<QProcess> startForeign(const QString &script, const char *queue, const char *reply)
    {
        auto process = std::make_unique<QProcess>();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("SOCKET"), m.server->socketPath());
        process->setProcessEnvironment(environment);
        dieWithTest(process.get());
        process->start(QStringLiteral("python3"), {script, QLatin1String(queue), QLatin1String(reply)});
        QByteArray seen;
        if (!waitForOutput(process.get(), "ready", &seen))
            qFatal("the foreign worker did not start");
        return process;
    }
    std::unique_ptr<QProcess> startOurs(const char *mode)
    {
        auto process =
            m_program.start({QStringLiteral("--store"), m.server->url(), QStringLiteral("--keys"), QLatin1String(mode),
                             QStringLiteral("worker"), QStringLiteral("--type"), QStringLiteral("python"),
                             QStringLiteral("--worker-id"), QStringLiteral("python-worker"), QStringLiteral("--slots"),
                             QStringLiteral("4")});
        if (!waitForRemark(process.get(), "Serving python as "))
            qFatal("our worker does not serve");
        return process;
    }
    QList<QByteArray> submit(int count)
    {
        QList<QByteArray> ids;
        for (int i = 0; i < count; ++i)
            ids.append(m.submit(m.draft("python", "pass")));
        return ids;
    }
    Figures count(const QList<QByteArray> &ids)
    {
        Figures figures;
        figures.jobs = int(ids.size());
        QHash<QByteArray, int> runs;
        for (const QByteArray &id : m.list("ran-elsewhere"))
            ++runs[id];
        figures.ranElsewhere = int(m.list("ran-elsewhere").size());
        for (const QByteArray &id : ids) {
            const int attempts = m.field(id, "attempt").toInt();
            figures.ranHere += attempts;
            figures.ranHereTwice += attempts > 1 ? 1 : 0;
            figures.ranTwice += runs.value(id) + attempts > 1 ? 1 : 0;
        }
        for (const QByteArray &key : m.run(cmd("KEYS", "hero:meta:queue:stats:*")).toList())
            figures.committedHere += m.run(cmd("HGET", key, "finished")).toBytes().toInt();
        return figures;
    }

private Q_SLOTS:
    void everyJobIsRunAndNothingIsCommittedTwice_data()
    {
        QTest::addColumn<QByteArray>("mode");
        for (const char *mode : keyModeNames)
            QTest::newRow(mode) << QByteArray(mode);
    }
    void everyJobIsRunAndNothingIsCommittedTwice()
    {
        QFETCH(QByteArray, mode);
        QVERIFY(m.start(QStringLiteral("redis %1 worker").arg(QLatin1String(mode))));
        const int jobs = std::max(qEnvironmentVariableIntValue("YM_MIXED_JOBS"), 80);
        const QString script = m_program.file(QStringLiteral("plain.py"), plainWorker);
        // Half of them are there before anybody is, so that `auto` finds no worker present and uses the legacy queue.
        QList<QByteArray> ids = submit(jobs / 2);
        const auto modern = startForeign(script, "hero:q:work:type:python", "hero:q:reply:");
        const auto ours = startOurs(mode.constData());
        const auto old = startForeign(script, "hero:work_queue:python-worker", "hero:reply:");
        m.producer = m.protocol.producer(m.store.get(), m.options, &Clock::system()); // sees who is present now
        ids += submit(jobs - jobs / 2);

        for (const QByteArray &id : ids)
            QCOMPARE(await(m.producer->waitUntilOver(id, Milliseconds{60'000}, {})).state, JobState::Finished);
        for (const char *queue : {"hero:q:work:type:python", "hero:work_queue:python-worker"})
            QTRY_COMPARE_WITH_TIMEOUT(m.run(cmd("LLEN", queue)).toInteger(), qint64(0), 20'000);
        ours->terminate();
        const Ended ended = collect(ours.get());
        QVERIFY2(ended.code == 0, ended.all().constData());
        for (QProcess *foreign : {modern.get(), old.get()}) {
            foreign->kill();
            QVERIFY(foreign->state() == QProcess::NotRunning || foreign->waitForFinished(10'000));
        }

        const Figures figures = count(ids);
        qInfo("%s: %d jobs, %d ran elsewhere, %d ran here, %d committed here, %d ran more than once", mode.constData(),
              figures.jobs, figures.ranElsewhere, figures.ranHere, figures.committedHere, figures.ranTwice);
        QVERIFY(figures.ranHere > 0 && figures.ranElsewhere > 0); // else nothing was mixed
        QVERIFY(figures.committedHere <= figures.ranHere);
        QCOMPARE(figures.ranHereTwice, 0);
        if (mode == "dual")
            return; // others look at no status: what the switch warns of
        QCOMPARE(figures.ranTwice, 0);
        QCOMPARE(figures.ranElsewhere + figures.committedHere, figures.jobs);
        QCOMPARE(figures.committedHere, figures.ranHere);
    }
    void cleanup() { m.stop(); }
};

QTEST_GUILESS_MAIN(TestMixedWorkers)
#include "tst_mixed_workers.moc"
