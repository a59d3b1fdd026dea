// The value types of the embedded store against plain models, over seeded random operations, and their memory.
#include "core/store/embedded/hash_value.h"
#include "core/store/embedded/list_value.h"
#include "core/store/embedded/set_value.h"
#include "core/store/embedded/sorted_set_value.h"

#include <QSet>
#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace ym::embedded;

class TestEmbeddedValues : public QObject {
    Q_OBJECT

    static QByteArray text(std::mt19937 &random)
    {
        const int size = random() % 20 == 0 ? int(random() % 3000) : int(random() % 30);
        return QByteArray(size, char('a' + random() % 3));
    }

private Q_SLOTS:
    void aListKeepsItsOrder()
    {
        std::mt19937 random(1);
        ListValue list;
        QList<QByteArray> model;
        for (int i = 0; i < 60'000; ++i) {
            const QByteArray value = text(random);
            const auto end = random() % 2 ? ListEnd::Left : ListEnd::Right;
            const qsizetype at = model.isEmpty() ? 0 : qsizetype(random() % model.size());
            switch (random() % (i < 40'000 ? 12 : 16)) {
            default:
                list.push(end, value);
                end == ListEnd::Left ? model.prepend(value) : model.append(value);
                break;
            case 7:
                list.insert(at, value);
                model.insert(at, value);
                break;
            case 8:
                if (model.isEmpty())
                    break;
                list.set(at, value);
                model[at] = value;
                break;
            case 9:
                if (model.isEmpty())
                    break;
                QCOMPARE(list.at(at), model[at]);
                break;
            case 10: {
                qsizetype expected = 0;
                if (end == ListEnd::Left) {
                    const qsizetype first = model.indexOf(value);
                    if (first >= 0)
                        model.remove(first), ++expected;
                } else {
                    const qsizetype last = model.lastIndexOf(value);
                    if (last >= 0)
                        model.remove(last), ++expected;
                }
                QCOMPARE(list.removeEqual(value, 1, end), expected);
                break;
            }
            case 12:
            case 13:
            case 14:
            case 15:
                if (!model.isEmpty())
                    QCOMPARE(list.pop(end), end == ListEnd::Left ? model.takeFirst() : model.takeLast());
                break;
            case 11:
                if (random() % 500 == 0 && model.size() > 10) {
                    list.trim(3, model.size() - 4);
                    model = model.sliced(3, model.size() - 6);
                }
            }
            QCOMPARE(list.size(), model.size());
        }
        QVERIFY(model.size() > 1000);
        QCOMPARE(list.range(0, list.size() - 1), model);
        QCOMPARE(list.range(17, 900), model.sliced(17, 884));
        QCOMPARE(list.removeEqual("a", 0, ListEnd::Left), model.removeAll("a"));
        QCOMPARE(list.range(0, list.size() - 1), model);
    }

    void aSortedSetKnowsRanksInBothForms()
    {
        std::mt19937 random(2);
        SortedSetValue set;
        std::map<QByteArray, double> model;
        for (int i = 0; i < 20'000; ++i) {
            const QByteArray member = "m" + QByteArray::number(random() % 2000);
            if (random() % 3 == 0) {
                QCOMPARE(set.remove(member), model.erase(member) == 1);
            } else {
                const double score = double(random() % 50);
                QCOMPARE(set.set(member, score), model.insert_or_assign(member, score).second);
            }
        }
        std::vector<std::pair<double, QByteArray>> order;
        for (const auto &[member, score] : model)
            order.emplace_back(score, member);
        std::sort(order.begin(), order.end());
        QCOMPARE(set.size(), qsizetype(order.size()));
        QVERIFY(!set.isPacked());
        const auto members = set.slice(0, set.size());
        for (size_t i = 0; i < order.size(); ++i) {
            QCOMPARE(members[i].member, order[i].second);
            QCOMPARE(set.rank(order[i].second), std::optional<qsizetype>(i));
        }
        const auto down = set.slice(10, 20, SortedSetValue::Order::Descending);
        QCOMPARE(down.front().member, order[19].second);
        QCOMPARE(down.back().member, order[10].second);
    }

    void aScanReportsWhatStaysWhileTheTableChanges()
    {
        std::mt19937 random(3);
        Dict<NoValue> table;
        for (int i = 0; i < 1000; ++i)
            table.insert("stay" + QByteArray::number(i));
        QSet<QByteArray> seen;
        quint64 cursor = 0;
        int added = 0;
        int steps = 0;
        do {
            cursor = table.scan(cursor, [&](const auto &node) { seen.insert(node.keyBytes()); });
            // Grows several times over and shrinks again in between; then the scan may catch up.
            if (++steps > 400)
                continue;
            if (random() % 2) {
                for (int i = 0; i < 40; ++i)
                    table.insert("come" + QByteArray::number(added++));
            } else {
                for (int i = 0; i < 60; ++i)
                    table.remove("come" + QByteArray::number(random() % (added + 1)));
            }
        } while (cursor != 0);
        for (int i = 0; i < 1000; ++i)
            QVERIFY(seen.contains("stay" + QByteArray::number(i)));
        QVERIFY(added > 1000);
    }

    void smallCollectionsAreCompactAndKeepTheirOrder()
    {
        HashValue hash;
        for (int i = 0; i < 20; ++i)
            hash.set("field" + QByteArray::number(i), "value" + QByteArray::number(i));
        QVERIFY(hash.isPacked());
        QVERIFY2(hash.memoryUsage() < 20 * 24, qPrintable(QString::number(hash.memoryUsage())));
        QList<QByteArray> names;
        hash.forEach([&](QByteArrayView name, QByteArrayView) { names.append(name.toByteArray()); });
        QCOMPARE(names.first(), QByteArray("field0"));
        QCOMPARE(names.last(), QByteArray("field19"));
        hash.set("long", QByteArray(65, 'x'));
        QVERIFY(!hash.isPacked());
        QCOMPARE(hash.size(), 21);
        QCOMPARE(hash.get("field7"), std::optional<QByteArray>("value7"));

        ListValue list;
        for (int i = 0; i < 100'000; ++i)
            list.push(ListEnd::Left, QByteArray(36, 'u'));
        QVERIFY2(list.memoryUsage() < 100'000 * 57,
                 qPrintable(QString::number(list.memoryUsage() / 100'000))); // Redis: 38 and a bit

        SetValue set;
        for (int i = 0; i < 512; ++i)
            set.add(QByteArray::number(i * 7));
        QVERIFY(set.isIntegers());
        set.add("text");
        QVERIFY(!set.isIntegers() && set.contains("7") && set.size() == 513);
    }
};

QTEST_GUILESS_MAIN(TestEmbeddedValues)
#include "tst_embedded_values.moc"
