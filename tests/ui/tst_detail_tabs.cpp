// What the tabs of a job say when there is nothing to show, and where it is to be found.
#include "tests/support/window_fixture.h"
#include "ui/connection_models.h"
#include "ui/detail/detail_pane.h"
#include "ui/dialogs/start_worker_dialog.h"
#include "ui/editor/script_editor.h"
#include "ui/pages/job_table.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/line_view.h"

#include <QPushButton>
#include <QTabBar>

using namespace ym;
using namespace ym::test;

namespace {

const QByteArray first = "11111111-1111-4111-a111-111111111111";
const QByteArray second = "22222222-2222-4222-a222-222222222222";

JobSummary summaryOf(const QByteArray &id, JobState state)
{
    JobSummary made;
    made.id = id;
    made.state = state;
    made.target.type = "python";
    made.createdAt = made.updatedAt = Clock::system().now();
    return made;
}

/// The window with two jobs, of which the first is shown; tabs are changed by clicks.
class TwoJobs : public WindowFixture {
public:
    explicit TwoJobs(JobState state = JobState::Queued)
    {
        open();
        session()->setReady();
        session()->showJobs({summaryOf(first, state), summaryOf(second, JobState::Queued)});
        settle();
    }
    void choose(const QByteArray &id)
    {
        QVERIFY(find<JobTable>("jobTable")->select(id));
        settle();
    }
    void clickTab(const char *title)
    {
        auto *const bar = find<QTabBar>("detailTabs");
        const int number = int(DetailPane::tabTitles().indexOf(QLatin1String(title)));
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(number).center());
        settle();
    }
    /// What stands in the place of a tab's content; null when the content itself is there.
    EmptyState *notice() const
    {
        for (EmptyState *const state : find<DetailPane>("detailPane")->findChildren<EmptyState *>()) {
            if (state->isVisible())
                return state;
        }
        return nullptr;
    }
    JobDetail detail(JobState state = JobState::Queued) const
    {
        return demoDetail(summaryOf(first, state), Clock::system().now());
    }
};

} // namespace

class TestDetailTabs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRecordWithoutAScriptSaysSo_data();
    void aRecordWithoutAScriptSaysSo();
    void aRecordWithoutFieldsSaysSo();
    void whatAnotherProgramWritesIsShownFromItsLog();
    void whatAnotherComputerRunsSaysSo();
    void aJobThatWaitsSaysForWhat();
    void whatKeepsAJobHasAButtonForItsRemedy();
    void aWorkerOfThisWindowWritesHere();
};

void TestDetailTabs::aRecordWithoutAScriptSaysSo_data()
{
    QTest::addColumn<bool>("hasField");
    QTest::addColumn<QString>("words");
    QTest::newRow("no field") << false << QStringLiteral("no field “script”");
    QTest::newRow("an empty field") << true << QStringLiteral("is empty");
}

void TestDetailTabs::aRecordWithoutAScriptSaysSo()
{
    QFETCH(bool, hasField);
    QFETCH(QString, words);
    TwoJobs fixture;
    JobDetail bare = fixture.detail();
    bare.job.script.clear();
    bare.job.raw.removeIf([](const auto &field) { return field.first == "script"; });
    if (hasField)
        bare.job.raw.append(std::pair<QByteArray, QByteArray>("script", {}));
    fixture.session()->showJob(bare);
    fixture.choose(first);
    fixture.clickTab("Script");
    QTRY_VERIFY(fixture.notice());
    QCOMPARE(fixture.notice()->content().title, QStringLiteral("No script"));
    QVERIFY2(fixture.notice()->content().text.contains(words), qPrintable(fixture.notice()->content().text));
    auto *const editor = fixture.find<DetailPane>("detailPane")->findChild<ScriptEditor *>();
    QVERIFY(!editor->isVisible());
    // The next job has one.
    fixture.choose(second);
    QTRY_VERIFY(editor->isVisible() && !editor->script().isEmpty());
    QVERIFY(!fixture.notice());
}

void TestDetailTabs::aRecordWithoutFieldsSaysSo()
{
    TwoJobs fixture;
    JobDetail bare = fixture.detail();
    bare.job.raw.clear();
    fixture.session()->showJob(bare);
    fixture.choose(first);
    fixture.clickTab("Raw");
    QTRY_VERIFY(fixture.notice());
    QCOMPARE(fixture.notice()->content().title, QStringLiteral("No fields"));
    QVERIFY(!fixture.find<QWidget>("rawTable")->isVisible());
    fixture.choose(second);
    QTRY_VERIFY(fixture.find<QWidget>("rawTable")->isVisible());
}

void TestDetailTabs::whatAnotherProgramWritesIsShownFromItsLog()
{
    TwoJobs fixture(JobState::Running);
    JobDetail running = fixture.detail(JobState::Running);
    running.job.claimedBy = "python:default:terminal";
    running.job.attempt = 1;
    fixture.session()->showJob(running);
    fixture.session()->setLog(first, "step 1\n");
    fixture.choose(first);
    fixture.clickTab("Output");
    auto *const output = fixture.find<LineView>("outputView");
    QTRY_COMPARE(output->toPlainText(), QStringLiteral("step 1"));
    QVERIFY(output->isVisible() && !fixture.notice());
    auto *const status = fixture.find<QLabel>("outputStatus");
    QVERIFY2(status->text().contains(QStringLiteral("log on this computer")), qPrintable(status->text()));
    QVERIFY(!status->text().contains(QStringLiteral("earlier attempts")));
    QFile log(fixture.session()->logFile(first));
    QVERIFY(log.open(QIODevice::Append) && log.write("step 2\n") > 0);
    log.close();
    QTRY_COMPARE(output->toPlainText(), QStringLiteral("step 1\nstep 2"));
    running.job.attempt = 2;
    fixture.session()->showJob(running);
    QTRY_VERIFY(status->text().contains(QStringLiteral("earlier attempts")));
    // Another job has none of it, and comes back to it.
    fixture.choose(second);
    QTRY_VERIFY(!output->toPlainText().contains(QStringLiteral("step")));
    fixture.choose(first);
    QTRY_COMPARE(output->toPlainText(), QStringLiteral("step 1\nstep 2"));
    // When it is over, its output is here.
    JobDetail ended = fixture.detail(JobState::Finished);
    ended.job.output = "all of it\n";
    ended.job.error.clear();
    fixture.session()->showJob(ended);
    QTRY_COMPARE(output->toPlainText(), QStringLiteral("all of it"));
}

void TestDetailTabs::whatAnotherComputerRunsSaysSo()
{
    TwoJobs fixture(JobState::Running);
    JobDetail running = fixture.detail(JobState::Running);
    running.job.claimedBy = "python:default:terminal";
    fixture.session()->showJob(running);
    fixture.choose(first);
    fixture.clickTab("Output");
    QTRY_VERIFY(fixture.notice());
    QVERIFY(fixture.notice()->content().text.contains(QStringLiteral("python:default:terminal")));
    QVERIFY(fixture.notice()->content().text.contains(QStringLiteral("no log")));
    // The log comes with the first that is written.
    fixture.session()->setLog(first, "step 1\n");
    QTRY_COMPARE(fixture.find<LineView>("outputView")->toPlainText(), QStringLiteral("step 1"));
    QVERIFY(!fixture.notice());
}

void TestDetailTabs::aJobThatWaitsSaysForWhat()
{
    TwoJobs fixture;
    fixture.choose(first);
    fixture.clickTab("Overview");
    auto *const standing = fixture.find<QLabel>("standing");
    QVERIFY(!standing->isVisible()); // no queue is known yet
    QueueInfo queue;
    queue.key = "hero:q:work:type:python";
    queue.target = fixture.detail().job.target;
    queue.depth = 1;
    fixture.session()->showQueues({queue});
    QTRY_VERIFY(standing->isVisible() && standing->text().contains(QStringLiteral("nobody serves")));
    queue.listeners = 2;
    fixture.session()->showQueues({queue});
    QTRY_VERIFY(standing->text().contains(QStringLiteral("2 workers serve it")));
    fixture.session()->showJob(fixture.detail(JobState::Finished));
    QTRY_VERIFY(!standing->isVisible());
}

void TestDetailTabs::whatKeepsAJobHasAButtonForItsRemedy()
{
    TwoJobs fixture;
    fixture.choose(first);
    fixture.clickTab("Overview");
    auto *const remedy = fixture.find<QPushButton>("remedy");
    QVERIFY(!remedy->isVisible());
    JobDetail gpu = fixture.detail();
    gpu.job.target.group = "gpu";
    fixture.session()->showJob(gpu);
    QueueInfo queue;
    queue.key = "hero:q:work:type:python:group:gpu";
    queue.target = gpu.job.target;
    queue.depth = 1;
    fixture.session()->showQueues({queue});
    QTRY_VERIFY(remedy->isVisible());
    QCOMPARE(remedy->text(), QStringLiteral("Start a worker…"));
    queue.key = QByteArray(120, 'q');
    fixture.session()->showQueues({queue});
    auto *const pane = fixture.find<DetailPane>("detailPane");
    QTRY_VERIFY(fixture.find<QLabel>("standing")->text().contains(QStringLiteral("qqqq")));
    fixture.settle();
    QVERIFY(remedy->mapTo(pane, QPoint(remedy->width(), 0)).x() <= pane->width()); // however long a name is
    QTest::mouseClick(remedy, Qt::LeftButton);
    auto *const dialog = fixture.window->findChild<StartWorkerDialog *>();
    QVERIFY(dialog);
    QCOMPARE(dialog->request().group, QByteArray("gpu"));
    dialog->close();

    JobDetail late = fixture.detail(JobState::Running);
    late.job.startedAt = Clock::system().now() - std::chrono::hours(1);
    late.job.timeout = std::chrono::seconds(10);
    fixture.session()->showJob(late);
    QTRY_COMPARE(remedy->text(), QStringLiteral("Requeue…"));
    QTest::mouseClick(remedy, Qt::LeftButton);
    QCOMPARE(fixture.prompts.questions.size(), 1);
    fixture.settle();
    QCOMPARE(fixture.session()->requests("requeueJobs").size(), 1);

    Profile profile = fixture.session()->profile();
    profile.readOnly = true;
    fixture.session()->setProfile(profile);
    fixture.choose(second);
    fixture.session()->showJob(late);
    fixture.choose(first);
    QTRY_VERIFY(fixture.find<QLabel>("standing")->isVisible());
    QVERIFY(!remedy->isVisible()); // it is said, but nothing can be done here
}

void TestDetailTabs::aWorkerOfThisWindowWritesHere()
{
    TwoJobs fixture(JobState::Running);
    fixture.session()->showLocalWorkers(demoLocalWorkers());
    JobDetail running = fixture.detail(JobState::Running);
    running.job.claimedBy = "heroscript:default:1"; // the second type of a worker
    fixture.session()->showJob(running);
    fixture.choose(first);
    fixture.clickTab("Output");
    QVERIFY(!fixture.notice());
    QVERIFY(fixture.find<LineView>("outputView")->isVisible());
    fixture.session()->showOutput(first, "one\n");
    QTRY_COMPARE(fixture.find<LineView>("outputView")->toPlainText(), QStringLiteral("one"));
}

QTEST_MAIN(TestDetailTabs)
#include "tst_detail_tabs.moc"
