#include "core/worker/worker_loop.h"

#include "core/base/log.h"

#include <algorithm>

namespace ym {

namespace {

constexpr Backoff::Limits claimBackoff{Milliseconds{200}, Milliseconds{20'000}}; // RELIABILITY 6.2, background
constexpr Milliseconds longWait{3'600'000};

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
        const int count = co_await untilWanted();
        if (count == 0)
            break;
        const bool isOver = co_await isDrained(foundNothing);
        if (isOver) {
            Q_EMIT drained();
            break;
        }
        std::vector<Claim> claims = co_await claimOnce(count, foundNothing);
        foundNothing = claims.empty();
        co_await accept(std::move(claims));
    }
}

/// Waits until there is room for a job; 0 when claiming ends.
QCoro::Task<int> WorkerLoop::untilWanted()
{
    while (!m_claiming.isStopping()) {
        const SlotPlan::Wish wish = m_plan.next(m_parts.clock->monotonic());
        if (wish.count > 0 && !m_quiet)
            co_return wish.count;
        const bool isTimed = !m_quiet && wish.wait > Milliseconds{0};
        const Milliseconds wait = isTimed ? wish.wait : longWait;
        co_await m_parts.clock->sleep(wait, m_wake.get_token());
    }
    co_return 0;
}

/// Only for a worker that ends with its queues, after a claim that found nothing, and only while nothing of it is on its
/// way.
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

/// A worker that ends with its queues waits for a job only when it knows that there is something to wait for.
QCoro::Task<std::vector<Claim>> WorkerLoop::claimOnce(int count, bool foundNothing)
{
    std::optional<Error> trouble;
    m_claimStop = std::stop_source();
    const std::stop_token stop = m_claimStop.get_token();
    if (m_quiet || m_claiming.isStopping())
        co_return {};
    try {
        QCoro::Task<std::vector<Claim>> claiming = m_parts.consumer->claim(count, stop);
        if (m_spec.drain && !isBusy() && !foundNothing)
            m_claimStop.request_stop();
        std::vector<Claim> claims = co_await claiming;
        m_backoff.reset();
        setTrouble({});
        co_return claims;
    } catch (const StoreError &e) {
        trouble = e.error();
    }
    co_await waitAfter(*trouble);
    co_return {};
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

/// Starts what has a place and gives the rest back, last first, so that the front of the queue is as it was.
QCoro::Task<void> WorkerLoop::accept(std::vector<Claim> claims)
{
    std::vector<Claim> surplus;
    const Monotonic now = m_parts.clock->monotonic();
    for (Claim &claim : claims) {
        const bool mayRun = !m_quiet && !m_claiming.isStopping();
        if (mayRun && m_plan.hasPlace(claim.job.concurrent)) {
            m_plan.started(claim.job.concurrent, now);
            m_jobs.spawn(runOne(std::move(claim)));
            continue;
        }
        if (mayRun)
            m_plan.refused(now);
        surplus.push_back(std::move(claim));
    }
    while (!surplus.empty()) {
        Claim last = std::move(surplus.back());
        surplus.pop_back();
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
    m_runs.insert(claim.token, run);
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

    m_runs.remove(claim.token);
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
    bool found = false;
    const auto runs = m_runs; // a run may end, and leave the table, inside stop()
    for (const auto &run : runs) {
        if (run->claim.job.id != id)
            continue;
        found = true;
        run->control.stop(reason);
    }
    return found;
}

void WorkerLoop::endRuns(StopReason reason)
{
    const auto runs = m_runs;
    for (const auto &run : runs)
        run->control.stop(reason);
}

void WorkerLoop::loseClaim(const QByteArray &token)
{
    if (const auto run = m_runs.value(token))
        run->control.stop(StopReason::ClaimLost);
}

void WorkerLoop::renewed(const std::vector<Claim> &claims)
{
    for (const Claim &claim : claims) {
        if (const auto run = m_runs.value(claim.token))
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
