// Running a script here: from the compose window, and of a job that exists beside how it went.
#include "tests/support/fake_prompts.h"
#include "tests/ui/dialog_window.h"
#include "ui/dialogs/compose/elsewhere.h"
#include "ui/dialogs/compose_dialog.h"
#include "ui/editor/script_editor.h"
#include "ui/trial/run_locally_dialog.h"
#include "ui/trial/script_error.h"
#include "ui/trial/trial_panel.h"
#include "ui/widgets/line_view.h"
#include "ui/widgets/progress_strip.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QToolButton>

using namespace ym;
using namespace ym::test;

namespace {

const QByteArray traceback = "Traceback (most recent call last):\n  File \"/job/script.py\", line 2, in <module>\n"
                             "    1 / 0\nZeroDivisionError: division by zero\n";

/// A compose window with its connections.
class Composing {
public:
    Composing()
    {
        session()->setReady();
        dialog = std::make_unique<ComposeDialog>(session(), &store.settings);
        dialog->setInterpreters(someInterpreters());
        dialog->setConnections(&connections);
        showActive(dialog.get());
        editor()->view()->setFocus();
    }
    FakeSession *session() { return connections.fake(); }
    ScriptEditor *editor() { return dialog->findChild<ScriptEditor *>(); }
    TrialPanel *panel() { return dialog->findChild<TrialPanel *>(); }
    template <typename T> T *find(const char *name) { return test::child<T>(dialog.get(), name); }
    QString state() { return find<QLabel>("trialState")->text(); }
    /// Lines that are marked in the editor.
    QList<int> marks()
    {
        QList<int> lines;
        for (int line = 0; line < editor()->view()->lines(); ++line) {
            if (editor()->view()->markersAtLine(line) & 1)
                lines.append(line + 1);
        }
        return lines;
    }

    TestSettings store;
    FakePrompts prompts;
    FakeConnections connections;
    std::unique_ptr<ComposeDialog> dialog;
};

JobDetail failedJob()
{
    JobDetail detail = demoDetail(JobSummary{}, Clock::system().now());
    detail.job = {};
    detail.job.id = newJobId();
    detail.job.target.type = "python";
    detail.job.script = "print('a')\n1 / 0\n";
    detail.job.state = JobState::Failed;
    detail.job.env = {{"MONTH", "2026-11"}, {"API_TOKEN", "the real one"}};
    detail.job.output = "a\n";
    detail.job.error = traceback;
    PastRun run;
    run.fate = "failed";
    run.exitCode = 1;
    run.duration = Milliseconds{4321};
    run.peakKb = 30 * 1024;
    detail.job.runs = {run};
    return detail;
}

} // namespace

class TestTrial : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theDraftRunsHereAndNothingIsSubmitted()
    {
        Composing window;
        type(QStringLiteral("print(1)"));
        QVERIFY(!window.panel());
        press(Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(window.panel() && window.panel()->isRunning());
        QCOMPARE(window.connections.trial()->job.script, QByteArray("print(1)"));
        QCOMPARE(window.state(), QStringLiteral("Running here"));
        window.connections.trial()->write("one\n::progress 3 4 nearly\n\x1b[31mred\x1b[0m\n");
        QTRY_COMPARE(window.find<LineView>("trialOutput")->toPlainText(), QStringLiteral("one\nred"));
        QTRY_COMPARE(window.find<ProgressStrip>("progressStrip")->progress().percent(), 75);
        window.connections.trial()->end(Execution::Fate::Finished, 0);
        QCOMPARE(window.state(), QStringLiteral("Finished"));
        QVERIFY(window.find<QLabel>("trialFacts")->text().contains(QStringLiteral("exit code 0")));
        QVERIFY(window.find<QLabel>("trialFacts")->text().contains(QStringLiteral("20 MiB")));
        QVERIFY(!window.find<ProgressStrip>("progressStrip")->isVisible());
        QVERIFY(window.session()->requests("submit").isEmpty());
        press(Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(window.session()->requests("submit").size(), 1);
        QCOMPARE(window.session()->requests("submit").first().draft.script, QByteArray("print(1)"));
    }
    void theLineOfAnErrorIsMarkedUntilTheNextRun()
    {
        Composing window;
        window.editor()->setScript("print('a')\n1 / 0\n");
        click<QPushButton>(window.dialog.get(), "runHere");
        window.connections.trial()->end(Execution::Fate::Failed, 1, traceback);
        QCOMPARE(window.marks(), QList<int>{2});
        QVERIFY(window.find<LineView>("trialOutput")->lineCount() > 0 || window.panel()->execution()->errorBytes > 0);
        click<QPushButton>(window.dialog.get(), "runHere");
        QCOMPARE(window.marks(), QList<int>{});
    }
    void anErrorOfAScriptThatWasChangedMeanwhileIsNotMarked()
    {
        Composing window;
        window.editor()->setScript("print('a')\n1 / 0\n");
        click<QPushButton>(window.dialog.get(), "runHere");
        window.editor()->setScript("print('b')\n\n\n");
        window.connections.trial()->end(Execution::Fate::Failed, 1, traceback);
        QCOMPARE(window.marks(), QList<int>{});
    }
    void findsTheLineThatAnInterpreterNames_data()
    {
        QTest::addColumn<QByteArray>("error");
        QTest::addColumn<int>("line"); ///< 0: none
        QTest::newRow("a traceback") << traceback << 2;
        QTest::newRow("a syntax error") << QByteArray("  File \"/tmp/x/script.py\", line 3\n    a b\nSyntaxError: invalid syntax\n") << 3;
        QTest::newRow("through a library") << traceback.left(traceback.size()) + "  File \"/usr/lib/python3.11/json/decoder.py\", line 355, in raw\n" << 2;
        QTest::newRow("Rhai") << QByteArray("Runtime error: no such variable (line 1, position 5)\n") << 1;
        QTest::newRow("a line that is not there") << QByteArray("  File \"/job/script.py\", line 99\n") << 0;
        QTest::newRow("a huge number") << QByteArray("  File \"/job/script.py\", line 99999999999999999999\n") << 0;
        QTest::newRow("another file") << QByteArray("  File \"/job/other.py\", line 2\n") << 0;
        QTest::newRow("nothing") << QByteArray("oops") << 0;
        QTest::newRow("empty") << QByteArray() << 0;
    }
    void findsTheLineThatAnInterpreterNames()
    {
        QFETCH(QByteArray, error);
        QFETCH(int, line);
        const QList<ScriptProblem> problems = scriptErrors(error, "print('a')\n1 / 0\nx\n");
        QCOMPARE(problems.size(), line > 0 ? 1 : 0);
        if (line > 0)
            QCOMPARE(problems.first().line, line);
    }
    void aRunIsStoppedByItsButton()
    {
        Composing window;
        window.editor()->setScript("while True: pass\n");
        click<QPushButton>(window.dialog.get(), "runHere");
        click<QToolButton>(window.dialog.get(), "trialStop");
        QCOMPARE(window.connections.trial()->stops, 1);
        window.connections.trial()->end(Execution::Fate::Stopped, -1);
        QCOMPARE(window.state(), QStringLiteral("Stopped"));
        QVERIFY(!window.find<QToolButton>("trialStop")->isEnabled());
    }
    void aRunThatIsOverItsTimeSaysWhatWasDone()
    {
        Composing window;
        window.editor()->setScript("while True: pass\n");
        click<QPushButton>(window.dialog.get(), "runHere");
        window.connections.trial()->end(Execution::Fate::TimedOut, -1, "timeout");
        QCOMPARE(window.state(), QStringLiteral("Over its time"));
        QTRY_VERIFY(window.find<LineView>("trialOutput")->toPlainText().startsWith(
            QStringLiteral("It ran for 1.2 s, its timeout is 300 s: ")));
    }
    void anEmptyScriptIsNotRun()
    {
        Composing window;
        press(Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!window.panel());
        QVERIFY(!window.find<QLabel>("status")->text().isEmpty());
    }
    void aDraftIsSubmittedOverAnotherConnection()
    {
        Composing window;
        Profile redis;
        redis.name = QStringLiteral("R & D");
        redis.url = QStringLiteral("redis://box");
        const QString id = window.connections.save(redis, std::nullopt);
        window.editor()->setScript("print(1)\n");
        auto *const elsewhere = window.dialog->findChild<Elsewhere *>();
        QCOMPARE(elsewhere->choices().size(), 1);
        QMenu menu;
        elsewhere->fill(&menu);
        QCOMPARE(menu.actions().first()->text(), QStringLiteral("R && D"));
        QSignalSpy submitted(window.dialog.get(), &ComposeDialog::submittedElsewhere);
        menu.actions().first()->trigger();
        QVERIFY(submitted.isEmpty()); // it connects first
        QVERIFY(window.find<QLabel>("status")->text().contains(QStringLiteral("R & D")));
        window.connections.fake(id)->setReady();
        QTRY_COMPARE(submitted.size(), 1);
        QCOMPARE(window.connections.fake(id)->requests("submit").size(), 1);
        QVERIFY(window.session()->requests("submit").isEmpty());
    }
    void aConnectionThatCannotBeReachedSaysSoAndTheDraftStays()
    {
        Composing window;
        Profile redis;
        redis.name = QStringLiteral("away");
        redis.url = QStringLiteral("redis://box");
        const QString id = window.connections.save(redis, std::nullopt);
        window.editor()->setScript("print(1)\n");
        auto *const elsewhere = window.dialog->findChild<Elsewhere *>();
        elsewhere->submit(id, window.dialog->draft());
        ConnectionState state;
        state.phase = ConnectionState::Phase::Waiting;
        state.trouble = {ErrorKind::Unavailable, QStringLiteral("Connection refused"), {}, false};
        window.connections.fake(id)->setState(state);
        QTRY_VERIFY(window.find<QLabel>("status")->text().contains(QStringLiteral("Connection refused")));
        QVERIFY(window.dialog->isVisible());
        QVERIFY(!elsewhere->isBusy());
    }

    // --- a job that exists
    void aJobRunsBesideItsOriginal()
    {
        TestSettings store;
        FakeConnections connections;
        RunLocallyDialog dialog(&connections, &store.settings, failedJob(), false, nullptr);
        showActive(&dialog);
        QVERIFY(child<QLabel>(&dialog, "originalState")->text().contains(QStringLiteral("Failed")));
        QCOMPARE(child<QLabel>(&dialog, "originalFacts")->text(), QStringLiteral("exit code 1 · 4.3 s · 30 MiB at most"));
        QVERIFY(child<LineView>(&dialog, "originalOutput")->toPlainText().contains(QStringLiteral("ZeroDivisionError")));
        QVERIFY(!connections.trial());
        click<QPushButton>(&dialog, "runNow");
        QVERIFY(connections.trial());
        Execution execution;
        execution.fate = Execution::Fate::Finished;
        execution.exitCode = 0;
        execution.output = "a\nb\n";
        Q_EMIT connections.trial()->ended(execution);
        QVERIFY(child<QLabel>(&dialog, "verdict")->text().contains(QStringLiteral("differ")));
        child<QTabBar>(&dialog, "comparisonTabs")->setCurrentIndex(1);
        auto *const changes = child<LineView>(&dialog, "differences");
        QVERIFY(changes->isVisible());
        QCOMPARE(changes->toPlainText().section(u'\n', 0, 0), QStringLiteral("a"));
        QVERIFY(changes->toPlainText().contains(QStringLiteral("ZeroDivisionError")));
    }
    void secretsAreAskedForAndNotCopied()
    {
        TestSettings store;
        FakeConnections connections;
        RunLocallyDialog dialog(&connections, &store.settings, failedJob(), false, nullptr);
        showActive(&dialog);
        auto *const line = child<QLineEdit>(&dialog, "secret-API_TOKEN");
        QVERIFY(line->text().isEmpty());
        QCOMPARE(line->echoMode(), QLineEdit::Password);
        QVERIFY(!dialog.findChild<QLineEdit *>(QStringLiteral("secret-MONTH")));
        dialog.run();
        QCOMPARE(connections.trial()->job.env, (QList<ByteField>{{"MONTH", "2026-11"}}));
        line->setText(QStringLiteral("another"));
        dialog.run();
        QCOMPARE(connections.trial()->job.env, (QList<ByteField>{{"MONTH", "2026-11"}, {"API_TOKEN", "another"}}));
    }
    void whatAJobAsksForIsGivenOnlyWhenItIsTicked()
    {
        TestSettings store;
        FakeConnections connections;
        JobDetail detail = failedJob();
        detail.job.access.network = true;
        RunLocallyDialog dialog(&connections, &store.settings, detail, false, nullptr);
        showActive(&dialog);
        auto *const give = child<QCheckBox>(&dialog, "giveAccess");
        QVERIFY(!give->isChecked());
        dialog.run();
        QVERIFY(connections.trial()->job.access.isEmpty());
        give->setChecked(true);
        dialog.run();
        QVERIFY(connections.trial()->job.access.network);
    }
    void aWindowThatIsClosedEndsItsRun()
    {
        TestSettings store;
        FakeConnections connections;
        auto dialog = std::make_unique<RunLocallyDialog>(&connections, &store.settings, failedJob(), false, nullptr);
        dialog->run();
        QVERIFY(connections.trial());
        dialog.reset();
        QVERIFY(!connections.trial());
    }
};

QTEST_MAIN(TestTrial)
#include "tst_trial.moc"
