// The life of a worker.
//
// Starting   It asks the executor whether each of its types can run, and announces itself in the store. Either may
//            refuse; then nothing has begun. A connection that is lost meanwhile is waited for.
// Running    Its loop claims as many jobs as it has room for and runs each in a coroutine. Beside it the upkeep renews
//            the presence and the leases, watches for stop requests while jobs run, and rescues jobs that other
//            workers lost. Losing the store ends nothing: scripts go on, results are kept on disk, and everybody
//            waits until it is back.
// Quiet      It claims nothing; a claim that arrives nevertheless is given back. What runs goes on. It can resume.
// Stopping   Like quiet, for good. What runs may end within the patience that the caller grants; then each script gets
//            SIGTERM, after the grace SIGKILL, and its job is given back to the front of its queue, the attempt
//            uncounted. The upkeep goes on until the last one has ended, because their leases must hold until then.
// Stopped    All coroutines have ended, the presence is gone. A worker is not started twice.
//
// A draining worker stops by itself when its queues are empty and nothing of it is on its way.
#include "core/worker/worker_runner.h"

#include "core/base/backoff.h"
#include "core/base/log.h"
#include "core/worker/worker_loop.h"
#include "core/worker/worker_upkeep.h"

namespace ym {

using State = LocalWorkerInfo::State;

constexpr Milliseconds announceLimit{60'000}; ///< for a connection that is lost meanwhile to come back

struct WorkerRunner::Private {
    WorkerRunner *q;
    std::unique_ptr<Consumer> consumer;
    WorkerParts parts;
    Spec spec;
    WorkerLoop loop;
    WorkerUpkeep upkeep;
    State state = State::Starting;
    bool isAnnounced = false;
    std::optional<Completion<bool>> starting; ///< while announce() is on its way
    std::stop_source announcing; ///< ends the wait before it is tried again
    Monotonic deadline{0}; ///< of the patience, while stopping
    std::stop_source patience; ///< ends the present wait, because the deadline moved
    std::vector<Completion<bool>> waiters;

    Private(WorkerRunner *runner, std::unique_ptr<Consumer> c, WorkerParts p, Spec s)
        : q(runner)
        , consumer(std::move(c))
        , parts(p)
        , spec(std::move(s))
        , loop(parts, spec)
        , upkeep(parts, spec.presenceInterval, &loop)
    {
    }

    void setState(State next)
    {
        if (state == next)
            return;
        state = next;
        Q_EMIT q->infoChanged();
    }
    QCoro::Task<void> announce();
    QCoro::Task<void> outlast();
    QCoro::Task<void> wakeAtDeadline(std::stop_source waiting, std::stop_token over);
    QCoro::Task<void> leave();
};

WorkerRunner::WorkerRunner(Store *store, std::unique_ptr<Consumer> consumer, Executor *executor, Clock *clock,
                           Spec spec, QObject *parent)
    : QObject(parent)
{
    const WorkerParts parts{store, consumer.get(), executor, clock};
    d = std::make_unique<Private>(this, std::move(consumer), parts, std::move(spec));
    connect(&d->loop, &WorkerLoop::changed, this, &WorkerRunner::infoChanged);
    connect(&d->loop, &WorkerLoop::jobStarted, this, &WorkerRunner::jobStarted);
    connect(&d->loop, &WorkerLoop::jobOutput, this, &WorkerRunner::jobOutput);
    connect(&d->loop, &WorkerLoop::jobEnded, this, &WorkerRunner::jobEnded);
    connect(&d->loop, &WorkerLoop::lateResult, this, &WorkerRunner::lateResult);
    connect(&d->loop, &WorkerLoop::claimsLost, this, &WorkerRunner::claimsLost);
    connect(&d->loop, &WorkerLoop::drained, this, [this] { stop(Milliseconds{0}); });
}

WorkerRunner::~WorkerRunner()
{
    if (d->isAnnounced && d->state != State::Stopped)
        qCCritical(logWorker, "a worker was destroyed before it had stopped");
}

QCoro::Task<void> WorkerRunner::start()
{
    for (const QByteArray &type : std::as_const(d->spec.identity.types)) {
        if (const auto can = d->parts.executor->canRun(type); !can)
            throw StoreError(can.error());
    }
    const Result<void> contained = co_await d->parts.executor->prepare(d->spec.grant);
    if (!contained)
        throw StoreError(contained.error());
    if (d->state != State::Starting) // stopped meanwhile, before anything was announced
        co_return;
    std::optional<Error> refusal;
    const Completion<bool> announced = d->starting.emplace();
    try {
        co_await d->announce();
    } catch (const StoreError &e) {
        refusal = e.error();
    }
    d->starting.reset();
    if (d->state != State::Starting) { // stopped meanwhile; that call takes the presence away
        announced.resolve(true);
        co_return;
    }
    if (refusal)
        throw StoreError(*refusal);
    d->setState(State::Running);
    d->upkeep.start();
    d->loop.start();
}

/// A connection that is lost in this very moment, or a server that has just come back and loads, is no refusal.
QCoro::Task<void> WorkerRunner::Private::announce()
{
    Backoff backoff;
    const Monotonic until = parts.clock->monotonic() + announceLimit;
    for (;;) {
        std::optional<Error> refusal;
        try {
            spec.identity = co_await consumer->announce();
            isAnnounced = true;
        } catch (const StoreError &e) {
            refusal = e.error();
        }
        if (!refusal)
            co_return;
        const bool passes = refusal->kind == ErrorKind::Unavailable || refusal->kind == ErrorKind::Busy;
        if (!passes || state != State::Starting || parts.clock->monotonic() >= until)
            throw StoreError(*refusal);
        co_await parts.clock->sleep(backoff.next(), announcing.get_token());
    }
}

void WorkerRunner::quiet()
{
    if (d->state != State::Running)
        return;
    d->loop.setQuiet(true);
    d->setState(State::Quiet);
    d->upkeep.presenceChanged();
}

void WorkerRunner::resume()
{
    if (d->state != State::Quiet)
        return;
    d->setState(State::Running);
    d->upkeep.presenceChanged();
    d->loop.setQuiet(false);
}

QCoro::Task<void> WorkerRunner::stop(Milliseconds patience)
{
    const Monotonic deadline = d->parts.clock->monotonic() + patience;
    if (d->state == State::Stopped)
        co_return;
    if (d->state == State::Stopping) {
        if (deadline < d->deadline) {
            d->deadline = deadline;
            std::stop_source waiting = d->patience;
            waiting.request_stop();
        }
        co_await finished();
        co_return;
    }
    d->deadline = deadline;
    d->loop.endClaiming();
    d->setState(State::Stopping);
    if (d->isAnnounced && d->loop.isBusy()) // it will be there for a while and take nothing
        d->upkeep.presenceChanged();
    if (d->starting) {
        d->announcing.request_stop();
        const Completion<bool> announced = *d->starting;
        co_await announced;
    }
    co_await d->outlast();
    d->loop.endRuns(StopReason::WorkerStops);
    co_await d->loop.drain();
    co_await d->upkeep.drain();
    co_await d->leave();
    d->setState(State::Stopped);
    // Whoever waits may delete this worker: nothing of it is touched any more.
    const auto waiters = std::exchange(d->waiters, {});
    for (const auto &waiter : waiters)
        waiter.resolve(true);
}

/// Waits until nothing runs or the patience is over; stop() may shorten it meanwhile.
QCoro::Task<void> WorkerRunner::Private::outlast()
{
    while (loop.isBusy() && parts.clock->monotonic() < deadline) {
        patience = std::stop_source();
        std::stop_source over;
        TaskScope alarm("patience of a worker");
        alarm.spawn(wakeAtDeadline(patience, over.get_token()));
        co_await loop.untilIdle(patience.get_token());
        over.request_stop();
        co_await alarm.drain();
    }
}

QCoro::Task<void> WorkerRunner::Private::wakeAtDeadline(std::stop_source waiting, std::stop_token over)
{
    co_await parts.clock->sleep(deadline - parts.clock->monotonic(), over);
    waiting.request_stop();
}

/// Takes the presence away; without the store it expires by itself.
QCoro::Task<void> WorkerRunner::Private::leave()
{
    if (!isAnnounced)
        co_return;
    try {
        co_await consumer->withdraw();
    } catch (const StoreError &e) {
        qCInfo(logWorker, "the presence stays until it expires: %s", e.what());
    }
}

QCoro::Task<void> WorkerRunner::finished()
{
    if (d->state == State::Stopped)
        co_return;
    const Completion<bool> stopped;
    d->waiters.push_back(stopped);
    co_await stopped;
}

bool WorkerRunner::stopJob(const QByteArray &id)
{
    return d->loop.stopJob(id, StopReason::Request);
}

bool WorkerRunner::isBusy() const
{
    return d->loop.isBusy();
}

QString WorkerRunner::trouble() const
{
    return d->loop.trouble();
}

LocalWorkerInfo WorkerRunner::info() const
{
    LocalWorkerInfo info;
    info.types = d->spec.identity.types;
    info.group = d->spec.identity.group;
    info.instance = d->spec.identity.instance;
    info.slotCount = d->spec.identity.slotCount;
    info.state = d->state;
    info.busy = d->loop.busyIds();
    info.doneCount = d->loop.doneCount();
    info.trouble = d->loop.trouble();
    return info;
}

} // namespace ym
