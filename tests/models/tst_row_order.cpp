// The list of rows against a plain vector: the same edits, the same answers.
#include "models/row_order.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace ym;

namespace {

void compare(const RowOrder &order, const std::vector<quint32> &plain)
{
    QCOMPARE(order.size(), int(plain.size()));
    QVERIFY(order.toVector() == plain);
    for (size_t i = 0; i < plain.size(); i += 1 + plain.size() / 997) {
        QCOMPARE(order.at(int(i)), plain[i]);
        QCOMPARE(order.rowOf(plain[i]), int(i));
    }
}

} // namespace

class TestRowOrder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void answers_like_a_vector_under_random_edits();
    void keeps_both_directions_after_being_assigned();
    void forgets_removed_slots();
    void stays_small_when_it_is_appended_to();
};

void TestRowOrder::answers_like_a_vector_under_random_edits()
{
    std::mt19937 random(7);
    RowOrder order;
    std::vector<quint32> plain;
    quint32 next = 0;
    for (int step = 0; step < 6000; ++step) {
        const bool grows = plain.empty() || random() % 100 < 60;
        if (grows) {
            const int at = int(random() % (plain.size() + 1));
            std::vector<quint32> fresh(1 + random() % 5);
            std::generate(fresh.begin(), fresh.end(), [&] { return next++; });
            order.insert(at, fresh);
            plain.insert(plain.begin() + at, fresh.begin(), fresh.end());
        } else {
            const int first = int(random() % plain.size());
            const int count =
                1 + int(random() % std::min<size_t>(step % 50 == 0 ? 2000 : 6, plain.size() - size_t(first)));
            order.remove(first, count);
            plain.erase(plain.begin() + first, plain.begin() + first + count);
        }
        if (step % 100 == 0)
            compare(order, plain);
    }
    compare(order, plain);
}

void TestRowOrder::keeps_both_directions_after_being_assigned()
{
    std::vector<quint32> plain(10'000);
    for (size_t i = 0; i < plain.size(); ++i)
        plain[i] = quint32(plain.size() - 1 - i) * 2;
    RowOrder order;
    order.assign(plain);
    compare(order, plain);
    QCOMPARE(order.rowOf(1), -1);
    order.insert(5000, 1);
    plain.insert(plain.begin() + 5000, 1);
    compare(order, plain);
}

void TestRowOrder::forgets_removed_slots()
{
    RowOrder order;
    order.assign({5, 6, 7});
    order.remove(1, 1);
    QCOMPARE(order.rowOf(6), -1);
    QVERIFY(!order.contains(6));
    order.clear();
    QCOMPARE(order.rowOf(5), -1);
    order.insert(0, 6);
    QCOMPARE(order.rowOf(6), 0);
}

void TestRowOrder::stays_small_when_it_is_appended_to()
{
    RowOrder order;
    for (quint32 slot = 0; slot < 200'000; ++slot)
        order.insert(order.size(), slot);
    QVERIFY2(order.bytesUsed() < 200'000 * 10, qPrintable(QString::number(order.bytesUsed())));
}

QTEST_GUILESS_MAIN(TestRowOrder)
#include "tst_row_order.moc"
