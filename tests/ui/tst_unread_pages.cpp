// Pages whose rows the store does not tell: each says that it cannot read them, why and what to do, and tries again.
#include "tests/support/redis_server.h"
#include "tests/support/window_fixture.h"
#include "tests/ui/real_window.h"
#include "ui/pages/state_chips.h"
#include "ui/widgets/empty_state.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

using namespace ym;
using namespace ym::test;

namespace {

const Error noScan{ErrorKind::Permission, QStringLiteral("NOPERM no permissions to run the 'scan' command"),
                   QStringLiteral("Give this user the right."), false};

struct Page {
    Qt::Key key;
    Error Unread::*part;
    const char *title;
};
constexpr Page pages[] = {{Qt::Key_1, &Unread::jobs, "The jobs cannot be read"},
                          {Qt::Key_2, &Unread::queues, "The queues cannot be read"},
                          {Qt::Key_3, &Unread::workers, "The workers cannot be read"}};

template <typename T> T *visible(const QWidget *window, const char *name)
{
    for (T *const each : window->findChildren<T *>(QLatin1String(name))) {
        if (each->isVisible())
            return each;
    }
    return nullptr;
}

QString shownTitle(const QWidget *window)
{
    const auto *const label = visible<QLabel>(window, "emptyTitle");
    return label ? label->text() : QString();
}

ConnectionState readyWith(const Unread &unread)
{
    ConnectionState state;
    state.phase = ConnectionState::Phase::Ready;
    state.unread = unread;
    return state;
}

void addPages()
{
    QTest::addColumn<int>("number");
    for (int i = 0; i < int(std::size(pages)); ++i)
        QTest::newRow(pages[i].title) << i;
}

} // namespace

class TestUnreadPages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aPageWithoutRowsSaysWhyAndTriesAgain_data() { addPages(); }
    void aPageWithoutRowsSaysWhyAndTriesAgain()
    {
        QFETCH(int, number);
        const Page page = pages[number];
        WindowFixture fixture;
        fixture.open();
        fixture.key(page.key, Qt::ControlModifier);
        fixture.session()->setReady();
        QTRY_VERIFY(shownTitle(fixture.window.get()).startsWith(QLatin1String("Reading")));
        Unread unread;
        unread.*page.part = noScan;
        fixture.session()->setState(readyWith(unread));
        QTRY_COMPARE(shownTitle(fixture.window.get()), QLatin1String(page.title));
        const auto *const text = visible<QLabel>(fixture.window.get(), "emptyText");
        QVERIFY(text && text->text().contains(QLatin1String("'scan'")) && text->text().contains(noScan.advice));
        auto *const again = visible<QPushButton>(fixture.window.get(), "emptyMain");
        QVERIFY(again);
        QCOMPARE(again->text(), QStringLiteral("Try again"));
        QCOMPARE(fixture.find<QProgressBar>("listing")->isVisible(), page.part != &Unread::jobs);
        WindowFixture::click(again);
        QCOMPARE(fixture.session()->retryCount(), 1);
        QVERIFY(
            fixture.find<StateChip>("chip.running")->accessibleName().contains(QLatin1String("not known"))); // no zero
        fixture.session()->setReady();
        QTRY_VERIFY(shownTitle(fixture.window.get()).startsWith(QLatin1String("Reading")));
    }

    void rowsThatMayBeOldStayUnderABarThatSaysWhy_data() { addPages(); }
    void rowsThatMayBeOldStayUnderABarThatSaysWhy()
    {
        QFETCH(int, number);
        const Page page = pages[number];
        WindowFixture fixture;
        fixture.openWithJobs(5);
        fixture.session()->showQueues(demoQueues(Clock::system().now()));
        fixture.session()->showWorkers(demoWorkers(Clock::system().now()));
        fixture.key(page.key, Qt::ControlModifier);
        QVERIFY(!visible<QWidget>(fixture.window.get(), "unreadBar"));
        Unread unread;
        unread.*page.part = noScan;
        fixture.session()->setState(readyWith(unread));
        auto *const bar = visible<QWidget>(fixture.window.get(), "unreadBar");
        QVERIFY(bar);
        QVERIFY(bar->findChild<QLabel *>(QStringLiteral("unreadText"))->text().contains(QLatin1String("'scan'")));
        QVERIFY(shownTitle(fixture.window.get()) != QLatin1String(page.title));
        WindowFixture::click(bar->findChild<QPushButton *>(QStringLiteral("readAgain")));
        QCOMPARE(fixture.session()->retryCount(), 1);
        fixture.session()->setReady();
        QVERIFY(!bar->isVisible());
    }

    /// A real server, and a user who may do everything but list.
    void aUserWithoutScanIsTold()
    {
        RedisServer server;
        QVERIFY2(server.isRunning(), qPrintable(server.error()));
        server.cli({"HSET", "hero:job:one", "id", "one", "status", "finished", "script_type", "python"});
        server.cli({"ACL", "SETUSER", "poor", "on", "nopass", "~*", "&*", "+@all", "-scan"});
        RealWindow real;
        real.openRedis(QStringLiteral("unix://poor:any@") + server.socketPath());
        for (const Page &page : pages) {
            QTest::keyClick(&real.window, page.key, Qt::ControlModifier);
            QTRY_COMPARE_WITH_TIMEOUT(shownTitle(&real.window), QLatin1String(page.title), 20'000);
        }
        QTest::keyClick(&real.window, Qt::Key_1, Qt::ControlModifier);
        server.cli({"ACL", "SETUSER", "poor", "+scan"});
        WindowFixture::click(visible<QPushButton>(&real.window, "emptyMain"));
        QTRY_COMPARE_WITH_TIMEOUT(real.jobs()->rowCount(), 1, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(shownTitle(&real.window), QString(), 20'000);
    }
};

QTEST_MAIN(TestUnreadPages)
#include "tst_unread_pages.moc"
