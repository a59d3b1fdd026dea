// Both families of queue keys in the window: chosen for a job, for a connection and for a worker; shown in the queues.
#include "models/queue_model.h"
#include "tests/ui/dialog_window.h"
#include "ui/dialogs/compose_dialog.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/dialogs/start_worker_dialog.h"
#include "ui/editor/script_editor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

using namespace ym;
using namespace ym::test;

namespace {

Profile profileWith(KeyMode mode)
{
    Profile profile;
    profile.id = QStringLiteral("one");
    profile.name = QStringLiteral("One");
    profile.url = QStringLiteral("embedded:");
    profile.keys.mode = mode;
    return profile;
}

void choose(QWidget *dialog, const char *list, int index)
{
    auto *const combo = child<QComboBox>(dialog, list);
    combo->setFocus();
    press(Qt::Key_Home);
    for (int i = 0; i < index; ++i)
        press(Qt::Key_Down);
    QCOMPARE(combo->currentIndex(), index);
}

} // namespace

class TestQueueKeys : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aJobIsWrittenForALegacyWorker()
    {
        TestSettings store;
        FakeSession session(profileWith(KeyMode::Auto));
        session.setReady();
        ComposeDialog dialog(&session, &store.settings);
        dialog.setInterpreters(someInterpreters());
        showActive(&dialog);
        dialog.findChild<ScriptEditor *>()->view()->setFocus();
        type(QStringLiteral("print(1)"));
        QVERIFY(!dialog.draft().target.keys);
        choose(&dialog, "keys", 3);
        child<QLineEdit>(&dialog, "worker")->setFocus();
        type(QStringLiteral("old-one"));
        child<QCheckBox>(&dialog, "hold")->setFocus();
        press(Qt::Key_Space);
        QVERIFY(child<QDateTimeEdit>(&dialog, "holdUntil")->isEnabled());
        QCOMPARE(dialog.draft().target.keys, KeyMode::Legacy);
        press(Qt::Key_Return, Qt::ControlModifier);
        const QList<FakeSession::Request> submissions = session.requests("submit");
        QCOMPARE(submissions.size(), 1);
        const Job job = submissions.first().draft;
        QCOMPARE(job.target.keys, KeyMode::Legacy);
        QCOMPARE(job.target.legacyWorker, QByteArray("old-one"));
        QVERIFY(job.notBefore.has_value());
        QVERIFY(*job.notBefore > Clock::system().now() + std::chrono::minutes{50});
    }

    void dualSaysThatAJobMayRunTwice()
    {
        TestSettings store;
        FakeSession session(profileWith(KeyMode::Auto));
        session.setReady();
        ComposeDialog dialog(&session, &store.settings);
        showActive(&dialog);
        const auto saysSo = [&dialog] {
            for (const QLabel *label : dialog.findChildren<QLabel *>()) {
                if (label->isVisible() && label->text().contains(QStringLiteral("twice")))
                    return true;
            }
            return false;
        };
        QVERIFY(!saysSo());
        choose(&dialog, "keys", 4);
        QVERIFY(saysSo());
        choose(&dialog, "keys", 0);
        QVERIFY(!saysSo());
    }

    void aWorkerIdThatIsNoneIsRefusedAtItsField()
    {
        TestSettings store;
        FakeSession session(profileWith(KeyMode::Legacy));
        session.setReady();
        ComposeDialog dialog(&session, &store.settings);
        showActive(&dialog);
        dialog.findChild<ScriptEditor *>()->view()->setFocus();
        type(QStringLiteral("print(1)"));
        child<QLineEdit>(&dialog, "worker")->setFocus();
        type(QStringLiteral("a b:c"));
        press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(session.requests("submit").isEmpty());
        QVERIFY(child<QLabel>(&dialog, "status")->text().contains(QStringLiteral("worker id")));
    }

    void aConnectionChoosesItsFamily()
    {
        FakeConnections connections;
        ConnectionDialog dialog(&connections);
        dialog.create();
        showActive(&dialog);
        child<QLineEdit>(&dialog, "host")->setFocus();
        type(QStringLiteral("localhost"));
        QVERIFY(child<QPushButton>(&dialog, "save")->isEnabled());
        choose(&dialog, "keys", 1);
        QVERIFY(!child<QComboBox>(&dialog, "legacyQueue")->isEnabled());
        choose(&dialog, "keys", 3);
        QVERIFY(!child<QPushButton>(&dialog, "save")->isEnabled()); // first it has to be understood
        child<QCheckBox>(&dialog, "dualConsent")->setFocus();
        press(Qt::Key_Space);
        choose(&dialog, "legacyQueue", 1);
        click<QPushButton>(&dialog, "save");
        const Profile saved = connections.profiles().last();
        QCOMPARE(saved.keys, (KeyChoice{KeyMode::Dual, LegacyQueue::Type}));

        dialog.edit(saved);
        QCOMPARE(child<QComboBox>(&dialog, "keys")->currentIndex(), 3);
        QVERIFY(child<QPushButton>(&dialog, "save")->isEnabled());
    }

    void aLocalWorkerGetsAWorkerIdWhereThereAreLegacyQueues()
    {
        TestSettings store;
        FakeSession session(profileWith(KeyMode::Auto));
        session.setReady();
        StartWorkerDialog dialog(&session, &store.settings);
        dialog.setInterpreters(someInterpreters());
        showActive(&dialog);
        child<QLineEdit>(&dialog, "workerId")->setFocus();
        type(QStringLiteral("old-one"));
        click<QPushButton>(&dialog, "start");
        QCOMPARE(session.requests("startWorker").first().worker.legacyId, QByteArray("old-one"));

        FakeSession modern(profileWith(KeyMode::Canonical));
        StartWorkerDialog without(&modern, &store.settings);
        showActive(&without);
        QVERIFY(!child<QLineEdit>(&without, "workerId")->isVisible());
    }

    void aLegacyQueueDoesNotClaimThatNobodyListens()
    {
        QueueModel model(&Clock::system());
        QueueInfo queue;
        queue.key = "hero:work_queue:w1";
        queue.kind = QueueKind::Legacy;
        queue.target.legacyWorker = "w1";
        queue.depth = 3;
        queue.order = ServingOrder::Lifo;
        ChangeSet news;
        news.queues = QList<QueueInfo>{queue};
        model.apply(news);
        const auto text = [&model](int column) { return model.index(0, column).data().toString(); };
        QCOMPARE(text(QueueModel::Listeners), QStringLiteral("unknown"));
        QVERIFY(!model.index(0, 0).data(QueueModel::NoListenerRole).toBool());
        QVERIFY(model.index(0, 0).data(QueueModel::HintRole).toString().contains(QStringLiteral("register")));
        QCOMPARE(text(QueueModel::Order), QStringLiteral("newest first"));
        QVERIFY(!model.index(0, QueueModel::Order).data(Qt::ToolTipRole).toString().contains(QStringLiteral("Seen")));
        QCOMPARE(text(QueueModel::Instance), QStringLiteral("w1"));
        news.queues->first().listeners = 1;
        news.queues->first().observed = true;
        model.apply(news);
        QCOMPARE(text(QueueModel::Listeners), QStringLiteral("1"));
        QVERIFY(model.index(0, QueueModel::Order).data(Qt::ToolTipRole).toString().contains(QStringLiteral("Seen")));
    }
};

QTEST_MAIN(TestQueueKeys)
#include "tst_queue_keys.moc"
