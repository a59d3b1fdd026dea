// Retry, requeue, move, remove, purge and restore over the command line.
#include "tests/support/program.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using ym::test::Ended;
using ym::test::Program;

namespace {

QString submit(const Program &program, const QByteArray &script = "print(1)\n")
{
    const Ended ended = program.run({QStringLiteral("submit"), program.file(QStringLiteral("a.py"), script)});
    if (ended.code != 0)
        qFatal("submit failed: %s", ended.all().constData());
    return QString::fromLatin1(ended.out.trimmed());
}

QString stateOf(const Program &program, const QString &id)
{
    return program.run({QStringLiteral("--json"), QStringLiteral("show"), id}).json().object()[u"state"].toString();
}

Ended drain(const Program &program)
{
    return program.run({QStringLiteral("worker"), QStringLiteral("-t"), QStringLiteral("python"), QStringLiteral("--drain")});
}

const QString queue = QStringLiteral("hero:q:work:type:python");

} // namespace

class TestCliChanges : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void retryRunsAFailedJobOnceMore();
    void requeueIsForJobsThatAreStuck();
    void moveChangesTheQueue();
    void legacyQueuesAreLeftAndReached();
    void removeCanBeUndone();
    void aRemovedGraphComesBackWhole();
    void purgeSaysWhatItWouldDoAndThenDoesIt();
};

void TestCliChanges::retryRunsAFailedJobOnceMore()
{
    const Program program;
    const QString id = submit(program, "import os\nexit(0 if os.environ['JOB_ATTEMPT'] == '2' else 1)\n");
    QCOMPARE(program.run({QStringLiteral("retry"), id}).code, 1); // not over yet
    drain(program);
    QCOMPARE(stateOf(program, id), QStringLiteral("failed"));
    const Ended retried = program.run({QStringLiteral("retry"), id});
    QVERIFY2(retried.code == 0 && retried.out.contains("queued again"), retried.all().constData());
    drain(program);
    QCOMPARE(stateOf(program, id), QStringLiteral("finished"));
}

void TestCliChanges::requeueIsForJobsThatAreStuck()
{
    const Program program;
    const QString id = submit(program);
    QCOMPARE(program.run({QStringLiteral("requeue"), id}).code, 0);
    QCOMPARE(program.run({QStringLiteral("--json"), QStringLiteral("queues")}).json().array().first()[u"depth"].toInt(), 1);
    drain(program);
    const Ended over = program.run({QStringLiteral("requeue"), id});
    QVERIFY2(over.code == 1 && over.err.contains("over already"), over.all().constData());
    QCOMPARE(program.run({QStringLiteral("requeue"), QStringLiteral("nobody")}).code, 1);
}

void TestCliChanges::moveChangesTheQueue()
{
    const Program program;
    const QString id = submit(program);
    const Ended moved = program.run({QStringLiteral("move"), id, QStringLiteral("--group"), QStringLiteral("etl"), QStringLiteral("-p"), QStringLiteral("0")});
    QVERIFY2(moved.code == 0, moved.all().constData());
    const QJsonObject job = program.run({QStringLiteral("--json"), QStringLiteral("show"), id}).json().object();
    QCOMPARE(job[u"group"].toString(), QStringLiteral("etl"));
    QCOMPARE(job[u"type"].toString(), QStringLiteral("python"));
    QCOMPARE(job[u"priority"].toInt(), 0);
    drain(program); // of the default group
    QCOMPARE(stateOf(program, id), QStringLiteral("queued"));
    QCOMPARE(program.run({QStringLiteral("move"), id}).code, 0);
    drain(program);
    QCOMPARE(stateOf(program, id), QStringLiteral("finished"));
    QCOMPARE(program.run({QStringLiteral("move"), id}).code, 1);
}

void TestCliChanges::legacyQueuesAreLeftAndReached()
{
    const Program program;
    const auto keyOf = [&](int place) {
        return program.run({QStringLiteral("--json"), QStringLiteral("queues")}).json().array()[place][u"key"].toString();
    };
    const QString id = submit(program);
    const Ended moved = program.run({QStringLiteral("--keys"), QStringLiteral("legacy"), QStringLiteral("move"), id,
                                     QStringLiteral("--worker-id"), QStringLiteral("w1")});
    QVERIFY2(moved.code == 0, moved.all().constData());
    QCOMPARE(keyOf(0), QStringLiteral("hero:work_queue:w1"));
    QCOMPARE(program.run({QStringLiteral("remove"), id}).code, 0);
    QCOMPARE(program.run({QStringLiteral("restore")}).code, 0);
    QCOMPARE(keyOf(0), QStringLiteral("hero:work_queue:w1"));
    QCOMPARE(program.run({QStringLiteral("purge"), QStringLiteral("hero:work_queue:w1"), QStringLiteral("--yes")}).code, 0);
    QCOMPARE(program.run({QStringLiteral("restore")}).code, 0);
    QCOMPARE(program.run({QStringLiteral("requeue"), id}).code, 0);
    QCOMPARE(keyOf(0), QStringLiteral("hero:work_queue:w1"));
    QCOMPARE(program.run({QStringLiteral("--keys"), QStringLiteral("canonical"), QStringLiteral("move"), id}).code, 0);
    QCOMPARE(keyOf(0), queue);
    const Ended none = program.run({QStringLiteral("--keys"), QStringLiteral("legacy"), QStringLiteral("move"), submit(program)});
    QVERIFY2(none.code == 1 && none.err.contains("names none"), none.all().constData());
}

void TestCliChanges::removeCanBeUndone()
{
    const Program program;
    const QString first = submit(program);
    const QString second = submit(program);
    QCOMPARE(program.run({QStringLiteral("restore")}).code, 1); // nothing yet
    QCOMPARE(program.run({QStringLiteral("remove"), first, second}).code, 0);
    QCOMPARE(program.run({QStringLiteral("show"), first}).code, 1);
    const QJsonArray kept = program.run({QStringLiteral("--json"), QStringLiteral("restore"), QStringLiteral("--list")}).json().array();
    QCOMPARE(kept.size(), 1);
    QCOMPARE(kept.first()[u"jobs"].toInt(), 2);
    const Ended restored = program.run({QStringLiteral("restore")});
    QVERIFY2(restored.code == 0 && restored.out.contains("2 of 2"), restored.all().constData());
    QCOMPARE(stateOf(program, first), QStringLiteral("queued"));
    drain(program);
    QCOMPARE(stateOf(program, second), QStringLiteral("finished"));
}

void TestCliChanges::aRemovedGraphComesBackWhole()
{
    const Program program;
    const QString first = submit(program);
    const Ended behind = program.run({QStringLiteral("submit"), program.file(QStringLiteral("b.py"), "print(2)\n"),
                                      QStringLiteral("--after"), first});
    QVERIFY2(behind.code == 0, behind.all().constData());
    const QString second = QString::fromLatin1(behind.out.trimmed());
    QCOMPARE(program.run({QStringLiteral("remove"), first, second}).code, 0);
    QCOMPARE(program.run({QStringLiteral("restore")}).code, 0);
    QCOMPARE(stateOf(program, second), QStringLiteral("waiting"));
    drain(program);
    QCOMPARE(stateOf(program, second), QStringLiteral("finished"));
}

void TestCliChanges::purgeSaysWhatItWouldDoAndThenDoesIt()
{
    const Program program;
    for (int i = 0; i < 3; ++i)
        submit(program);
    const Ended asked = program.run({QStringLiteral("purge"), queue});
    QCOMPARE(asked.code, 2);
    QVERIFY2(asked.err.contains("3 job(s) in hero:q:work:type:python") && asked.err.contains("--yes"), asked.all().constData());
    QCOMPARE(program.run({QStringLiteral("--json"), QStringLiteral("list")}).json().array().size(), 3);
    const Ended done = program.run({QStringLiteral("purge"), queue, QStringLiteral("--yes")});
    QVERIFY2(done.code == 0 && done.out.contains("3 job(s)"), done.all().constData());
    QVERIFY(program.run({QStringLiteral("--json"), QStringLiteral("list")}).json().array().isEmpty());
    QCOMPARE(program.run({QStringLiteral("purge"), queue, QStringLiteral("--yes")}).code, 1);
    QCOMPARE(program.run({QStringLiteral("restore")}).code, 0);
    QCOMPARE(program.run({QStringLiteral("--json"), QStringLiteral("list")}).json().array().size(), 3);
}

QTEST_GUILESS_MAIN(TestCliChanges)
#include "tst_cli_changes.moc"
