// The window as the program opens it: the first frame before the parts that it does not show, with real clicks and keys
// that come before those are made.
#include "tests/support/window_fixture.h"

#include "ui/detail/detail_pane.h"
#include "ui/pages/job_table.h"
#include "ui/palette/command_palette.h"
#include "ui/widgets/empty_state.h"

#include <QLineEdit>
#include <QListView>
#include <QMenuBar>
#include <QSplitter>
#include <QTableView>

using namespace ym;
using namespace ym::test;

namespace {

/// Made, but not painted: nothing beyond the first frame is there. show() follows in the test.
class UnpaintedWindow : public WindowFixture {
public:
    UnpaintedWindow()
    {
        theme = std::make_unique<Theme>(qApp, settings.get());
        window = std::make_unique<MainWindow>(&connections, settings.get(), Build::AfterFirstFrame);
        window->resize(1280, 800);
    }
    template <typename T> T *part(const char *name) const { return window->findChild<T *>(QLatin1String(name)); }
    void show()
    {
        window->show();
        window->activateWindow();
        if (!QTest::qWaitForWindowActive(window.get()))
            qFatal("the window did not become active");
    }
};

/// The event filter's view of one paint: which parts were there.
class AtFirstPaint final : public QObject {
public:
    explicit AtFirstPaint(UnpaintedWindow *fixture)
        : m_fixture(fixture)
    {
        fixture->window->installEventFilter(this);
    }
    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() == QEvent::Paint && !wasPainted) {
            wasPainted = true;
            frameWasWhole = m_fixture->part<QListView>("pageList")->isVisible()
                && m_fixture->part<QLineEdit>("filterLine")->isVisible();
            hadTable = m_fixture->part<QWidget>("jobTable");
            hadStatus = m_fixture->part<QWidget>("phase");
            hadDetail = m_fixture->part<QWidget>("detailPane");
            hadQueues = m_fixture->part<QWidget>("queueTable");
        }
        return false;
    }
    bool wasPainted = false;
    bool frameWasWhole = false;
    bool hadTable = true;
    bool hadStatus = true;
    bool hadDetail = true;
    bool hadQueues = true;

private:
    UnpaintedWindow *m_fixture;
};

} // namespace

class TestFirstFrame : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFrameComesBeforeThePartsThatItDoesNotShow()
    {
        UnpaintedWindow fixture;
        const AtFirstPaint paint(&fixture);
        QSignalSpy completed(fixture.window.get(), &MainWindow::completed);
        fixture.show();
        QTRY_COMPARE(completed.size(), 1);
        QVERIFY(paint.wasPainted);
        QVERIFY(paint.frameWasWhole);
        QVERIFY(!paint.hadTable);
        QVERIFY(!paint.hadStatus);
        QVERIFY(!paint.hadDetail);
        QVERIFY(!paint.hadQueues);
        for (const char *const name : {"phase", "jobTable", "detailPane", "queueTable", "workerTable", "commandPalette"})
            QVERIFY2(fixture.part<QWidget>(name), name);
    }
    void nothingMovesWhenTheOtherPartsCome()
    {
        UnpaintedWindow fixture;
        QSignalSpy completed(fixture.window.get(), &MainWindow::completed);
        fixture.show();
        const auto places = [&fixture] {
            QList<QRect> found;
            for (const char *const name : {"sidebar", "pageList", "filterLine", "job.new.button", "statusPlace"}) {
                const auto *const part = fixture.find<QWidget>(name);
                found.append({part->mapTo(fixture.window.get(), QPoint()), part->size()});
            }
            return found;
        };
        const QList<QRect> before = places();
        QTRY_COMPARE(completed.size(), 1);
        WindowFixture::settle();
        QCOMPARE(places(), before);
        QVERIFY(fixture.find<JobTable>("jobTable")->isVisible());
        const auto *const phase = fixture.find<QWidget>("phase");
        QVERIFY(phase->isVisible());
        QVERIFY(before.last().contains(QRect(phase->mapTo(fixture.window.get(), QPoint()), phase->size())));
        QVERIFY(!fixture.find<DetailPane>("detailPane")->isVisible());
    }
    void aMenuThatIsOpenedBeforeHasItsActions()
    {
        UnpaintedWindow fixture;
        const auto menus = fixture.window->menuBar()->findChildren<QMenu *>();
        QCOMPARE(menus.size(), actionMenuCount);
        QVERIFY(menus.first()->isEmpty());
        QSignalSpy completed(fixture.window.get(), &MainWindow::completed);
        fixture.show();
        QTest::keyClick(fixture.window.get(), Qt::Key_F, Qt::AltModifier);
        QTRY_VERIFY(menus.first()->isVisible());
        QVERIFY(menus.first()->actions().contains(fixture.action("app.quit")));
        QTest::keyClick(menus.first(), Qt::Key_Escape);
        QTRY_COMPARE(completed.size(), 1);
        for (const QMenu *const menu : menus)
            QVERIFY(!menu->isEmpty());
        QCOMPARE(menus.first()->actions().count(fixture.action("app.quit")), 1);
    }
    void aClickOnAPageMakesItAtOnce()
    {
        UnpaintedWindow fixture;
        fixture.window->workspace()->setPage(PageId::Jobs);
        QVERIFY(!fixture.part<QTableView>("queueTable"));
        auto *const pages = fixture.find<QListView>("pageList");
        QTest::mouseClick(pages->viewport(), Qt::LeftButton, {},
                          pages->visualRect(pages->model()->index(int(PageId::Queues), 0)).center());
        QCOMPARE(fixture.window->workspace()->page(), PageId::Queues);
        QVERIFY(fixture.part<QTableView>("queueTable"));
        QVERIFY(!fixture.part<QTableView>("workerTable"));
        fixture.show();
        QVERIFY(fixture.find<QTableView>("queueTable")->window()->isVisible());
        QTRY_VERIFY(fixture.part<QTableView>("workerTable"));
    }
    void theRememberedPageIsInTheFirstFrame()
    {
        WindowFixture fixture;
        fixture.settings->setLastPage(pageName(PageId::Workers));
        fixture.open({1280, 800}, Build::AfterFirstFrame);
        fixture.session()->setReady();
        QVERIFY(fixture.find<QTableView>("workerTable")->parentWidget()->isVisible());
        QCOMPARE(fixture.window->workspace()->page(), PageId::Workers);
    }
    void theTableHasTheFocusWhenItComes()
    {
        UnpaintedWindow fixture;
        QSignalSpy completed(fixture.window.get(), &MainWindow::completed);
        fixture.show();
        QTRY_COMPARE(completed.size(), 1);
        QCOMPARE(fixture.window->focusWidget(), fixture.find<JobTable>("jobTable"));
    }
    void aJobChosenBeforeShowsItsDetails()
    {
        UnpaintedWindow fixture;
        fixture.session()->setReady();
        fixture.session()->showJobs(demoJobs(3, Clock::system().now()));
        auto *const table = fixture.find<JobTable>("jobTable");
        QVERIFY(!fixture.part<QWidget>("detailPane"));
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Down);
        QVERIFY(!fixture.window->workspace()->chosenJob().isEmpty());
        QVERIFY(fixture.part<DetailPane>("detailPane"));
        fixture.show();
        QVERIFY(fixture.find<DetailPane>("detailPane")->isVisible());
    }
    void theKeysOfATabMakeTheDetails()
    {
        UnpaintedWindow fixture;
        fixture.session()->setReady();
        fixture.session()->showJobs(demoJobs(3, Clock::system().now()));
        fixture.action("detail.tab3")->trigger();
        QVERIFY(fixture.part<DetailPane>("detailPane"));
        QCOMPARE(fixture.settings->detailTab(), QByteArray("output"));
    }
    void thePaletteOpensBeforeItWasMade()
    {
        UnpaintedWindow fixture;
        QVERIFY(!fixture.part<QWidget>("commandPalette"));
        fixture.action("view.palette")->trigger();
        fixture.show();
        QVERIFY(fixture.find<CommandPalette>("commandPalette")->isVisible());
        fixture.find<QLineEdit>("paletteLine")->setFocus();
        fixture.type(QStringLiteral("workers"));
        fixture.key(Qt::Key_Return);
        QTRY_COMPARE(fixture.window->workspace()->page(), PageId::Workers);
    }
    void aQuickConnectionShowsNoPassingWord()
    {
        // No turn of the event loop in between: the time that a connection is given does not pass.
        UnpaintedWindow fixture;
        QVERIFY(!fixture.part<EmptyState>("emptyState"));
        fixture.session()->setReady();
        QVERIFY(!fixture.part<EmptyState>("emptyState"));
        fixture.session()->showJobs({});
        QVERIFY(fixture.part<EmptyState>("emptyState"));
        fixture.show();
        QTRY_VERIFY(fixture.part<JobTable>("jobTable"));
        QVERIFY(!fixture.find<JobTable>("jobTable")->isVisible());
        QVERIFY(fixture.find<JobTable>("jobTable")->parentWidget()->findChild<EmptyState *>()->isVisible());
    }
};

QTEST_MAIN(TestFirstFrame)
#include "tst_first_frame.moc"
