// JobTableModel: how rows appear, move and go, with few signals.
#include "models/job_table_private.h"

#include <algorithm>

namespace ym {

std::vector<int> JobTableModel::Private::rowsOf(const Slots &slotList) const
{
    std::vector<int> rows;
    rows.reserve(slotList.size());
    if (!isMany(slotList.size())) {
        for (const quint32 slot : slotList)
            rows.push_back(order.rowOf(slot));
        std::sort(rows.begin(), rows.end());
        return rows;
    }
    std::vector<bool> isWanted(store->slotEnd());
    for (const quint32 slot : slotList)
        isWanted[slot] = true;
    int row = 0;
    order.visit(0, order.size(), [&](quint32 slot) {
        if (isWanted[slot])
            rows.push_back(row);
        ++row;
    });
    return rows;
}

std::vector<JobTableModel::Private::Range> JobTableModel::Private::ranges(const std::vector<int> &sortedRows)
{
    std::vector<Range> found;
    for (const int row : sortedRows) {
        if (!found.empty() && found.back().last + 1 == row)
            found.back().last = row;
        else
            found.push_back({row, row});
    }
    return found;
}

void JobTableModel::Private::takeOut(const std::vector<Range> &sortedRanges)
{
    for (auto range = sortedRanges.rbegin(); range != sortedRanges.rend(); ++range)
        order.remove(range->first, range->last - range->first + 1);
}

void JobTableModel::Private::moveToEnd(const Slots &slotList, const std::vector<Range> &sortedRanges)
{
    if (!isMany(slotList.size())) {
        takeOut(sortedRanges);
        order.insert(order.size(), slotList);
        return;
    }
    Slots all;
    all.reserve(size_t(order.size()));
    int next = 0;
    for (const Range &range : sortedRanges) {
        order.visit(next, range.first - next, [&](quint32 slot) { all.push_back(slot); });
        next = range.last + 1;
    }
    order.visit(next, order.size() - next, [&](quint32 slot) { all.push_back(slot); });
    all.insert(all.end(), slotList.begin(), slotList.end());
    order.assign(all);
}

void JobTableModel::Private::removeTail(int first)
{
    q->beginRemoveRows({}, first, order.size() - 1);
    order.remove(first, order.size() - first);
    q->endRemoveRows();
}

void JobTableModel::Private::removeRanges(const std::vector<Range> &sortedRanges)
{
    if (sortedRanges.size() > mostRanges) {
        // Too many for the views: bring them together at the end first.
        Slots leaving;
        for (const Range &range : sortedRanges)
            order.visit(range.first, range.last - range.first + 1, [&](quint32 slot) { leaving.push_back(slot); });
        rearrange([&] { moveToEnd(leaving, sortedRanges); });
        return removeTail(order.size() - int(leaving.size()));
    }
    for (auto range = sortedRanges.rbegin(); range != sortedRanges.rend(); ++range) {
        q->beginRemoveRows({}, range->first, range->last);
        order.remove(range->first, range->last - range->first + 1);
        q->endRemoveRows();
    }
}

void JobTableModel::Private::removeRows(const Slots &slotList)
{
    removeRanges(ranges(rowsOf(slotList)));
}

std::vector<int> JobTableModel::Private::placesFor(const Slots &sorted) const
{
    const JobBefore before(*store, shown.keys);
    std::vector<int> places;
    places.reserve(sorted.size());
    int place = 0;
    for (const quint32 slot : sorted) {
        place = order.firstNotBefore(place, [&](quint32 other) { return before(other, slot); });
        places.push_back(place);
    }
    return places;
}

void JobTableModel::Private::putIn(const Slots &sorted, const std::vector<int> &places)
{
    // From the back, so that the places before stay right.
    for (size_t i = sorted.size(); i-- > 0;)
        order.insert(places[i], sorted[i]);
}

void JobTableModel::Private::insertRows(Slots slotList)
{
    if (slotList.empty())
        return;
    sortSlots(*store, shown.keys, slotList, nullptr);
    const std::vector<int> places = placesFor(slotList);
    size_t groups = 1;
    for (size_t i = 1; i < places.size(); ++i)
        groups += places[i] != places[i - 1];
    if (groups > mostRanges) {
        const int end = order.size();
        q->beginInsertRows({}, end, end + int(slotList.size()) - 1);
        order.insert(end, slotList);
        q->endInsertRows();
        return rearrange([&] {
            order.remove(end, int(slotList.size()));
            putIn(slotList, places);
        });
    }
    for (size_t end = slotList.size(); end > 0;) {
        size_t begin = end - 1;
        while (begin > 0 && places[begin - 1] == places[begin])
            --begin;
        const int place = places[begin];
        q->beginInsertRows({}, place, place + int(end - begin) - 1);
        order.insert(place, Slots(slotList.begin() + qptrdiff(begin), slotList.begin() + qptrdiff(end)));
        q->endInsertRows();
        end = begin;
    }
}

bool JobTableModel::Private::isInPlace(quint32 slot) const
{
    const JobBefore before(*store, shown.keys);
    const int row = order.rowOf(slot);
    return (row == 0 || before(order.at(row - 1), slot))
        && (row + 1 == order.size() || before(slot, order.at(row + 1)));
}

void JobTableModel::Private::moveRows(Slots slotList)
{
    // Every neighbouring pair with a moved row in it is in order: then the whole list is.
    if (std::all_of(slotList.begin(), slotList.end(), [this](quint32 slot) { return isInPlace(slot); }))
        return;
    rearrange([&] {
        takeOut(ranges(rowsOf(slotList)));
        sortSlots(*store, shown.keys, slotList, nullptr);
        putIn(slotList, placesFor(slotList));
    });
}

void JobTableModel::Private::tellChanged(const Slots &slotList, JobColumns changedColumns)
{
    int firstSection = -1;
    int lastSection = -1;
    for (int section = 0; section < int(columns.size()); ++section) {
        if (!(changedColumns & bit(columns[size_t(section)])))
            continue;
        firstSection = firstSection < 0 ? section : firstSection;
        lastSection = section;
    }
    if (slotList.empty() || firstSection < 0)
        return;
    std::vector<Range> changed = ranges(rowsOf(slotList));
    if (changed.size() > mostRanges)
        changed = {{changed.front().first, changed.back().last}};
    for (const Range &range : changed)
        Q_EMIT q->dataChanged(q->index(range.first, firstSection), q->index(range.last, lastSection));
}

void JobTableModel::Private::become(const Slots &target)
{
    std::vector<bool> stays(store->slotEnd());
    for (const quint32 slot : target)
        stays[slot] = true;
    const Slots old = order.toVector();
    std::vector<int> leaving;
    for (size_t row = 0; row < old.size(); ++row) {
        if (!stays[old[row]])
            leaving.push_back(int(row));
    }
    removeRanges(ranges(leaving));
    Slots entering;
    std::copy_if(target.begin(), target.end(), std::back_inserter(entering),
                 [this](quint32 slot) { return !order.contains(slot); });
    if (!entering.empty()) {
        const int end = order.size();
        q->beginInsertRows({}, end, end + int(entering.size()) - 1);
        if (end == 0)
            order.assign(entering);
        else
            order.insert(end, entering);
        q->endInsertRows();
    }
    if (order.toVector() != target)
        rearrange([&] { order.assign(target); });
}

} // namespace ym
