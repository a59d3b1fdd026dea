// Where jobs can only be limited: the consent is typed once, stays with the connection over a restart of the application,
// and can be taken back. The real window on the real core, on a machine that seems to have neither bubblewrap nor Landlock.
#include "core/engine/profile_store.h"
#include "models/local_worker_model.h"
#include "tests/support/bare_machine.h"
#include "tests/ui/real_window.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/dialogs/start_worker_dialog.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

using namespace ym;
using namespace ym::test;

namespace {

template <typename T> T *visibleDialog()
{
    T *found = nullptr;
    const bool came = QTest::qWaitFor(
        [&found] {
            for (QWidget *widget : QApplication::topLevelWidgets()) {
                if (auto *const dialog = qobject_cast<T *>(widget); dialog && dialog->isVisible())
                    found = dialog;
            }
            return found != nullptr;
        },
        20000);
    // A window whose parent is active counts as active for QTest, but keys still go to the parent.
    const auto isActive = [&found] {
        found->activateWindow();
        return QApplication::activeWindow() == found;
    };
    if (!came || !QTest::qWaitFor(isActive))
        qFatal("the dialog did not come");
    return found;
}

/// Opens the dialog of a worker; how jobs are contained here is known by then.
StartWorkerDialog *startDialog(RealWindow &real)
{
    if (!QTest::qWaitFor([&real] { return !real.session()->state().containment.isEmpty(); }, 30000))
        qFatal("nobody said how jobs are contained");
    real.trigger("worker.start");
    return visibleDialog<StartWorkerDialog>();
}

bool asksForConsent(StartWorkerDialog *dialog)
{
    return child<QLineEdit>(dialog, "limitsWord")->isVisible();
}

int localWorkerCount(RealWindow &real)
{
    const ConnectionModels *const models = real.window.workspace()->current();
    return models ? models->localWorkers->rowCount() : 0;
}

/// Submits a job for the worker that runs now, and tells how it was contained.
QByteArray containmentOfAJob(RealWindow &real)
{
    Job draft;
    draft.target.type = "python";
    draft.script = "print(1)";
    const auto receipt = real.session()->submit(draft);
    if (!QTest::qWaitFor([&] { return receipt.isFinished(); }, 20000) || !receipt.result())
        qFatal("the job was not submitted");
    const QByteArray id = receipt.result()->id;
    if (!QTest::qWaitFor([&] { return isTerminal(real.stateOf(id)); }, 30000))
        qFatal("the job did not end");
    const auto detail = real.session()->job(id);
    if (!QTest::qWaitFor([&] { return detail.isFinished(); }, 20000) || !detail.result())
        qFatal("the job is not there");
    const Job job = detail.result()->job;
    return job.runs.isEmpty() ? job.error : job.runs.constLast().containment;
}

} // namespace

class TestLimitsConsent : public QObject {
    Q_OBJECT

    TestSettings m_settings; ///< of an application that is started several times
    bool isStored() const
    {
        QString warning;
        const ProfileStore store(m_settings.folder.filePath(QStringLiteral("config/connections.json")));
        return store.load(&warning).constFirst().limitsOnly;
    }

private Q_SLOTS:
    void initTestCase()
    {
        const QString folder = m_settings.folder.filePath(QStringLiteral("bin"));
        QVERIFY(makeBareFolder(folder));
        qputenv("PATH", QFile::encodeName(folder));
        if (!hideLandlock())
            QSKIP("this process may not filter its system calls");
    }

    void isTypedOnceAndKept()
    {
        RealWindow real(&m_settings);
        real.openLocal();
        StartWorkerDialog *const dialog = startDialog(real);
        QVERIFY(asksForConsent(dialog));
        const QString why = child<QLabel>(dialog, "limitsWarning")->text();
        QVERIFY2(why.contains(QStringLiteral("bwrap was not found")) && why.contains(QStringLiteral("Landlock")),
                 qPrintable(why));
        QVERIFY(!child<QPushButton>(dialog, "start")->isEnabled());
        child<QLineEdit>(dialog, "limitsWord")->setFocus();
        type(QStringLiteral("limits only"));
        QVERIFY(!isStored());
        click<QPushButton>(dialog, "start");
        QTRY_VERIFY_WITH_TIMEOUT(localWorkerCount(real) > 0, 20000);
        QVERIFY(isStored());
        QCOMPARE(containmentOfAJob(real), QByteArray("limits"));
        auto *const line = child<QLabel>(&real.window, "containment");
        QCOMPARE(line->text(), QStringLiteral("Jobs contained by limits only"));
        QVERIFY2(line->toolTip().contains(QStringLiteral("bwrap was not found")), qPrintable(line->toolTip()));
    }

    void survivesARestart()
    {
        RealWindow real(&m_settings);
        real.openLocal();
        StartWorkerDialog *const dialog = startDialog(real);
        QVERIFY(!asksForConsent(dialog));
        click<QPushButton>(dialog, "start");
        QTRY_VERIFY_WITH_TIMEOUT(localWorkerCount(real) > 0, 20000);
        QCOMPARE(containmentOfAJob(real), QByteArray("limits"));
    }

    void staysWhenSomethingElseIsChanged()
    {
        RealWindow real(&m_settings);
        real.openLocal();
        real.trigger("connection.edit");
        auto *const dialog = visibleDialog<ConnectionDialog>();
        QVERIFY(child<QCheckBox>(dialog, "limitsOnly")->isVisible());
        child<QLineEdit>(dialog, "name")->setText(QStringLiteral("Here"));
        click<QPushButton>(dialog, "save");
        QTRY_COMPARE(real.window.workspace()->profile().name, QStringLiteral("Here"));
        QVERIFY(isStored());
    }

    void canBeTakenBack()
    {
        {
            RealWindow real(&m_settings);
            real.openLocal();
            real.startPythonWorker(1);
            real.trigger("connection.edit");
            auto *const dialog = visibleDialog<ConnectionDialog>();
            child<QCheckBox>(dialog, "limitsOnly")->click();
            click<QPushButton>(dialog, "save");
            QTRY_VERIFY(!isStored());
            // The worker that ran by it is gone, and no other comes without it.
            QTRY_VERIFY_WITH_TIMEOUT(real.session() && real.session()->state().phase == ConnectionState::Phase::Ready, 20000);
            QCOMPARE(localWorkerCount(real), 0);
            WorkerRequest request;
            request.types = {"python"};
            const auto refused = real.session()->startWorker(request);
            QVERIFY(QTest::qWaitFor([&] { return refused.isFinished(); }, 20000));
            QVERIFY(!refused.result());
            QVERIFY2(refused.result().error().text().contains(QStringLiteral("can only be limited")),
                     qPrintable(refused.result().error().text()));
            real.trigger("connection.edit");
            auto *const again = visibleDialog<ConnectionDialog>();
            QVERIFY(!child<QCheckBox>(again, "limitsOnly")->isVisible());
            again->reject();
        }
        RealWindow real(&m_settings);
        real.openLocal();
        QVERIFY(asksForConsent(startDialog(real)));
    }

    void isNotCarriedToAnotherStore()
    {
        FakeConnections connections;
        ConnectionDialog dialog(&connections);
        Profile profile;
        profile.id = QStringLiteral("a");
        profile.name = QStringLiteral("A");
        profile.url = QStringLiteral("redis://one:6379");
        profile.limitsOnly = true;
        profile.hasPort = true;
        profile.port = 6390;
        dialog.edit(profile);
        click<QPushButton>(&dialog, "save");
        QCOMPARE(connections.profiles().constLast().limitsOnly, true);
        QCOMPARE(connections.profiles().constLast().port, quint16(6390));
        dialog.edit(profile);
        child<QLineEdit>(&dialog, "host")->setText(QStringLiteral("two"));
        click<QPushButton>(&dialog, "save");
        QCOMPARE(connections.profiles().constLast().url, QStringLiteral("redis://two"));
        QCOMPARE(connections.profiles().constLast().limitsOnly, false);
    }
};

QTEST_MAIN(TestLimitsConsent)
#include "tst_limits_consent.moc"
