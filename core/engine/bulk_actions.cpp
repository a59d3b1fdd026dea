#include "core/engine/bulk_actions.h"

#include "core/engine/lost_jobs.h"
#include "core/engine/purge.h"

namespace ym {

using namespace std::chrono_literals;

namespace {

constexpr int lanes = 32;

/// The store was not there: nobody has asked it for anything.
bool isUntried(const Error &error)
{
    return error.kind == ErrorKind::Unavailable && !error.ambiguous;
}

} // namespace

/// One action that goes on.
struct BulkActions::Run {
    QList<QByteArray> todo; ///< taken from the end
    Act act;
    BulkResult result;
    std::stop_token stop;
};

BulkActions::BulkActions(Parts parts, QObject *parent)
    : QObject(parent)
    , m_parts(parts)
    , m_journal(parts.journalFolder, parts.clock)
{
    m_progress.setSingleShot(true);
    m_progress.setInterval(100ms);
    connect(&m_progress, &QTimer::timeout, this, [this] { Q_EMIT progressed(m_done, m_total); });
}

void BulkActions::cancel()
{
    m_stop.request_stop();
    m_stop = std::stop_source();
}

QCoro::Task<void> BulkActions::drain()
{
    m_stop.request_stop();
    return m_scope.drain();
}

void BulkActions::count(qint64 done, qint64 total)
{
    m_done += done;
    m_total += total;
    if (!m_progress.isActive())
        m_progress.start();
}

/// Takes a whole action out of the count again.
void BulkActions::finishCount(qint64 done, qint64 total)
{
    m_done -= done;
    m_total -= total;
    m_progress.stop();
    Q_EMIT progressed(m_done, m_total);
}

QCoro::Task<BulkResult> BulkActions::run(QList<QByteArray> ids, Act act)
{
    const auto one = std::make_shared<Run>();
    one->todo = std::move(ids);
    std::reverse(one->todo.begin(), one->todo.end());
    one->act = std::move(act);
    one->stop = m_stop.get_token();
    const qint64 total = one->todo.size();
    count(0, total);
    std::vector<Completion<bool>> ends;
    for (qint64 i = 0; i < std::min<qint64>(lanes, total); ++i) {
        const Completion<bool> done;
        ends.push_back(done);
        m_scope.spawn(lane(one, done));
    }
    for (const Completion<bool> &done : ends)
        co_await done;
    one->result.skipped = int(one->todo.size());
    finishCount(total - one->todo.size(), total);
    BulkResult result = std::move(one->result);
    co_return result;
}

QCoro::Task<void> BulkActions::lane(std::shared_ptr<Run> run, Completion<bool> done)
{
    while (!run->todo.isEmpty() && !run->stop.stop_requested()) {
        const QByteArray id = run->todo.takeLast();
        try {
            const bool changed = co_await run->act(id);
            ++(changed ? run->result.done : run->result.unchanged);
            Q_EMIT touched(id);
        } catch (const StoreError &e) {
            if (!isUntried(e.error()))
                run->result.failed.append({id, e.error()});
            else if (run->result.untried++ == 0)
                run->result.whyUntried = e.error();
        }
        count(1, 0);
    }
    done.resolve(true);
}

QCoro::Task<BulkResult> BulkActions::stop(QList<QByteArray> ids)
{
    return run(std::move(ids), [this](QByteArray id) { return stopOne(std::move(id)); });
}

QCoro::Task<bool> BulkActions::stopOne(QByteArray id)
{
    const Producer::StopOutcome outcome = co_await m_parts.producer->stop(id);
    if (outcome == Producer::StopOutcome::NotFound)
        throw StoreError(ErrorKind::NotFound, tr("There is no such job any more."));
    co_return outcome != Producer::StopOutcome::AlreadyOver;
}

QCoro::Task<BulkResult> BulkActions::retry(QList<QByteArray> ids)
{
    return run(std::move(ids), [this](QByteArray id) { return retryOne(std::move(id)); });
}

QCoro::Task<bool> BulkActions::retryOne(QByteArray id)
{
    co_await m_parts.producer->retry(id);
    co_return true;
}

QCoro::Task<BulkResult> BulkActions::requeue(QList<QByteArray> ids)
{
    return run(std::move(ids), [this](QByteArray id) { return requeueOne(std::move(id)); });
}

QCoro::Task<bool> BulkActions::requeueOne(QByteArray id)
{
    const QList<QByteArray> ids{id};
    const std::vector<JobSummary> found = co_await m_parts.inspector->summaries(ids);
    if (found.empty())
        throw StoreError(ErrorKind::NotFound, tr("There is no such job any more."));
    co_await m_parts.producer->requeue(id, found.front().attempt);
    co_return true;
}

QCoro::Task<BulkResult> BulkActions::move(QList<QByteArray> ids, Target to)
{
    return run(std::move(ids), [this, to](QByteArray id) { return m_parts.producer->move(std::move(id), to); });
}

// --- removing, and the way back

QCoro::Task<BulkResult> BulkActions::remove(QList<QByteArray> ids)
{
    const std::shared_ptr<RemovalJournal::Batch> batch = beginRemoval();
    const Act act = [this, batch](QByteArray id) { return removeOne(std::move(id), batch); };
    BulkResult result = co_await run(ids, act);
    result.removal = keep(batch);
    co_return result;
}

QCoro::Task<bool> BulkActions::removeOne(QByteArray id, std::shared_ptr<RemovalJournal::Batch> batch)
{
    const std::optional<RemovedJob> job = co_await removeAndKeep(m_parts.producer, id, QByteArray(), batch.get());
    Q_EMIT removed(id);
    co_return job.has_value();
}

QCoro::Task<BulkResult> BulkActions::purge(QByteArray queue)
{
    const std::shared_ptr<RemovalJournal::Batch> batch = beginRemoval();
    const std::stop_token stop = m_stop.get_token();
    qint64 told = 0;
    BulkResult result;
    std::optional<StoreError> trouble;
    count(0, 1); // an end that is not known beforehand: one more than is done
    const std::function<void(int)> progress = [&](int removed) {
        count(removed - told, removed - told);
        told = removed;
    };
    try {
        result.done = co_await purgeQueue(m_parts.producer, m_parts.inspector, queue, batch.get(), stop, progress);
    } catch (const StoreError &e) {
        trouble = e;
    }
    finishCount(told, told + 1);
    result.removal = keep(batch);
    if (trouble)
        throw *trouble;
    co_return result;
}

/// Throws when what will be removed cannot be kept.
std::shared_ptr<RemovalJournal::Batch> BulkActions::beginRemoval()
{
    Result<std::unique_ptr<RemovalJournal::Batch>> batch = m_journal.begin();
    if (!batch)
        throw StoreError(batch.error());
    return std::move(*batch);
}

/// Makes a removal one that can be undone; returns its name.
QString BulkActions::keep(std::shared_ptr<RemovalJournal::Batch> batch)
{
    if (!batch)
        return {};
    const RemovalJournal::Entry entry = batch->close();
    keep(entry);
    return entry.name;
}

void BulkActions::keep(const RemovalJournal::Entry &entry)
{
    if (entry.count == 0)
        return;
    m_removals.append(entry);
    Q_EMIT restorableChanged();
}

void BulkActions::keepLost(std::vector<Claim> claims)
{
    m_scope.spawn(keepGone(std::move(claims)));
}

QCoro::Task<void> BulkActions::keepGone(std::vector<Claim> claims)
{
    const LostJobs gone = co_await ym::keepLost(m_parts.producer, m_parts.inspector, &m_journal, std::move(claims));
    if (gone.ids.isEmpty())
        co_return;
    keep(gone.kept);
    Q_EMIT lost(int(gone.ids.size()), gone.areKept() ? gone.kept.name : QString());
}

/// Whoever has it brings it back, so that nobody else does meanwhile.
RemovalJournal::Entry BulkActions::takeRemoval(const QString &name)
{
    const auto isIt = [&name](const RemovalJournal::Entry &entry) { return name.isEmpty() || entry.name == name; };
    const auto found = std::find_if(m_removals.rbegin(), m_removals.rend(), isIt);
    if (found == m_removals.rend())
        throw StoreError(ErrorKind::NotFound,
                         name.isEmpty() ? tr("There is nothing to bring back.")
                                        : tr("These jobs were brought back already, or are just being brought back."));
    const RemovalJournal::Entry entry = m_removals.takeAt(std::distance(found, m_removals.rend()) - 1);
    Q_EMIT restorableChanged();
    return entry;
}

QCoro::Task<BulkResult> BulkActions::restore(QString removal)
{
    const RemovalJournal::Entry entry = takeRemoval(removal);
    Result<std::vector<RemovedJob>> kept = m_journal.read(entry.name);
    if (!kept)
        throw StoreError(kept.error());
    const auto jobs = std::make_shared<QHash<QByteArray, RemovedJob>>();
    QList<QByteArray> ids;
    for (RemovedJob &job : *kept) {
        ids.prepend(job.id); // the other way round, so that nothing comes back before what it waits for
        jobs->insert(job.id, std::move(job));
    }
    const Act act = [this, jobs](QByteArray id) { return restoreOne(jobs, std::move(id)); };
    BulkResult result = co_await run(ids, act);
    if (result.isWhole()) {
        m_journal.forget(entry.name);
    } else { // what is not back yet can be tried again; what is back is left as it is then
        m_removals.append(entry);
        Q_EMIT restorableChanged();
    }
    co_return result;
}

QCoro::Task<bool> BulkActions::restoreOne(std::shared_ptr<QHash<QByteArray, RemovedJob>> jobs, QByteArray id)
{
    const RemovedJob job = jobs->value(id);
    co_return co_await m_parts.producer->restore(job);
}

} // namespace ym
