// Renders the window in its usual situations; with YM_SHOTS=FOLDER the pictures are kept there.
#include "tests/support/window_fixture.h"
#include "tests/ui/picture.h"

#include "models/job_table_model.h"
#include "ui/connection_models.h"
#include "ui/pages/job_table.h"
#include "ui/palette/command_palette.h"
#include "ui/sidebar.h"
#include "ui/widgets/question_box.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QTableView>

using namespace ym;
using namespace ym::test;

namespace {

void addSecondConnections(WindowFixture &fixture)
{
    Profile redis;
    redis.name = QStringLiteral("Staging redis");
    redis.url = QStringLiteral("redis://staging.internal:6379/2");
    redis.colour = QStringLiteral("#2f9e62");
    fixture.connections.save(redis, std::nullopt);
    Profile production;
    production.name = QStringLiteral("Production");
    production.url = QStringLiteral("rediss://jobs.internal:6380");
    production.colour = QStringLiteral("#c9352b");
    production.readOnly = true;
    production.production = true;
    fixture.connections.save(production, std::nullopt);
}

void fill(WindowFixture &fixture, int count)
{
    const Timestamp now = Clock::system().now();
    FakeSession *const session = fixture.session();
    session->setReady();
    session->showJobs(demoJobs(count, now));
    if (count == 0)
        return;
    QList<QueueInfo> queues = demoQueues(now);
    session->showQueues(queues);
    session->showWorkers(demoWorkers(now));
    session->showLocalWorkers(demoLocalWorkers());
    QList<QByteArray> waiting;
    for (const JobSummary &job : demoJobs(std::min(count, 400), now)) {
        if (job.state == JobState::Queued)
            waiting.append(job.id);
    }
    session->setQueueContent("hero:q:work:type:python", waiting);
}

/// The curves of the depth need samples of several seconds: worth the time only when the pictures are kept.
void showTrend(WindowFixture &fixture)
{
    if (qEnvironmentVariableIsEmpty("YM_SHOTS"))
        return;
    QList<QueueInfo> queues = demoQueues(Clock::system().now());
    for (int step = 0; step < 8; ++step) {
        for (qsizetype i = 0; i < queues.size(); ++i)
            queues[i].depth = std::max<qint64>(0, queues[i].depth + (i * 7 + step * 5) % 9 - 3);
        fixture.session()->showQueues(queues);
        QElapsedTimer second;
        second.start();
        while (second.elapsed() < 1050)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    }
}

} // namespace

class TestScreenshots : public QObject {
    Q_OBJECT
private:
    static void addVariants()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("theme");
        QTest::addColumn<QString>("suffix");
        for (const Variant &variant : variants)
            QTest::newRow(qPrintable(variant.suffix())) << variant.size << int(variant.theme) << variant.suffix();
    }
    static void openVariant(WindowFixture &fixture)
    {
        QFETCH(QSize, size);
        QFETCH(int, theme);
        fixture.settings->setTheme(ThemeChoice(theme));
        addSecondConnections(fixture);
        fixture.open(size);
    }
    static QString named(const char *name)
    {
        QFETCH(QString, suffix);
        return QLatin1String(name) + u'-' + suffix;
    }

private Q_SLOTS:
    void emptyWorkspace_data() { addVariants(); }
    void emptyWorkspace()
    {
        WindowFixture fixture;
        openVariant(fixture);
        fill(fixture, 0);
        QVERIFY(shoot(fixture.window.get(), named("jobs-empty")));
        fixture.key(Qt::Key_2, Qt::ControlModifier);
        QVERIFY(shoot(fixture.window.get(), named("queues-empty")));
        fixture.key(Qt::Key_3, Qt::ControlModifier);
        QVERIFY(shoot(fixture.window.get(), named("workers-empty")));
    }

    void tenJobs_data() { addVariants(); }
    void tenJobs()
    {
        WindowFixture fixture;
        openVariant(fixture);
        fill(fixture, 10);
        auto *const table = fixture.find<JobTable>("jobTable");
        table->setFocus();
        table->selectRow(2);
        const QByteArray running = table->currentId();
        fixture.settle();
        fixture.session()->showOutput(running,
                                      "report for tenant-7\n[1/4] read the ledger …\n[2/4] group by cost centre …\n");
        fixture.session()->showOutput(running, "warning: 3 rows have no cost centre\n", OutputChunk::Stream::Err);
        fixture.session()->showOutput(running, "[3/4] convert currencies …\n");
        QVERIFY(shoot(fixture.window.get(), named("jobs-ten-overview")));
        fixture.key(Qt::Key_3, Qt::AltModifier);
        QVERIFY(shoot(fixture.window.get(), named("jobs-ten-output")));
        fixture.key(Qt::Key_2, Qt::AltModifier);
        QVERIFY(shoot(fixture.window.get(), named("jobs-ten-script")));
        fixture.key(Qt::Key_5, Qt::AltModifier);
        QVERIFY(shoot(fixture.window.get(), named("jobs-ten-raw")));
        QByteArray log;
        for (int i = 0; i < 200'000; ++i)
            log += "12:00:00 \x1b[32mINFO\x1b[0m tenant-" + QByteArray::number(i % 97) + " has been read\n";
        fixture.session()->setLog(running, log);
        fixture.key(Qt::Key_4, Qt::AltModifier);
        auto *const search = fixture.find<QLineEdit>("logSearch");
        search->setText(QStringLiteral("tenant-7 "));
        QTRY_COMPARE(fixture.find<QLabel>("logMatches")->text(), QStringLiteral("2,062 lines"));
        QVERIFY(shoot(fixture.window.get(), named("jobs-ten-log")));
    }

    void manyJobs_data() { addVariants(); }
    void manyJobs()
    {
        WindowFixture fixture;
        openVariant(fixture);
        fill(fixture, 100'000);
        QTRY_VERIFY(fixture.find<JobTable>("jobTable")->isVisible());
        fixture.settle();
        QVERIFY(shoot(fixture.window.get(), named("jobs-many")));
        fixture.find<JobTable>("jobTable")->selectRow(4);
        fixture.key(Qt::Key_1, Qt::AltModifier);
        QVERIFY(shoot(fixture.window.get(), named("jobs-many-failed")));
        fixture.find<QLineEdit>("filterLine")->setText(QStringLiteral("state:failed type:python age<"));
        QTest::keyClick(fixture.find<QLineEdit>("filterLine"), Qt::Key_Return);
        QVERIFY(shoot(fixture.window.get(), named("jobs-filter-error")));
        fixture.key(Qt::Key_K, Qt::ControlModifier);
        fixture.type(QStringLiteral("re"));
        QVERIFY(shoot(fixture.window.get(), named("palette")));
    }

    void queuesAndWorkers_data() { addVariants(); }
    void queuesAndWorkers()
    {
        WindowFixture fixture;
        openVariant(fixture);
        fill(fixture, 400);
        fixture.key(Qt::Key_2, Qt::ControlModifier);
        fixture.find<QTableView>("queueTable")->selectRow(2);
        showTrend(fixture);
        QVERIFY(shoot(fixture.window.get(), named("queues")));
        fixture.key(Qt::Key_3, Qt::ControlModifier);
        QVERIFY(shoot(fixture.window.get(), named("workers")));
    }

    void production_data() { addVariants(); }
    void production()
    {
        WindowFixture fixture;
        openVariant(fixture);
        const QString id = fixture.connections.profiles().at(2).id;
        fixture.window->workspace()->openConnection(id);
        FakeSession *const session = fixture.connections.fake(id);
        session->setReady();
        session->showJobs(demoJobs(60, Clock::system().now()));
        auto *const table = fixture.find<JobTable>("jobTable");
        table->selectRow(1);
        QVERIFY(shoot(fixture.window.get(), named("production")));
        const QItemSelection three(table->model()->index(1, 0), table->model()->index(3, 0));
        table->selectionModel()->select(three, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        Profile writable = session->profile();
        writable.readOnly = false;
        session->setProfile(writable);
        fixture.settle();
        fixture.prompts.answer = -1;
        fixture.action("job.remove")->trigger();
        QCOMPARE(fixture.prompts.questions.size(), 1);
        QCOMPARE(fixture.prompts.questions.first().title, QStringLiteral("Remove 3 jobs from “Production”?"));
        QuestionBox box(fixture.prompts.questions.first(), fixture.window.get());
        box.setAttribute(Qt::WA_DeleteOnClose, false);
        box.show();
        QVERIFY(shoot(&box, named("question")));
    }
    void menus_data() { addVariants(); }
    void menus()
    {
        WindowFixture fixture;
        openVariant(fixture);
        fill(fixture, 10);
        auto *const table = fixture.find<JobTable>("jobTable");
        table->selectRow(2);
        fixture.settle();
        for (QAction *const menu : fixture.window->menuBar()->actions()) {
            menu->menu()->popup(fixture.window->mapToGlobal(QPoint(20, 20)));
            QVERIFY(shoot(menu->menu(), named(qPrintable(QStringLiteral("menu-") + menu->text().remove(u'&')))));
            menu->menu()->hide();
        }
    }

    void lostJobs_data() { addVariants(); }
    void lostJobs()
    {
        WindowFixture fixture;
        openVariant(fixture);
        fill(fixture, 30);
        const QByteArray why = "Another server took over at 19:20:11 (a failover) and had not received it.";
        const QList<QByteArray> ids = fixture.window->workspace()->current()->jobs->idsInRows(0, 5);
        for (const QByteArray &id : ids)
            fixture.session()->loseJob(id, why);
        fixture.window->workspace()->openJob(ids.at(1));
        ConnectionState state = fixture.session()->state();
        state.warnings = {QStringLiteral("19:20:11: a replica took over (a failover). Jobs that it had not received are "
                                         "shown as lost.")};
        fixture.session()->setState(state);
        QVERIFY(shoot(fixture.window.get(), named("lost")));
    }

    void troubles_data() { addVariants(); }
    void troubles()
    {
        WindowFixture fixture;
        openVariant(fixture);
        const QString second = fixture.connections.profiles().at(1).id;
        fixture.window->workspace()->openConnection(second);
        ConnectionState waiting;
        waiting.phase = ConnectionState::Phase::Waiting;
        waiting.trouble = {ErrorKind::Unavailable,
                           QStringLiteral("Cannot reach staging.internal:6379: connection refused."),
                           QStringLiteral("Check that the server runs."), false};
        waiting.retryInMs = 4200;
        waiting.warnings = {QStringLiteral("Not durable: AOF is off.")};
        fixture.connections.fake(second)->setState(waiting);
        fixture.window->workspace()->notify(
            {Notice::Kind::Done, QStringLiteral("Stopped 3 jobs; 1 was already over."), {}});
        fixture.window->workspace()->notify({Notice::Kind::Error,
                                             QStringLiteral("The job could not be removed: the server refuses writes."),
                                             QStringLiteral("MISCONF")});
        QVERIFY(shoot(fixture.window.get(), named("trouble")));
    }
};

QTEST_MAIN(TestScreenshots)
#include "tst_screenshots.moc"
