// Merging a fresh list into rows by key: always the same rows as the list, told in ranges, with the selection kept.
#include "models/keyed_rows.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QSignalSpy>
#include <QTest>

#include <random>

using namespace ym;

namespace {

struct Row {
    int key = 0;
    int place = 0;
    int value = 0;
    bool operator==(const Row &) const = default;
};

struct Traits {
    static int key(const Row &row) { return row.key; }
    static bool before(const Row &a, const Row &b) { return std::tie(a.place, a.key) < std::tie(b.place, b.key); }
};

class Model : public QAbstractListModel {
public:
    int rowCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : rows.count(); }
    QVariant data(const QModelIndex &index, int role) const override
    {
        return role == Qt::DisplayRole ? QVariant(rows.at(index.row()).value) : QVariant();
    }
    void set(std::vector<Row> fresh) { rows.merge(this, std::move(fresh)); }

    KeyedRows<Row, Traits> rows;
};

std::vector<Row> rowsOf(const Model &model)
{
    return {model.rows.begin(), model.rows.end()};
}

} // namespace

class TestKeyedRows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ends_with_the_fresh_list_whatever_was_there();
    void tells_neighbours_in_one_range();
    void the_same_list_again_causes_no_signal();
    void of_two_rows_with_one_key_the_last_wins();
    void the_selection_follows_its_rows();
};

void TestKeyedRows::ends_with_the_fresh_list_whatever_was_there()
{
    std::mt19937 random(5);
    Model model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    tester.setUseFetchMore(false);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    for (int step = 0; step < 300; ++step) {
        std::vector<Row> fresh;
        for (int key = 0; key < 40; ++key) {
            if (random() % 3)
                fresh.push_back({key, int(random() % 10 ? key % 7 : random() % 7), int(random() % 3)});
        }
        std::shuffle(fresh.begin(), fresh.end(), random);
        model.set(fresh);
        std::sort(fresh.begin(), fresh.end(), Traits::before);
        QVERIFY(rowsOf(model) == fresh);
    }
    QCOMPARE(resets.size(), 0);
}

void TestKeyedRows::tells_neighbours_in_one_range()
{
    Model model;
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.set({{1, 1, 0}, {2, 2, 0}, {3, 3, 0}, {7, 7, 0}});
    QCOMPARE(inserted.size(), 1);
    model.set({{1, 1, 5}, {2, 2, 5}, {3, 3, 0}, {4, 4, 0}, {5, 5, 0}, {7, 7, 5}});
    QCOMPARE(inserted.size(), 2);
    QCOMPARE(inserted[1][1].toInt(), 3);
    QCOMPARE(inserted[1][2].toInt(), 4);
    QCOMPARE(changed.size(), 2);
    model.set({{7, 7, 5}});
    QCOMPARE(removed.size(), 1);
    QCOMPARE(removed[0][2].toInt(), 4);
}

void TestKeyedRows::the_same_list_again_causes_no_signal()
{
    Model model;
    model.set({{1, 1, 0}, {2, 2, 0}});
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.set({{2, 2, 0}, {1, 1, 0}});
    QCOMPARE(inserted.size() + changed.size(), 0);
}

void TestKeyedRows::of_two_rows_with_one_key_the_last_wins()
{
    Model model;
    model.set({{1, 1, 0}, {2, 2, 0}, {1, 9, 8}});
    QVERIFY(rowsOf(model) == (std::vector<Row>{{2, 2, 0}, {1, 9, 8}}));
}

void TestKeyedRows::the_selection_follows_its_rows()
{
    Model model;
    model.set({{2, 2, 0}, {4, 4, 0}, {6, 6, 0}});
    QItemSelectionModel selection(&model);
    selection.select(model.index(1), QItemSelectionModel::Select);
    model.set({{1, 1, 0}, {3, 3, 0}, {4, 4, 7}, {5, 5, 0}});
    QCOMPARE(selection.selectedIndexes().size(), 1);
    QCOMPARE(model.rows.at(selection.selectedIndexes().first().row()).key, 4);
}

QTEST_GUILESS_MAIN(TestKeyedRows)
#include "tst_keyed_rows.moc"
