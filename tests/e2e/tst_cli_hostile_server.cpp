// The command line before a server that lies, stalls or is something else (RELIABILITY 9, Protocol): every command ends
// by itself with one plain sentence, and what it prints as JSON is JSON.
#include "tests/support/hostile_rows.h"
#include "tests/support/program.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace ym::test;

class TestCliHostileServer : public QObject {
    Q_OBJECT

    Program m_program;

    Ended run(const HostileServer &server, const QStringList &arguments) const
    {
        return m_program.runBeside(QStringList{QStringLiteral("--store"), server.url()} + arguments);
    }
    static bool isOneSentence(const QByteArray &err)
    {
        for (const char c : err.chopped(1)) {
            if (uchar(c) < 0x20)
                return false;
        }
        return err.startsWith("yardmaster: ") && err.endsWith('\n') && err.size() < 1'000;
    }

private Q_SLOTS:
    void everyListingEnds_data()
    {
        QTest::addColumn<size_t>("number");
        const std::vector<HostileRow> rows = hostileRows();
        for (size_t i = 0; i < rows.size(); ++i)
            QTest::newRow(rows[i].name) << i;
    }
    void everyListingEnds()
    {
        QFETCH(size_t, number);
        const HostileRow row = hostileRows()[number];
        const auto server = row.start();
        const Ended ended = run(*server, {"list", "--json"});
        QCOMPARE(ended.code, 1);
        QVERIFY2(isOneSentence(ended.err) && ended.err.contains(row.words), ended.err.left(2'000).constData());
        QVERIFY2(ended.out.isEmpty() || ended.out == "[]\n", ended.out.left(200).constData());
    }

    /// What came before the error is printed, as a whole array.
    void aListingThatBreaksHalfWayIsAnArray()
    {
        int pages = 0;
        HostileServer server([&](const QList<QByteArray> &command) -> std::optional<QByteArray> {
            if (command.constFirst() == "SCAN" && ++pages == 2)
                return "-ERR out of order\r\n";
            return repeatingScan(command);
        });
        const Ended ended = run(server, {"list", "--json", "--limit", "0"});
        QCOMPARE(ended.code, 1);
        QVERIFY2(isOneSentence(ended.err) && ended.err.contains("out of order"), ended.all().constData());
        QVERIFY2(ended.json().isArray(), ended.out.constData());
        QCOMPARE(ended.json().array().size(), 2);
    }

    /// P18.
    void aJobThatIsListedTwiceIsShownOnce()
    {
        HostileServer server(repeatingScan);
        const Ended ended = run(server, {"list", "--json"});
        QCOMPARE(ended.code, 0);
        const QJsonArray jobs = ended.json().array();
        QCOMPARE(jobs.size(), 2);
        QCOMPARE(jobs[0][u"id"].toString(), QStringLiteral("twin-1"));
        QCOMPARE(jobs[1][u"id"].toString(), QStringLiteral("twin-2"));
    }

    /// D24: expired or evicted between the listing and the reading.
    void aJobThatIsGoneBeforeItIsReadIsNotShown()
    {
        HostileServer server(vanishingScan);
        const Ended ended = run(server, {"list", "--json"});
        QCOMPARE(ended.code, 0);
        QCOMPARE(ended.json().array().size(), 1);
        QCOMPARE(ended.err, QByteArray());
    }

    /// F26: another clock than ours decides when a job is due, and "in a minute" is meant for that one.
    void aDelayIsCountedByTheServersClock()
    {
        const qint64 there = QDateTime::currentSecsSinceEpoch() + 3'600;
        qint64 due = 0;
        HostileServer server([&](const QList<QByteArray> &command) -> std::optional<QByteArray> {
            if (command.constFirst() == "TIME") {
                const QByteArray seconds = QByteArray::number(there);
                return "*2\r\n$" + QByteArray::number(seconds.size()) + "\r\n" + seconds + "\r\n$1\r\n0\r\n";
            }
            if (command.constFirst() != "EVALSHA")
                return "-ERR not expected\r\n";
            due = command.value(7).toLongLong();
            return "*1\r\n$9\r\nscheduled\r\n";
        });
        const QString script = m_program.file(QStringLiteral("a.py"), "1");
        const Ended ended = run(server, {"submit", script, "--keys", "canonical", "--delay", "60"});
        QVERIFY2(ended.code == 0, ended.all().constData());
        QVERIFY2(std::abs(due / 1'000 - there - 60) <= 5, QByteArray::number(due / 1'000 - there).constData());
    }

    /// P11.
    void aReplyInSlicesIsRead()
    {
        HostileServer server(repeatingScan);
        server.sendByteByByte();
        const Ended ended = run(server, {"list", "--json"});
        QVERIFY2(ended.code == 0 && ended.json().array().size() == 2, ended.all().left(1'000).constData());
    }

    /// P20: who waits for the end of a job is not sent round and round.
    void aReplyFromAnotherListIsAnError()
    {
        HostileServer server([](const QList<QByteArray> &command) -> std::optional<QByteArray> {
            if (command.constFirst() == "HMGET")
                return "*3\r\n$7\r\nstarted\r\n$1\r\nj\r\n$1\r\nx\r\n";
            if (command.constFirst() == "EVALSHA")
                return "*1\r\n:1\r\n"; // queued
            return command.constFirst() == "BLPOP" ? "*2\r\n$9\r\nsomething\r\n$4\r\nelse\r\n" : "*0\r\n";
        });
        const QString script = m_program.file(QStringLiteral("a.py"), "1");
        const Ended ended = run(server, {"submit", script, "--keys", "canonical", "--wait"});
        QCOMPARE(ended.code, 1);
        QVERIFY2(isOneSentence(ended.err) && ended.err.contains("not asked for"), ended.all().left(1'000).constData());
        QCOMPARE(server.commandCount("BLPOP"), 1);
    }
};

QTEST_GUILESS_MAIN(TestCliHostileServer)
#include "tst_cli_hostile_server.moc"
