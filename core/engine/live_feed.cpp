#include "core/engine/live_feed.h"

#include "core/base/log.h"

#include <algorithm>

namespace ym {

using namespace std::chrono_literals;

namespace {

constexpr Milliseconds freshInterval = 1s;
constexpr Milliseconds hiddenInterval = 10s;
constexpr Milliseconds eventDelay = 80ms;      // gathers a burst of events into one read
constexpr Milliseconds listPause = 15s;        // between two listings without keyspace events
constexpr Milliseconds listPauseEvents = 120s; // with them: only a safety net
constexpr int dutyDivisor = 4;                 // a repeated listing rests four times as long as it works
constexpr Milliseconds refusedInterval = 10s;  // what the store refused once it will hardly tell a second later
constexpr qsizetype readsPerTurn = 500;
constexpr size_t dirtyLimit = 20'000;
constexpr qsizetype goneLimit = 20'000;
constexpr size_t backlogLimit = 2 * ChangeBatcher::jobsPerBatch;

bool refuses(const Error &why)
{
    return !why.message.isEmpty() && !isTransient(why.kind);
}

} // namespace

LiveFeed::LiveFeed(Store *store, Inspector *inspector, Clock *clock, int database, QObject *parent)
    : QObject(parent)
    , m_store(store)
    , m_inspector(inspector)
    , m_clock(clock)
    , m_database(database)
    , m_losses(store, clock)
    , m_writes(store, clock)
{
    connect(store, &Store::statusChanged, this, &LiveFeed::onStoreStatus);
}

LiveFeed::~LiveFeed() = default;

void LiveFeed::start()
{
    m_scope.spawn(listLoop());
    m_scope.spawn(freshLoop());
    m_scope.spawn(overviewLoop());
    m_scope.spawn(listenForEvents());
}

QCoro::Task<void> LiveFeed::stop()
{
    co_await m_scope.drain();
    m_events.reset();
}

void LiveFeed::setVisible(QList<QByteArray> ids)
{
    const bool grew = std::any_of(ids.cbegin(), ids.cend(), [this](const QByteArray &id) { return !m_visible.contains(id); });
    m_visible = std::move(ids);
    if (grew)
        m_freshAlarm.ring();
}

void LiveFeed::setFocused(QByteArray id)
{
    m_focused = std::move(id);
    m_focusedSeen = {};
    if (!m_focused.isEmpty())
        touch({m_focused});
}

void LiveFeed::setOnScreen(bool shown)
{
    if (std::exchange(m_onScreen, shown) || !shown)
        return;
    m_freshAlarm.ring();
    m_overviewAlarm.ring();
}

void LiveFeed::watch(const QByteArray &id, bool on)
{
    if (on)
        m_watched.insert(id);
    else
        m_watched.remove(id);
}

void LiveFeed::touch(const QList<QByteArray> &ids)
{
    for (const QByteArray &id : ids) {
        if (id.isEmpty() || m_dirty.contains(id))
            continue;
        m_dirty.insert(id);
        m_dirtyOrder.push_back(id);
    }
    if (m_dirtyOrder.size() > dirtyLimit) { // reading them one by one would cost more than a listing
        m_dirty.clear();
        m_dirtyOrder.clear();
        m_listWanted = true;
        m_listAlarm.ring();
    }
    m_freshAlarm.ring();
    m_overviewAlarm.ring();
}

void LiveFeed::refresh()
{
    for (Error Unread::*const part : {&Unread::jobs, &Unread::queues, &Unread::workers})
        noteUnread(part, {});
    m_listWanted = true;
    m_listAlarm.ring();
    m_freshAlarm.ring();
    m_overviewAlarm.ring();
}

qint64 LiveFeed::pictureAgeMs() const
{
    if (!m_freshAt || !m_overviewAt)
        return -1;
    return (m_clock->monotonic() - std::min(*m_freshAt, *m_overviewAt)).count();
}

/// A store that was away may hold anything now: look at everything again as soon as it is back.
void LiveFeed::onStoreStatus()
{
    const bool ready = m_store->status().phase == StoreStatus::Phase::Ready;
    if (!std::exchange(m_storeReady, ready) && ready)
        refresh();
}

QCoro::Task<void> LiveFeed::waitForStore()
{
    const bool ready = co_await m_store->waitUntilReady(m_scope.token());
    if (!ready) // refused or closing: nothing to do until a person changes something
        co_await m_clock->sleep(1s, m_scope.token());
}

QCoro::Task<void> LiveFeed::listLoop()
{
    while (!m_scope.isStopping()) {
        co_await waitForStore();
        const Milliseconds pause = m_hasEvents ? listPauseEvents : std::max(listPause, m_listingTook * 3);
        const bool due = m_listWanted || (m_onScreen && m_clock->monotonic() - m_lastListing >= pause);
        if (!due || m_scope.isStopping()) {
            co_await m_listAlarm.wait(m_clock, 1s, m_scope.token());
            continue;
        }
        try {
            co_await listAll();
            noteUnread(&Unread::jobs, {});
            continue;
        } catch (const StoreError &e) {
            noteUnread(&Unread::jobs, e.error());
            m_listWanted = isTransient(e.kind()); // else not at once again
            m_lastListing = m_clock->monotonic();
            qCInfo(logEngine, "listing interrupted: %s", e.what());
        }
        co_await m_clock->sleep(500ms, m_scope.token());
    }
}

QCoro::Task<void> LiveFeed::listAll()
{
    const bool urgent = std::exchange(m_listWanted, false);
    const Monotonic started = m_clock->monotonic();
    m_batcher.beginListing(++m_generation);
    co_await m_losses.beginListing();
    // The estimate is asked together with the first page: first rows must not wait for it.
    m_batcher.setKnownJobs(co_await m_inspector->estimateJobs());
    QByteArray cursor;
    do {
        const Monotonic pageStart = m_clock->monotonic();
        Inspector::JobPage page = co_await m_inspector->jobs(cursor);
        cursor = page.cursor;
        noteSeen(page.jobs);
        m_batcher.addJobs(std::move(page.jobs));
        const Milliseconds took = m_clock->monotonic() - pageStart;
        if (!urgent)
            co_await m_clock->sleep(std::max(Milliseconds{1}, took * dutyDivisor), m_scope.token());
        while (m_batcher.backlog() > backlogLimit && !m_scope.isStopping())
            co_await m_clock->sleep(ChangeBatcher::interval, m_scope.token());
        if (m_listWanted)
            break; // somebody asked for a fresh start meanwhile
    } while (!cursor.isEmpty() && !m_scope.isStopping());
    if (cursor.isEmpty()) {
        if (m_losses.isServerAnother()) // while the reason is known
            co_await readAgain(lookedAt());
        const QByteArray whyUnlisted = co_await m_losses.endListing();
        m_batcher.completeListing(whyUnlisted);
    }
    m_lastListing = m_clock->monotonic();
    m_listingTook = m_lastListing - started;
}

QList<QByteArray> LiveFeed::takeDirty()
{
    QList<QByteArray> ids;
    while (!m_dirtyOrder.empty() && ids.size() < readsPerTurn) {
        ids.append(m_dirtyOrder.front());
        m_dirty.remove(m_dirtyOrder.front());
        m_dirtyOrder.pop_front();
    }
    return ids;
}

QCoro::Task<void> LiveFeed::freshLoop()
{
    while (!m_scope.isStopping()) {
        co_await waitForStore();
        QList<QByteArray> ids = takeDirty();
        try {
            const Milliseconds interval = m_onScreen ? freshInterval : hiddenInterval;
            if (!m_freshAt || m_clock->monotonic() - *m_freshAt >= interval) {
                ids += lookedAt();
                ids += co_await m_inspector->hotIds();
                co_await readAgain(ids);
                m_freshAt = m_clock->monotonic();
            } else if (!ids.isEmpty()) {
                co_await readAgain(ids);
            }
        } catch (const StoreError &e) {
            qCDebug(logEngine, "reading jobs again: %s", e.what());
            for (const QByteArray &id : std::as_const(ids)) {
                if (!m_dirty.contains(id)) {
                    m_dirty.insert(id);
                    m_dirtyOrder.push_back(id);
                }
            }
        }
        co_await m_clock->sleep(eventDelay, m_scope.token());
        if (m_dirtyOrder.empty())
            co_await m_freshAlarm.wait(m_clock, m_onScreen ? freshInterval - eventDelay : hiddenInterval, m_scope.token());
    }
}

/// What a person looks at or waits for.
QList<QByteArray> LiveFeed::lookedAt() const
{
    QList<QByteArray> ids = m_visible + m_watched.values();
    if (!m_focused.isEmpty())
        ids.append(m_focused);
    return ids;
}

QCoro::Task<void> LiveFeed::readAgain(QList<QByteArray> ids)
{
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (qsizetype from = 0; from < ids.size(); from += readsPerTurn) {
        const QList<QByteArray> part = ids.mid(from, readsPerTurn);
        std::vector<JobSummary> jobs = co_await m_inspector->summaries(part);
        QSet<QByteArray> gone(part.cbegin(), part.cend());
        for (const JobSummary &job : jobs)
            gone.remove(job.id);
        noteSeen(jobs);
        m_batcher.addJobs(std::move(jobs));
        gone -= m_gone;
        if (gone.isEmpty())
            continue;
        const QByteArray why = co_await m_losses.whyGone();
        for (const QByteArray &id : std::as_const(gone))
            noteGone(id, why);
    }
}

void LiveFeed::noteSeen(const std::vector<JobSummary> &jobs)
{
    for (const JobSummary &job : jobs) {
        if (!m_gone.isEmpty())
            m_gone.remove(job.id);
        if (!m_focused.isEmpty() && job.id == m_focused && job != m_focusedSeen) {
            m_focusedSeen = job;
            Q_EMIT focusedJobChanged(job.id);
        }
        if (!m_watched.isEmpty() && isTerminal(job.state) && m_watched.remove(job.id))
            Q_EMIT watchedJobEnded(job);
    }
}

void LiveFeed::noteGone(const QByteArray &id, const QByteArray &why)
{
    if (m_gone.size() < goneLimit)
        m_gone.insert(id);
    m_batcher.loseJob({id, why});
    if (id == m_focused)
        Q_EMIT focusedJobChanged(id);
    const bool wasWatched = m_watched.remove(id);
    if (wasWatched && !why.isEmpty()) {
        JobSummary lost;
        lost.id = id;
        lost.state = JobState::Lost;
        lost.statusText = why;
        Q_EMIT watchedJobEnded(lost);
    }
}

void LiveFeed::noteRemoved(const QByteArray &id)
{
    noteGone(id, {});
    m_batcher.removeJob(id);
}

QCoro::Task<void> LiveFeed::overviewLoop()
{
    while (!m_scope.isStopping()) {
        co_await waitForStore();
        if (m_scope.isStopping())
            co_return;
        const bool hasQueues = co_await canRead(&Unread::queues, &LiveFeed::readQueues);
        const bool hasWorkers = co_await canRead(&Unread::workers, &LiveFeed::readWorkers);
        try {
            if (m_losses.isRedis()) // an embedded store tells its troubles itself
                co_await m_writes.look();
        } catch (const StoreError &e) {
            qCDebug(logEngine, "looking whether it can be written: %s", e.what());
        }
        const bool isWhole = hasQueues && hasWorkers;
        if (isWhole)
            m_overviewAt = m_clock->monotonic();
        const bool isRefused = refuses(m_unread.queues) || refuses(m_unread.workers);
        const Milliseconds pause = isRefused ? refusedInterval : m_onScreen ? freshInterval - 200ms : hiddenInterval;
        co_await m_clock->sleep(200ms, m_scope.token());
        co_await m_overviewAlarm.wait(m_clock, pause, m_scope.token());
    }
}

QCoro::Task<void> LiveFeed::readQueues()
{
    QList<QueueInfo> queues = co_await m_inspector->queues();
    if (queues != m_queues)
        m_batcher.setQueues(queues);
    m_queues = std::move(queues);
}

QCoro::Task<void> LiveFeed::readWorkers()
{
    QList<WorkerInfo> workers = co_await m_inspector->workers();
    if (workers != m_workers)
        m_batcher.setWorkers(workers);
    m_workers = std::move(workers);
}

/// One part of the picture that is refused must not take the others with it.
QCoro::Task<bool> LiveFeed::canRead(Error Unread::*part, QCoro::Task<void> (LiveFeed::*read)())
{
    try {
        co_await (this->*read)();
        noteUnread(part, {});
        co_return true;
    } catch (const StoreError &e) {
        qCDebug(logEngine, "reading queues and workers: %s", e.what());
        noteUnread(part, e.error());
    }
    co_return false;
}

/// A connection that was lost, or is dropped because it does not answer, is told as such.
void LiveFeed::noteUnread(Error Unread::*part, const Error &why)
{
    const bool isLost =
        why.kind == ErrorKind::Unavailable || why.kind == ErrorKind::Timeout || why.kind == ErrorKind::Cancelled;
    const Error told = isLost ? Error() : why;
    if (std::exchange(m_unread.*part, told) != told)
        Q_EMIT unreadChanged();
}

QCoro::Task<void> LiveFeed::listenForEvents()
{
    const QByteArray pattern = m_inspector->jobEventPattern(m_database);
    if (pattern.isEmpty())
        co_return;
    co_await waitForStore();
    if (m_scope.isStopping())
        co_return;
    try {
        const Command ask = cmd("CONFIG", "GET", "notify-keyspace-events");
        const Reply reply = co_await m_store->command(ask);
        const QList<QByteArray> answer = reply.toList();
        const QByteArray flags = answer.value(1);
        m_hasEvents = flags.contains('K') && (flags.contains('h') || flags.contains('A'));
    } catch (const StoreError &) {
        m_hasEvents = false; // no right to ask: polling does
    }
    if (!m_hasEvents || m_scope.isStopping())
        co_return;
    const QList<QByteArray> patterns{pattern};
    m_events = m_store->subscribe(patterns, Store::Match::Patterns);
    connect(m_events.get(), &Subscription::message, this, [this](const QByteArray &channel) { onEvent(channel); });
    connect(m_events.get(), &Subscription::resumed, this, &LiveFeed::refresh);
}

void LiveFeed::onEvent(const QByteArray &channel)
{
    const QByteArray id = m_inspector->jobOfEvent(channel);
    if (!id.isEmpty())
        touch({id});
}

} // namespace ym
