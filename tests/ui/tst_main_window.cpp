// The window with real keys and clicks over a fake session: going places, acting on jobs, and what it shows when there
// is nothing to show.
#include "tests/support/window_fixture.h"

#include "models/job_fields_model.h"
#include "ui/connection_models.h"
#include "ui/detail/detail_pane.h"
#include "ui/dialogs/compose_dialog.h"
#include "ui/notifier.h"
#include "ui/pages/filter_line.h"
#include "ui/pages/job_table.h"
#include "ui/pages/state_chips.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/framed_area.h"
#include "ui/widgets/line_view.h"
#include "ui/widgets/notice_stack.h"
#include "ui/widgets/text_label.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QScrollBar>
#include <QTabBar>
#include <QTableView>
#include <QTextBlock>
#include <QToolButton>

using namespace ym;
using namespace ym::test;

namespace {

JobSummary job(const QByteArray &id, JobState state, const QByteArray &type = "python")
{
    JobSummary made;
    made.id = id;
    made.state = state;
    made.target.type = type;
    made.createdAt = made.updatedAt = Clock::system().now();
    return made;
}

const QByteArray first = "11111111-1111-4111-a111-111111111111";
const QByteArray second = "22222222-2222-4222-a222-222222222222";
const QByteArray third = "33333333-3333-4333-a333-333333333333";

/// The window with one running, one queued and one finished job, and the keyboard in the table.
class ThreeJobs : public WindowFixture {
public:
    ThreeJobs()
    {
        open();
        session()->setReady();
        session()->showJobs(
            {job(first, JobState::Running), job(second, JobState::Queued), job(third, JobState::Finished)});
        table = find<JobTable>("jobTable");
        table->setFocus();
        settle();
    }
    void select(const QByteArray &id)
    {
        if (!table->select(id))
            qFatal("the job is not in the table");
        settle();
    }
    /// The title or the text of what the detail pane shows in the place of a job.
    QString emptyText(const char *name) const
    {
        for (const QLabel *const label : find<DetailPane>("detailPane")->findChildren<QLabel *>(QLatin1String(name))) {
            if (label->isVisible())
                return label->text();
        }
        return {};
    }
    QStringList notices() const
    {
        QStringList texts;
        for (const Notice &notice : window->findChild<NoticeStack *>()->notices())
            texts.append(notice.text);
        return texts;
    }
    void setProfile(void (*change)(Profile &))
    {
        Profile profile = session()->profile();
        change(profile);
        session()->setProfile(profile);
        window->actions()->refreshNow();
    }

    JobTable *table = nullptr;
};

const EmptyState *shownEmptyState(const WindowFixture &fixture)
{
    for (const EmptyState *const empty : fixture.window->findChildren<EmptyState *>()) {
        if (empty->isVisible())
            return empty;
    }
    return nullptr;
}

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // --- going places
    void keysSwitchPages()
    {
        WindowFixture fixture;
        fixture.openWithJobs(3);
        fixture.key(Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(fixture.window->workspace()->page(), PageId::Queues);
        fixture.key(Qt::Key_3, Qt::ControlModifier);
        QCOMPARE(fixture.window->workspace()->page(), PageId::Workers);
        fixture.key(Qt::Key_1, Qt::ControlModifier);
        QVERIFY(fixture.find<JobTable>("jobTable")->isVisible());
    }
    void aClickInTheSidebarSwitchesThePage()
    {
        WindowFixture fixture;
        fixture.openWithJobs(3);
        auto *const pages = fixture.find<QListView>("pageList");
        QTest::mouseClick(pages->viewport(), Qt::LeftButton, {},
                          pages->visualRect(pages->model()->index(1, 0)).center());
        QCOMPARE(fixture.window->workspace()->page(), PageId::Queues);
    }
    void thePageAndTheConnectionAreRemembered()
    {
        WindowFixture fixture;
        Profile other;
        other.name = QStringLiteral("Other");
        const QString id = fixture.connections.save(other, std::nullopt);
        fixture.open();
        fixture.window->workspace()->openConnection(id);
        fixture.key(Qt::Key_3, Qt::ControlModifier);
        fixture.window->close();
        fixture.window.reset();
        fixture.open();
        QCOMPARE(fixture.window->workspace()->profile().id, id);
        QCOMPARE(fixture.window->workspace()->page(), PageId::Workers);
    }
    void hiddenColumnsAndSortingAreRemembered()
    {
        ThreeJobs fixture;
        const int caller = fixture.window->workspace()->current()->jobs->section(JobTableModel::Column::Caller);
        fixture.table->setColumnHidden(caller, true);
        fixture.table->sortByColumn(0, Qt::AscendingOrder);
        fixture.window.reset();
        fixture.open();
        auto *const again = fixture.find<JobTable>("jobTable");
        QVERIFY(again->isColumnHidden(caller));
        QCOMPARE(again->horizontalHeader()->sortIndicatorSection(), 0);
        QCOMPARE(fixture.window->workspace()->current()->jobs->sortSection(), 0);
    }
    void onlyTheShownConnectionIsOnScreen()
    {
        ThreeJobs fixture;
        QVERIFY(fixture.session()->isOnScreen());
        QTRY_COMPARE(fixture.session()->visibleJobs().size(), 3);
        Profile other;
        other.name = QStringLiteral("Other");
        const QString id = fixture.connections.save(other, std::nullopt);
        fixture.window->workspace()->openConnection(id);
        QVERIFY(!fixture.session()->isOnScreen());
        QVERIFY(fixture.connections.fake(id)->isOnScreen());
        QVERIFY(fixture.session()->visibleJobs().isEmpty());
    }
    void aJobThatMayReachMoreIsMarkedInItsRow()
    {
        ThreeJobs fixture;
        const auto typeCell = [&](const QByteArray &id) {
            const auto *const jobs = fixture.window->workspace()->current()->jobs;
            return jobs->index(jobs->rowOf(id), jobs->section(JobTableModel::Column::Type));
        };
        const auto picture = [&](const QByteArray &id) {
            fixture.settle();
            return fixture.table->viewport()->grab(fixture.table->visualRect(typeCell(id))).toImage();
        };
        fixture.table->clearSelection();
        const QImage plain = picture(third);
        const auto asking = [&](const JobAccess &access) {
            JobSummary summary = job(third, JobState::Finished);
            summary.access = access;
            fixture.session()->showJobs({summary});
            return picture(third);
        };
        const QImage network = asking({true, {}, {}});
        const QImage folders = asking({false, {}, {QStringLiteral("/srv/out")}});
        QVERIFY(network != plain && folders != plain && folders != network);
        QVERIFY(typeCell(third).data(Qt::ToolTipRole).toString().contains(QStringLiteral("/srv/out")));
        QCOMPARE(asking({}), plain);
    }

    void rowsOfAHiddenPageAreNotKeptFresh()
    {
        ThreeJobs fixture;
        QTRY_COMPARE(fixture.session()->visibleJobs().size(), 3);
        fixture.key(Qt::Key_2, Qt::ControlModifier);
        QTRY_VERIFY(fixture.session()->visibleJobs().isEmpty());
    }
    void aRemovedConnectionLeavesAWindowThatWorks()
    {
        ThreeJobs fixture;
        Profile other;
        other.name = QStringLiteral("Other");
        const QString id = fixture.connections.save(other, std::nullopt);
        fixture.window->workspace()->openConnection(id);
        fixture.connections.fake(id)->setReady();
        fixture.connections.fake(id)->showJobs(demoJobs(20, Clock::system().now()));
        fixture.table->selectRow(0);
        fixture.settle();
        fixture.action("connection.remove")->trigger();
        QCOMPARE(fixture.prompts.questions.size(), 1);
        QVERIFY(fixture.prompts.questions.first().title.contains(QStringLiteral("Other")));
        fixture.settle();
        QCOMPARE(fixture.window->workspace()->profile().id, QString::fromLatin1(localProfileId));
        QCOMPARE(fixture.table->model()->rowCount(), 3);
    }

    // --- the selected job
    void selectingARowReadsAndShowsTheJob()
    {
        ThreeJobs fixture;
        QVERIFY(!fixture.find<DetailPane>("detailPane")->isVisible());
        QTest::mouseClick(fixture.table->viewport(), Qt::LeftButton, {},
                          fixture.table->visualRect(fixture.table->model()->index(0, 0)).center());
        const QByteArray id = fixture.table->currentId();
        QCOMPARE(fixture.session()->focusedJob(), id);
        QTRY_COMPARE(fixture.find<QLabel>("detailId")->text(), QString::fromLatin1(id.left(8)));
        QVERIFY(fixture.find<DetailPane>("detailPane")->isVisible());
    }
    void theDetailFollowsTheStateOfTheJob()
    {
        ThreeJobs fixture;
        fixture.select(first);
        QTRY_COMPARE(fixture.find<QLabel>("detailState")->text(), stateWord(JobState::Running));
        fixture.session()->moveJob(first, JobState::Finished);
        QTRY_COMPARE(fixture.find<QLabel>("detailState")->text(), stateWord(JobState::Finished));
    }
    void gettingTheFocusChoosesNoJob()
    {
        ThreeJobs fixture;
        QVERIFY(fixture.table->hasFocus());
        QVERIFY(fixture.window->workspace()->chosenJob().isEmpty());
        fixture.key(Qt::Key_Down);
        QVERIFY(!fixture.window->workspace()->chosenJob().isEmpty());
    }
    void enterGoesToTheDetailAndEscapeBack()
    {
        ThreeJobs fixture;
        fixture.select(first);
        fixture.key(Qt::Key_Return);
        QVERIFY(fixture.find<DetailPane>("detailPane")->isAncestorOf(QApplication::focusWidget()));
        fixture.key(Qt::Key_Escape);
        QVERIFY(!fixture.find<DetailPane>("detailPane")->isVisible());
        QCOMPARE(QApplication::focusWidget(), fixture.table);
    }
    void outputStreamsIntoTheOpenTab()
    {
        ThreeJobs fixture;
        fixture.select(first);
        fixture.key(Qt::Key_3, Qt::AltModifier);
        fixture.session()->showOutput(first, "one\n");
        fixture.session()->showOutput(first, "oops\n", OutputChunk::Stream::Err);
        fixture.session()->showOutput(second, "not mine\n");
        auto *const view = fixture.find<LineView>("outputView");
        QTRY_COMPARE(view->toPlainText(), QStringLiteral("one\noops"));
        QCOMPARE(view->colourAt({1, 0}), signalColour(Signal::Bad, view->palette()));
    }
    void theEndOfOutputIsFollowedUntilOneScrollsUp()
    {
        ThreeJobs fixture;
        fixture.select(first);
        fixture.key(Qt::Key_3, Qt::AltModifier);
        auto *const view = fixture.find<LineView>("outputView");
        fixture.session()->showOutput(first, QByteArray("line\n").repeated(500));
        QTRY_VERIFY(view->verticalScrollBar()->maximum() > 100);
        QTRY_COMPARE(view->verticalScrollBar()->value(), view->verticalScrollBar()->maximum());
        view->verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMinimum);
        fixture.settle();
        fixture.session()->showOutput(first, QByteArray("more\n").repeated(50));
        QTRY_VERIFY(view->toPlainText().contains(QStringLiteral("more")));
        QCOMPARE(view->verticalScrollBar()->value(), 0);
    }
    void anEndedJobShowsItsStoredOutput()
    {
        ThreeJobs fixture;
        JobDetail detail = demoDetail(job(third, JobState::Finished), Clock::system().now());
        detail.job.attempt = 1;
        detail.job.output = "all done\n";
        detail.job.error.clear();
        fixture.session()->showJob(detail);
        fixture.select(third);
        fixture.key(Qt::Key_3, Qt::AltModifier);
        QTRY_COMPARE(fixture.find<LineView>("outputView")->toPlainText(), QStringLiteral("all done"));
    }
    void aCutOutputIsLoadedWholeWhenAsked()
    {
        ThreeJobs fixture;
        JobDetail detail = demoDetail(job(third, JobState::Finished), Clock::system().now());
        detail.job.attempt = 1;
        detail.job.output = "begin";
        detail.job.error.clear();
        detail.fullSize.insert("output", 9);
        fixture.session()->setField(third, "output", "beginning");
        fixture.session()->showJob(detail);
        fixture.select(third);
        fixture.key(Qt::Key_3, Qt::AltModifier);
        QPushButton *load = nullptr;
        for (QPushButton *const button : fixture.window->findChildren<QPushButton *>(QStringLiteral("loadAll")))
            load = button->isVisible() ? button : load;
        QTRY_VERIFY(load && load->isVisible());
        fixture.click(load);
        QTRY_COMPARE(fixture.find<LineView>("outputView")->toPlainText(), QStringLiteral("beginning"));
    }
    void aCutErrorIsLoadedWholeWhereItIsShown()
    {
        ThreeJobs fixture;
        JobDetail detail = demoDetail(job(third, JobState::Failed), Clock::system().now());
        detail.job.attempt = 1;
        detail.job.output = "out";
        detail.job.error = "begin";
        detail.fullSize.insert("error", 9);
        fixture.session()->setField(third, "error", "beginning");
        fixture.session()->showJob(detail);
        fixture.select(third);
        const auto visibleLoad = [&fixture] {
            QPushButton *load = nullptr;
            for (QPushButton *const button : fixture.window->findChildren<QPushButton *>(QStringLiteral("loadAll")))
                load = button->isVisible() ? button : load;
            return load;
        };
        for (const auto &[tab, view, whole] :
             {std::tuple(Qt::Key_1, "errorText", "beginning"), std::tuple(Qt::Key_3, "outputView", "out\nbeginning")}) {
            fixture.key(tab, Qt::AltModifier);
            QTRY_VERIFY(visibleLoad());
            fixture.click(visibleLoad());
            QTRY_COMPARE(fixture.find<LineView>(view)->toPlainText(), QLatin1String(whole));
            QVERIFY(!visibleLoad());
        }
    }
    void whatNoWindowHoldsIsWrittenByACommand()
    {
        ThreeJobs fixture;
        JobDetail detail = demoDetail(job(third, JobState::Finished), Clock::system().now());
        detail.job.script = "begin";
        detail.fullSize.insert("script", loadableBytes + 1);
        fixture.session()->showJob(detail);
        fixture.select(third);
        fixture.key(Qt::Key_2, Qt::AltModifier);
        QPushButton *copy = nullptr;
        for (QPushButton *const button : fixture.window->findChildren<QPushButton *>(QStringLiteral("loadAll")))
            copy = button->isVisible() ? button : copy;
        QTRY_VERIFY(copy && copy->isVisible());
        fixture.click(copy);
        const QString command = QApplication::clipboard()->text();
        QVERIFY2(command.startsWith(u"yardmaster ") && command.endsWith(QStringLiteral("show --field script %1 > FILE").arg(QString::fromUtf8(third))),
                 qPrintable(command));
        QVERIFY(fixture.session()->requests("loadField").isEmpty());
    }
    void logIsReadOnlyWhileItsTabIsOpen()
    {
        ThreeJobs fixture;
        fixture.session()->setLog(first, "step 1\nstep 2\n");
        fixture.select(first);
        QVERIFY(fixture.session()->requests("openLog").isEmpty());
        fixture.key(Qt::Key_4, Qt::AltModifier);
        QTRY_VERIFY(fixture.find<LineView>("logView")->toPlainText().startsWith(QStringLiteral("step 1\nstep 2")));
    }
    void rawShowsFieldsAndTheValueOfTheSelectedOne()
    {
        ThreeJobs fixture;
        fixture.select(first);
        fixture.key(Qt::Key_5, Qt::AltModifier);
        auto *const raw = fixture.find<QTableView>("rawTable");
        QTRY_VERIFY(raw->model()->rowCount() > 3);
        raw->selectRow(0);
        QCOMPARE(fixture.find<LineView>("rawValue")->toPlainText(), raw->model()->index(0, 1).data().toString());
    }
    void secretValuesAreHiddenUntilClicked()
    {
        ThreeJobs fixture;
        fixture.select(first);
        fixture.key(Qt::Key_1, Qt::AltModifier);
        QTRY_VERIFY(fixture.window->findChild<QLabel *>(QStringLiteral("secret")));
        auto *const secret = fixture.find<QLabel>("secret");
        QVERIFY(!secret->text().contains(QStringLiteral("correct horse")));
        fixture.click(fixture.find<QToolButton>("reveal"));
        QCOMPARE(secret->text(), QStringLiteral("correct horse battery"));
    }
    void theRawTabHidesSecretsUntilTheyAreRevealed()
    {
        ThreeJobs fixture;
        fixture.select(first);
        fixture.key(Qt::Key_5, Qt::AltModifier);
        auto *const raw = fixture.find<QTableView>("rawTable");
        QTRY_VERIFY(raw->model()->rowCount() > 3);
        raw->selectRow(qobject_cast<JobFieldsModel *>(raw->model())->rowOf("env_vars"));
        auto *const value = fixture.find<LineView>("rawValue");
        const auto copied = [&] {
            raw->setFocus();
            fixture.key(Qt::Key_C, Qt::ControlModifier);
            return QApplication::clipboard()->text();
        };
        QVERIFY(!value->toPlainText().contains(QStringLiteral("correct horse")));
        QVERIFY(!copied().contains(QStringLiteral("correct horse")));
        QVERIFY(copied().contains(QStringLiteral("env_vars")));
        auto *const reveal = fixture.find<QPushButton>("revealSecret");
        QVERIFY(reveal->isVisible());
        fixture.click(reveal);
        QVERIFY(value->toPlainText().contains(QStringLiteral("correct horse")));
        QVERIFY(copied().contains(QStringLiteral("correct horse")));
        fixture.click(reveal);
        QVERIFY(!value->toPlainText().contains(QStringLiteral("correct horse")));
        raw->selectRow(qobject_cast<JobFieldsModel *>(raw->model())->rowOf("script"));
        QVERIFY(!reveal->isVisible());
    }
    void aPrerequisiteIsAClickAway()
    {
        ThreeJobs fixture;
        JobDetail detail = demoDetail(job(second, JobState::Waiting), Clock::system().now());
        detail.job.prerequisites = {first};
        fixture.session()->showJob(detail);
        fixture.select(second);
        QTRY_VERIFY(fixture.window->findChild<QPushButton *>(QStringLiteral("jobLink")));
        fixture.click(fixture.find<QPushButton>("jobLink"));
        QCOMPARE(fixture.window->workspace()->chosenJob(), first);
        QCOMPARE(fixture.table->currentId(), first);
    }
    void theTabsStayWhereTheyAreWhenAJobShowsItsProgress()
    {
        ThreeJobs fixture;
        fixture.select(second);
        auto *const tabs = fixture.find<QTabBar>("detailTabs");
        const QRect place = tabs->geometry();
        JobDetail running = demoDetail(job(first, JobState::Running), Clock::system().now());
        running.job.progress = {1, 4, "unpacking"};
        fixture.session()->showJob(running);
        fixture.select(first);
        QTRY_VERIFY(fixture.find<QWidget>("progressStrip")->isVisible());
        fixture.settle();
        QCOMPARE(tabs->geometry(), place);
    }
    void aJobThatIsOpenedBeforeItIsListedIsSelectedWhenItComes()
    {
        ThreeJobs fixture;
        fixture.select(first);
        const QByteArray fresh = "44444444-4444-4444-a444-444444444444";
        fixture.window->workspace()->openJob(fresh);
        QCOMPARE(fixture.table->selectedCount(), 0);
        fixture.session()->showJob(demoDetail(job(fresh, JobState::Queued), Clock::system().now()));
        QTRY_COMPARE(fixture.table->selectedIds(2), QList<QByteArray>{fresh});
        // Once: who has gone elsewhere meanwhile stays there.
        const QByteArray other = "55555555-5555-4555-a555-555555555555";
        fixture.window->workspace()->openJob(other);
        fixture.select(first);
        fixture.session()->showJob(demoDetail(job(other, JobState::Queued), Clock::system().now()));
        fixture.settle();
        QCOMPARE(fixture.table->currentId(), first);
    }
    void aJobThatIsGoneSaysSo()
    {
        ThreeJobs fixture;
        const QByteArray unknown = "99999999-9999-4999-a999-999999999999";
        fixture.window->workspace()->openJob(unknown);
        QTRY_COMPARE(fixture.emptyText("emptyTitle"), QStringLiteral("This job is gone"));
    }
    void nothingIsOfferedForAJobThatIsGoneUntilItIsBack()
    {
        ThreeJobs fixture;
        fixture.select(second);
        fixture.session()->removeJob(second);
        QTRY_COMPARE(fixture.emptyText("emptyTitle"), QStringLiteral("This job is gone"));
        QCOMPARE(fixture.find<QLabel>("detailState")->text(), QStringLiteral("Gone"));
        for (const char *const button : {"detailStop", "detailRetry", "detailRemove", "detailDuplicate", "detailWatch"})
            QVERIFY2(!fixture.find<QToolButton>(button)->isEnabled(), button);
        fixture.window->actions()->refreshNow();
        QVERIFY(!fixture.action("job.remove")->isEnabled());
        fixture.session()->showJobs({job(second, JobState::Queued)}); // as it was
        QTRY_VERIFY(fixture.find<QToolButton>("detailRemove")->isEnabled());
        QCOMPARE(fixture.emptyText("emptyTitle"), QString());
        QCOMPARE(fixture.find<QLabel>("detailState")->text(), stateWord(JobState::Queued));
        fixture.window->actions()->refreshNow();
        QVERIFY(fixture.action("job.remove")->isEnabled());
    }
    void aLostJobStaysAndSaysWhy()
    {
        ThreeJobs fixture;
        fixture.select(second);
        auto *const chip = fixture.find<StateChip>("chip.lost");
        QVERIFY(!chip->isVisible());
        fixture.session()->loseJob(second, "Another server took over at 10:00:00 (a failover).");
        QTRY_COMPARE(fixture.emptyText("emptyTitle"), QStringLiteral("This job is lost"));
        QVERIFY2(fixture.emptyText("emptyText").contains(QStringLiteral("(a failover)")),
                 qPrintable(fixture.emptyText("emptyText")));
        QVERIFY(chip->isVisible());
        QCOMPARE(chip->count(), 1);
        QCOMPARE(fixture.table->currentId(), second);
        fixture.window->actions()->refreshNow();
        QVERIFY(!fixture.action("job.stop")->isEnabled());
        QVERIFY(!fixture.action("job.retry")->isEnabled());
        QVERIFY(fixture.action("job.remove")->isEnabled());
    }
    void anAnswerAboutAnotherJobIsDropped()
    {
        ThreeJobs fixture;
        fixture.session()->holdAnswers();
        fixture.select(first);
        fixture.select(second);
        fixture.session()->releaseAnswers();
        QTRY_COMPARE(fixture.find<QLabel>("detailState")->text(), stateWord(JobState::Queued));
        QCOMPARE(fixture.find<QLabel>("detailId")->text(), QStringLiteral("22222222"));
    }

    // --- acting
    void oneJobIsStoppedWithoutAQuestion()
    {
        ThreeJobs fixture;
        fixture.select(first);
        fixture.key(Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(fixture.prompts.questions.isEmpty());
        QCOMPARE(fixture.session()->requests("stopJobs").value(0).ids, QList{first});
        QTRY_COMPARE(fixture.notices(), QStringList{QStringLiteral("Stopped 1 job.")});
    }
    void jobsThatTheServerLostAreToldWithTheWayBack()
    {
        ThreeJobs fixture;
        Q_EMIT fixture.session()->jobsLost(2, QStringLiteral("what was lost"));
        QCOMPARE(fixture.notices().size(), 1);
        QCOMPARE(fixture.notices().first(),
                 QStringLiteral(
                     "Local workspace lost 2 jobs while they ran here: the records are kept, and Job › Undo removal "
                     "brings them back."));
        const Notice notice = fixture.window->findChild<NoticeStack *>()->notices().first();
        QCOMPARE(notice.offer, QStringLiteral("Bring back"));
        notice.take();
        QCOMPARE(fixture.session()->requests("restoreRemoved").size(), 1);
        QCOMPARE(fixture.session()->requests("restoreRemoved").first().name, QByteArray("what was lost"));
        Q_EMIT fixture.session()->jobsLost(1, QString());
        QVERIFY(fixture.notices().last().endsWith(QStringLiteral("could not be kept here.")));
        QVERIFY(fixture.window->findChild<NoticeStack *>()->notices().last().offer.isEmpty());
    }
    void severalJobsAreStoppedAfterAQuestionThatCountsThem()
    {
        ThreeJobs fixture;
        fixture.table->selectAll();
        fixture.settle();
        fixture.click(fixture.find<QToolButton>("job.stop"));
        QCOMPARE(fixture.prompts.questions.size(), 1);
        QCOMPARE(fixture.prompts.questions.first().title, QStringLiteral("Stop 3 jobs in “Local workspace”?"));
        QTRY_COMPARE(fixture.notices(), QStringList{QStringLiteral("Stopped 2 jobs; 1 was already over.")});
    }
    void cancelChangesNothing()
    {
        ThreeJobs fixture;
        fixture.prompts.answer = -1;
        fixture.table->selectAll();
        fixture.settle();
        fixture.key(Qt::Key_Delete);
        QCOMPARE(fixture.prompts.questions.size(), 1);
        QVERIFY(fixture.session()->requests("removeJobs").isEmpty());
        QCOMPARE(fixture.session()->jobCount(), 3);
    }
    void removingAlwaysAsks()
    {
        ThreeJobs fixture;
        fixture.select(third);
        fixture.key(Qt::Key_Delete);
        QCOMPARE(fixture.prompts.questions.value(0).title, QStringLiteral("Remove 1 job from “Local workspace”?"));
        QVERIFY(fixture.prompts.questions.value(0).isDestructive);
        QTRY_COMPARE(fixture.table->model()->rowCount(), 2);
    }
    void whoWantsNoQuestionsGetsNoneExceptInProduction()
    {
        ThreeJobs fixture;
        fixture.window->workspace()->settings()->setAsksBeforeActions(false);
        fixture.table->selectAll();
        fixture.settle();
        fixture.click(fixture.find<QToolButton>("job.stop"));
        QVERIFY(fixture.prompts.questions.isEmpty());
        QCOMPARE(fixture.session()->requests("stopJobs").value(0).ids.size(), 3);
        fixture.setProfile([](Profile &profile) { profile.production = true; });
        fixture.key(Qt::Key_Delete);
        QCOMPARE(fixture.prompts.questions.size(), 1);
    }
    void everythingThatMatchesMeansTheFilter()
    {
        ThreeJobs fixture;
        fixture.find<FilterLine>("filterLine")->setQuery(QStringLiteral("state:queued"));
        QTRY_COMPARE(fixture.table->model()->rowCount(), 1);
        fixture.window->actions()->refreshNow();
        fixture.action("job.stopAll")->trigger();
        QCOMPARE(fixture.session()->requests("stopJobs").value(0).ids, QList{second});
    }
    void productionWantsTheNameTyped()
    {
        ThreeJobs fixture;
        fixture.setProfile([](Profile &profile) { profile.production = true; });
        QVERIFY(fixture.window->findChild<FramedArea *>()->isProduction());
        fixture.select(first);
        fixture.key(Qt::Key_Period, Qt::ControlModifier);
        QCOMPARE(fixture.prompts.questions.value(0).typeToConfirm, QStringLiteral("Local workspace"));
    }
    void readOnlyDisablesEveryChange()
    {
        ThreeJobs fixture;
        fixture.select(first);
        fixture.setProfile([](Profile &profile) { profile.readOnly = true; });
        for (const char *const id : {"job.new", "job.open", "job.duplicate", "job.stop", "job.retry", "job.remove",
                                     "job.stopAll", "job.retryAll", "job.removeAll", "worker.start"})
            QVERIFY2(!fixture.action(id)->isEnabled(), id);
        QVERIFY(fixture.action("job.copyId")->isEnabled());
        QVERIFY(fixture.action("job.stop")->toolTip().contains(QStringLiteral("read-only")));
        fixture.key(Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(fixture.session()->requests("stopJobs").isEmpty());
    }
    void whatTheProtocolCannotDoIsOff()
    {
        ThreeJobs fixture;
        fixture.select(first);
        Capabilities few;
        few.flags = Capability::Submit;
        fixture.session()->setCapabilities(few);
        fixture.window->actions()->refreshNow();
        QVERIFY(!fixture.action("job.stop")->isEnabled());
        QVERIFY(fixture.action("job.new")->isEnabled());
    }
    void whatTheStateForbidsIsOff()
    {
        ThreeJobs fixture;
        fixture.select(third);
        fixture.window->actions()->refreshNow();
        QVERIFY(!fixture.action("job.stop")->isEnabled());
        QVERIFY(fixture.action("job.retry")->isEnabled());
        fixture.select(first);
        fixture.window->actions()->refreshNow();
        QVERIFY(fixture.action("job.stop")->isEnabled());
        QVERIFY(!fixture.action("job.retry")->isEnabled());
    }
    void failuresAreToldWithTheirReason()
    {
        ThreeJobs fixture;
        fixture.select(first);
        fixture.session()->failNext(
            {ErrorKind::OutOfMemory, QStringLiteral("The server is out of memory."), {}, false});
        fixture.key(Qt::Key_Period, Qt::ControlModifier);
        QTRY_COMPARE(fixture.notices(), QStringList{QStringLiteral("The server is out of memory.")});
    }
    void idsAreCopiedWhole()
    {
        ThreeJobs fixture;
        fixture.select(first);
        fixture.key(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(QApplication::clipboard()->text(), QString::fromLatin1(first));
    }
    void aWatchedJobIsAnnouncedOnceWhenItEnds()
    {
        ThreeJobs fixture;
        QStringList announced;
        fixture.window->notifier()->setDesktop([&announced](const QString &title, const QString &text) {
            announced.append(title + u' ' + text);
            return true;
        });
        fixture.select(first);
        fixture.key(Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(fixture.session()->isWatched(first));
        QWidget elsewhere;
        elsewhere.show();
        elsewhere.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&elsewhere));
        fixture.session()->moveJob(first, JobState::Finished);
        QCOMPARE(announced.size(), 1);
        QVERIFY(announced.first().contains(QStringLiteral("11111111")));
        QVERIFY(fixture.notices().last().startsWith(QStringLiteral("Job finished")));
        fixture.session()->moveJob(second, JobState::Failed);
        QCOMPARE(announced.size(), 1);
    }

    void newJobOpensAnEmptyComposeWindow()
    {
        ThreeJobs fixture;
        fixture.key(Qt::Key_N, Qt::ControlModifier);
        auto *const compose = fixture.window->findChild<ComposeDialog *>();
        QVERIFY(compose && compose->isVisible());
        QVERIFY(compose->draft().script.isEmpty());
    }
    void duplicateOpensAComposeWindowWithACopy()
    {
        ThreeJobs fixture;
        fixture.select(third);
        fixture.key(Qt::Key_D, Qt::ControlModifier);
        QTRY_VERIFY(fixture.window->findChild<ComposeDialog *>());
        const Job copy = fixture.window->findChild<ComposeDialog *>()->draft();
        QCOMPARE(copy.script, demoDetail(job(third, JobState::Finished), Clock::system().now()).job.script);
        QVERIFY(copy.id != third);
    }
    void aSubmittedJobIsShown()
    {
        ThreeJobs fixture;
        fixture.key(Qt::Key_N, Qt::ControlModifier);
        auto *const compose = fixture.window->findChild<ComposeDialog *>();
        Job draft;
        draft.target.type = "python";
        draft.script = "print(1)\n";
        compose->prefill(draft);
        QTRY_VERIFY(compose->findChild<QPushButton *>(QStringLiteral("submit"))->isEnabled());
        fixture.click(compose->findChild<QPushButton *>(QStringLiteral("submit")));
        QTRY_COMPARE(fixture.session()->requests("submit").size(), 1);
        QTRY_VERIFY(!fixture.window->workspace()->chosenJob().isEmpty());
        QVERIFY(fixture.session()->summary(fixture.window->workspace()->chosenJob()));
    }
    void everyNewsIsTakenWithinAFrame()
    {
        WindowFixture fixture;
        fixture.openWithJobs(100'000);
        QTRY_COMPARE(fixture.find<JobTable>("jobTable")->model()->rowCount(), 100'000);
        fixture.find<JobTable>("jobTable")->selectRow(10);
        fixture.settle();
        const std::vector<JobSummary> jobs = demoJobs(100'000, Clock::system().now());
        QList<qint64> times;
        for (size_t batch = 0; batch < 50; ++batch) {
            ChangeSet changes;
            changes.generation = 2;
            for (size_t i = 0; i < 200; ++i) {
                changes.jobs.push_back(jobs[batch * 200 + i]);
                changes.jobs.back().state = JobState::Running;
            }
            QElapsedTimer timer;
            timer.start();
            fixture.session()->tell(changes);
            QCoreApplication::sendPostedEvents();
            QCoreApplication::processEvents();
            times.append(timer.elapsed());
        }
        std::sort(times.begin(), times.end());
        qInfo("news of 200 jobs in a table of 100,000: median %lld ms, worst %lld ms", times.at(25), times.last());
        QVERIFY(times.at(25) <= 16);
    }

    // --- the filter
    void typingFiltersAndEscapeShowsAllAgain()
    {
        ThreeJobs fixture;
        fixture.key(Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(QApplication::focusWidget(), fixture.find<FilterLine>("filterLine"));
        fixture.type(QStringLiteral("2222"));
        fixture.key(Qt::Key_Return);
        QTRY_COMPARE(fixture.table->model()->rowCount(), 1);
        fixture.key(Qt::Key_Escape);
        QTRY_COMPARE(fixture.table->model()->rowCount(), 3);
    }
    void theFilterLineCompletesFieldsAndValues()
    {
        ThreeJobs fixture;
        auto *const line = fixture.find<FilterLine>("filterLine");
        fixture.key(Qt::Key_F, Qt::ControlModifier);
        fixture.type(QStringLiteral("typ"));
        const auto popup = [] { return qobject_cast<QAbstractItemView *>(QApplication::activePopupWidget()); };
        QTRY_VERIFY(popup());
        QTest::keyClick(popup(), Qt::Key_Down);
        QTest::keyClick(popup(), Qt::Key_Return);
        QCOMPARE(line->text(), QStringLiteral("type:"));
        QTest::keyClicks(line, QStringLiteral("py"));
        QTRY_VERIFY(popup());
        QTest::keyClick(popup(), Qt::Key_Down);
        QTest::keyClick(popup(), Qt::Key_Return);
        QCOMPARE(line->text(), QStringLiteral("type:python "));
        QTRY_COMPARE(fixture.table->model()->rowCount(), 3);
    }
    void whatCannotBeReadIsMarkedAndChangesNothing()
    {
        ThreeJobs fixture;
        auto *const line = fixture.find<FilterLine>("filterLine");
        line->setQuery(QStringLiteral("attempt>many"));
        QVERIFY(!line->problem().isEmpty());
        QCOMPARE(fixture.find<QLabel>("filterProblem")->text(), line->problem());
        QVERIFY(fixture.find<QLabel>("filterProblem")->isVisible());
        QCOMPARE(fixture.table->model()->rowCount(), 3);
        line->setQuery({});
        QVERIFY(fixture.find<QLabel>("filterProblem")->isHidden());
    }
    void aChipHasNoNumberBeforeThereIsAConnection()
    {
        WindowFixture fixture;
        fixture.open();
        auto *const chip = fixture.find<StateChip>("chip.queued");
        QCOMPARE(chip->accessibleName(), QStringLiteral("Queued: not known"));
        const QRect place = chip->geometry();
        fixture.session()->setReady();
        fixture.settle();
        QVERIFY(chip->accessibleName().contains(QStringLiteral("not known"))); // nothing is listed yet
        fixture.session()->showJobs({});
        QCOMPARE(chip->accessibleName(), QStringLiteral("Queued: 0 jobs"));
        QCOMPARE(chip->geometry(), place);
        fixture.session()->showJobs({job(first, JobState::Queued)});
        QTRY_COMPARE(chip->count(), 1);
        // What was seen stays when the connection goes.
        ConnectionState lost;
        lost.phase = ConnectionState::Phase::Waiting;
        fixture.session()->setState(lost);
        fixture.settle();
        QCOMPARE(chip->accessibleName(), QStringLiteral("Queued: 1 job"));
    }
    void aChipTogglesItsState()
    {
        ThreeJobs fixture;
        auto *const chip = fixture.window->findChild<StateChip *>(QStringLiteral("chip.queued"));
        QCOMPARE(chip->count(), 1);
        fixture.click(chip);
        QCOMPARE(fixture.find<FilterLine>("filterLine")->text(), QStringLiteral("state:queued"));
        QTRY_COMPARE(fixture.table->model()->rowCount(), 1);
        fixture.click(chip);
        QCOMPARE(fixture.find<FilterLine>("filterLine")->text(), QString());
        QTRY_COMPARE(fixture.table->model()->rowCount(), 3);
    }
    void statesInAQueryAreReplacedAndTheRestStays_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QList<JobState>>("states");
        QTest::addColumn<QString>("expected");
        const QList<JobState> none;
        const QList<JobState> two{JobState::Queued, JobState::Running};
        QTest::newRow("empty query") << QString() << two << QStringLiteral("state:queued,running");
        QTest::newRow("other words stay")
            << QStringLiteral("type:v anna") << two << QStringLiteral("state:queued,running type:v anna");
        QTest::newRow("an old choice goes")
            << QStringLiteral("state:failed anna") << two << QStringLiteral("state:queued,running anna");
        QTest::newRow("no choice") << QStringLiteral("anna state:failed") << none << QStringLiteral("anna");
        QTest::newRow("a negated term stays") << QStringLiteral("-state:dead") << none << QStringLiteral("-state:dead");
    }
    void statesInAQueryAreReplacedAndTheRestStays()
    {
        QFETCH(QString, query);
        QFETCH(QList<JobState>, states);
        QTEST(withStates(query, states), "expected");
    }

    // --- nothing to show
    void emptyStatesSayWhatToDo_data()
    {
        QTest::addColumn<int>("phase");
        QTest::addColumn<bool>("isListed");
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("button");
        using Phase = ConnectionState::Phase;
        QTest::newRow("connecting") << int(Phase::Connecting) << false << QStringLiteral("Connecting…") << QString();
        QTest::newRow("lost") << int(Phase::Waiting) << false << QStringLiteral("No connection")
                              << QStringLiteral("Retry now");
        QTest::newRow("refused") << int(Phase::Refused) << false << QStringLiteral("The connection was refused")
                                 << QStringLiteral("Retry now");
        QTest::newRow("listing") << int(Phase::Ready) << false << QStringLiteral("Reading the jobs") << QString();
        QTest::newRow("no jobs") << int(Phase::Ready) << true << QStringLiteral("No jobs yet")
                                 << QStringLiteral("Write your first job");
    }
    void emptyStatesSayWhatToDo()
    {
        QFETCH(int, phase);
        QFETCH(bool, isListed);
        WindowFixture fixture;
        fixture.open();
        ConnectionState state;
        state.phase = ConnectionState::Phase(phase);
        state.trouble.message = QStringLiteral("Nobody answers.");
        fixture.session()->setState(state);
        if (isListed)
            fixture.session()->showJobs({});
        QTRY_VERIFY(shownEmptyState(fixture));
        const EmptyState *const empty = shownEmptyState(fixture);
        QTEST(empty->content().title, "title");
        QTEST(empty->content().mainButton, "button");
    }
    void retryNowGoesToTheSession()
    {
        WindowFixture fixture;
        fixture.open();
        ConnectionState state;
        state.phase = ConnectionState::Phase::Waiting;
        fixture.session()->setState(state);
        fixture.click(fixture.find<QPushButton>("retryNow"));
        fixture.click(shownEmptyState(fixture)->findChild<QPushButton *>(QStringLiteral("emptyMain")));
        QCOMPARE(fixture.session()->retryCount(), 2);
    }
    void nothingMatchesOffersToClearTheFilter()
    {
        ThreeJobs fixture;
        fixture.find<FilterLine>("filterLine")->setQuery(QStringLiteral("nosuchword"));
        QTRY_VERIFY(shownEmptyState(fixture));
        const EmptyState *const empty = shownEmptyState(fixture);
        QCOMPARE(empty->content().title, QStringLiteral("No job matches"));
        fixture.click(empty->findChild<QPushButton *>(QStringLiteral("emptyMain")));
        QTRY_COMPARE(fixture.table->model()->rowCount(), 3);
        QVERIFY(fixture.table->isVisible());
    }

    // --- hostile data (RELIABILITY D15)
    void hostileTextIsShownAsText_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("image tag") << QByteArray("<img src=file:///etc/passwd>");
        QTest::newRow("bold") << QByteArray("<b>bold</b> &lt;");
        QTest::newRow("percent places") << QByteArray("%1 %2 %n");
        QTest::newRow("mnemonic") << QByteArray("&File && more");
        QTest::newRow("new line") << QByteArray("a\nb");
        QTest::newRow("right to left override") << QByteArray("abc\xe2\x80\xae"
                                                              "def");
        QTest::newRow("long") << QByteArray(10'000, 'x');
        QTest::newRow("broken UTF-8") << QByteArray("\xff\xfe\x00z", 4);
    }
    void hostileTextIsShownAsText()
    {
        QFETCH(QByteArray, text);
        ThreeJobs fixture;
        JobDetail detail = demoDetail(job(first, JobState::Failed), Clock::system().now());
        detail.job.callerId = detail.job.contextId = detail.job.claimedBy = detail.job.error = detail.job.output = text;
        detail.job.target.type = detail.job.target.group = text;
        detail.job.env = {{text, text}};
        detail.job.prerequisites = {text};
        detail.job.problems = {QString::fromUtf8(text)};
        detail.job.raw = {{text, text}};
        fixture.session()->showJob(detail);
        Profile hostile = fixture.session()->profile();
        hostile.name = QString::fromUtf8(text);
        fixture.connections.save(hostile, std::nullopt);
        fixture.select(first);
        for (const Qt::Key tab : {Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4, Qt::Key_5, Qt::Key_6}) {
            fixture.key(tab, Qt::AltModifier);
            fixture.settle();
            QVERIFY(!fixture.window->grab().isNull());
        }
        for (const QLabel *const label : fixture.window->findChildren<QLabel *>()) {
            QVERIFY2(label->text().isEmpty() || label->textFormat() == Qt::PlainText, qPrintable(label->text()));
            QVERIFY(label->text().size() <= TextLabel::longest + 1);
            QVERIFY(!label->text().contains(QChar(0x202e)));
        }
        for (const LineView *const view : fixture.window->findChildren<LineView *>())
            QVERIFY(!view->toPlainText().contains(QChar(0x202e)));
    }
    void anEndlessLineIsBroken()
    {
        LineView view;
        view.resize(800, 600);
        view.setBytes(QByteArray(1 << 20, 'x'));
        QCOMPARE(view.lineCount(), (1 << 20) / 4096);
        QCOMPARE(view.toPlainText().remove(u'\n').size(), 1 << 20);
        view.setBytes("a\nb\n");
        QCOMPARE(view.toPlainText(), QStringLiteral("a\nb"));
    }

    // --- many jobs
    void aHundredThousandJobsAreShownAndActedOn()
    {
        WindowFixture fixture;
        fixture.openWithJobs(100'000);
        auto *const table = fixture.find<JobTable>("jobTable");
        QTRY_COMPARE(table->model()->rowCount(), 100'000);
        QTRY_VERIFY(!fixture.session()->visibleJobs().isEmpty());
        QVERIFY(fixture.session()->visibleJobs().size() < 100);
        fixture.prompts.answer = -1;
        table->setFocus();
        table->selectAll();
        fixture.window->actions()->refreshNow();
        QCOMPARE(fixture.window->workspace()->selectedCount(), 100'000);
        QCOMPARE(fixture.window->workspace()->selectedJobs(5).size(), 5);
        fixture.key(Qt::Key_Delete);
        QCOMPARE(fixture.prompts.questions.value(0).title,
                 QStringLiteral("Remove 100,000 jobs from “Local workspace”?"));
        fixture.find<FilterLine>("filterLine")->setQuery(QStringLiteral("state:failed"));
        QTRY_VERIFY(table->model()->rowCount() < 10'000);
        QCOMPARE(fixture.find<QLabel>("rowsShown")->text(),
                 QStringLiteral("%1 of 100,000 jobs").arg(QLocale().toString(table->model()->rowCount())));
    }
    void theSelectionSurvivesNews()
    {
        ThreeJobs fixture;
        fixture.select(second);
        fixture.session()->showJob(
            demoDetail(job("00000000-0000-4000-a000-000000000000", JobState::Queued), Clock::system().now()));
        fixture.session()->moveJob(second, JobState::Running);
        fixture.settle();
        QCOMPARE(fixture.table->currentId(), second);
        QCOMPARE(fixture.table->selectedIds(10), QList{second});
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
