// Requeue, move, edit and resubmit, purge and undo in the window: what is asked, what is sent, how far it is.
#include "tests/support/window_fixture.h"
#include "ui/actions/bulk_notice.h"
#include "ui/dialogs/compose_dialog.h"
#include "ui/dialogs/move_dialog.h"
#include "ui/workspace.h"

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTableView>

using namespace ym;
using namespace ym::test;

class TestChangeActions : public QObject {
    Q_OBJECT

    /// A window with one job in this state, chosen.
    void openWithOne(WindowFixture &fixture, JobState state)
    {
        fixture.open();
        fixture.session()->setReady();
        JobSummary job;
        job.id = "280b5919-4065-470d-bc47-9710ce4ae562";
        job.state = state;
        job.target.type = "python";
        job.target.group = "etl";
        fixture.session()->showJobs({job});
        fixture.settle();
        fixture.find<QTableView>("jobTable")->selectRow(0);
        fixture.settle();
    }

    /// Shows one queue and clicks its row.
    void clickQueue(WindowFixture &fixture, const char *key, QueueKind kind)
    {
        QueueInfo queue;
        queue.key = key;
        queue.kind = kind;
        queue.target.type = "python";
        queue.depth = 1'204;
        fixture.session()->showQueues({queue});
        fixture.key(Qt::Key_2, Qt::ControlModifier);
        fixture.settle();
        auto *const table = fixture.find<QTableView>("queueTable");
        QCOMPARE(table->model()->rowCount(), 1);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(0, 0)).center());
        fixture.settle();
        fixture.window->actions()->refreshNow();
    }

private Q_SLOTS:
    void areForJobsInTheRightState_data();
    void areForJobsInTheRightState();
    void requeueAsksWithCountAndPlace();
    void productionWantsItsNameTyped();
    void moveSendsTheWholeTarget();
    void editRemovesTheOldJobOnceTheNewOneIsThere();
    void aQueueIsEmptiedAfterAQuestion();
    void onlyQueuesWithWaitingJobsAreEmptied();
    void undoIsThereWhenSomethingWasRemoved();
    void progressIsShownAndCanBeCancelled();
    void nothingIsPossibleWhenReadOnly();
    void everythingForAJobIsInItsMenus();
    void aRemovalCanBeTakenBackWhereItIsTold();
    void onlyTheNewestRemovalCanBeTakenBack();
    void whatIsTakenBackIsNotOfferedAnyMore();
    void whatNobodyTriedToRemoveIsToldAsNotRemoved();
};

void TestChangeActions::areForJobsInTheRightState_data()
{
    QTest::addColumn<JobState>("state");
    QTest::addColumn<bool>("requeue");
    QTest::addColumn<bool>("move");
    QTest::addColumn<bool>("edit");
    QTest::newRow("queued") << JobState::Queued << true << true << true;
    QTest::newRow("waiting") << JobState::Waiting << false << true << true;
    QTest::newRow("running") << JobState::Running << true << false << false;
    QTest::newRow("finished") << JobState::Finished << false << false << true;
}

void TestChangeActions::areForJobsInTheRightState()
{
    QFETCH(JobState, state);
    WindowFixture fixture;
    openWithOne(fixture, state);
    QTEST(fixture.action("job.requeue")->isEnabled(), "requeue");
    QTEST(fixture.action("job.move")->isEnabled(), "move");
    QTEST(fixture.action("job.edit")->isEnabled(), "edit");
}

void TestChangeActions::requeueAsksWithCountAndPlace()
{
    WindowFixture fixture;
    openWithOne(fixture, JobState::Running);
    fixture.prompts.answer = -1;
    fixture.action("job.requeue")->trigger();
    QCOMPARE(fixture.prompts.questions.size(), 1);
    const Question question = fixture.prompts.questions.first();
    QVERIFY(question.title.contains(QStringLiteral("1 job")) && question.title.contains(fixture.session()->profile().name));
    QVERIFY(question.isDestructive);
    QVERIFY(question.details.contains(QStringLiteral("280b5919")));
    QVERIFY(fixture.session()->requests("requeueJobs").isEmpty());
    fixture.prompts.answer = 0;
    fixture.action("job.requeue")->trigger();
    fixture.settle();
    QCOMPARE(fixture.session()->requests("requeueJobs").size(), 1);
}

void TestChangeActions::productionWantsItsNameTyped()
{
    WindowFixture fixture;
    openWithOne(fixture, JobState::Running);
    Profile profile = fixture.session()->profile();
    profile.production = true;
    fixture.session()->setProfile(profile);
    fixture.prompts.answer = -1;
    fixture.action("job.requeue")->trigger();
    QCOMPARE(fixture.prompts.questions.last().typeToConfirm, profile.name);
}

void TestChangeActions::moveSendsTheWholeTarget()
{
    WindowFixture fixture;
    openWithOne(fixture, JobState::Queued);
    fixture.session()->setPreview({{"hero:q:work:type:python"}, {}, 0});
    fixture.action("job.move")->trigger();
    auto *const dialog = fixture.window->findChild<MoveDialog *>();
    QVERIFY(dialog);
    QCOMPARE(dialog->target().group, QByteArray("etl")); // where it is now
    Target to = dialog->target();
    to.group = "no group!";
    dialog->setTarget(to);
    auto *const move = dialog->findChild<QPushButton *>(QStringLiteral("move"));
    QVERIFY(!move->isEnabled());
    to.group = "night";
    to.priority = 0;
    dialog->setTarget(to);
    QVERIFY(move->isEnabled());
    QVERIFY2(move->text().contains(QStringLiteral("1 job")), qPrintable(move->text()));
    // The exact queue is named before anything is moved.
    QTRY_COMPARE(dialog->findChild<QLabel *>(QStringLiteral("routeQueue"))->text(),
                 QStringLiteral("hero:q:work:type:python"));
    move->click();
    fixture.settle();
    const auto requests = fixture.session()->requests("moveJobs");
    QCOMPARE(requests.size(), 1);
    QCOMPARE(requests.first().target.group, QByteArray("night"));
    QCOMPARE(requests.first().target.priority, 0);
    QCOMPARE(requests.first().target.type, QByteArray("python"));
}

void TestChangeActions::editRemovesTheOldJobOnceTheNewOneIsThere()
{
    WindowFixture fixture;
    openWithOne(fixture, JobState::Failed);
    fixture.action("job.edit")->trigger();
    fixture.settle();
    auto *const dialog = fixture.window->findChild<ComposeDialog *>();
    QVERIFY(dialog);
    QVERIFY(fixture.session()->requests("removeJobs").isEmpty());
    Q_EMIT dialog->submitted({"11111111-1111-4111-8111-111111111111", {}});
    fixture.settle();
    const auto removals = fixture.session()->requests("removeJobs");
    QCOMPARE(removals.size(), 1);
    QCOMPARE(removals.first().ids, QList<QByteArray>{"280b5919-4065-470d-bc47-9710ce4ae562"});
}

void TestChangeActions::aQueueIsEmptiedAfterAQuestion()
{
    WindowFixture fixture;
    openWithOne(fixture, JobState::Queued);
    clickQueue(fixture, "hero:q:work:type:python", QueueKind::Work);
    QVERIFY2(fixture.action("queue.purge")->isEnabled(), qPrintable(fixture.action("queue.purge")->toolTip()));
    fixture.prompts.answer = -1;
    fixture.action("queue.purge")->trigger();
    const Question question = fixture.prompts.questions.last();
    QVERIFY(question.title.contains(QStringLiteral("1,204 jobs")) && question.title.contains(QStringLiteral("hero:q:work:type:python")));
    QVERIFY(question.isDestructive);
    QVERIFY(fixture.session()->requests("purgeQueue").isEmpty());
    fixture.prompts.answer = 0;
    fixture.action("queue.purge")->trigger();
    fixture.settle();
    QCOMPARE(fixture.session()->requests("purgeQueue").size(), 1);
    QCOMPARE(fixture.session()->requests("purgeQueue").first().name, QByteArray("hero:q:work:type:python"));
}

void TestChangeActions::onlyQueuesWithWaitingJobsAreEmptied()
{
    WindowFixture fixture;
    openWithOne(fixture, JobState::Queued);
    QVERIFY(!fixture.action("queue.purge")->isEnabled()); // no queue is chosen
    clickQueue(fixture, "hero:q:ctl:type:python", QueueKind::Control);
    QVERIFY(!fixture.action("queue.purge")->isEnabled());
    clickQueue(fixture, "hero:work_queue:w1", QueueKind::Legacy);
    QVERIFY(fixture.action("queue.purge")->isEnabled());
}

void TestChangeActions::undoIsThereWhenSomethingWasRemoved()
{
    WindowFixture fixture;
    openWithOne(fixture, JobState::Finished);
    QVERIFY(!fixture.action("job.restore")->isEnabled());
    ConnectionState state = fixture.session()->state();
    state.restorable = 12;
    fixture.session()->setState(state);
    fixture.settle();
    QVERIFY(fixture.action("job.restore")->isEnabled());
    fixture.action("job.restore")->trigger();
    fixture.settle();
    QCOMPARE(fixture.session()->requests("restoreRemoved").size(), 1);
}

void TestChangeActions::progressIsShownAndCanBeCancelled()
{
    WindowFixture fixture;
    openWithOne(fixture, JobState::Queued);
    auto *const cancel = fixture.find<QPushButton>("cancelBulk");
    QVERIFY(!cancel->isVisible());
    Q_EMIT fixture.session()->bulkProgressed(1'200, 10'000);
    QVERIFY(cancel->isVisible());
    QVERIFY(fixture.find<QLabel>("bulkProgress")->isVisible());
    fixture.click(cancel);
    QCOMPARE(fixture.session()->requests("cancelBulk").size(), 1);
    Q_EMIT fixture.session()->bulkProgressed(0, 0);
    QVERIFY(!cancel->isVisible());
}

void TestChangeActions::nothingIsPossibleWhenReadOnly()
{
    WindowFixture fixture;
    openWithOne(fixture, JobState::Queued);
    Profile profile = fixture.session()->profile();
    profile.readOnly = true;
    fixture.session()->setProfile(profile);
    fixture.window->actions()->refreshNow();
    for (const char *id : {"job.requeue", "job.move", "job.edit", "job.restore"})
        QVERIFY2(!fixture.action(id)->isEnabled(), id);
    Q_EMIT fixture.session()->stateChanged();
    const QString phase = fixture.find<QLabel>("phase")->text();
    QVERIFY2(phase.endsWith(QStringLiteral("read-only")), qPrintable(phase));
}

void TestChangeActions::everythingForAJobIsInItsMenus()
{
    WindowFixture fixture;
    openWithOne(fixture, JobState::Queued);
    auto *const table = fixture.find<QTableView>("jobTable");
    Q_EMIT table->customContextMenuRequested(table->visualRect(table->model()->index(0, 0)).center());
    auto *const menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu);
    const auto order = [&fixture](const QMenu *in) {
        QStringList ids;
        for (const QAction *const action : in->actions()) {
            if (fixture.window->actions()->spec(action))
                ids.append(action->objectName());
        }
        return ids;
    };
    const QStringList forOne = order(menu);
    for (const char *const id :
         {"job.stop", "job.retry", "job.requeue", "job.move", "job.remove", "job.duplicate", "job.edit"})
        QVERIFY2(forOne.contains(QLatin1String(id)), id);
    menu->close();
    for (QAction *const title : fixture.window->menuBar()->actions()) {
        if (title->text() != ActionRegistry::menuTitle(ActionMenu::Job))
            continue;
        const QStringList all = order(title->menu());
        QVERIFY(all.indexOf(QStringLiteral("job.edit")) == all.indexOf(QStringLiteral("job.duplicate")) + 2);
        QVERIFY(all.indexOf(QStringLiteral("job.requeue")) < all.indexOf(QStringLiteral("job.remove")));
        QCOMPARE(all.indexOf(QStringLiteral("job.restore")), all.indexOf(QStringLiteral("job.remove")) + 1);
    }
}

void TestChangeActions::aRemovalCanBeTakenBackWhereItIsTold()
{
    WindowFixture fixture;
    openWithOne(fixture, JobState::Finished);
    fixture.action("job.remove")->trigger();
    QTRY_VERIFY(fixture.window->findChild<QPushButton *>(QStringLiteral("noticeOffer")));
    fixture.session()->removeJobs({"another"}); // as an edited job that is submitted anew: there is no note of it
    fixture.click(fixture.find<QPushButton>("noticeOffer"));
    QCOMPARE(fixture.session()->requests("restoreRemoved").size(), 1);
    QCOMPARE(fixture.session()->requests("restoreRemoved").first().name, QByteArray("removal 1"));
    QTRY_VERIFY(!fixture.window->findChild<QPushButton *>(QStringLiteral("noticeOffer")));
}

void TestChangeActions::onlyTheNewestRemovalCanBeTakenBack()
{
    WindowFixture fixture;
    openWithOne(fixture, JobState::Finished);
    Notice notice;
    notice.kind = Notice::Kind::Done;
    notice.offer = QStringLiteral("Undo");
    int taken = 0;
    notice.take = [&taken] { taken = 1; };
    fixture.window->workspace()->notify(notice);
    notice.take = [&taken] { taken = 2; };
    fixture.window->workspace()->notify(notice);
    QList<QPushButton *> offers = fixture.window->findChildren<QPushButton *>(QStringLiteral("noticeOffer"));
    offers.removeIf([](const QPushButton *button) { return !button->isVisible(); });
    QCOMPARE(offers.size(), 1);
    fixture.click(offers.first());
    QCOMPARE(taken, 2);
}

void TestChangeActions::whatIsTakenBackIsNotOfferedAnyMore()
{
    WindowFixture fixture;
    openWithOne(fixture, JobState::Finished);
    fixture.prompts.answer = 0;
    fixture.action("job.remove")->trigger();
    QTRY_VERIFY(fixture.window->findChild<QPushButton *>(QStringLiteral("noticeOffer")));
    const auto *const offer = fixture.find<QPushButton>("noticeOffer");
    QVERIFY(offer->isVisible());
    ConnectionState state = fixture.session()->state();
    state.restorable = 1;
    fixture.session()->setState(state);
    fixture.settle();
    fixture.action("job.restore")->trigger();
    QVERIFY(!offer->isVisible()); // it would bring back what was removed before
}

/// The server was killed: three were under way, nobody asked for the others.
void TestChangeActions::whatNobodyTriedToRemoveIsToldAsNotRemoved()
{
    WindowFixture fixture;
    openWithOne(fixture, JobState::Finished);
    BulkResult result;
    result.done = 12;
    result.untried = 2'900;
    result.whyUntried.message = QStringLiteral("There is no connection to the server.");
    for (const char *id : {"a", "b", "c"})
        result.failed.append({id, Error{ErrorKind::Unavailable, QStringLiteral("The connection was lost."), {}, true}});
    const Notice notice =
        removalNotice(QStringLiteral("Removed 12 jobs"), {}, result, fixture.window->workspace(), fixture.session());
    QCOMPARE(notice.kind, Notice::Kind::Warning);
    QCOMPARE(notice.text, QStringLiteral("Removed 12 jobs; %1 not removed; 3 failed.").arg(QLocale().toString(2'900)));
    QVERIFY(notice.details.startsWith(result.whyUntried.message));
    QCOMPARE(notice.details.count(u'\n'), 3);
    QVERIFY(notice.offer.isEmpty()); // nothing was kept of it
}

QTEST_MAIN(TestChangeActions)
#include "tst_change_actions.moc"
