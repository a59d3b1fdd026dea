// Log files of jobs: where they may lie, what is masked, rotation, reading; and the audit log beside them.
#include "core/worker/audit_log.h"
#include "core/worker/job_log.h"
#include "core/worker/run_record.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

using namespace ym;
using Stream = OutputChunk::Stream;
using Resolver = ConfinedFolder::Resolver;

namespace {

Job jobWithLog(const QByteArray &path)
{
    Job job;
    job.id = "11111111-2222-4333-8444-555555555555";
    job.logPath = path;
    return job;
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(no file)");
}

void writeFile(const QString &path, const QByteArray &content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", qPrintable(path));
}

/// A log root with something outside of it that must never be touched.
struct Bench {
    QTemporaryDir folder;
    QString outside;
    JobLog::Options options;

    explicit Bench(Resolver resolver = Resolver::Kernel)
        : outside(folder.filePath(QStringLiteral("outside")))
    {
        options.root = folder.filePath(QStringLiteral("logs"));
        options.resolver = resolver;
        QDir().mkpath(options.root);
        QDir().mkpath(outside);
        writeFile(outside + QStringLiteral("/target"), "precious");
    }
    QString at(const QByteArray &name) const { return options.root + u'/' + QString::fromUtf8(name); }
    void link(const char *name, const QByteArray &target) const
    {
        if (symlink(target.constData(), QFile::encodeName(at(name)).constData()) != 0)
            qFatal("cannot link %s", name);
    }
    Result<void> write(const Job &job, const QByteArray &bytes) const
    {
        Result<JobLog> log = JobLog::open(options, job);
        if (!log)
            return tl::unexpected(log.error());
        if (const auto written = log->write(Stream::Out, bytes); !written)
            return written;
        return log->finish();
    }
    JobLogReader reader(const QByteArray &path) const { return {options, path, "id"}; }
    Result<JobLogReader::Piece> read(const QByteArray &path) const { return reader(path).next(); }
};

} // namespace

class TestJobLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesBelowTheRoot_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("file");
        QTest::newRow("none: the id") << QByteArray() << QByteArray("11111111-2222-4333-8444-555555555555.log");
        QTest::newRow("a name") << QByteArray("a.log") << QByteArray("a.log");
        QTest::newRow("in folders that do not exist") << QByteArray("x/y/a.log") << QByteArray("x/y/a.log");
        QTest::newRow("untidy") << QByteArray("./x//./a.log") << QByteArray("x/a.log");
        QTest::newRow("two dots in a name") << QByteArray("a..log") << QByteArray("a..log");
    }
    void writesBelowTheRoot()
    {
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, file);
        for (const Resolver resolver : {Resolver::Kernel, Resolver::StepByStep}) {
            const Bench bench(resolver);
            QVERIFY(bench.write(jobWithLog(path), "hello"));
            QVERIFY(bench.write(jobWithLog(path), " again")); // appended
            QCOMPARE(contentOf(bench.at(file)), QByteArray("hello again"));
            struct stat about { };
            QCOMPARE(stat(QFile::encodeName(bench.at(file)).constData(), &about), 0);
            QCOMPARE(about.st_mode & 0777, mode_t(0600));
        }
    }

    void anAbsolutePathCountsOnlyBelowTheRoot()
    {
        const Bench bench;
        QVERIFY(bench.write(jobWithLog(QFile::encodeName(bench.at("x/../in.log"))), "in"));
        QCOMPARE(contentOf(bench.at("in.log")), QByteArray("in"));
        QVERIFY(
            !bench.write(jobWithLog(QFile::encodeName(bench.options.root + QStringLiteral("-other/x.log"))), "out"));
    }

    void refusesWhatLeadsElsewhere_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QString>("says");
        QTest::newRow("up") << QByteArray("../..") << QStringLiteral("leads out of the log folder");
        QTest::newRow("up and down") << QByteArray("x/../../outside/target")
                                     << QStringLiteral("leads out of the log folder");
        QTest::newRow("absolute") << QByteArray("/etc/shadow") << QStringLiteral("outside the log folder");
        QTest::newRow("a device") << QByteArray("/dev/zero") << QStringLiteral("outside the log folder");
        QTest::newRow("an environment") << QByteArray("/proc/self/environ") << QStringLiteral("outside the log folder");
        QTest::newRow("absolute with dots")
            << QByteArray("/x/../etc/shadow") << QStringLiteral("outside the log folder");
        QTest::newRow("an absolute link") << QByteArray("absolute") << QStringLiteral("a link stands in its way");
        QTest::newRow("a relative link") << QByteArray("relative") << QStringLiteral("a link stands in its way");
        QTest::newRow("a link inside the root") << QByteArray("inner") << QStringLiteral("a link stands in its way");
        QTest::newRow("a link to itself") << QByteArray("loop") << QStringLiteral("a link stands in its way");
        QTest::newRow("a link to a device") << QByteArray("zero") << QStringLiteral("a link stands in its way");
        QTest::newRow("through a linked folder") << QByteArray("folderlink/target") << QString();
        QTest::newRow("through a magic link") << QByteArray("magic/x") << QString();
        QTest::newRow("a second name") << QByteArray("hard") << QStringLiteral("second name elsewhere");
        QTest::newRow("a pipe") << QByteArray("pipe") << QStringLiteral("not a plain file");
        QTest::newRow("a folder") << QByteArray("folder") << QStringLiteral("it is a folder");
        QTest::newRow("a folder with a slash") << QByteArray("folder/") << QStringLiteral("it is a folder");
        QTest::newRow("the root") << QByteArray(".") << QStringLiteral("it is a folder");
        QTest::newRow("through a file") << QByteArray("plain/x") << QStringLiteral("not a folder");
        QTest::newRow("5000 characters") << QByteArray(5000, 'a') << QStringLiteral("too long");
        QTest::newRow("a name of 300 characters") << QByteArray(300, 'a') << QStringLiteral("File name too long");
        QTest::newRow("an address") << QByteArray("http://example.org/x") << QStringLiteral("it is an address");
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << QStringLiteral("NUL byte");
    }
    void refusesWhatLeadsElsewhere()
    {
        QFETCH(QByteArray, path);
        QFETCH(QString, says);
        for (const Resolver resolver : {Resolver::Kernel, Resolver::StepByStep}) {
            const Bench bench(resolver);
            const QByteArray outside = QFile::encodeName(bench.outside);
            bench.link("absolute", outside + "/target");
            bench.link("relative", "../outside/target");
            bench.link("inner", "plain");
            bench.link("loop", "loop");
            bench.link("zero", "/dev/zero");
            bench.link("folderlink", outside);
            bench.link("magic", "/proc/self/fd");
            writeFile(bench.at("plain"), "plain");
            QDir().mkpath(bench.at("folder"));
            QCOMPARE(mkfifo(QFile::encodeName(bench.at("pipe")).constData(), 0600), 0);
            QCOMPARE(::link((outside + "/target").constData(), QFile::encodeName(bench.at("hard")).constData()), 0);
            const auto written = bench.write(jobWithLog(path), "intruder");
            QVERIFY(!written);
            QVERIFY2(written.error().text().contains(says), qPrintable(written.error().text()));
            const auto read = bench.read(path);
            QVERIFY(!read);
            QCOMPARE(contentOf(bench.outside + QStringLiteral("/target")), QByteArray("precious"));
            QCOMPARE(contentOf(bench.at("plain")), QByteArray("plain"));
        }
    }

    void survivesSomebodyWhoSwapsComponents()
    {
        for (const Resolver resolver : {Resolver::Kernel, Resolver::StepByStep}) {
            const Bench bench(resolver);
            QDir().mkpath(bench.at("real"));
            bench.link("evil", QFile::encodeName(bench.outside));
            const QByteArray place = QFile::encodeName(bench.at("place"));
            const QByteArray real = QFile::encodeName(bench.at("real"));
            const QByteArray evil = QFile::encodeName(bench.at("evil"));
            QCOMPARE(rename(real.constData(), place.constData()), 0);
            std::atomic<bool> over = false;
            std::thread swapper([&] {
                const auto put = [&](const QByteArray &what) {
                    while (rename(what.constData(), place.constData()) != 0) { // the writer made a folder of its own there
                        unlink((place + "/target").constData());
                        rmdir(place.constData());
                    }
                };
                while (!over) {
                    rename(place.constData(), real.constData());
                    put(evil);
                    rename(place.constData(), evil.constData());
                    put(real);
                }
            });
            int refused = 0;
            int done = 0;
            // Until both have been met: on a busy machine the swapper may not run for a long time.
            while (done + refused < 20'000 || refused == 0 || done == 0)
                ++(bench.write(jobWithLog("place/target"), "x") ? done : refused);
            over = true;
            swapper.join();
            QCOMPARE(contentOf(bench.outside + QStringLiteral("/target")), QByteArray("precious"));
        }
    }

    void anIdThatIsNoFileNameGetsOne()
    {
        const QString root = QStringLiteral("/logs");
        const QByteArray name = jobLogPath(root, {}, "../../etc").value();
        QVERIFY(name.startsWith("job-") && name.endsWith(".log") && !name.contains('/'));
        QVERIFY(name != jobLogPath(root, {}, "../../usr").value());
        QCOMPARE(jobLogPath(root, {}, "abc-1_2").value(), QByteArray("abc-1_2.log"));
    }

    void masksSecrets_data()
    {
        QTest::addColumn<QList<QByteArray>>("chunks");
        QTest::addColumn<QByteArray>("masked");
        using Chunks = QList<QByteArray>;
        QTest::newRow("whole") << Chunks{"a hunter2 b"} << QByteArray("a ******** b");
        QTest::newRow("across two chunks") << Chunks{"a hun", "ter2 b"} << QByteArray("a ******** b");
        QTest::newRow("byte by byte") << Chunks{"h", "u", "n", "t", "e", "r", "2", "!"} << QByteArray("********!");
        QTest::newRow("twice") << Chunks{"hunter2hunter2"} << QByteArray("****************");
        QTest::newRow("the longer of two") << Chunks{"hunter2long"} << QByteArray("********");
        QTest::newRow("the longer one across chunks") << Chunks{"hunter2", "long"} << QByteArray("********");
        QTest::newRow("the shorter one after all") << Chunks{"hunter2", "lo!"} << QByteArray("********lo!");
        QTest::newRow("cut at the end") << Chunks{"hunter"} << QByteArray("hunter");
        QTest::newRow("false starts") << Chunks{"hu hun hunt", "hunter2"} << QByteArray("hu hun hunt********");
        QTest::newRow("overlap") << Chunks{"aaab"} << QByteArray("aaab");
        QTest::newRow("not a secret's name") << Chunks{"plainvalue"} << QByteArray("plainvalue");
        QTest::newRow("too short to hide") << Chunks{"abc"} << QByteArray("abc");
    }
    void masksSecrets()
    {
        QFETCH(QList<QByteArray>, chunks);
        const Bench bench;
        Job job = jobWithLog("a.log");
        job.env = {{"API_KEY", "hunter2"}, {"dbPassword", "hunter2long"}, {"COLOUR", "plainvalue"}, {"TOKEN", "abc"}};
        Result<JobLog> log = JobLog::open(bench.options, job);
        QVERIFY(log);
        for (const QByteArray &chunk : chunks)
            QVERIFY(log->write(Stream::Out, chunk));
        QVERIFY(log->finish());
        QTEST(contentOf(bench.at("a.log")), "masked");
    }

    void masksEachStreamForItself()
    {
        const Bench bench;
        Job job = jobWithLog("a.log");
        job.env = {{"SECRET", "hunter2"}};
        Result<JobLog> log = JobLog::open(bench.options, job);
        QVERIFY(log);
        for (const auto &[stream, bytes] :
             {std::pair(Stream::Out, "hun"), {Stream::Err, "oops "}, {Stream::Out, "ter2"}})
            QVERIFY(log->write(stream, bytes));
        QVERIFY(log->finish());
        QCOMPARE(contentOf(bench.at("a.log")), QByteArray("oops ********"));
    }

    void rotates()
    {
        Bench bench;
        bench.options.limits = {10, 3};
        Result<JobLog> log = JobLog::open(bench.options, jobWithLog("a.log"));
        QVERIFY(log);
        for (const char *bytes : {"11111111", "22222222", "33333333", "44444444", "5"})
            QVERIFY(log->write(Stream::Out, bytes));
        QCOMPARE(contentOf(bench.at("a.log")), QByteArray("444444445"));
        QCOMPARE(contentOf(bench.at("a.log.1")), QByteArray("33333333"));
        QCOMPARE(contentOf(bench.at("a.log.2")), QByteArray("22222222"));
        QVERIFY(!QFile::exists(bench.at("a.log.3")));
        struct stat about { };
        QCOMPARE(stat(QFile::encodeName(bench.at("a.log")).constData(), &about), 0);
        QCOMPARE(about.st_mode & 0777, mode_t(0600));
    }

    void twoWritersOfOneFileRotateTogether()
    {
        Bench bench;
        bench.options.limits = {10, 3};
        Result<JobLog> one = JobLog::open(bench.options, jobWithLog("a.log"));
        Result<JobLog> other = JobLog::open(bench.options, jobWithLog("a.log"));
        QVERIFY(one->write(Stream::Out, "11111111"));
        QVERIFY(other->write(Stream::Out, "22222222")); // rotates
        QVERIFY(one->write(Stream::Out, "x"));
        QCOMPARE(contentOf(bench.at("a.log")), QByteArray("22222222x"));
        QCOMPARE(contentOf(bench.at("a.log.1")), QByteArray("11111111"));
    }

    void goesOnWhenItsFileIsDeleted()
    {
        const Bench bench;
        Result<JobLog> log = JobLog::open(bench.options, jobWithLog("a.log"));
        QVERIFY(log->write(Stream::Out, "before"));
        QVERIFY(QFile::remove(bench.at("a.log")));
        QVERIFY(log->write(Stream::Out, "after"));
        QCOMPARE(contentOf(bench.at("a.log")), QByteArray("after"));
    }

    void readsTheEndOfALargeLogAndItsSlices()
    {
        const Bench bench;
        QByteArray content;
        for (int i = 0; i < 300'000; ++i)
            content += QByteArray::number(1'000'000 + i);
        writeFile(bench.at("a.log"), content); // 2.1 MB, no line feed
        JobLogReader reader = bench.reader("a.log");
        QByteArray seen;
        for (;;) {
            const auto piece = reader.next();
            QVERIFY(piece && piece->bytes.size() <= 1 << 20);
            if (piece->bytes.isEmpty())
                break;
            QCOMPARE(piece->offset, seen.size());
            seen += piece->bytes;
        }
        QCOMPARE(seen, content);
    }

    void losesNothingOverRotation()
    {
        Bench bench;
        bench.options.limits = {10, 3};
        const Job job = jobWithLog("a.log");
        QVERIFY(bench.write(job, "1234"));
        JobLogReader reader = bench.reader("a.log");
        QCOMPARE(reader.next()->bytes, QByteArray("1234"));
        QCOMPARE(reader.next()->bytes, QByteArray());
        QVERIFY(bench.write(job, "5678"));
        QVERIFY(bench.write(job, "new text"));
        QCOMPARE(reader.next()->bytes, QByteArray("5678")); // of the file that was renamed
        const auto fresh = reader.next();
        QCOMPARE(fresh->bytes, QByteArray("new text"));
        QCOMPARE(fresh->offset, 0);
        QCOMPARE(reader.next()->bytes, QByteArray());
        QVERIFY(QFile::remove(bench.at("a.log"))); // what was read stays what it is
        QCOMPARE(reader.next()->bytes, QByteArray());
        QVERIFY(bench.write(job, "again"));
        QCOMPARE(reader.next()->bytes, QByteArray("again"));
    }

    void startsOverWhenTheFileIsCut()
    {
        const Bench bench;
        writeFile(bench.at("a.log"), "12345678");
        JobLogReader reader = bench.reader("a.log");
        QCOMPARE(reader.next()->bytes, QByteArray("12345678"));
        QVERIFY(QFile::resize(bench.at("a.log"), 3));
        const auto cut = reader.next();
        QCOMPARE(cut->offset, 0);
        QCOMPARE(cut->bytes, QByteArray("123"));
    }

    void followsAFileThatGrows()
    {
        const Bench bench;
        Result<JobLog> log = JobLog::open(bench.options, jobWithLog("a.log"));
        QVERIFY(log);
        const QByteArray chunk(65536, '\xff'); // binary, no line feed
        JobLogReader reader = bench.reader("a.log");
        QByteArray seen;
        for (int i = 0; i < 200; ++i) {
            QVERIFY(log->write(Stream::Out, chunk));
            const auto piece = reader.next();
            QVERIFY(piece);
            seen += piece->bytes;
        }
        QCOMPARE(seen, chunk.repeated(200));
    }

    void saysWhenThereIsNoLog()
    {
        const Bench bench;
        QCOMPARE(bench.read("a.log").error().kind, ErrorKind::NotFound);
        QCOMPARE(bench.read("x/a.log").error().kind, ErrorKind::NotFound);
    }

    void aLogThatCannotBeOpenedIsANoteAndNoFailure()
    {
        const Bench bench;
        QByteArray seen;
        const auto watch = [&seen](const OutputChunk &chunk) { seen += chunk.bytes; };
        const Job job = jobWithLog("../x");
        RunRecord record({bench.options.root, {}, {}}, job, watch);
        record.add({job.id, 1, Stream::Out, "output\n"});
        record.end(Timestamp{}, {});
        QVERIFY2(seen.startsWith("[yardmaster] “../x” is no log file"), seen.constData());
        QVERIFY(seen.endsWith("\noutput\n"));
    }

    void notesProcessesThatWereLeftBehind()
    {
        const Bench bench;
        Execution execution;
        execution.leftProcesses = 2;
        RunRecord record({bench.options.root, {}, {}}, jobWithLog("a.log"), [](const OutputChunk &) {});
        record.end(Timestamp{}, execution);
        QCOMPARE(contentOf(bench.at("a.log")),
                 QByteArray("[yardmaster] The script left processes behind: 2. They were ended.\n"));
    }

    void auditsEveryExecutionInOneLine()
    {
        const Bench bench;
        const QString path = bench.folder.filePath(QStringLiteral("audit/executions.jsonl"));
        AuditLog audit(path);
        const AuditLog::By by{"python:default:1", RunLimits{}};
        Job job = jobWithLog({});
        job.target.type = "python";
        job.callerId = "bad \xff bytes";
        job.script = "print('secret')";
        job.env = {{"TOKEN", "hunter2"}};
        Execution execution;
        execution.fate = Execution::Fate::Failed;
        execution.exitCode = 3;
        execution.duration = Milliseconds{1234};
        QVERIFY(audit.record(Timestamp{Milliseconds{1'700'000'000'000}}, job, by, execution));
        QVERIFY(audit.record(Timestamp{Milliseconds{1'700'000'000'001}}, job, by, execution));
        const QList<QByteArray> lines = contentOf(path).split('\n');
        QCOMPARE(lines.size(), 3);
        const QJsonObject entry = QJsonDocument::fromJson(lines[0]).object();
        QCOMPARE(entry[u"time"].toString(), QStringLiteral("2023-11-14T22:13:20.000Z"));
        QCOMPARE(entry[u"job"].toString().toUtf8(), job.id);
        QCOMPARE(entry[u"worker"].toString(), QStringLiteral("python:default:1"));
        QCOMPARE(entry[u"sha256"].toString(),
                 QStringLiteral("3c59a50dd5ce110cef3866a3abbf0d1cb0a7e5760ade35eb69a2a1bee5605075"));
        QCOMPARE(entry[u"fate"].toString(), QStringLiteral("failed"));
        QCOMPARE(entry[u"exit"].toInt(), 3);
        QCOMPARE(entry[u"limits"][u"cpu_s"].toInt(), 300);
        QCOMPARE(entry[u"limits"][u"processes"].toInt(), 64);
        QCOMPARE(entry[u"duration_ms"].toInt(), 1234);
        QVERIFY(!contentOf(path).contains("hunter2") && !contentOf(path).contains("print"));
        struct stat about { };
        QCOMPARE(stat(QFile::encodeName(path).constData(), &about), 0);
        QCOMPARE(about.st_mode & 0777, mode_t(0600));
    }
};

QTEST_APPLESS_MAIN(TestJobLog)
#include "tst_job_log.moc"
