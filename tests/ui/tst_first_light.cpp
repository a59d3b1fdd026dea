// The main path of a person, in the real window on the real core: write a job, submit it, watch it, stop another.
#include "tests/support/fake_prompts.h"
#include "tests/support/redis_server.h"
#include "tests/ui/real_window.h"
#include "ui/dialogs/compose_dialog.h"
#include "ui/editor/code_view.h"
#include "ui/editor/script_editor.h"
#include "ui/widgets/line_view.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

using namespace ym;
using namespace ym::test;

class TestFirstLight : public QObject {
    Q_OBJECT

    static ComposeDialog *composeWindow()
    {
        for (QWidget *widget : QApplication::topLevelWidgets()) {
            auto *const dialog = qobject_cast<ComposeDialog *>(widget);
            if (dialog && dialog->isVisible())
                return dialog;
        }
        return nullptr;
    }

    /// Writes the script with real keys in a new compose window and submits it; gives the new job's id.
    static void submitByHand(RealWindow &real, const QString &script, QByteArray &id)
    {
        QTRY_VERIFY(real.window.actions()->action("job.new")->isEnabled());
        QTest::keyClick(&real.window, Qt::Key_N, Qt::ControlModifier);
        if (!QTest::qWaitFor([] { return composeWindow() != nullptr; }))
            qFatal("no compose window came");
        ComposeDialog *const dialog = composeWindow();
        // A window whose parent is active counts as active for QTest, but keys still go to the parent.
        const auto isActive = [dialog] {
            dialog->activateWindow();
            return QApplication::activeWindow() == dialog;
        };
        if (!QTest::qWaitFor(isActive))
            qFatal("the compose window did not become active");
        QObject::connect(dialog, &ComposeDialog::submitted, dialog,
                         [&id](const SubmitReceipt &receipt) { id = receipt.id; });
        child<QComboBox>(dialog, "type")->setCurrentText(QStringLiteral("python"));
        dialog->findChild<ScriptEditor *>()->view()->setFocus();
        for (const QString &line : script.split(u'\n')) {
            type(line);
            press(Qt::Key_Return);
        }
        const bool canSubmit =
            QTest::qWaitFor([dialog] { return child<QPushButton>(dialog, "submit")->isEnabled(); }, 10000);
        QVERIFY2(canSubmit, qPrintable(child<QLabel>(dialog, "status")->text() + dialog->draft().script));
        press(Qt::Key_Return, Qt::ControlModifier);
        if (!QTest::qWaitFor([&id] { return !id.isEmpty(); }, 20000))
            qFatal("the job was not submitted: %s", qUtf8Printable(child<QLabel>(dialog, "status")->text()));
    }

    static void choose(RealWindow &real, const QByteArray &id)
    {
        auto *const table = child<QTableView>(&real.window, "jobTable");
        QVERIFY(QTest::qWaitFor([&] { return real.jobs()->rowOf(id) >= 0; }, 20000));
        const QModelIndex index = real.jobs()->index(real.jobs()->rowOf(id), 1);
        table->scrollTo(index);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::NoModifier, table->visualRect(index).center());
        QTRY_COMPARE(real.window.workspace()->chosenJob(), id);
    }

private Q_SLOTS:
    void aJobIsWrittenSubmittedAndItsOutputStreamsWhileItRuns_data()
    {
        QTest::addColumn<bool>("onRedis");
        QTest::newRow("in the local workspace") << false;
        QTest::newRow("on a redis-server") << true;
    }
    void aJobIsWrittenSubmittedAndItsOutputStreamsWhileItRuns()
    {
        QFETCH(bool, onRedis);
        RedisServer server;
        FakePrompts prompts;
        RealWindow real;
        if (onRedis)
            real.openRedis(server.url());
        else
            real.openLocal();
        const QTemporaryDir shared;
        const QString gate = shared.filePath(QStringLiteral("gate"));
        real.letPythonRead(shared.path());
        real.startPythonWorker(2);

        QByteArray id;
        submitByHand(real,
                     QStringLiteral("import os, time\nprint('before the gate', flush=True)\nwhile not "
                                    "os.path.exists('%1'): time.sleep(0.02)\n"
                                    "print('behind the gate')")
                         .arg(gate),
                     id);
        choose(real, id);
        real.window.showDetailTab(3);
        auto *const output = child<LineView>(&real.window, "outputView");
        QTRY_VERIFY_WITH_TIMEOUT(output->toPlainText().contains("before the gate"), 20000);
        QCOMPARE(real.stateOf(id), JobState::Running);
        QVERIFY(!output->toPlainText().contains("behind"));

        QFile file(gate);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QTRY_COMPARE_WITH_TIMEOUT(real.stateOf(id), JobState::Finished, 20000);
        QTRY_VERIFY(output->toPlainText().contains("behind the gate"));
    }

    void aRunningJobIsStoppedFromItsRow()
    {
        FakePrompts prompts;
        RealWindow real;
        real.openLocal();
        real.startPythonWorker(2);
        QByteArray id;
        submitByHand(real, QStringLiteral("import time\ntime.sleep(60)"), id);
        choose(real, id);
        QTRY_COMPARE_WITH_TIMEOUT(real.stateOf(id), JobState::Running, 20000);
        QVERIFY(QTest::qWaitFor([&real] {
            real.window.activateWindow();
            return QApplication::activeWindow() == &real.window;
        }));
        QTRY_VERIFY(real.window.actions()->action("job.stop")->isEnabled());
        QTest::keyClick(child<QTableView>(&real.window, "jobTable"), Qt::Key_Period, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(real.stateOf(id), JobState::Failed, 20000);
    }

    void theTableIsFilteredAsOneTypes()
    {
        FakePrompts prompts;
        RealWindow real;
        real.openLocal();
        Job job;
        job.target.type = "python";
        job.script = "print(1)";
        job.callerId = "alice";
        real.session()->submit(job);
        job.callerId = "bob";
        real.session()->submit(job);
        QTRY_COMPARE(real.jobs()->shownCount(), 2);
        QTest::keyClick(&real.window, Qt::Key_F, Qt::ControlModifier);
        type(QStringLiteral("caller:bob"));
        QTRY_COMPARE(real.jobs()->shownCount(), 1);
        QCOMPARE(real.jobs()->summaryAt(0).callerId, QByteArray("bob"));
    }

    void thePaletteFindsAPageAndGoesThere()
    {
        FakePrompts prompts;
        RealWindow real;
        real.openLocal();
        QTest::keyClick(&real.window, Qt::Key_K, Qt::ControlModifier);
        auto *const line = child<QLineEdit>(&real.window, "paletteLine");
        QTRY_VERIFY(line->isVisible());
        QTest::keyClicks(line, QStringLiteral("workers"));
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(real.window.workspace()->page(), PageId::Workers);
        QVERIFY(!line->isVisible());
    }

    void aServerThatDiesAndComesBackLosesNothingAndNeverFreezesTheWindow()
    {
        RedisServer server({true, false, {"--appendfsync", "always"}});
        FakePrompts prompts;
        RealWindow real;
        real.openRedis(server.url());
        real.startPythonWorker(4);
        constexpr int jobCount = 200;
        Job job;
        job.target.type = "python";
        job.script = "print(6*7)";
        job.concurrent = true;
        QList<QFuture<Result<SubmitReceipt>>> submits;
        for (int i = 0; i < jobCount; ++i)
            submits.append(real.session()->submit(job));
        for (const auto &submit : std::as_const(submits)) {
            QVERIFY(QTest::qWaitFor([&] { return submit.isFinished(); }, 30000));
            QVERIFY(submit.result().has_value());
        }
        const auto finished = [&] { return real.jobs()->stateCounts()[size_t(JobState::Finished)]; };
        QTRY_VERIFY_WITH_TIMEOUT(finished() > 5, 30000);

        server.killHard();
        QTRY_COMPARE_WITH_TIMEOUT(real.session()->state().phase, ConnectionState::Phase::Waiting, 20000);
        QVERIFY(!real.session()->state().trouble.message.isEmpty());
        QVERIFY2(server.startAgain(), qPrintable(server.error()));
        QTRY_COMPARE_WITH_TIMEOUT(real.session()->state().phase, ConnectionState::Phase::Ready, 30000);
        QTRY_COMPARE_WITH_TIMEOUT(finished(), qint64(jobCount), 120000);
    }
};

QTEST_MAIN(TestFirstLight)
#include "tst_first_light.moc"
