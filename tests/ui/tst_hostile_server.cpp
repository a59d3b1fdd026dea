// The real window before a server that lies, stalls or is something else (RELIABILITY 9, Protocol): it says what is
// wrong, goes on painting, and does not knock without a pause.
#include "tests/support/hostile_rows.h"
#include "tests/ui/real_window.h"
#include "ui/widgets/text_label.h"

#include <QSignalSpy>
#include <QToolButton>

using namespace ym;
using namespace ym::test;

class TestHostileServer : public QObject {
    Q_OBJECT

    static Profile profileOf(const HostileServer &server)
    {
        Profile profile;
        profile.name = QStringLiteral("hostile");
        profile.url = server.url();
        return profile;
    }
    /// In the status line, or behind its button of warnings.
    static bool isTold(RealWindow &real, const QString &words)
    {
        if (child<TextLabel>(&real.window, "phase")->text().contains(words))
            return true;
        const bool isWarned = real.session()->state().warnings.join(u'\n').contains(words);
        return isWarned && child<QToolButton>(&real.window, "warnings")->isVisible();
    }

private Q_SLOTS:
    void itSaysWhatIsWrong_data()
    {
        QTest::addColumn<size_t>("number");
        const std::vector<HostileRow> rows = hostileRows();
        for (size_t i = 0; i < rows.size(); ++i)
            QTest::newRow(rows[i].name) << i;
    }
    void itSaysWhatIsWrong()
    {
        QFETCH(size_t, number);
        const HostileRow row = hostileRows()[number];
        const auto server = row.start();
        RealWindow real;
        real.beginToOpen(profileOf(*server));
        // Not by looking now and then: between two looks the server, which lives in this thread, would sleep.
        QSignalSpy news(real.session(), &Session::stateChanged);
        while (!isTold(real, QString::fromUtf8(row.words)) && news.wait(30'000))
            continue;
        QVERIFY2(isTold(real, QString::fromUtf8(row.words)), qPrintable(real.session()->state().trouble.text()));
        for (const PageId page : {PageId::Queues, PageId::Workers, PageId::Jobs}) {
            real.window.showPage(page);
            real.window.grab();
        }
        QVERIFY2(server->connectionCount() < 60, QByteArray::number(server->connectionCount()).constData());
    }

    /// P18.
    void aJobThatIsListedTwiceIsOneRow()
    {
        HostileServer server(repeatingScan);
        RealWindow real;
        real.open(profileOf(server));
        QTRY_VERIFY_WITH_TIMEOUT(real.jobs()->listing().complete, 20'000);
        QTRY_COMPARE(real.jobs()->rowCount(), 2);
        QCOMPARE(real.stateOf("twin-1"), JobState::Finished);
    }

    /// D24: expired or evicted between the listing and the reading.
    void aJobThatIsGoneBeforeItIsReadIsNoRow()
    {
        HostileServer server(vanishingScan);
        RealWindow real;
        real.open(profileOf(server));
        QTRY_VERIFY_WITH_TIMEOUT(real.jobs()->listing().complete, 20'000);
        QTRY_COMPARE(real.jobs()->rowCount(), 1);
        QCOMPARE(real.stateOf("twin-1"), JobState::Finished);
    }
};

QTEST_MAIN(TestHostileServer)
#include "tst_hostile_server.moc"
