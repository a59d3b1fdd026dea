#include "core/worker/worker_loop.h"

#include "core/base/log.h"

#include <algorithm>

namespace ym {

namespace {

constexpr Backoff::Limits claimBackoff{Milliseconds{200}, Milliseconds{20'000}}; // RELIABILITY 6.2, background
constexpr Milliseconds longWait{3'600'000};
constexpr int manyPlaces = 16; ///< a worker with so many claims in halves: the store fetches one while the other runs

} // namespace

/// One script that runs.
struct WorkerLoop::Run {
    Claim claim;
    RunControl control;
    Timestamp leaseEnd;
    std::array<ProgressLines, 2> output;
    JobProgress progress;
    bool hasProgress = false; ///< that nobody has taken

    void read(const OutputChunk &chunk)
    {
        ProgressLines &lines = output[size_t(chunk.stream)];
        lines.feed(chunk.bytes);
        if (lines.progress().isKnown() && lines.progress() != progress) {
            progress = lines.progress();
            hasProgress = true;
        }
    }
};

WorkerLoop::WorkerLoop(WorkerParts parts, WorkerRunner::Spec spec, QObject *parent)
    : QObject(parent)
    , m_parts(parts)
    , m_spec(std::move(spec))
    , m_plan(m_spec.identity.slotCount)
    , m_audit(m_spec.auditFile)
    , m_spool(m_spec.spoolFolder, parts.consumer, parts.clock)
    , m_backoff(claimBackoff)
{
    connect(&m_spool, &ResultSpool::lateResult, this, &WorkerLoop::lateResult);
}

WorkerLoop::~WorkerLoop() = default;

void WorkerLoop::start()
{
    m_spool.adopt();
    m_claiming.spawn(claimJobs());
}

void WorkerLoop::setQuiet(bool quiet)
{
    m_quiet = quiet;
    if (quiet)
        m_claimStop.request_stop();
    wake();
}

void WorkerLoop::endClaiming()
{
    m_claiming.stop();
    m_claimStop.request_stop();
    wake();
}

// --- claiming

QCoro::Task<void> WorkerLoop::claimJobs()
{
    bool foundNothing = false;
    while (!m_claiming.isStopping()) {
        int count = co_await untilWanted();
        if (count == 0)
            break;
        const bool isOver = co_await isDrained(foundNothing);
        if (isOver) {
            Q_EMIT drained();
            break;
        }
        // A worker that ends with its queues waits for a job only when it knows that there is something to wait for.
        const bool mayWait = !m_spec.drain || isBusy() || foundNothing;
        std::vector<Claim> claims = co_await claimOnce(count, mayWait ? Patience::Some : Patience::None);
        while (isBacklog(claims, count)) {
            std::vector<Claim> placed = co_await place(std::move(claims));
            count = wish().count;
            QCoro::Task<std::vector<Claim>> ahead = claimOnce(count, Patience::None);
            co_await turnEnd(); // with the request out, the store and we work side by side
            co_await run(std::move(placed));
            claims = co_await ahead;
        }
        foundNothing = claims.empty();
        std::vector<Claim> placed = co_await place(std::move(claims));
        co_await run(std::move(placed));
    }
}

/// How many more jobs there is room for now, or how long to wait before that can be said.
SlotPlan::Wish WorkerLoop::wish() const
{
    SlotPlan::Wish wish = m_plan.next(m_parts.clock->monotonic());
    const int places = m_spec.identity.slotCount;
    wish.count = m_quiet ? 0 : std::min(wish.count, places < manyPlaces ? places : places / 2);
    return wish;
}

/// Whether more is there than was asked for and there is room for more than this.
bool WorkerLoop::isBacklog(const std::vector<Claim> &claims, int asked) const
{
    const bool areConcurrent =
        std::all_of(claims.begin(), claims.end(), [](const Claim &c) { return c.job.concurrent; });
    const int room = m_plan.free() - int(claims.size());
    return asked >= manyPlaces / 2 && int(claims.size()) == asked && areConcurrent && room >= manyPlaces / 2 && !m_quiet
        && !m_claiming.isStopping();
}

QCoro::Task<void> WorkerLoop::turnEnd()
{
    const Completion<bool> ended;
    QMetaObject::invokeMethod(
        this, [ended] { ended.resolve(true); }, Qt::QueuedConnection);
    co_await ended;
}

/// Waits until there is room for a job; 0 when claiming ends.
QCoro::Task<int> WorkerLoop::untilWanted()
{
    while (!m_claiming.isStopping()) {
        const SlotPlan::Wish now = wish();
        if (now.count > 0)
            co_return now.count;
        const bool isTimed = !m_quiet && now.wait > Milliseconds{0};
        const Milliseconds wait = isTimed ? now.wait : longWait;
        co_await m_parts.clock->sleep(wait, m_wake.get_token());
    }
    co_return 0;
}

/// Only for a worker that ends with its queues, after a claim that found nothing, and only while nothing of it is on
/// its way.
QCoro::Task<bool> WorkerLoop::isDrained(bool foundNothing)
{
    if (!foundNothing || !m_spec.drain || isBusy() || m_spool.count() > 0)
        co_return false;
    std::optional<Error> trouble;
    try {
        const bool isEmpty = co_await m_parts.consumer->isDrained();
        co_return isEmpty && !isBusy();
    } catch (const StoreError &e) {
        trouble = e.error();
    }
    co_await waitAfter(*trouble);
    co_return false;
}

QCoro::Task<std::vector<Claim>> WorkerLoop::claimOnce(int count, Patience patience)
{
    std::optional<Error> trouble;
    m_claimStop = std::stop_source();
    const std::stop_token stop = m_claimStop.get_token();
    if (m_quiet || m_claiming.isStopping())
        co_return {};
    try {
        const Monotonic asked = m_parts.clock->monotonic();
        const Timestamp askedAt = m_parts.clock->now();
        QCoro::Task<std::vector<Claim>> claiming = m_parts.consumer->claim(count, stop);
        if (patience == Patience::None)
            m_claimStop.request_stop();
        std::vector<Claim> claims = co_await claiming;
        if (!claims.empty() && isLate(asked, askedAt))
            claims = co_await stillOurs(std::move(claims));
        m_backoff.reset();
        setTrouble({});
        co_return claims;
    } catch (const StoreError &e) {
        trouble = e.error();
    }
    co_await waitAfter(*trouble);
    co_return {};
}

/// Whether an answer may have lain here for most of a lease: the store claims for a process that stands still, too.
bool WorkerLoop::isLate(Monotonic asked, Timestamp askedAt) const
{
    const Milliseconds longest = 2 * m_parts.consumer->beatInterval();
    return m_parts.clock->monotonic() - asked >= longest || m_parts.clock->now() - askedAt >= longest;
}

/// Renews claims before they run, without those that somebody else has by now.
QCoro::Task<std::vector<Claim>> WorkerLoop::stillOurs(std::vector<Claim> claims)
{
    const QList<QByteArray> lost = co_await m_parts.consumer->beat(claims);
    std::erase_if(claims, [&lost](const Claim &claim) { return lost.contains(claim.job.id); });
    co_return std::vector<Claim>(std::move(claims));
}

/// Losing the store never ends a worker: it waits until the store is there, and a little longer each time it fails.
QCoro::Task<void> WorkerLoop::waitAfter(Error error)
{
    if (m_claiming.isStopping() || (error.kind == ErrorKind::Cancelled && m_claimStop.stop_requested()))
        co_return;
    setTrouble(error.text());
    const std::stop_token stop = m_claiming.token();
    if (isTransient(error.kind))
        co_await m_parts.store->waitUntilReady(stop);
    co_await m_parts.clock->sleep(m_backoff.next(), stop);
}

/// Returns what has a place and gives the rest back.
QCoro::Task<std::vector<Claim>> WorkerLoop::place(std::vector<Claim> claims)
{
    std::vector<Claim> placed;
    std::vector<Claim> surplus;
    const Monotonic now = m_parts.clock->monotonic();
    for (Claim &claim : claims) {
        if (mayRun() && m_plan.hasPlace(claim.job.concurrent)) {
            m_plan.started(claim.job.concurrent, now);
            placed.push_back(std::move(claim));
            continue;
        }
        if (mayRun())
            m_plan.refused(now);
        surplus.push_back(std::move(claim));
    }
    co_await giveBackAll(std::move(surplus));
    co_return placed;
}

/// Starts what has been placed; gives it back when claiming has ended meanwhile.
QCoro::Task<void> WorkerLoop::run(std::vector<Claim> placed)
{
    std::vector<Claim> surplus;
    for (Claim &claim : placed) {
        if (mayRun()) {
            m_jobs.spawn(runOne(std::move(claim)));
            continue;
        }
        m_plan.ended(claim.job.concurrent);
        surplus.push_back(std::move(claim));
    }
    co_await giveBackAll(std::move(surplus));
}

/// Last first, so that the front of the queue is as it was.
QCoro::Task<void> WorkerLoop::giveBackAll(std::vector<Claim> claims)
{
    while (!claims.empty()) {
        Claim last = std::move(claims.back());
        claims.pop_back();
        co_await giveBack(std::move(last));
    }
}

QCoro::Task<void> WorkerLoop::giveBack(Claim claim)
{
    try {
        co_await m_parts.consumer->giveBack(claim);
    } catch (const StoreError &e) {
        // Its lease ends by itself and the job is rescued then.
        qCInfo(logWorker, "job %s could not be given back: %s", claim.job.id.constData(), e.what());
    }
}

// --- running

QCoro::Task<void> WorkerLoop::runOne(Claim claim)
{
    stopJob(claim.job.id, StopReason::ClaimLost); // claimed again: an older run here has lost its lease
    const auto run = std::make_shared<Run>();
    run->claim = claim;
    run->leaseEnd = leaseEnd();
    m_runs.insert(claim.job.id, run);
    ++m_open;
    Q_EMIT jobStarted(claim.job);
    Q_EMIT changed();

    ExecutionRequest request{claim.job, m_spec.stopGrace, m_spec.grant};
    RunRecord record(recordPlaces(claim), claim.job, [this](const OutputChunk &chunk) { Q_EMIT jobOutput(chunk); });
    const OutputSink sink = [&record, run](const OutputChunk &chunk) {
        run->read(chunk);
        record.add(chunk);
    };
    const Execution execution = co_await m_parts.executor->run(std::move(request), sink, run->control);
    record.end(m_parts.clock->now(), execution);

    m_runs.remove(claim.job.id, run);
    m_plan.ended(claim.job.concurrent);
    QCoro::Task<void> settling = settle(claim, execution, run->control.reason(), run->leaseEnd);
    wake(); // the next claim is issued now, behind the finish and in the same turn
    co_await settling;
    ++m_doneCount;
    --m_open;
    if (m_spec.drain && !isBusy())
        m_claimStop.request_stop(); // do not sit out a wait for jobs: look whether this was the last one
    Q_EMIT jobEnded(claim.job.id, execution);
    Q_EMIT changed();
}

RunRecord::Places WorkerLoop::recordPlaces(const Claim &claim)
{
    const QByteArray worker = claim.worker.type + ':' + claim.worker.group + ':' + claim.worker.instance;
    return {m_spec.logFolder, &m_audit, {worker, m_parts.executor->limitsOf(claim.job)}};
}

/// Tells the store what became of a claim.
QCoro::Task<void> WorkerLoop::settle(Claim claim, Execution execution, StopReason reason, Timestamp until)
{
    if (execution.fate == Execution::Fate::Abandoned) {
        if (reason == StopReason::WorkerStops)
            co_await giveBack(std::move(claim));
        co_return;
    }
    try {
        const auto outcome = co_await m_parts.consumer->finish(claim, execution);
        if (outcome == Consumer::FinishOutcome::Stale)
            Q_EMIT lateResult(claim.job.id, execution);
        co_return;
    } catch (const StoreError &e) {
        qCInfo(logWorker, "the result of job %s is kept: %s", claim.job.id.constData(), e.what());
    }
    m_spool.keep(std::move(claim), std::move(execution), until);
}

std::vector<Claim> WorkerLoop::running() const
{
    std::vector<Claim> claims;
    for (const auto &run : m_runs)
        claims.push_back(run->claim);
    return claims;
}

std::vector<ProgressReport> WorkerLoop::takeProgress()
{
    std::vector<ProgressReport> reports;
    for (const auto &run : std::as_const(m_runs)) {
        if (std::exchange(run->hasProgress, false))
            reports.push_back({run->claim, run->progress});
    }
    return reports;
}

QList<QByteArray> WorkerLoop::busyIds() const
{
    QList<QByteArray> ids;
    for (const auto &run : m_runs)
        ids.append(run->claim.job.id);
    std::sort(ids.begin(), ids.end());
    return ids;
}

bool WorkerLoop::stopJob(const QByteArray &id, StopReason reason)
{
    const auto runs = m_runs.values(id); // a run may end, and leave the table, inside stop()
    for (const auto &run : runs)
        run->control.stop(reason);
    return !runs.isEmpty();
}

void WorkerLoop::endRuns(StopReason reason)
{
    const auto runs = m_runs;
    for (const auto &run : runs)
        run->control.stop(reason);
}

/// The run of this very claim; null when it has ended.
std::shared_ptr<WorkerLoop::Run> WorkerLoop::runOf(const Claim &claim) const
{
    const auto [first, last] = m_runs.equal_range(claim.job.id);
    const auto run = std::find_if(first, last, [&](const auto &each) { return each->claim.token == claim.token; });
    return run == last ? nullptr : *run;
}

void WorkerLoop::loseClaims(const std::vector<Claim> &claims)
{
    for (const Claim &claim : claims) {
        if (const auto run = runOf(claim))
            run->control.stop(StopReason::ClaimLost);
    }
    if (!claims.empty())
        Q_EMIT claimsLost(claims);
}

void WorkerLoop::renewed(const std::vector<Claim> &claims)
{
    for (const Claim &claim : claims) {
        if (const auto run = runOf(claim))
            run->leaseEnd = leaseEnd();
    }
}

// --- ending

QCoro::Task<void> WorkerLoop::untilIdle(std::stop_token stop)
{
    while (isBusy() && !stop.stop_requested()) {
        const Completion<bool> somethingEnded;
        const auto connection =
            connect(this, &WorkerLoop::changed, this, [somethingEnded] { somethingEnded.resolve(true); });
        const std::stop_callback onStop(stop, [somethingEnded] { somethingEnded.resolve(false); });
        co_await somethingEnded;
        disconnect(connection);
    }
}

QCoro::Task<void> WorkerLoop::drain()
{
    endClaiming();
    co_await m_claiming.drain();
    co_await m_jobs.drain();
    co_await m_spool.close();
}

void WorkerLoop::wake()
{
    std::stop_source waiting = std::exchange(m_wake, std::stop_source());
    waiting.request_stop();
}

void WorkerLoop::setTrouble(const QString &text)
{
    if (m_trouble == text)
        return;
    m_trouble = text;
    Q_EMIT changed();
}

Timestamp WorkerLoop::leaseEnd() const
{
    return m_parts.clock->now() + 3 * m_parts.consumer->beatInterval();
}

} // namespace ym
