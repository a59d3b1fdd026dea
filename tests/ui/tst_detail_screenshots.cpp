// Every tab of the detail pane, and the audit log, with nothing, with more than anybody reads, with what is hard to draw,
// and with what another program runs; with YM_SHOTS=FOLDER the pictures are kept there.
#include "tests/support/window_fixture.h"
#include "tests/ui/picture.h"
#include "ui/dialogs/audit_dialog.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTableView>

using namespace ym;
using namespace ym::test;

namespace {

constexpr int mib = 1 << 20;
/// A person waits for it; far more than it takes here, for machines that do a lot besides.
constexpr qint64 longestMs = 3000;
constexpr const char *tabNames[] = {"overview", "script", "output", "log", "raw", "attempts"};

const QByteArray strange = "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xd8\xb9\xd8\xb1\xd8\xa8\xd9\x8a\xd8\xa9 after\n" // Hebrew, Arabic
                           "left \xe2\x80\xaeright to left\xe2\x80\xac end\n" // U+202E
                           "zero\xe2\x80\x8bwidth\xe2\x80\x8d joined\xef\xbb\xbf.\n"
                           "emoji \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb \xf0\x9f\x87\xa8\xf0\x9f\x87\xad \xf0\x9f\x9a\x80 end\n"
                           "wide \xe6\xbc\xa2\xe5\xad\x97 e\xcc\x81\xcc\x82\xcc\x83 end\n"
                           "tab\there, bell \x07, nul, \xff\xfe, <b>bold</b> &amp;\n"
                           "\x1b[31mred \x1b[42mon green\x1b[0m plain\n";

QByteArray manyLines(int bytes)
{
    QByteArray text;
    text.reserve(bytes + 100);
    for (int i = 1; text.size() < bytes; ++i)
        text += "line " + QByteArray::number(i) + " of an output that nobody reads to its end\n";
    return text;
}

PastRun run(int attempt, bool isGood)
{
    PastRun past;
    past.attempt = attempt;
    past.fate = isGood ? "finished" : "failed";
    past.worker = "python:default:1";
    past.containment = "bubblewrap";
    past.exitCode = isGood ? 0 : 1;
    past.duration = Milliseconds{1234 + attempt};
    past.cpuTime = Milliseconds{200};
    past.peakKb = 12'345;
    past.output = "attempt " + QByteArray::number(attempt) + "\n";
    return past;
}

JobDetail bareJob(const JobSummary &summary)
{
    JobDetail detail;
    detail.job.id = summary.id;
    detail.job.target.type = "python";
    detail.job.state = JobState::Queued;
    return detail;
}

JobDetail hugeJob(const JobSummary &summary, Timestamp now)
{
    JobDetail detail = demoDetail(summary, now);
    Job &job = detail.job;
    job.state = JobState::Failed;
    job.script = "x = '" + QByteArray(8 * mib, 'y') + "'\n";
    job.output = manyLines(8 * mib);
    job.error = QByteArray(8 * mib, 'e');
    for (int i = 1; i <= 10'000; ++i)
        job.runs.append(run(i, i % 3 == 0));
    for (int i = 0; i < 5'000; ++i) {
        job.raw.append({"field_" + QByteArray::number(i).rightJustified(5, '0'), QByteArray(i % 300, 'v')});
        job.env.append({"VARIABLE_" + QByteArray::number(i), "value " + QByteArray::number(i)});
    }
    for (int i = 0; i < 500; ++i)
        job.prerequisites.append(newJobId());
    job.raw.append({"output", job.output});
    std::sort(job.raw.begin(), job.raw.end());
    job.access = {true, QStringList(40, QStringLiteral("/srv/a/folder/with/a/long/name")), {}};
    job.callerId = QByteArray(10'000, 'c');
    job.target.group = QByteArray(300, 'g');
    return detail;
}

JobDetail jobElsewhere(const JobSummary &summary, Timestamp now)
{
    JobDetail detail = demoDetail(summary, now);
    detail.job.state = JobState::Running;
    detail.job.claimedBy = "python:default:terminal";
    return detail;
}

JobDetail strangeJob(const JobSummary &summary, Timestamp now)
{
    JobDetail detail = demoDetail(summary, now);
    Job &job = detail.job;
    job.state = JobState::Failed;
    job.script = "# " + strange + "print('" + strange.left(40) + "')\n";
    job.output = strange;
    job.error = strange;
    job.runs = {run(1, false)};
    job.runs.front().output = strange;
    job.runs.front().fate = strange.left(30);
    job.raw = {{"output", strange}, {strange.left(12), strange}, {"", "no name"}};
    std::sort(job.raw.begin(), job.raw.end());
    job.env = {{"GREETING", strange}, {"LEFT", "left \xe2\x80\xaeright to left"}};
    job.callerId = strange.left(24);
    job.contextId = "left \xe2\x80\xaeright";
    job.target.group = "\xf0\x9f\x9a\x80 <b>group</b>";
    job.problems = {QString::fromUtf8(strange)};
    job.access = {false, {QString::fromUtf8("/srv/\xe2\x80\xae" "fdp.exe")}, {}};
    return detail;
}

QByteArray auditLine(int number, const QByteArray &who)
{
    return R"({"time":"2026-11-21T12:00:00.000Z","job":")" + newJobId() + R"(","attempt":1,"type":"python","worker":"python:default:1","caller":")"
        + who + R"(","sha256":")" + QByteArray(64, 'a') + R"(","fate":")" + (number % 4 ? "finished" : "failed")
        + R"(","contained":"bubblewrap","limits":{"cpu":300},"exit_code":)" + (number % 4 ? "0" : "1")
        + R"(,"duration_ms":12,"cpu_ms":3,"max_rss_kb":9000})" "\n";
}

} // namespace

class TestDetailScreenshots : public QObject {
    Q_OBJECT

    static void addCases(const std::vector<const char *> &contents)
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("theme");
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("name");
        for (const char *content : contents) {
            for (const Variant &variant : variants)
                QTest::newRow(qPrintable(QLatin1String(content) + u'-' + variant.suffix()))
                    << variant.size << int(variant.theme) << QString::fromLatin1(content)
                    << QStringLiteral("detail-%1-%2-").arg(QLatin1String(content), variant.suffix());
        }
    }

private Q_SLOTS:
    void everyTab_data() { addCases({"bare", "huge", "strange", "elsewhere"}); }
    void everyTab();
    void theAuditLog_data() { addCases({"bare", "huge", "strange"}); }
    void theAuditLog();
};

void TestDetailScreenshots::everyTab()
{
    QFETCH(QSize, size);
    QFETCH(int, theme);
    QFETCH(QString, content);
    QFETCH(QString, name);
    WindowFixture fixture;
    fixture.settings->setTheme(ThemeChoice(theme));
    fixture.open(size);
    fixture.session()->setReady();
    const Timestamp now = Clock::system().now();
    const std::vector<JobSummary> jobs = demoJobs(10, now);
    fixture.session()->showJobs(jobs);
    const JobSummary summary = jobs[4];
    const JobDetail detail = content == u"bare" ? bareJob(summary)
        : content == u"huge"                    ? hugeJob(summary, now)
        : content == u"elsewhere"               ? jobElsewhere(summary, now)
                                                : strangeJob(summary, now);
    fixture.session()->showJob(detail);
    if (content == u"huge")
        fixture.session()->setLog(summary.id, manyLines(8 * mib) + QByteArray(8 * mib, 'x') + '\n');
    else if (content == u"strange")
        fixture.session()->setLog(summary.id, strange);
    fixture.settle();
    fixture.window->workspace()->openJob(summary.id);
    for (int tab = 0; tab < int(std::size(tabNames)); ++tab) {
        QElapsedTimer timer;
        timer.start();
        fixture.window->showDetailTab(tab);
        QVERIFY(shoot(fixture.window.get(), name + QLatin1String(tabNames[tab])));
        QVERIFY2(timer.elapsed() < longestMs, qPrintable(QStringLiteral("%1: %2 ms").arg(QLatin1String(tabNames[tab])).arg(timer.elapsed())));
    }
}

void TestDetailScreenshots::theAuditLog()
{
    QFETCH(QSize, size);
    QFETCH(int, theme);
    QFETCH(QString, content);
    QFETCH(QString, name);
    WindowFixture fixture;
    fixture.settings->setTheme(ThemeChoice(theme));
    fixture.open({400, 300});
    QByteArray lines;
    for (int i = 0; content != u"bare" && i < (content == u"huge" ? 10'000 : 3); ++i)
        lines += auditLine(i, content == u"huge" ? QByteArray("anna") : QByteArray("\xd7\xa9 \xe2\x80\xaexe \xf0\x9f\x9a\x80 <b>"));
    const QString path = fixture.path("audit.jsonl");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(lines) == lines.size());
    file.close();
    AuditDialog dialog(path, fixture.settings.get());
    dialog.resize(size * 0.8);
    QElapsedTimer timer;
    timer.start();
    dialog.show();
    auto *const table = dialog.findChild<QTableView *>();
    QVERIFY(table);
    QTRY_COMPARE(table->model()->rowCount(), int(lines.count('\n')));
    QVERIFY(shoot(&dialog, name + QStringLiteral("audit")));
    QVERIFY2(timer.elapsed() < longestMs, qPrintable(QString::number(timer.elapsed())));
}

QTEST_MAIN(TestDetailScreenshots)
#include "tst_detail_screenshots.moc"
