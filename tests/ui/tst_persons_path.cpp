// A person writes a script with an error, sees where it is, repairs it, tries it here, submits it to a Redis, stops it there,
// and runs it here again beside how it went. In the real window on the real core; with YM_SHOTS=FOLDER pictures are kept.
#include "tests/support/fake_prompts.h"
#include "tests/support/redis_server.h"
#include "tests/ui/real_window.h"
#include "ui/dialogs/compose/elsewhere.h"
#include "ui/dialogs/compose_dialog.h"
#include "ui/editor/code_view.h"
#include "ui/editor/script_editor.h"
#include "ui/theme.h"
#include "ui/trial/run_locally_dialog.h"
#include "ui/trial/trial_panel.h"
#include "ui/widgets/line_view.h"
#include "ui/widgets/progress_strip.h"

#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>

using namespace ym;
using namespace ym::test;

namespace {

void shoot(QWidget *window, const QByteArray &name)
{
    const QString folder = qEnvironmentVariable("YM_SHOTS");
    QCoreApplication::sendPostedEvents();
    if (!folder.isEmpty())
        window->grab().save(QDir(folder).filePath(QString::fromUtf8(name) + QStringLiteral(".png")));
}

template <typename Dialog> Dialog *visibleWindow()
{
    for (QWidget *widget : QApplication::topLevelWidgets()) {
        auto *const dialog = qobject_cast<Dialog *>(widget);
        if (dialog && dialog->isVisible())
            return dialog;
    }
    return nullptr;
}

/// A window whose parent is active counts as active for QTest, but keys still go to the parent.
void activate(QWidget *window)
{
    const auto isActive = [window] {
        window->activateWindow();
        return QApplication::activeWindow() == window;
    };
    if (!QTest::qWaitFor(isActive))
        qFatal("the window did not become active");
}

const QByteArray broken = R"(import os, time

rows = [f"row {n}" for n in range(5)]
for done, row in enumerate(rows, 1):
    print(f"::progress {done} {len(rows)} {row}")
    print(f"\x1b[32m{row}\x1b[0m is read by {readr}")
)";

/// The same, repaired; it works for long where somebody says so.
const QByteArray repaired = R"(import os, time

rows = [f"row {n}" for n in range(5)]
for done, row in enumerate(rows, 1):
    print(f"::progress {done} {len(rows)} {row}")
    print(f"\x1b[32m{row}\x1b[0m is read by attempt {os.environ['JOB_ATTEMPT']}")
    time.sleep(float(os.environ.get("PAUSE", 0.15)))
)";

} // namespace

class TestPersonsPath : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fromAnErrorToTwoOutcomesSideBySide_data()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << int(ThemeChoice::Light);
        QTest::newRow("dark") << int(ThemeChoice::Dark);
    }
    void fromAnErrorToTwoOutcomesSideBySide();
};

void TestPersonsPath::fromAnErrorToTwoOutcomesSideBySide()
{
    QFETCH(int, theme);
    RedisServer server;
    FakePrompts prompts;
    TestSettings look;
    look.settings.setTheme(ThemeChoice(theme));
    const Theme applied(qApp, &look.settings);
    const QByteArray suffix = theme == int(ThemeChoice::Dark) ? "-dark" : "-light";
    const auto picture = [&suffix](QWidget *window, const char *name) { shoot(window, name + suffix); };

    RealWindow real;
    Profile profile;
    profile.name = QStringLiteral("Office Redis");
    profile.url = server.url();
    real.open(profile);
    real.startPythonWorker(1);
    const QString redisId = real.session()->profile().id;
    real.openLocal();

    // Written with an error, which only running shows.
    real.trigger("job.new");
    QTRY_VERIFY(visibleWindow<ComposeDialog>());
    ComposeDialog *const compose = visibleWindow<ComposeDialog>();
    activate(compose);
    child<QComboBox>(compose, "type")->setCurrentText(QStringLiteral("python"));
    auto *const editor = compose->findChild<ScriptEditor *>();
    editor->view()->setFocus();
    editor->view()->replaceAll(broken);
    QTest::keyClick(editor->view(), Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(compose->findChild<TrialPanel *>());
    auto *const panel = compose->findChild<TrialPanel *>();
    QTRY_VERIFY_WITH_TIMEOUT(panel->execution(), 20000);
    QCOMPARE(panel->execution()->exitCode, 1);
    QVERIFY(panel->view()->toPlainText().contains(QStringLiteral("NameError")));
    QVERIFY(editor->view()->markersAtLine(5) & 1);
    picture(compose, "path-1-error-marked");

    // Repaired; it tells how far it is while it runs here.
    editor->view()->replaceAll(repaired);
    click<QPushButton>(compose, "runHere");
    auto *const strip = panel->findChild<ProgressStrip *>();
    QTRY_VERIFY_WITH_TIMEOUT(strip->isVisible() && strip->progress().done == 3, 20000);
    picture(compose, "path-2-runs-here");
    QTRY_VERIFY_WITH_TIMEOUT(panel->execution(), 20000);
    QCOMPARE(panel->execution()->exitCode, 0);
    QVERIFY(!(editor->view()->markersAtLine(5) & 1));
    QCOMPARE(panel->view()->lineCount(), 5);
    QVERIFY(!panel->view()->toPlainText().contains(u'\x1b'));
    picture(compose, "path-3-ran-here");

    // The same draft, for long, over the other connection.
    QByteArray slow = repaired;
    slow.replace("0.15", "30");
    editor->view()->replaceAll(slow);
    QByteArray id;
    connect(compose, &ComposeDialog::submittedElsewhere, this, [&id](Session *, const SubmitReceipt &receipt) { id = receipt.id; });
    QMenu *const menu = child<QPushButton>(compose, "submitTo")->menu();
    Q_EMIT menu->aboutToShow();
    QCOMPARE(menu->actions().size(), 1);
    menu->actions().first()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!id.isEmpty(), 20000);
    QTRY_COMPARE(real.session()->profile().id, redisId);
    QTRY_COMPARE_WITH_TIMEOUT(real.stateOf(id), JobState::Running, 20000);
    QCOMPARE(real.window.workspace()->chosenJob(), id);

    // Its progress is in the record, so that the table of every window has it.
    QTRY_VERIFY_WITH_TIMEOUT(real.jobs()->summary(id).has_value() && real.jobs()->index(real.jobs()->rowOf(id), 0).data(JobTableModel::ProgressRole).isValid(), 20000);
    QCOMPARE(real.jobs()->index(real.jobs()->rowOf(id), 0).data(JobTableModel::ProgressRole).toInt(), 20);
    real.window.showDetailTab(2);
    QTRY_VERIFY(child<LineView>(&real.window, "outputView")->toPlainText().contains(QStringLiteral("row 0")));
    QTRY_VERIFY(real.window.findChild<ProgressStrip *>(QStringLiteral("progressStrip"))->isVisible());
    picture(&real.window, "path-4-on-the-redis");

    // Stopped there.
    activate(&real.window);
    QTRY_VERIFY(child<QToolButton>(&real.window, "detailStop")->isEnabled());
    click<QToolButton>(&real.window, "detailStop");
    QTRY_COMPARE_WITH_TIMEOUT(real.stateOf(id), JobState::Failed, 20000);
    QVERIFY(!real.jobs()->index(real.jobs()->rowOf(id), 0).data(JobTableModel::ProgressRole).isValid());
    picture(&real.window, "path-5-stopped");

    // Here again, side by side.
    QTRY_VERIFY(real.window.actions()->action("job.runLocally")->isEnabled());
    real.trigger("job.runLocally");
    QTRY_VERIFY(visibleWindow<RunLocallyDialog>());
    RunLocallyDialog *const locally = visibleWindow<RunLocallyDialog>();
    activate(locally);
    QVERIFY(child<QLabel>(locally, "originalState")->text().contains(QStringLiteral("Stopped")));
    QVERIFY(child<LineView>(locally, "originalOutput")->toPlainText().contains(QStringLiteral("row 0")));
    click<QPushButton>(locally, "runNow");
    QTRY_VERIFY_WITH_TIMEOUT(locally->panel()->view()->toPlainText().contains(QStringLiteral("row 0")), 20000);
    picture(locally, "path-6-here-again");
    click<QToolButton>(locally, "trialStop");
    QTRY_VERIFY_WITH_TIMEOUT(locally->panel()->execution(), 20000);
    QCOMPARE(locally->panel()->execution()->fate, Execution::Fate::Stopped);
    QVERIFY(!child<QLabel>(locally, "verdict")->text().isEmpty());
    picture(locally, "path-7-side-by-side");
    child<QTabBar>(locally, "comparisonTabs")->setCurrentIndex(1);
    QVERIFY(child<LineView>(locally, "differences")->isVisible());
    picture(locally, "path-8-differences");
    // The job in the store is as it was.
    QCOMPARE(real.stateOf(id), JobState::Failed);
}

QTEST_MAIN(TestPersonsPath)
#include "tst_persons_path.moc"
