// The command palette, and the pages of queues and workers, with real keys and clicks.
#include "tests/support/window_fixture.h"

#include "ui/connection_models.h"
#include "ui/pages/queue_content.h"
#include "ui/palette/command_palette.h"
#include "ui/palette/fuzzy.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notice_stack.h"

#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QTableView>
#include <QToolButton>

using namespace ym;
using namespace ym::test;

namespace {

class QueuesAndWorkers : public WindowFixture {
public:
    QueuesAndWorkers()
    {
        const Timestamp now = Clock::system().now();
        openWithJobs(40);
        session()->showQueues(demoQueues(now));
        session()->showWorkers(demoWorkers(now));
        session()->showLocalWorkers(demoLocalWorkers());
    }
    void selectQueue(const QByteArray &key)
    {
        auto *const table = find<QTableView>("queueTable");
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            if (table->model()->index(row, 0).data(QueueModel::KeyRole).toByteArray() == key)
                table->selectRow(row);
        }
        settle();
    }
};

} // namespace

class TestPaletteAndPages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fuzzyFindsLettersInOrder_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("fits");
        QTest::newRow("beginning") << QStringLiteral("ret") << QStringLiteral("Retry") << true;
        QTest::newRow("initials") << QStringLiteral("nj") << QStringLiteral("New job") << true;
        QTest::newRow("space does not matter") << QStringLiteral("new j") << QStringLiteral("New job") << true;
        QTest::newRow("wrong order") << QStringLiteral("bo") << QStringLiteral("New job o") << true;
        QTest::newRow("letters missing") << QStringLiteral("xyz") << QStringLiteral("New job") << false;
        QTest::newRow("more than there is") << QStringLiteral("retryy") << QStringLiteral("Retry") << false;
    }
    void fuzzyFindsLettersInOrder()
    {
        QFETCH(QString, typed);
        QFETCH(QString, text);
        QTEST(fuzzyMatch(typed, text).has_value(), "fits");
    }
    void beginningsOfWordsWin()
    {
        QVERIFY(fuzzyMatch(u"re", u"Retry")->score > fuzzyMatch(u"re", u"Workers")->score);
        QVERIFY(fuzzyMatch(u"nj", u"New job")->score > fuzzyMatch(u"nj", u"Unjust")->score);
    }

    void keysAloneRunAnAction()
    {
        WindowFixture fixture;
        fixture.openWithJobs(3);
        fixture.key(Qt::Key_K, Qt::ControlModifier);
        QCOMPARE(QApplication::focusWidget(), fixture.find<QLineEdit>("paletteLine"));
        fixture.type(QStringLiteral("workers"));
        fixture.key(Qt::Key_Return);
        QVERIFY(fixture.find<CommandPalette>("commandPalette")->isHidden());
        QCOMPARE(fixture.window->workspace()->page(), PageId::Workers);
    }
    void arrowsMoveAndEscapeGivesTheFocusBack()
    {
        WindowFixture fixture;
        fixture.openWithJobs(3);
        QWidget *const before = QApplication::focusWidget();
        fixture.key(Qt::Key_K, Qt::ControlModifier);
        auto *const list = fixture.find<QListView>("paletteList");
        fixture.key(Qt::Key_Down);
        fixture.key(Qt::Key_Down);
        QCOMPARE(list->currentIndex().row(), 2);
        fixture.key(Qt::Key_Up);
        QCOMPARE(list->currentIndex().row(), 1);
        fixture.key(Qt::Key_Escape);
        QVERIFY(fixture.find<CommandPalette>("commandPalette")->isHidden());
        QCOMPARE(QApplication::focusWidget(), before);
    }
    void everyActionIsInThePalette()
    {
        WindowFixture fixture;
        fixture.openWithJobs(3);
        fixture.key(Qt::Key_K, Qt::ControlModifier);
        auto *const list = fixture.find<QListView>("paletteList");
        QStringList offered;
        for (int row = 0; row < list->model()->rowCount(); ++row)
            offered.append(list->model()->index(row, 0).data().toString());
        for (const QAction *const action : fixture.window->actions()->actions()) {
            if (action->objectName() != QLatin1String("view.palette"))
                QVERIFY2(offered.contains(QString(action->text()).remove(u'&')), qPrintable(action->text()));
        }
    }
    void aDisabledActionDoesNothing()
    {
        WindowFixture fixture;
        fixture.openWithJobs(3);
        fixture.key(Qt::Key_K, Qt::ControlModifier);
        fixture.type(QStringLiteral("remove connection"));
        fixture.key(Qt::Key_Return);
        QVERIFY(fixture.find<CommandPalette>("commandPalette")->isVisible());
        QVERIFY(fixture.prompts.questions.isEmpty());
    }
    void anIdLeadsToItsJob()
    {
        WindowFixture fixture;
        fixture.openWithJobs(30);
        const QByteArray id = fixture.window->workspace()->current()->jobs->idAt(7);
        fixture.key(Qt::Key_K, Qt::ControlModifier);
        fixture.type(QString::fromLatin1(id.left(8)));
        QTRY_COMPARE(fixture.find<QListView>("paletteList")->currentIndex().data().toString(),
                     QStringLiteral("Go to job ") + QString::fromLatin1(id));
        fixture.key(Qt::Key_Return);
        QCOMPARE(fixture.window->workspace()->chosenJob(), id);
        fixture.key(Qt::Key_K, Qt::ControlModifier);
        const QByteArray unlisted = "99999999-9999-4999-a999-999999999999";
        fixture.type(QString::fromLatin1(unlisted));
        fixture.key(Qt::Key_Return);
        QCOMPARE(fixture.window->workspace()->chosenJob(), unlisted);
    }
    void connectionsCanBeOpenedByName()
    {
        WindowFixture fixture;
        Profile other;
        other.name = QStringLiteral("Staging");
        const QString id = fixture.connections.save(other, std::nullopt);
        fixture.openWithJobs(3);
        fixture.key(Qt::Key_K, Qt::ControlModifier);
        fixture.type(QStringLiteral("staging"));
        fixture.key(Qt::Key_Return);
        QCOMPARE(fixture.window->workspace()->profile().id, id);
    }

    void aQueueShowsItsContentInServingOrder()
    {
        QueuesAndWorkers fixture;
        const JobTableModel *const jobs = fixture.window->workspace()->current()->jobs;
        const QList<QByteArray> waiting{jobs->idAt(5), "gone-from-the-list", jobs->idAt(3)};
        fixture.session()->setQueueContent("hero:q:work:type:python", waiting);
        fixture.key(Qt::Key_2, Qt::ControlModifier);
        fixture.selectQueue("hero:q:work:type:python");
        auto *const content = fixture.find<QTableView>("queueContent");
        QTRY_COMPARE(content->model()->rowCount(), 3);
        for (int row = 0; row < 3; ++row)
            QCOMPARE(content->model()->index(row, 2).data().toString(), QString::fromLatin1(waiting[row]));
        QCOMPARE(content->model()->index(1, 1).data().toString(), QStringLiteral("not listed"));
    }
    void theAnswerOfAnotherConnectionIsNotShown()
    {
        const QByteArray key = "hero:q:work:type:python";
        FakeSession left{Profile()};
        FakeSession shown{Profile()};
        left.setQueueContent(key, {"theirs", "too"});
        shown.setQueueContent(key, {"ours"});
        left.holdAnswers();
        shown.holdAnswers();
        ConnectionModels leftModels(&left, &Clock::system(), nullptr);
        ConnectionModels shownModels(&shown, &Clock::system(), nullptr);
        QueueContentModel content;
        content.show(&leftModels, key);
        content.show(&shownModels, key);
        left.releaseAnswers();
        QCoreApplication::sendPostedEvents();
        QCOMPARE(content.rowCount(), 0);
        shown.releaseAnswers();
        QTRY_COMPARE(content.rowCount(), 1);
        QCOMPARE(content.idAt(0), QByteArray("ours"));
    }
    void aDoubleClickInAQueueOpensTheJob()
    {
        QueuesAndWorkers fixture;
        const QByteArray id = fixture.window->workspace()->current()->jobs->idAt(5);
        fixture.session()->setQueueContent("hero:q:work:type:python", {id});
        fixture.key(Qt::Key_2, Qt::ControlModifier);
        fixture.selectQueue("hero:q:work:type:python");
        auto *const content = fixture.find<QTableView>("queueContent");
        QTRY_COMPARE(content->model()->rowCount(), 1);
        const QPoint cell = content->visualRect(content->model()->index(0, 2)).center();
        QTest::mouseClick(content->viewport(), Qt::LeftButton, {}, cell);
        QTest::mouseDClick(content->viewport(), Qt::LeftButton, {}, cell);
        QCOMPARE(fixture.window->workspace()->page(), PageId::Jobs);
        QCOMPARE(fixture.window->workspace()->chosenJob(), id);
    }
    void anEntryOfAQueueIsShownBesideIt()
    {
        QueuesAndWorkers fixture;
        const JobTableModel *const jobs = fixture.window->workspace()->current()->jobs;
        const QList<QByteArray> waiting{jobs->idAt(5), jobs->idAt(3)};
        auto *const all = fixture.find<QTableView>("jobTable");
        all->selectRow(0);
        const QByteArray onJobs = fixture.window->workspace()->chosenJob();
        QVERIFY(!onJobs.isEmpty());
        fixture.session()->setQueueContent("hero:q:work:type:python", waiting);
        fixture.key(Qt::Key_2, Qt::ControlModifier);
        auto *const details = fixture.find<QWidget>("detailPane");
        QVERIFY(!details->isVisible()); // what is chosen among the jobs is none of this page
        QVERIFY(fixture.window->workspace()->selectedJobs().isEmpty());
        fixture.selectQueue("hero:q:work:type:python");
        auto *const content = fixture.find<QTableView>("queueContent");
        QTRY_COMPARE(content->model()->rowCount(), 2);
        QTest::mouseClick(content->viewport(), Qt::LeftButton, {},
                          content->visualRect(content->model()->index(0, 2)).center());
        QCOMPARE(fixture.window->workspace()->page(), PageId::Queues);
        QCOMPARE(fixture.window->workspace()->selectedJobs(), QList<QByteArray>{waiting[0]});
        QVERIFY(details->isVisible());
        // Served: nobody has chosen the one that follows.
        fixture.session()->setQueueContent("hero:q:work:type:python", {waiting[1]});
        fixture.session()->showQueues(demoQueues(Clock::system().now()));
        QTRY_COMPARE(content->model()->rowCount(), 1);
        QCOMPARE(fixture.window->workspace()->chosenJob(), waiting[0]);
        fixture.key(Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(fixture.window->workspace()->chosenJob(), onJobs);
        fixture.key(Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(fixture.window->workspace()->chosenJob(), waiting[0]);
        fixture.selectQueue("hero:q:work:type:python:group:gpu");
        QTRY_COMPARE(fixture.window->workspace()->chosenJob(), QByteArray()); // of the queue before
    }
    void aQueueThatNobodyServesSaysSo()
    {
        QueuesAndWorkers fixture;
        fixture.key(Qt::Key_2, Qt::ControlModifier);
        fixture.selectQueue("hero:q:work:type:python:group:gpu");
        QTRY_VERIFY(fixture.find<QLabel>("queueHint")->text().contains(QStringLiteral("Nobody serves this queue")));
        QVERIFY(fixture.find<QListView>("pageList")->model()->index(1, 0).data(Qt::UserRole + 5).toBool());
    }
    void queuesOfOneTargetAreToldApartByTheirPriority()
    {
        QueuesAndWorkers fixture;
        QueueInfo usual, urgent;
        usual.target.type = urgent.target.type = "python";
        usual.key = "hero:q:work:type:python";
        urgent.key = "hero:q:work:type:python:prio:0";
        urgent.target.priority = 0;
        fixture.session()->showQueues({usual, urgent});
        fixture.key(Qt::Key_2, Qt::ControlModifier);
        auto *const table = fixture.find<QTableView>("queueTable");
        QCOMPARE(table->model()->rowCount(), 2);
        QStringList seen;
        for (int row = 0; row < 2; ++row) {
            QString cells;
            for (int column = 0; column < table->model()->columnCount(); ++column) {
                if (!table->isColumnHidden(column))
                    cells += table->model()->index(row, column).data().toString() + u'|';
            }
            seen.append(cells);
        }
        QVERIFY2(seen[0] != seen[1], qPrintable(seen[0]));
    }
    void theFirstRowIsNeverHalfUnderItsHeading()
    {
        QueuesAndWorkers fixture;
        fixture.key(Qt::Key_2, Qt::ControlModifier);
        auto *const table = fixture.find<QTableView>("queueTable");
        const int rows = table->model()->rowCount();
        QVERIFY(rows > 3);
        // Room for all rows but one and a half.
        const int heading = table->height() - table->viewport()->height();
        table->setFixedHeight(heading + rows * space::rowHeight - space::rowHeight * 3 / 2);
        fixture.settle();
        for (int row = 0; row < rows; ++row) {
            table->selectRow(row);
            fixture.settle();
            QCOMPARE(table->visualRect(table->indexAt(QPoint(1, 1))).top(), 0);
            const QRect chosen = table->visualRect(table->model()->index(row, 0));
            QVERIFY(chosen.top() >= 0 && chosen.bottom() < table->viewport()->height());
        }
    }
    void emptyPagesSayWhatWillBeThere()
    {
        WindowFixture fixture;
        fixture.open();
        fixture.session()->setReady();
        fixture.session()->showQueues({});
        fixture.session()->showWorkers({});
        fixture.key(Qt::Key_2, Qt::ControlModifier);
        QStringList titles;
        for (const EmptyState *const empty : fixture.window->findChildren<EmptyState *>()) {
            if (empty->isVisible())
                titles.append(empty->content().title);
        }
        QCOMPARE(titles, QStringList{QStringLiteral("No queues yet")});
        fixture.key(Qt::Key_3, Qt::ControlModifier);
        titles.clear();
        for (const EmptyState *const empty : fixture.window->findChildren<EmptyState *>()) {
            if (empty->isVisible())
                titles.append(empty->content().title);
        }
        QCOMPARE(titles, QStringList{QStringLiteral("No worker is alive")});
    }

    void aLocalWorkerIsQuietedResumedAndStopped()
    {
        QueuesAndWorkers fixture;
        fixture.key(Qt::Key_3, Qt::ControlModifier);
        auto *const local = fixture.find<QTableView>("localWorkerTable");
        QVERIFY(local->isVisible());
        local->selectRow(0);
        fixture.window->actions()->refreshNow();
        QVERIFY(!fixture.action("worker.resume")->isEnabled());
        fixture.click(fixture.find<QToolButton>("worker.quiet"));
        QTRY_COMPARE(fixture.session()->requests("quietWorker").size(), 1);
        QVERIFY(fixture.session()->requests("quietWorker").first().on);
        fixture.settle();
        fixture.window->actions()->refreshNow();
        fixture.click(fixture.find<QToolButton>("worker.resume"));
        QCOMPARE(fixture.session()->requests("quietWorker").size(), 2);
        fixture.settle();
        fixture.window->actions()->refreshNow();
        fixture.click(fixture.find<QToolButton>("worker.stop"));
        QCOMPARE(fixture.prompts.questions.size(), 1);
        QVERIFY(fixture.prompts.questions.first().text.contains(QStringLiteral("1 job")));
        QCOMPARE(fixture.session()->requests("stopWorker").value(0).handle, 1u);
    }
    void anIdleWorkerIsStoppedWithoutAQuestion()
    {
        QueuesAndWorkers fixture;
        fixture.key(Qt::Key_3, Qt::ControlModifier);
        fixture.find<QTableView>("localWorkerTable")->selectRow(1);
        fixture.window->actions()->refreshNow();
        fixture.click(fixture.find<QToolButton>("worker.stop"));
        QVERIFY(fixture.prompts.questions.isEmpty());
        QCOMPARE(fixture.session()->requests("stopWorker").value(0).handle, 2u);
    }
    void aBusyWorkerLeadsToItsJob()
    {
        QueuesAndWorkers fixture;
        fixture.key(Qt::Key_3, Qt::ControlModifier);
        auto *const local = fixture.find<QTableView>("localWorkerTable");
        local->setFocus();
        local->selectRow(0);
        fixture.key(Qt::Key_Return);
        QCOMPARE(fixture.window->workspace()->chosenJob(), demoLocalWorkers().first().busy.first());
        QCOMPARE(fixture.window->workspace()->page(), PageId::Jobs);
    }

    void noticesGoAwayWhenClosedAndNeverPileUp()
    {
        WindowFixture fixture;
        fixture.open();
        for (int i = 0; i < 5; ++i)
            fixture.window->workspace()->notify(
                {Notice::Kind::Error, QStringLiteral("problem %1").arg(i), QStringLiteral("details %1").arg(i)});
        auto *const stack = fixture.window->findChild<NoticeStack *>();
        QCOMPARE(stack->notices().size(), NoticeStack::mostCards);
        fixture.settle();
        const auto cards = stack->findChildren<NoticeCard *>();
        fixture.click(cards.last()->findChild<QAbstractButton *>(QStringLiteral("noticeDetails")));
        QCOMPARE(fixture.prompts.messages.value(0).details, QStringLiteral("details 4"));
        fixture.click(cards.last()->findChild<QAbstractButton *>(QStringLiteral("noticeClose")));
        QCOMPARE(stack->notices().size(), NoticeStack::mostCards - 1);
    }
};

QTEST_MAIN(TestPaletteAndPages)
#include "tst_palette_and_pages.moc"
