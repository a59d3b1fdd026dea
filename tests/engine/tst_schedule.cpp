// Jobs that are held until a time: by whose clock.
#include "core/engine/connection.h"
#include "core/protocol/hero/keys.h"
#include "tests/support/await.h"
#include "tests/support/redis_server.h"

#include <QDateTime>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace ym;
using namespace ym::test;
using namespace std::chrono_literals;

namespace {

/// The machine's clock, set wrong.
class WrongClock final : public Clock {
public:
    Timestamp now() const override { return Clock::system().now() + ahead; }
    Monotonic monotonic() const override { return Clock::system().monotonic(); }
    QCoro::Task<bool> sleep(Milliseconds duration, std::stop_token stop) override
    {
        return Clock::system().sleep(duration, stop);
    }

    Milliseconds ahead{0};
};

Job heldDraft(const Clock &clock)
{
    Job draft;
    draft.id = newJobId();
    draft.target.type = "python";
    draft.script = "print(1)";
    draft.notBefore = clock.now() + 10min;
    return draft;
}

} // namespace

class TestSchedule : public QObject {
    Q_OBJECT

    RedisServer m_server;
    QTemporaryDir m_folder;
    WrongClock m_clock;
    std::unique_ptr<Connection> m_connection;

    /// How many seconds from now, by the server's clock, this job is due.
    double secondsUntilDue(const QByteArray &id)
    {
        const QByteArray due =
            m_server.cli({QStringLiteral("ZSCORE"), QStringLiteral("hero:q:delayed"), QString::fromLatin1(id)});
        return double(due.toLongLong()) / 1'000 - double(QDateTime::currentMSecsSinceEpoch()) / 1'000;
    }

private Q_SLOTS:
    void init()
    {
        QVERIFY2(m_server.isRunning(), qPrintable(m_server.error()));
        m_server.cli({QStringLiteral("FLUSHALL")});
        Connection::Setup setup;
        setup.profile.url = m_server.url();
        setup.address = *parseStoreAddress(m_server.url());
        setup.paths = {m_folder.filePath(QStringLiteral("config")), m_folder.filePath(QStringLiteral("data"))};
        setup.clock = &m_clock;
        auto made = Connection::create(std::move(setup));
        QVERIFY(made.has_value());
        m_connection = std::move(*made);
    }
    void cleanup()
    {
        await(m_connection->close(1s));
        m_connection.reset();
    }

    void aTimeIsMeantByTheClockOfWhoChoseIt_data();
    void aTimeIsMeantByTheClockOfWhoChoseIt();
};

void TestSchedule::aTimeIsMeantByTheClockOfWhoChoseIt_data()
{
    QTest::addColumn<Milliseconds>("ahead");
    QTest::newRow("an hour fast") << Milliseconds{1h};
    QTest::newRow("an hour slow") << Milliseconds{-1h};
    QTest::newRow("right") << Milliseconds{0};
}

/// In ten minutes is in ten minutes, however wrong this computer's clock is.
void TestSchedule::aTimeIsMeantByTheClockOfWhoChoseIt()
{
    QFETCH(Milliseconds, ahead);
    m_clock.ahead = ahead;
    QSignalSpy states(m_connection.get(), &Connection::stateChanged);
    m_connection->start();
    while (states.isEmpty() || states.last().first().value<ConnectionState>().phase != ConnectionState::Phase::Ready)
        QVERIFY(states.wait(10'000));
    const Job alone = heldDraft(m_clock);
    await(m_connection->submit(alone));
    const Job first = heldDraft(m_clock);
    Job second = heldDraft(m_clock);
    second.notBefore.reset();
    second.prerequisites = {first.id};
    await(m_connection->submitGraph({first, second}));
    for (const QByteArray &id : {alone.id, first.id}) {
        const double left = secondsUntilDue(id);
        QVERIFY2(left > 590 && left < 601, QByteArray::number(left).constData());
    }
}

QTEST_GUILESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
