// HeroInspector: queues and workers.
#include "core/protocol/hero/hero_inspector.h"
#include "core/protocol/hero/job_codec.h"
#include "core/protocol/hero/replies.h"

#include <algorithm>

namespace ym::hero {

namespace {

constexpr int pagesPerLook = 20; ///< of the census; 4000 keys
constexpr int pagesOfFirstLooks = 5'000; ///< until every key was seen once: whoever asks only once sees all up to a million
constexpr qsizetype queuesPerTrip = 200;
constexpr qint64 mostContent = 1'000;
constexpr qint64 hotPerEnd = 20;
constexpr qint64 hotPerLease = 100;
constexpr qsizetype mostHot = 300;

/// How the keys of one kind are read; a zset is served from its lowest score, lists that are no work queues show their
/// newest entry first.
bool isSet(QueueKind kind)
{
    return kind == QueueKind::Delayed;
}

bool isWork(QueueKind kind)
{
    return kind == QueueKind::Work || kind == QueueKind::Legacy;
}

Command depthOf(const QByteArray &key, QueueKind kind)
{
    return cmd(isSet(kind) ? "ZCARD" : "LLEN", key);
}

/// The two ends: of a set both are the entry that is due first.
Command headOf(const QByteArray &key, QueueKind kind)
{
    return isSet(kind) ? cmd("ZRANGE", key, 0, 0) : cmd("LINDEX", key, 0);
}
Command tailOf(const QByteArray &key, QueueKind kind)
{
    return isSet(kind) ? cmd("ZRANGE", key, 0, 0) : cmd("LINDEX", key, -1);
}

/// Who serves a queue. A worker of several types shows itself once for each; it counts once.
QList<WorkerInfo> listenersOf(const QueueInfo &queue, const QList<WorkerInfo> &living)
{
    QList<WorkerInfo> list;
    for (const WorkerInfo &worker : living) {
        const bool serves = queue.kind == QueueKind::Legacy ? worker.legacyQueues.contains(queue.key)
            : queue.kind == QueueKind::Work                 ? canonicalFamily().listens(worker, queue.target)
                                                            : false;
        const bool isCounted = std::any_of(list.cbegin(), list.cend(), [&worker](const WorkerInfo &other) {
            return other.pid == worker.pid && other.hostname == worker.hostname
                && other.target.group == worker.target.group && other.target.instance == worker.target.instance;
        });
        if (serves && !isCounted)
            list.append(worker);
    }
    return list;
}

QByteArray entryOf(const Reply &reply)
{
    if (reply.isError())
        return {};
    return reply.isArray() ? reply.toList().value(0) : reply.toBytes();
}

} // namespace

QCoro::Task<QList<WorkerInfo>> HeroInspector::workers()
{
    co_await m_census.advance(m_census.isComplete() ? pagesPerLook : pagesOfFirstLooks);
    QList<WorkerInfo> workers = co_await m_census.presence().look();
    for (const WorkerInfo &worker : workers)
        m_census.sawWorker(worker.target);
    co_return workers;
}

QCoro::Task<QList<QueueInfo>> HeroInspector::queues()
{
    const QList<WorkerInfo> living = co_await workers();
    QList<QueueInfo> all;
    const QList<QByteArray> known = m_census.queues();
    for (qsizetype from = 0; from < known.size(); from += queuesPerTrip) {
        const QList<QueueInfo> measured = co_await measure(known.mid(from, queuesPerTrip), living);
        all += measured;
    }
    QList<QueueInfo> shown;
    for (const QueueInfo &queue : all) {
        const bool isTypeQueue =
            queue.kind == QueueKind::Work && queue.target.group.isEmpty() && queue.target.instance.isEmpty();
        // A list among the jobs whose key is none any more has become a job or something that was never ours.
        const bool isBroken = queue.invalid && keys::parseQueue(queue.key).has_value();
        if (queue.depth > 0 || isBroken || queue.listeners > 0 || (isTypeQueue && queue.target.priority == 1)) {
            shown.append(queue);
        } else {
            m_census.forget(queue.key);
            m_orders.forget(queue.key);
        }
    }
    co_return shown;
}

QCoro::Task<QList<QueueInfo>> HeroInspector::measure(QList<QByteArray> queueKeys, QList<WorkerInfo> living)
{
    QList<QueueInfo> queues;
    std::vector<Command> looks;
    for (const QByteArray &key : queueKeys) {
        const auto parsed = keys::parseList(key);
        if (!parsed)
            continue;
        QueueInfo queue;
        queue.key = key;
        queue.kind = parsed->kind;
        queue.target = parsed->target;
        queues.append(queue);
        looks.push_back(depthOf(key, queue.kind));
        looks.push_back(headOf(key, queue.kind));
        looks.push_back(tailOf(key, queue.kind));
    }
    if (looks.empty())
        co_return queues;
    const std::vector<Reply> replies = co_await m_store->pipeline(looks);
    QList<QByteArray> oldest;
    for (qsizetype i = 0; i < queues.size(); ++i) {
        QueueInfo &queue = queues[i];
        const Reply &depth = replies[size_t(3 * i)];
        queue.invalid = depth.isError();
        queue.depth = depth.isError() ? 0 : depth.toInteger();
        const QueueOrders::Ends ends{queue.depth, entryOf(replies[size_t(3 * i + 1)]),
                                     entryOf(replies[size_t(3 * i + 2)])};
        const QList<WorkerInfo> listeners = listenersOf(queue, living);
        queue.listeners = int(listeners.size());
        m_orders.look(queue.key, ends);
        m_orders.decide(&queue, listeners);
        queue.nextJob = queue.order == ServingOrder::Fifo ? ends.tail : ends.head;
        oldest.append(ends.tail);
    }
    co_await addAges(&queues, oldest);
    co_return queues;
}

/// Adds the age of each queue's oldest entry; `queues` lives in the caller's frame, which waits for this.
QCoro::Task<void> HeroInspector::addAges(QList<QueueInfo> *queues, QList<QByteArray> oldestIds)
{
    std::vector<Command> looks;
    QList<qsizetype> rows;
    for (qsizetype i = 0; i < oldestIds.size(); ++i) {
        if (oldestIds[i].isEmpty())
            continue;
        looks.push_back(cmd("HMGET", keys::job(oldestIds[i]), "created_at", "createdAt"));
        rows.append(i);
    }
    if (looks.empty())
        co_return;
    const std::vector<Reply> replies = co_await m_store->pipeline(looks);
    for (size_t i = 0; i < replies.size(); ++i) {
        if (replies[i].isError())
            continue;
        const QList<QByteArray> values = replies[i].toList();
        const QByteArray text = values.value(0).isEmpty() ? values.value(1) : values.value(0);
        (*queues)[rows[qsizetype(i)]].oldest = parseTimestamp(text);
    }
}

QCoro::Task<QList<QByteArray>> HeroInspector::queueContent(QByteArray key, qint64 offset, qint64 count)
{
    const auto queue = keys::parseList(key);
    offset = std::max<qint64>(offset, 0);
    count = std::clamp<qint64>(count, 0, mostContent);
    if (!queue || count == 0)
        co_return QList<QByteArray>{};
    const bool fromTail = isWork(queue->kind) && m_orders.orderOf(key, queue->kind) == ServingOrder::Fifo;
    const qint64 first = fromTail ? -(offset + count) : offset;
    const qint64 last = fromTail ? -(offset + 1) : offset + count - 1;
    const Reply reply = co_await m_store->command(cmd(isSet(queue->kind) ? "ZRANGE" : "LRANGE", key, first, last));
    QList<QByteArray> ids = reply.toList();
    if (fromTail)
        std::reverse(ids.begin(), ids.end());
    co_return ids;
}

QCoro::Task<QList<QByteArray>> HeroInspector::hotIds()
{
    std::vector<Command> looks;
    for (const QByteArray &type : m_census.types())
        looks.push_back(cmd("ZRANGE", keys::lease(type), 0, hotPerLease - 1));
    looks.push_back(cmd("ZRANGE", keys::delayed(), 0, hotPerEnd - 1));
    looks.push_back(cmd("ZRANGE", keys::waiting(), -hotPerEnd, -1)); // the newest; no queue has them yet
    for (const QByteArray &key : m_census.queues()) {
        const auto queue = keys::parseList(key);
        if (!queue || !isWork(queue->kind))
            continue;
        looks.push_back(cmd("LRANGE", key, -hotPerEnd, -1));
        looks.push_back(cmd("LRANGE", key, 0, hotPerEnd - 1));
    }
    if (qsizetype(looks.size()) > queuesPerTrip)
        looks.resize(size_t(queuesPerTrip));
    const std::vector<Reply> replies = co_await m_store->pipeline(looks);
    QList<QByteArray> ids;
    QSet<QByteArray> seen;
    for (const Reply &reply : replies) {
        const QList<QByteArray> found = reply.isError() ? QList<QByteArray>{} : reply.toList();
        for (const QByteArray &id : found) {
            if (ids.size() < mostHot && !seen.contains(id)) {
                seen.insert(id);
                ids.append(id);
            }
        }
    }
    co_return ids;
}

} // namespace ym::hero
