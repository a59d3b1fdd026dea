// A connection keeps its jobs moving although no worker runs here.
#include "core/engine/dispatcher.h"
#include "core/protocol/hero/hero_protocol.h"
#include "core/protocol/hero/keys.h"
#include "core/store/embedded/embedded_store.h"
#include "tests/support/await.h"

using namespace ym;
using namespace ym::test;
using namespace std::chrono_literals;

namespace {

/// Counts what is asked of it and answers as it is told.
struct ToldRescuer final : Rescuer {
    int *recovers;
    std::optional<ErrorKind> trouble;
    int *turns = nullptr; ///< that were asked for
    int *reconciles = nullptr;
    bool isOurTurn = true;

    QCoro::Task<int> recover() override
    {
        ++*recovers;
        if (trouble)
            throw StoreError(*trouble, QStringLiteral("told so"));
        co_return 0;
    }
    QCoro::Task<int> reconcile(std::stop_token) override
    {
        if (reconciles)
            ++*reconciles;
        co_return 0;
    }
    QCoro::Task<bool> takeTurn(Milliseconds) override
    {
        if (turns)
            ++*turns;
        co_return bool(isOurTurn);
    }
};

} // namespace

class TestDispatcher : public QObject {
    Q_OBJECT

    std::unique_ptr<EmbeddedStore> m_store;

    std::unique_ptr<Dispatcher> dispatcher(std::unique_ptr<Rescuer> rescuer)
    {
        return std::make_unique<Dispatcher>(m_store.get(), std::move(rescuer), 30ms, &Clock::system());
    }
    std::unique_ptr<ToldRescuer> told(int *recovers, std::optional<ErrorKind> trouble)
    {
        auto rescuer = std::make_unique<ToldRescuer>();
        rescuer->recovers = recovers;
        rescuer->trouble = trouble;
        return rescuer;
    }

private Q_SLOTS:
    void init()
    {
        m_store = std::make_unique<EmbeddedStore>(EmbeddedStore::Options{}, &Clock::system());
        await(m_store->open());
    }

    void aDelayedJobIsQueuedWithNobodyWorking()
    {
        const HeroProtocol protocol;
        Job draft;
        draft.target.type = "python";
        draft.script = "1";
        const QByteArray id = await(protocol.producer(m_store.get(), {}, &Clock::system())->submit(draft)).id;
        const QByteArray queue = hero::keys::work(draft.target);
        await(m_store->command(cmd("DEL", queue)));
        await(m_store->command(cmd("ZADD", hero::keys::delayed(), 1, id)));
        const auto running = dispatcher(protocol.rescuer(m_store.get(), {}, &Clock::system()));
        running->start();
        QTRY_COMPARE(await(m_store->command(cmd("LRANGE", queue, 0, -1))).toList(), QList<QByteArray>{id});
        await(running->drain());
        m_store->close();
    }

    void goesOnAfterAFailure()
    {
        int recovers = 0;
        const auto running = dispatcher(told(&recovers, ErrorKind::Server));
        running->start();
        QTRY_VERIFY(recovers >= 3);
        await(running->drain());
        m_store->close();
    }

    void reconcilesWhenItIsItsTurn_data()
    {
        QTest::addColumn<bool>("isOurTurn");
        QTest::newRow("ours") << true;
        QTest::newRow("somebody else's") << false;
    }
    void reconcilesWhenItIsItsTurn()
    {
        QFETCH(bool, isOurTurn);
        int recovers = 0;
        int turns = 0;
        int reconciles = 0;
        auto rescuer = told(&recovers, std::nullopt);
        rescuer->turns = &turns;
        rescuer->reconciles = &reconciles;
        rescuer->isOurTurn = isOurTurn;
        const auto running = dispatcher(std::move(rescuer));
        running->start();
        QTRY_COMPARE(turns, 1);
        await(running->drain());
        QCOMPARE(reconciles, isOurTurn ? 1 : 0);
        m_store->close();
    }

    void givesUpWhatItMayNotDo()
    {
        int recovers = 0;
        int others = 0;
        const auto forbidden = dispatcher(told(&recovers, ErrorKind::Permission));
        const auto allowed = dispatcher(told(&others, std::nullopt));
        forbidden->start();
        allowed->start();
        QTRY_VERIFY(others >= 5);
        QCOMPARE(recovers, 1);
        await(forbidden->drain());
        await(allowed->drain());
        m_store->close();
    }
};

QTEST_GUILESS_MAIN(TestDispatcher)
#include "tst_dispatcher.moc"
