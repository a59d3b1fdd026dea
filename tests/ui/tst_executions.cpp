// What scripts may do here, and what they did: opt-ins, consent, limits, attempts, the audit log, marks in the editor.
#include "core/worker/audit_log.h"
#include "models/attempt_model.h"
#include "models/audit_model.h"
#include "tests/support/fake_prompts.h"
#include "tests/ui/dialog_window.h"
#include "ui/connection_models.h"
#include "ui/detail/attempts_tab.h"
#include "ui/detail/overview_tab.h"
#include "ui/dialogs/audit_dialog.h"
#include "ui/dialogs/compose_dialog.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/dialogs/start_worker_dialog.h"
#include "ui/editor/balance_check.h"
#include "ui/editor/script_editor.h"
#include "ui/widgets/line_view.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include <csignal>

using namespace ym;
using namespace ym::test;

namespace {

void tick(QWidget *parent, const char *name)
{
    auto *const box = child<QCheckBox>(parent, name);
    QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
}

PastRun pastRun(int attempt, const QByteArray &fate, int exitCode, const QByteArray &output, const QByteArray &error)
{
    PastRun run;
    run.attempt = attempt;
    run.fate = fate;
    run.exitCode = exitCode;
    run.containment = "bubblewrap";
    run.duration = Milliseconds{120};
    run.output = output;
    run.error = error;
    return run;
}

class Compose {
public:
    Compose()
        : session(std::make_unique<FakeSession>(profile()))
    {
        session->setReady();
        dialog = std::make_unique<ComposeDialog>(session.get(), &store.settings);
        dialog->setInterpreters(someInterpreters());
        showActive(dialog.get());
        editor()->view()->setFocus();
    }
    static Profile profile()
    {
        Profile made;
        made.id = QStringLiteral("local");
        made.name = QStringLiteral("Local workspace");
        made.url = QStringLiteral("embedded:");
        return made;
    }
    ScriptEditor *editor() const { return dialog->findChild<ScriptEditor *>(); }
    bool canSubmit() const { return child<QPushButton>(dialog.get(), "submit")->isEnabled(); }

    TestSettings store;
    FakePrompts prompts;
    std::unique_ptr<FakeSession> session;
    std::unique_ptr<ComposeDialog> dialog;
};

} // namespace

class TestExecutions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aJobAsksForTheNetworkAndForFolders()
    {
        Compose w;
        type(QStringLiteral("print(1)"));
        QVERIFY(w.dialog->draft().access.isEmpty());
        tick(w.dialog.get(), "accessNetwork");
        w.prompts.file = QStringLiteral("/srv/data");
        click<QPushButton>(w.dialog.get(), "addAccessFolder");
        QCOMPARE(w.dialog->draft().access, (JobAccess{true, {QStringLiteral("/srv/data")}, {}}));
        child<QComboBox>(w.dialog.get(), "accessUse")->setFocus();
        press(Qt::Key_Down);
        QCOMPARE(w.dialog->draft().access, (JobAccess{true, {}, {QStringLiteral("/srv/data")}}));
        QTRY_VERIFY(w.canSubmit());

        auto *const path = child<QLineEdit>(w.dialog.get(), "accessFolder");
        path->setFocus();
        path->selectAll();
        type(QStringLiteral("data"));
        QTRY_COMPARE(child<QLabel>(w.dialog.get(), "status")->text(), QStringLiteral("Write the whole path, from / on."));
        QVERIFY(!w.canSubmit());
        click<QToolButton>(w.dialog.get(), "removeAccessFolder");
        QTRY_VERIFY(w.canSubmit());
        QCOMPARE(w.dialog->draft().access, (JobAccess{true, {}, {}}));
    }

    void aCopyOfAJobAsksForTheSame()
    {
        Compose w;
        Job job;
        job.id = "a";
        job.target.type = "python";
        job.script = "print(1)";
        job.access = {true, {QStringLiteral("/in")}, {QStringLiteral("/out")}};
        w.dialog->prefill(job);
        QCOMPARE(w.dialog->draft().access, job.access);
    }

    void consentIsTypedOnceForAConnection()
    {
        TestSettings store;
        FakeSession session(Compose::profile());
        session.setReady();
        ConnectionState state = session.state();
        state.containment = QStringLiteral("contained by limits only: bwrap was not found");
        session.setState(state);
        StartWorkerDialog dialog(&session, &store.settings);
        dialog.setInterpreters(someInterpreters());
        showActive(&dialog);
        QSignalSpy agreed(&dialog, &StartWorkerDialog::limitsAgreed);
        auto *const start = child<QPushButton>(&dialog, "start");
        auto *const word = child<QLineEdit>(&dialog, "limitsWord");
        QVERIFY(word->isVisible());
        QVERIFY(child<QLabel>(&dialog, "limitsWarning")->text().contains(QStringLiteral("bwrap was not found")));
        QVERIFY(!start->isEnabled());
        word->setFocus();
        type(QStringLiteral("limits"));
        QVERIFY(!start->isEnabled());
        type(QStringLiteral(" only"));
        QVERIFY(start->isEnabled());
        QTest::mouseClick(start, Qt::LeftButton);
        QCOMPARE(agreed.size(), 1);
        QVERIFY(session.requests("startWorker").isEmpty()); // only once the connection has it

        Profile consenting = session.profile();
        consenting.limitsOnly = true;
        session.setProfile(consenting);
        StartWorkerDialog again(&session, &store.settings);
        again.setInterpreters(someInterpreters());
        showActive(&again);
        QVERIFY(!child<QLineEdit>(&again, "limitsWord")->isVisible());
        QVERIFY(child<QPushButton>(&again, "start")->isEnabled());
    }

    void aContainedConnectionAsksForNoConsent()
    {
        TestSettings store;
        FakeSession session(Compose::profile());
        session.setReady();
        ConnectionState state = session.state();
        state.containment = QStringLiteral("contained by bubblewrap");
        session.setState(state);
        StartWorkerDialog dialog(&session, &store.settings);
        dialog.setInterpreters(someInterpreters());
        showActive(&dialog);
        QVERIFY(!child<QLineEdit>(&dialog, "limitsWord")->isVisible());
        tick(&dialog, "accessNetwork");
        click<QPushButton>(&dialog, "start");
        QCOMPARE(session.requests("startWorker").size(), 1);
        QVERIFY(session.requests("startWorker").constFirst().worker.access.network);
    }

    void everyAttemptShowsItsOwnOutput()
    {
        TestSettings store;
        AttemptsTab tab(&store.settings);
        tab.resize(500, 400);
        showActive(&tab);
        JobDetail detail;
        detail.job.id = "a";
        tab.show(detail);
        QVERIFY(child<QLabel>(&tab, "noAttempts")->isVisible());
        detail.job.runs = {pastRun(1, "failed", 3, "first", "why"), pastRun(2, "finished", 0, "second", {})};
        tab.show(detail);
        auto *const table = child<QTableView>(&tab, "attemptTable");
        const auto text = [&tab] { return child<LineView>(&tab, "attemptText")->toPlainText(); };
        QCOMPARE(table->model()->rowCount(), 2);
        QCOMPARE(table->model()->index(0, AttemptModel::Result).data().toString(), QStringLiteral("finished"));
        QCOMPARE(text(), QStringLiteral("second"));
        if (const QString folder = qEnvironmentVariable("YM_SHOTS"); !folder.isEmpty())
            QVERIFY(tab.grab().save(folder + QStringLiteral("/attempts.png")));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(1, 0)).center());
        QCOMPARE(text(), QStringLiteral("first\nwhy"));
        QCOMPARE(table->model()->index(1, AttemptModel::Result).data().toString(), QStringLiteral("failed, exit code 3"));
    }

    void theWholeResultOfAnAttemptIsReadInANarrowPane()
    {
        TestSettings store;
        AttemptsTab tab(&store.settings);
        tab.resize(440, 600); // beside the jobs
        showActive(&tab);
        JobDetail detail;
        detail.job.id = "a";
        detail.job.runs = {pastRun(10'000, "failed", 137, {}, {})};
        tab.show(detail);
        const auto *const table = child<QTableView>(&tab, "attemptTable");
        const QModelIndex result = table->model()->index(0, AttemptModel::Result);
        QCOMPARE(result.data().toString(), QStringLiteral("failed, exit code 137"));
        constexpr int besideText = 48; // the margins and the dot
        QVERIFY(table->columnWidth(AttemptModel::Result)
                >= table->fontMetrics().horizontalAdvance(result.data().toString()) + besideText);
    }

    void theOverviewSaysHowAJobEndedEarly()
    {
        FakeSession session(Compose::profile());
        session.setReady();
        ConnectionModels models(&session, &Clock::system(), nullptr);
        OverviewTab tab;
        tab.resize(560, 480);
        tab.setModels(&models);
        showActive(&tab);
        JobDetail detail;
        detail.job.id = "a";
        detail.job.state = JobState::Failed;
        detail.job.error = "timeout";
        detail.job.timeout = std::chrono::seconds{3};
        PastRun run = pastRun(1, "timeout", -1, {}, "timeout");
        run.signal = SIGTERM;
        run.duration = Milliseconds{3'040};
        detail.job.runs = {run};
        tab.show(detail);
        QVERIFY(!child<LineView>(&tab, "errorText")->isVisible());
        QCOMPARE(child<QLabel>(&tab, "earlyEnd")->text(),
                 QStringLiteral("It ran for 3.0 s, its timeout is 3 s: it was asked to end and did, by SIGTERM (15). If it "
                                "needs the time, submit it again with a longer timeout."));
        if (const QString folder = qEnvironmentVariable("YM_SHOTS"); !folder.isEmpty())
            QVERIFY(tab.grab().save(folder + QStringLiteral("/over_its_time.png")));
        detail.job.error = "ValueError: no";
        tab.show(detail);
        QVERIFY(!child<QLabel>(&tab, "earlyEnd")->isVisible());
        auto *const error = child<LineView>(&tab, "errorText");
        QCOMPARE(error->toPlainText(), QStringLiteral("ValueError: no"));
        const int low = error->height();
        // A long line is wrapped, and the box as high as it needs.
        detail.job.error = "ended because its processes held more than 64.00 MiB of memory; if the script needs more,"
                           " raise the limit of its type in Settings › Interpreters";
        tab.show(detail);
        QTRY_VERIFY(error->height() > low);
        const int narrow = error->height();
        tab.resize(1400, 480);
        QTRY_COMPARE(error->height(), low);
        tab.resize(560, 480);
        QTRY_COMPARE(error->height(), narrow);
        QTRY_COMPARE(error->viewport()->height(), narrow); // nothing of it is cut
        if (const QString folder = qEnvironmentVariable("YM_SHOTS"); !folder.isEmpty())
            QVERIFY(tab.grab().save(folder + QStringLiteral("/over_a_limit.png")));
    }

    void aNewAttemptKeepsTheChosenRow()
    {
        AttemptModel model;
        const QAbstractItemModelTester tester(&model);
        model.setRuns({pastRun(1, "failed", 1, {}, {})});
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        const QPersistentModelIndex first = model.index(0, 0);
        model.setRuns({pastRun(1, "failed", 1, {}, {}), pastRun(2, "failed", 2, {}, {})});
        QCOMPARE(inserted.size(), 1);
        QCOMPARE(removed.size(), 0);
        QCOMPARE(first.row(), 1);
        model.setRuns({pastRun(7, "finished", 0, {}, {})}); // of another job
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.runAt(0)->attempt, 7);
    }

    void theAuditLogIsReadAndSearched()
    {
        TestSettings store;
        const QString path = store.folder.filePath(QStringLiteral("audit.log"));
        Job job;
        job.id = "11111111-2222-4333-8444-555555555555";
        job.target.type = "python";
        job.attempt = 1;
        Execution done;
        done.fate = Execution::Fate::Finished;
        done.exitCode = 0;
        done.containment = "bubblewrap";
        Execution killed;
        killed.signal = 9;
        killed.containment = "confined, network";
        AuditLog log(path);
        const AuditLog::By by{"python:default:1", RunLimits{}};
        QVERIFY(log.record(Timestamp(std::chrono::seconds{1'700'000'000}), job, by, done));
        job.id = "<b>other</b>";
        QVERIFY(log.record(Timestamp(std::chrono::seconds{1'700'000'100}), job, by, killed));
        QFile file(path);
        QVERIFY(file.open(QIODevice::Append) && file.write("{\"half a li") > 0);
        file.close();

        AuditDialog dialog(path, &store.settings);
        showActive(&dialog);
        auto *const table = child<QTableView>(&dialog, "auditTable");
        auto *const status = child<QLabel>(&dialog, "auditStatus");
        QTRY_COMPARE(table->model()->rowCount(), 2);
        QCOMPARE(status->text(), QStringLiteral("2 runs, newest first"));
        const auto cell = [table](int row, int column) { return table->model()->index(row, column).data().toString(); };
        QCOMPARE(cell(0, AuditModel::Job), QStringLiteral("<b>other"));
        QCOMPARE(cell(0, AuditModel::Time), QStringLiteral("2023-11-14 22:15:00"));
        QVERIFY(cell(0, AuditModel::Result).contains(QStringLiteral("SIGKILL (9)")));
        QCOMPARE(cell(0, AuditModel::Containment), QStringLiteral("confined, network"));
        QCOMPARE(cell(1, AuditModel::Result), QStringLiteral("finished"));
        QVERIFY(cell(1, AuditModel::Limits).startsWith(QStringLiteral("CPU 300 s, memory 1.00 GiB, 64 processes")));
        child<QLineEdit>(&dialog, "auditFilter")->setFocus();
        type(QStringLiteral("sigkill NETWORK"));
        QCOMPARE(table->model()->rowCount(), 1);
        QCOMPARE(status->text(), QStringLiteral("1 of 2 runs"));
        type(QStringLiteral(" nothing"));
        QCOMPARE(table->model()->rowCount(), 0);
    }

    void aComputerThatRanNothingSaysSo()
    {
        TestSettings store;
        AuditDialog dialog(store.folder.filePath(QStringLiteral("none.log")), &store.settings);
        showActive(&dialog);
        QTRY_COMPARE(child<QLabel>(&dialog, "auditStatus")->text(), QStringLiteral("Nothing was executed here yet."));
    }

    void limitsOfATypeAreSetInSettings()
    {
        TestSettings store;
        FakeConnections connections;
        SettingsDialog dialog(&connections, &store.settings);
        dialog.showPage(SettingsDialog::Page::Interpreters);
        showActive(&dialog);
        const Interpreter before = connections.interpreters().constFirst().interpreter;
        auto *const parts = child<QTabWidget>(&dialog, "interpreterParts");
        QTest::mouseClick(parts->tabBar(), Qt::LeftButton, {}, parts->tabBar()->tabRect(1).center());
        auto *const memory = child<QSpinBox>(&dialog, "limitMemory");
        QVERIFY(memory->isVisible());
        QCOMPARE(memory->value(), int(before.limits.memoryBytes >> 20));
        QVERIFY(!child<QPushButton>(&dialog, "saveInterpreter")->isEnabled());
        memory->setFocus();
        memory->selectAll();
        type(QStringLiteral("512"));
        tick(parts, "accessNetwork");
        click<QPushButton>(&dialog, "saveInterpreter");
        const Interpreter after = connections.interpreters().constFirst().interpreter;
        RunLimits expected = before.limits;
        expected.memoryBytes = qint64{512} << 20;
        QCOMPARE(after.limits, expected);
        QVERIFY(after.access.network);
        QCOMPARE(after.command, before.command);
    }

    void aMistakeInPythonIsMarkedAtItsLine()
    {
        Compose w;
        CodeView *const view = w.editor()->view();
        type(QStringLiteral("x = 1"));
        press(Qt::Key_Return);
        type(QStringLiteral("y = = 2"));
        QTRY_COMPARE(view->annotation(1), QStringLiteral("invalid syntax"));
        QVERIFY(view->markersAtLine(1) != 0);
        QCOMPARE(view->markersAtLine(0), 0U);
        w.editor()->setScript("x = 1\ny = 2\n");
        type(QStringLiteral(" "));
        QTRY_VERIFY(view->annotation(1).isEmpty());
        QCOMPARE(view->markersAtLine(1), 0U);
    }

    void unbalancedScriptsOfOtherTypesAreMarked_data()
    {
        QTest::addColumn<Language>("language");
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<int>("line"); // 0: nothing is wrong
        QTest::newRow("rhai, good") << Language::Rhai << QByteArray("let a = #{b: [1, (2)]};\n// )\nlet s = \"}\";\n") << 0;
        QTest::newRow("rhai, a block") << Language::Rhai << QByteArray("fn f() {\n  if true {\n    1\n  }\n}\n") << 0;
        QTest::newRow("rhai, not closed") << Language::Rhai << QByteArray("fn f() {\n  g(1;\n}\n") << 3;
        QTest::newRow("rhai, open at the end") << Language::Rhai << QByteArray("f();\nlet a = [1,\n2;\n") << 2;
        QTest::newRow("rhai, closes nothing") << Language::Rhai << QByteArray("f();\n}\n") << 2;
        QTest::newRow("rhai, a comment") << Language::Rhai << QByteArray("f();\n/* text\n/* more */\nf();\n") << 2;
        QTest::newRow("rhai, a template") << Language::Rhai << QByteArray("let s = `a ${f(1)} )`;\n") << 0;
        QTest::newRow("heroscript, good")
            << Language::HeroScript << QByteArray("!!a.b name:'x (y'\n  text:'\n  several (\n  '\n") << 0;
        QTest::newRow("heroscript, a value that stays open")
            << Language::HeroScript << QByteArray("!!a.b\n  text:'\n  several\n") << 2;
        QTest::newRow("v, good") << Language::V << QByteArray("fn main() { // {\n  println('it\\'s }')\n}\n") << 0;
        QTest::newRow("v, a string") << Language::V << QByteArray("fn main() {\n  println('x)\n}\n") << 2;
        QTest::newRow("plain text") << Language::Plain << QByteArray("((((") << 0;
    }
    void unbalancedScriptsOfOtherTypesAreMarked()
    {
        QFETCH(Language, language);
        QFETCH(QByteArray, script);
        QFETCH(int, line);
        const QList<ScriptProblem> problems = findUnbalanced(language, script);
        QCOMPARE(problems.size(), line == 0 ? 0 : 1);
        if (line != 0)
            QCOMPARE(problems.constFirst().line, line);
    }
};

QTEST_MAIN(TestExecutions)
#include "tst_executions.moc"
