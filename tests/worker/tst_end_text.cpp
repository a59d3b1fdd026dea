// What people read of how a job ended: one sentence that says what happened, what was done, and what to do.
#include "core/job/end_text.h"
#include "core/job/fate_name.h"
#include "core/worker/failure_text.h"
#include "core/worker/limit_text.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <csignal>

using namespace ym;

namespace {

using How = LaunchEnd::How;

LaunchEnd ended(How how, int code, const QByteArray &limit = {}, Milliseconds cpu = Milliseconds{0})
{
    LaunchEnd end;
    end.how = how;
    end.code = code;
    end.passedLimit = limit;
    end.cpuTime = cpu;
    return end;
}

RunLimits smallLimits()
{
    RunLimits limits;
    limits.cpu = std::chrono::seconds{2};
    limits.memoryBytes = 64 << 20;
    limits.addressBytes = 512 << 20;
    limits.fileBytes = 1 << 20;
    limits.diskBytes = 2 << 20;
    limits.files = 50;
    limits.processes = 6;
    limits.openFiles = 20;
    return limits;
}

} // namespace

class TestEndText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void failureSaysWhatToDo_data();
    void failureSaysWhatToDo();
    void whatIsNotLimitedIsNotBlamed();
    void earlyEndIsToldInASentence_data();
    void earlyEndIsToldInASentence();
    void recordWithoutRunsIsToldByItsTimes();
    void whatTheWorkerAddedIsFound();
    void limitsReadBackUnderEitherName();
};

void TestEndText::failureSaysWhatToDo_data()
{
    QTest::addColumn<LaunchEnd>("end");
    QTest::addColumn<QByteArray>("standardError");
    QTest::addColumn<QByteArray>("text");
    const QByteArray raise = "; if the script needs more, raise the limit of its type in Settings › Interpreters";
    const auto row = [](const char *name, const LaunchEnd &end, const QByteArray &standardError, const QByteArray &text) {
        QTest::newRow(name) << end << standardError << text;
    };
    row("memory of all", ended(How::Signal, SIGKILL, "memory"), "",
        "ended because its processes held more than 64.00 MiB of memory" + raise);
    row("processes", ended(How::Signal, SIGKILL, "processes"), "",
        "ended because it had more than 6 processes and threads" + raise);
    row("disk", ended(How::Signal, SIGKILL, "disk"), "note\n",
        "note\nended because its folder held more than 2.00 MiB" + raise);
    row("files", ended(How::Signal, SIGKILL, "files"), "", "ended because its folder held more than 50 files" + raise);
    const QByteArray cpu = "it used more than its 2 s of processor time; if it needs more, give it a longer timeout, or "
                           "its type a higher limit in Settings › Interpreters";
    row("processor time", ended(How::Signal, SIGXCPU), "",
        "killed by SIGXCPU (24), CPU time limit exceeded: " + cpu);
    row("processor time, signal ignored", ended(How::Signal, SIGKILL, {}, Milliseconds{7'000}), "",
        "killed by SIGKILL (9), Killed: " + cpu);
    row("killed by others", ended(How::Signal, SIGKILL), "why",
        "why\nkilled by SIGKILL (9), Killed: not by Yardmaster; by itself, or by the system when memory ran out");
    row("ended by others", ended(How::Signal, SIGTERM), "",
        "killed by SIGTERM (15), Terminated: not by Yardmaster; by itself or somebody else");
    row("a crash", ended(How::Signal, SIGSEGV), "",
        "killed by SIGSEGV (11), Segmentation fault: the program itself crashed, or one of its modules");
    row("a large file, as a signal", ended(How::Signal, SIGXFSZ), "",
        "killed by SIGXFSZ (25), File size limit exceeded: it made a file larger than 1.00 MiB" + raise);
    row("another signal", ended(How::Signal, SIGUSR1), "", "killed by SIGUSR1 (10), User defined signal 1");
    const auto refused = [&](const char *name, const QByteArray &line, const QByteArray &limit) {
        const QByteArray said = "Traceback:\n" + line + '\n';
        row(name, ended(How::Exit, 1), said, said + limit + raise);
    };
    refused("memory of one", "MemoryError", "each of its processes may have 512.00 MiB of memory");
    refused("memory of a shell", "sh: 1: Cannot allocate memory", "each of its processes may have 512.00 MiB of memory");
    refused("a large file", "OSError: [Errno 27] File too large", "each of its files may have 1.00 MiB");
    refused("a full folder", "OSError: [Errno 28] No space left on device", "its folder may hold 2.00 MiB");
    refused("many open files", "OSError: [Errno 24] Too many open files: 'f'", "each of its processes may have 20 files open");
    refused("many threads", "RuntimeError: can't start new thread", "it may have 6 processes and threads");
    row("in silence", ended(How::Exit, 3), " \n", " \nexit code 3");
    row("its own words", ended(How::Exit, 1), "MemoryError in line 1\nValueError: no\n",
        "MemoryError in line 1\nValueError: no\n");
}

void TestEndText::failureSaysWhatToDo()
{
    QFETCH(LaunchEnd, end);
    QFETCH(QByteArray, standardError);
    QTEST(failureText(end, smallLimits(), standardError), "text");
}

void TestEndText::whatIsNotLimitedIsNotBlamed()
{
    RunLimits none;
    none.cpu = {};
    none.addressBytes = 0;
    QCOMPARE(failureText(ended(How::Signal, SIGXCPU), none, {}),
             QByteArray("killed by SIGXCPU (24), CPU time limit exceeded"));
    QCOMPARE(failureText(ended(How::Exit, 1), none, "MemoryError\n"), QByteArray("MemoryError\n"));
}

void TestEndText::earlyEndIsToldInASentence_data()
{
    QTest::addColumn<Execution::Fate>("fate");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<int>("signal");
    QTest::addColumn<int>("durationMs");
    QTest::addColumn<QString>("text");
    using Fate = Execution::Fate;
    const QString advice = QStringLiteral(" If it needs the time, submit it again with a longer timeout.");
    QTest::newRow("over its time, ended by SIGTERM")
        << Fate::TimedOut << -1 << SIGTERM << 3'042
        << QStringLiteral("It ran for 3.0 s, its timeout is 3 s: it was asked to end and did, by SIGTERM (15).") + advice;
    QTest::newRow("over its time, deaf")
        << Fate::TimedOut << -1 << SIGKILL << 5'100
        << QStringLiteral("It ran for 5.1 s, its timeout is 3 s: it was asked to end (SIGTERM) and, because it went on, "
                          "killed (SIGKILL).")
            + advice;
    QTest::newRow("over its time, left by itself")
        << Fate::TimedOut << 4 << 0 << 125'000
        << QStringLiteral("It ran for 2 min 5 s, its timeout is 3 s: it was asked to end (SIGTERM) and did, with exit "
                          "code 4.")
            + advice;
    QTest::newRow("stopped") << Fate::Stopped << -1 << SIGTERM << 900
                             << QStringLiteral("It was stopped on request after 0.9 s: it was asked to end and did, by "
                                               "SIGTERM (15).");
    QTest::newRow("failed") << Fate::Failed << 1 << 0 << 900 << QString();
    QTest::newRow("finished") << Fate::Finished << 0 << 0 << 900 << QString();
}

/// Alike from what the worker has just seen and from the record that others read.
void TestEndText::earlyEndIsToldInASentence()
{
    QFETCH(Execution::Fate, fate);
    Execution execution;
    execution.fate = fate;
    QFETCH(int, exitCode);
    QFETCH(int, signal);
    QFETCH(int, durationMs);
    execution.exitCode = exitCode;
    execution.signal = signal;
    execution.duration = Milliseconds{durationMs};
    Job job;
    job.timeout = std::chrono::seconds{3};
    QTEST(endText(job, execution), "text");
    job.error = fate == Execution::Fate::TimedOut ? "timeout" : fate == Execution::Fate::Stopped ? "stopped_by_request" : "x";
    PastRun run;
    run.fate = fateName(fate);
    run.exitCode = exitCode;
    run.signal = signal;
    run.duration = execution.duration;
    job.runs = {PastRun{}, run};
    QTEST(endText(job), "text");
}

void TestEndText::recordWithoutRunsIsToldByItsTimes()
{
    Job job;
    job.error = "timeout";
    QCOMPARE(endText(job), QStringLiteral("It ran longer than its timeout of 300 s: it was asked to end (SIGTERM), then "
                                          "killed (SIGKILL) if it went on. If it needs the time, submit it again with a "
                                          "longer timeout."));
    job.startedAt = Timestamp{Milliseconds{1'000}};
    job.finishedAt = Timestamp{Milliseconds{302'000}};
    QVERIFY2(endText(job).startsWith(QStringLiteral("It ran for 5 min 1 s, its timeout is 300 s: ")), qPrintable(endText(job)));
    Job stopped;
    stopped.error = "stopped_by_request";
    QCOMPARE(endText(stopped), QStringLiteral("It was stopped on request before it ran."));
}

void TestEndText::whatTheWorkerAddedIsFound()
{
    Execution execution;
    execution.error = "why\nkilled by SIGKILL (9)";
    execution.errorBytes = 3;
    QCOMPARE(addedText(execution), QByteArray("killed by SIGKILL (9)"));
    execution.errorBytes = execution.error.size();
    QCOMPARE(addedText(execution), QByteArray());
    execution.errorBytes = 100; // most of it was cut
    QCOMPARE(addedText(execution), QByteArray());
}

void TestEndText::limitsReadBackUnderEitherName()
{
    const RunLimits limits = smallLimits();
    const auto json = limitsToJson(limits);
    QVERIFY(json.contains("address_space") && json.contains("open_files"));
    QCOMPARE(limitsFromJson(json), limits);
    // As audit logs had them before.
    QCOMPARE(limitsFromJson(nlohmann::json::parse(
                 R"({"cpu_s": 2, "memory": 67108864, "address": 536870912, "file": 1048576, "disk": 2097152,
                     "files": 50, "processes": 6, "open": 20})")),
             limits);
}

QTEST_APPLESS_MAIN(TestEndText)
#include "tst_end_text.moc"
