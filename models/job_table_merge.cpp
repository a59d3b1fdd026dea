// JobTableModel: taking over a batch of news.
#include "models/job_table_private.h"

#include <algorithm>

namespace ym {

void JobTableModel::apply(const ChangeSet &changes)
{
    const bool isNewGeneration = changes.generation > d->generation;
    const bool isNews = !changes.jobs.empty() || !changes.removedJobs.empty() || !changes.lostJobs.empty() || changes.listingComplete
        || isNewGeneration || (changes.knownJobs >= 0 && changes.knownJobs != d->listing.known);
    if (!isNews)
        return;
    if (isNewGeneration)
        d->beginGeneration(changes.generation);
    if (changes.knownJobs >= 0)
        d->listing.known = changes.knownJobs;

    // A job that is in both lists is gone and there again.
    Private::Batch batch;
    for (const QByteArray &id : changes.removedJobs) {
        const quint32 slot = d->store->find(id);
        if (slot != JobStore::none)
            batch.removed.push_back(slot);
    }
    for (const LostJob &job : changes.lostJobs) {
        const quint32 slot = d->store->find(job.id);
        if (slot != JobStore::none)
            d->noteGone(slot, job.why, batch);
    }
    std::sort(batch.removed.begin(), batch.removed.end());
    batch.removed.erase(std::unique(batch.removed.begin(), batch.removed.end()), batch.removed.end());
    for (const JobSummary &job : changes.jobs)
        d->mergeJob(job, batch);
    if (changes.listingComplete && changes.generation == d->generation) {
        d->sweepOldGenerations(changes.whyUnlisted, batch);
        d->listing.complete = true;
    }
    d->publish(batch);
    d->tellCounts();
    Q_EMIT applied();
}

/// Rows carry one byte of the generation; before it would come round, all rows become "some older one".
void JobTableModel::Private::beginGeneration(quint64 newGeneration)
{
    generation = newGeneration;
    listing = {};
    if (generationByte < 255) {
        ++generationByte;
        return;
    }
    for (quint32 slot = 0; slot < store->slotEnd(); ++slot) {
        if (store->at(slot).isLive)
            store->setGeneration(slot, 0);
    }
    generationByte = 1;
}

void JobTableModel::Private::mergeJob(const JobSummary &job, Batch &batch)
{
    quint32 slot = store->find(job.id);
    if (slot == JobStore::none) {
        slot = store->insert(job, generationByte);
        ++counts[store->at(slot).state];
        ++listing.listed;
        noteProgress(slot, job.progress);
        batch.touched.emplace_back(slot, ~JobColumns(0));
        return;
    }
    const auto gone = std::lower_bound(batch.removed.begin(), batch.removed.end(), slot);
    if (gone != batch.removed.end() && *gone == slot)
        batch.removed.erase(gone);
    if (store->at(slot).generation != generationByte) {
        store->setGeneration(slot, generationByte);
        ++listing.listed;
    }
    const quint8 oldState = store->at(slot).state;
    const JobColumns changed = store->update(slot, job) | noteProgress(slot, job.progress);
    if (!changed)
        return;
    --counts[oldState];
    ++counts[store->at(slot).state];
    batch.touched.emplace_back(slot, changed);
}

JobColumns JobTableModel::Private::noteProgress(quint32 slot, const JobProgress &said)
{
    const auto known = progress.find(slot);
    if (known == progress.end() ? !said.isKnown() : *known == said)
        return 0;
    if (said.isKnown())
        progress.insert(slot, said);
    else
        progress.erase(known);
    return bit(JobColumn::State);
}

void JobTableModel::Private::noteGone(quint32 slot, const QByteArray &why, Batch &batch)
{
    const bool isLost = JobState(store->at(slot).state) == JobState::Lost;
    if (!why.isEmpty() && std::find(batch.removed.begin(), batch.removed.end(), slot) == batch.removed.end())
        markLost(slot, why, batch);
    else if (why.isEmpty() && !isLost)
        batch.removed.push_back(slot);
}

/// A lost job stays in its row, of no generation, until it is there again or somebody removes it.
void JobTableModel::Private::markLost(quint32 slot, const QByteArray &why, Batch &batch)
{
    JobSummary job = store->summary(slot);
    if (job.state == JobState::Lost)
        return;
    --counts[size_t(job.state)];
    ++counts[size_t(JobState::Lost)];
    listing.listed -= store->at(slot).generation == generationByte;
    store->setGeneration(slot, 0);
    job.state = JobState::Lost;
    job.statusText = why;
    batch.touched.emplace_back(slot, store->update(slot, job) | noteProgress(slot, {}));
}

void JobTableModel::Private::sweepOldGenerations(const QByteArray &whyLost, Batch &batch)
{
    if (listing.listed + counts[size_t(JobState::Lost)] == store->count())
        return;
    const Slots removedAlready = std::exchange(batch.removed, {});
    auto next = removedAlready.cbegin();
    for (quint32 slot = 0; slot < store->slotEnd(); ++slot) {
        const PackedJob &job = store->at(slot);
        const bool isRemoved = next != removedAlready.cend() && *next == slot;
        next += isRemoved ? 1 : 0;
        const bool isUnlisted = job.isLive && job.generation != generationByte && JobState(job.state) != JobState::Lost;
        if (isRemoved || (isUnlisted && whyLost.isEmpty()))
            batch.removed.push_back(slot);
        else if (isUnlisted)
            markLost(slot, whyLost, batch);
    }
}

bool JobTableModel::Private::matches(quint32 slot) const
{
    return shown.filter.isEmpty() || shown.filter.matches(store->summary(slot), clock->now());
}

void JobTableModel::Private::publish(Batch &batch)
{
    if (batch.touched.empty() && batch.removed.empty())
        return;
    cells.invalidate();
    auto &touched = batch.touched;
    std::stable_sort(touched.begin(), touched.end(), [](const auto &a, const auto &b) { return a.first < b.first; });

    const JobColumns sortColumns = columnsOf(shown.keys);
    JobColumns changedColumns = 0;
    Slots leaving;
    Slots changed;
    Slots moved;
    Slots entering;
    for (size_t i = 0; i < touched.size(); ++i) {
        const quint32 slot = touched[i].first;
        JobColumns slotColumns = touched[i].second;
        while (i + 1 < touched.size() && touched[i + 1].first == slot)
            slotColumns |= touched[++i].second;
        if (cancelled)
            touchedMeanwhile.push_back(slot);
        const bool wasShown = order.contains(slot);
        const bool isMatch = matches(slot);
        if (wasShown && isMatch) {
            changed.push_back(slot);
            changedColumns |= slotColumns;
            if (slotColumns & sortColumns)
                moved.push_back(slot);
        } else if (wasShown) {
            leaving.push_back(slot);
        } else if (isMatch) {
            entering.push_back(slot);
        }
    }
    std::copy_if(batch.removed.begin(), batch.removed.end(), std::back_inserter(leaving),
                 [this](quint32 slot) { return order.contains(slot); });
    removeRows(leaving);
    forget(batch.removed);
    moveRows(std::move(moved));
    tellChanged(changed, changedColumns);
    insertRows(std::move(entering));
}

void JobTableModel::Private::forget(const Slots &removed)
{
    for (const quint32 slot : removed) {
        const PackedJob &job = store->at(slot);
        --counts[job.state];
        listing.listed -= job.generation == generationByte;
        store->remove(slot);
        progress.remove(slot);
        if (cancelled)
            touchedMeanwhile.push_back(slot);
    }
}

void JobTableModel::Private::tellCounts()
{
    const Told now{store->count(), order.size(), counts, listing};
    if (std::exchange(told, now) != now)
        Q_EMIT q->countsChanged();
}

} // namespace ym
