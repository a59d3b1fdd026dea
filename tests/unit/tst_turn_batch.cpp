// What is asked for in one turn travels together, and each gets its own answer.
#include "core/base/error.h"
#include "core/base/turn_batch.h"
#include "tests/support/await.h"

#include <QTest>

using ym::ErrorKind;
using ym::StoreError;
using ym::TurnBatch;
using ym::test::await;
using ym::test::failureOf;

namespace {

using Numbers = TurnBatch<int, QString>;

QCoro::Task<std::vector<QString>> answer(std::vector<std::vector<int>> *sent, std::vector<int> items)
{
    sent->push_back(items);
    std::vector<QString> answers;
    for (const int item : items) {
        if (item < 0)
            throw StoreError(ErrorKind::Unavailable, QStringLiteral("away"));
        answers.push_back(QString::number(item));
    }
    co_return answers;
}

} // namespace

class TestTurnBatch : public QObject {
    Q_OBJECT

    std::vector<std::vector<int>> m_sent;
    std::unique_ptr<Numbers> m_batch;

private Q_SLOTS:
    void init()
    {
        m_sent.clear();
        m_batch = std::make_unique<Numbers>(this, Numbers::Limits{3, 100}, [this](std::vector<int> items) {
            return answer(&m_sent, std::move(items));
        });
    }

    void oneTurnIsOneBatch()
    {
        auto first = m_batch->add(1, 1);
        auto second = m_batch->add(2, 1);
        QVERIFY(m_sent.empty());
        QCOMPARE(await(std::move(second)), QStringLiteral("2"));
        QCOMPARE(await(std::move(first)), QStringLiteral("1"));
        QCOMPARE(await(m_batch->add(3, 1)), QStringLiteral("3"));
        QCOMPARE(m_sent, (std::vector<std::vector<int>>{{1, 2}, {3}}));
    }

    void aFullBatchGoesAtOnce_data()
    {
        QTest::addColumn<int>("cost");
        QTest::addColumn<int>("together");
        QTest::newRow("by number") << 1 << 3;
        QTest::newRow("by cost") << 50 << 2;
        QTest::newRow("each too much") << 1000 << 1;
    }
    void aFullBatchGoesAtOnce()
    {
        QFETCH(int, cost);
        QFETCH(int, together);
        std::vector<QCoro::Task<QString>> tasks;
        for (int i = 0; i <= together; ++i)
            tasks.push_back(m_batch->add(int(i), cost));
        QCOMPARE(m_sent.size(), size_t(1));
        QCOMPARE(int(m_sent[0].size()), together);
        for (int i = 0; i <= together; ++i)
            QCOMPARE(await(std::move(tasks[size_t(i)])), QString::number(i));
    }

    void flushSendsNow()
    {
        auto task = m_batch->add(1, 1);
        m_batch->flush();
        QCOMPARE(m_sent.size(), size_t(1));
        QCOMPARE(await(std::move(task)), QStringLiteral("1"));
        m_batch->flush(); // nothing is there
        QCOMPARE(m_sent.size(), size_t(1));
    }

    void aFailureIsEverybodys()
    {
        auto first = m_batch->add(1, 1);
        auto second = m_batch->add(-1, 1);
        QCOMPARE(failureOf(std::move(first)), ErrorKind::Unavailable);
        QCOMPARE(failureOf(std::move(second)), ErrorKind::Unavailable);
        QCOMPARE(await(m_batch->add(2, 1)), QStringLiteral("2"));
    }
};

QTEST_GUILESS_MAIN(TestTurnBatch)
#include "tst_turn_batch.moc"
