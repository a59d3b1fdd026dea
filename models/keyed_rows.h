// Merges a fresh list into the rows of a model by key: removals, changes and insertions in ranges, never a reset.
#pragma once

#include <QAbstractItemModel>
#include <QHash>

#include <algorithm>
#include <vector>

namespace ym {

/// Lends the protected row signals of a model to the helper that keeps its rows.
class RowSignals : private QAbstractItemModel {
public:
    static void beginRemove(QAbstractItemModel *model, int first, int last)
    {
        (model->*(&RowSignals::beginRemoveRows))({}, first, last);
    }
    static void endRemove(QAbstractItemModel *model) { (model->*(&RowSignals::endRemoveRows))(); }
    static void beginInsert(QAbstractItemModel *model, int first, int last)
    {
        (model->*(&RowSignals::beginInsertRows))({}, first, last);
    }
    static void endInsert(QAbstractItemModel *model) { (model->*(&RowSignals::endInsertRows))(); }
    static void changed(QAbstractItemModel *model, int first, int last)
    {
        Q_EMIT model->dataChanged(model->index(first, 0), model->index(last, model->columnCount() - 1));
    }
};

/// The rows of a small flat model. Rows compare with ==. `Traits` gives
///   Key key(const Row &)                   unique
///   bool before(const Row &, const Row &)  a strict order; a row whose place changes is taken out and put in again
template <typename Row, typename Traits> class KeyedRows {
public:
    using Key = decltype(Traits::key(std::declval<const Row &>()));

    int count() const { return int(m_rows.size()); }
    const Row &at(int row) const { return m_rows[size_t(row)]; }
    Row &at(int row) { return m_rows[size_t(row)]; }
    bool contains(int row) const { return row >= 0 && row < count(); }
    auto begin() const { return m_rows.begin(); }
    auto end() const { return m_rows.end(); }

    int indexOf(const Key &key) const
    {
        const auto found =
            std::find_if(m_rows.begin(), m_rows.end(), [&](const Row &row) { return Traits::key(row) == key; });
        return found == m_rows.end() ? -1 : int(found - m_rows.begin());
    }

    /// Of two fresh rows with one key the last wins.
    void merge(QAbstractItemModel *model, std::vector<Row> fresh)
    {
        sortUnique(fresh);
        QHash<Key, const Row *> wanted;
        for (const Row &row : fresh)
            wanted.insert(Traits::key(row), &row);
        removeGone(wanted, model);
        takeOver(wanted, model);
        insertNew(fresh, model);
    }

private:
    static void sortUnique(std::vector<Row> &fresh)
    {
        QHash<Key, size_t> last;
        for (size_t i = 0; i < fresh.size(); ++i)
            last.insert(Traits::key(fresh[i]), i);
        size_t kept = 0;
        for (size_t i = 0; i < fresh.size(); ++i) {
            if (last.value(Traits::key(fresh[i])) != i)
                continue;
            if (kept != i)
                fresh[kept] = std::move(fresh[i]);
            ++kept;
        }
        fresh.resize(kept);
        std::sort(fresh.begin(), fresh.end(), Traits::before);
    }

    static bool keepsPlace(const Row &old, const Row &fresh)
    {
        return !Traits::before(old, fresh) && !Traits::before(fresh, old);
    }

    void removeGone(const QHash<Key, const Row *> &wanted, QAbstractItemModel *model)
    {
        const auto stays = [&](int row) {
            const Row *fresh = wanted.value(Traits::key(at(row)));
            return fresh && keepsPlace(at(row), *fresh);
        };
        for (int last = count() - 1; last >= 0; --last) {
            if (stays(last))
                continue;
            int first = last;
            while (first > 0 && !stays(first - 1))
                --first;
            RowSignals::beginRemove(model, first, last);
            m_rows.erase(m_rows.begin() + first, m_rows.begin() + last + 1);
            RowSignals::endRemove(model);
            last = first;
        }
    }

    static bool replace(Row &old, const Row &fresh)
    {
        if (old == fresh)
            return false;
        old = fresh;
        return true;
    }

    void takeOver(const QHash<Key, const Row *> &wanted, QAbstractItemModel *model)
    {
        int first = -1;
        for (int row = 0; row <= count(); ++row) {
            const bool isChanged = row < count() && replace(at(row), *wanted.value(Traits::key(at(row))));
            if (isChanged && first < 0)
                first = row;
            if (!isChanged && first >= 0) {
                RowSignals::changed(model, first, row - 1);
                first = -1;
            }
        }
    }

    void insertNew(std::vector<Row> &fresh, QAbstractItemModel *model)
    {
        size_t next = 0;
        for (int row = 0; next < fresh.size();) {
            if (row < count() && keepsPlace(at(row), fresh[next])) {
                ++row;
                ++next;
                continue;
            }
            size_t end = next + 1;
            while (end < fresh.size() && (row == count() || Traits::before(fresh[end], at(row))))
                ++end;
            RowSignals::beginInsert(model, row, row + int(end - next) - 1);
            m_rows.insert(m_rows.begin() + row, std::make_move_iterator(fresh.begin() + qptrdiff(next)),
                          std::make_move_iterator(fresh.begin() + qptrdiff(end)));
            RowSignals::endInsert(model);
            row += int(end - next);
            next = end;
        }
    }

    std::vector<Row> m_rows;
};

} // namespace ym
