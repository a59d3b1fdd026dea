// JobTableModel: sorting and filtering, at once for small tables and on the thread pool for big ones.
#include "models/job_table_private.h"

#include "models/job_match.h"

#include <QtConcurrentRun>

#include <algorithm>

namespace ym {

namespace {

/// Sorting remembers this many columns; more would not be noticed.
constexpr size_t mostKeys = 3;
/// A filter by age is asked again after this long.
constexpr Milliseconds ageFilterPeriod{5'000};

std::vector<quint32> arrangedSlots(const JobRows &rows, const Arrangement &wanted, const std::atomic_bool *cancelled)
{
    std::vector<quint32> slotList = matchingSlots(rows, wanted.filter, wanted.now, cancelled);
    sortSlots(rows, wanted.keys, slotList, cancelled);
    return slotList;
}

} // namespace

void JobTableModel::sort(int section, Qt::SortOrder order)
{
    SortKeys keys;
    if (section >= 0 && section < int(d->columns.size())) {
        const SortKey first{d->columns[size_t(section)], order};
        keys = d->wanted.keys;
        keys.erase(
            std::remove_if(keys.begin(), keys.end(), [&](const SortKey &key) { return key.column == first.column; }),
            keys.end());
        keys.insert(keys.begin(), first);
        keys.resize(std::min(keys.size(), mostKeys));
    }
    if (keys == d->wanted.keys)
        return;
    d->wanted.keys = std::move(keys);
    d->arrange();
}

void JobTableModel::setFilter(const JobFilter &filter)
{
    if (filter.query() == d->wanted.filter.query())
        return;
    d->wanted.filter = filter;
    d->wanted.now = d->clock->now();
    d->arrange();
}

void JobTableModel::tick(int firstRow, int lastRow)
{
    const int first = std::max(firstRow, 0);
    const int last = std::min(lastRow, rowCount() - 1);
    if (first <= last) {
        d->cells.invalidate();
        Q_EMIT dataChanged(index(first, section(Column::Created)), index(last, section(Column::Updated)),
                           {Qt::DisplayRole});
    }
    if (d->wanted.filter.dependsOnTime() && d->clock->now() - d->wanted.now >= ageFilterPeriod) {
        d->wanted.now = d->clock->now();
        d->arrange();
    }
}

void JobTableModel::Private::arrange()
{
    if (cancelled) {
        isStale = true;
        cancelled->store(true, std::memory_order_relaxed);
        return;
    }
    if (store->slotEnd() > smallTable)
        return startArranging();
    shown = wanted;
    become(arrangedSlots(*store, shown, nullptr));
    tellCounts();
}

void JobTableModel::Private::startArranging()
{
    running = wanted;
    isStale = false;
    cancelled = std::make_shared<std::atomic_bool>(false);
    runningStore = store;
    touchedMeanwhile.clear();
    watcher.setFuture(QtConcurrent::run(
        [rows = store->freeze(), what = running, flag = cancelled] { return arrangedSlots(rows, what, flag.get()); }));
    setBusy(true);
}

void JobTableModel::Private::finishArranging()
{
    cancelled.reset();
    runningStore->thaw();
    if (isStale || runningStore != store) { // something else is wanted, or the table was cleared
        touchedMeanwhile.clear();
        isStale = false;
        runningStore.reset();
        arrange();
        if (!cancelled)
            setBusy(false);
        return;
    }
    runningStore.reset();
    Slots result = watcher.future().takeResult();
    shown = running;
    mergeTouched(result);
    become(result);
    setBusy(false);
    tellCounts();
}

/// Puts what came meanwhile into the finished order, and takes out what went or changed.
void JobTableModel::Private::mergeTouched(Slots &result) const
{
    if (touchedMeanwhile.empty())
        return;
    Slots fresh = touchedMeanwhile;
    std::sort(fresh.begin(), fresh.end());
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
    std::vector<bool> isTouched(store->slotEnd());
    for (const quint32 slot : fresh)
        isTouched[slot] = true;
    result.erase(std::remove_if(result.begin(), result.end(), [&](quint32 slot) { return isTouched[slot]; }),
                 result.end());
    fresh.erase(std::remove_if(fresh.begin(), fresh.end(),
                               [this](quint32 slot) { return !store->at(slot).isLive || !matches(slot); }),
                fresh.end());
    sortSlots(*store, shown.keys, fresh, nullptr);

    Slots merged;
    merged.reserve(result.size() + fresh.size());
    auto from = result.begin();
    for (const quint32 slot : fresh) {
        const auto place = std::lower_bound(from, result.end(), slot, JobBefore(*store, shown.keys));
        merged.insert(merged.end(), from, place);
        merged.push_back(slot);
        from = place;
    }
    merged.insert(merged.end(), from, result.end());
    result = std::move(merged);
}

void JobTableModel::Private::setBusy(bool busy)
{
    if (std::exchange(isBusy, busy) != busy)
        Q_EMIT q->arrangingChanged(busy);
}

QFuture<QList<JobSummary>> JobTableModel::find(const JobFilter &filter, int limit) const
{
    const auto newest = [](JobRows rows, JobFilter what, Timestamp now, size_t most) {
        std::vector<quint32> slotList = matchingSlots(rows, what, now, nullptr);
        const auto end = slotList.begin() + qptrdiff(std::min(most, slotList.size()));
        const SortKeys keys{{JobColumn::Created, Qt::DescendingOrder}};
        std::partial_sort(slotList.begin(), end, slotList.end(), JobBefore(rows, keys));
        QList<JobSummary> found;
        for (auto slot = slotList.begin(); slot != end; ++slot)
            found.append(rows.summary(*slot));
        return found;
    };
    const auto store = d->store;
    const auto future = QtConcurrent::run(newest, store->freeze(), filter, d->clock->now(), size_t(std::max(limit, 0)));
    auto *watcher = new QFutureWatcher<QList<JobSummary>>(d->q);
    connect(watcher, &QFutureWatcherBase::finished, watcher, [watcher, store] {
        store->thaw();
        watcher->deleteLater();
    });
    watcher->setFuture(future);
    return future;
}

} // namespace ym
