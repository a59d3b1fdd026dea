#include "core/protocol/hero/presence_watch.h"

#include "core/protocol/hero/keys.h"
#include "core/protocol/hero/presence_codec.h"
#include "core/protocol/hero/replies.h"

#include <algorithm>

namespace ym::hero {

namespace {

constexpr qint64 numbersAhead = 8; ///< instances tried beyond the highest one known
constexpr qint64 mostNumbers = 256; ///< tried in one pool
constexpr qsizetype mostPools = 200;
constexpr qsizetype keysPerRead = 200;
constexpr int keysPerSearch = 1'000; ///< looked at by one SCAN
constexpr int mostSearches = 2'000; ///< two million keys
constexpr Milliseconds answerHolds{1'000};

/// One that takes nothing more may be gone before it takes a job.
bool livesFor(const QList<WorkerInfo> &workers, const QByteArray &type)
{
    return std::any_of(workers.begin(), workers.end(), [&](const WorkerInfo &worker) {
        return worker.target.type == type && worker.ttlMs >= 0 && !worker.quiet;
    });
}

} // namespace

PresenceWatch::PresenceWatch(Store *store)
    : m_store(store)
{
}

void PresenceWatch::add(const QByteArray &key)
{
    const auto target = keys::parsePresence(key);
    if (!target)
        return;
    m_known.insert(key);
    addPool(target->type, target->group);
}

void PresenceWatch::expect(const Target &target)
{
    if (target.type.isEmpty())
        return;
    addPool(target.type, target.group.isEmpty() ? QByteArray(keys::defaultGroup) : target.group);
    if (!target.instance.isEmpty())
        add(keys::presence(target.type, target.group.isEmpty() ? keys::defaultGroup : target.group, target.instance));
}

void PresenceWatch::addPool(const QByteArray &type, const QByteArray &group)
{
    const Pool pool{type, group};
    if (m_pools.size() < mostPools && !m_pools.contains(pool))
        m_pools.append(pool);
}

QSet<QByteArray> PresenceWatch::types() const
{
    QSet<QByteArray> types;
    for (const Pool &pool : m_pools)
        types.insert(pool.type);
    return types;
}

qint64 PresenceWatch::highestNumber(const Pool &pool) const
{
    qint64 highest = 0;
    for (const QByteArray &key : m_known) {
        const auto target = keys::parsePresence(key);
        if (target && target->type == pool.type && target->group == pool.group)
            highest = std::max(highest, target->instance.toLongLong());
    }
    return std::min(highest, mostNumbers);
}

QList<QByteArray> PresenceWatch::candidates() const
{
    QSet<QByteArray> all = m_known;
    for (const Pool &pool : m_pools) {
        const qint64 last = std::min(highestNumber(pool) + numbersAhead, mostNumbers);
        for (qint64 number = 1; number <= last; ++number)
            all.insert(keys::presence(pool.type, pool.group, QByteArray::number(number)));
    }
    QList<QByteArray> list(all.cbegin(), all.cend());
    std::sort(list.begin(), list.end());
    return list;
}

QCoro::Task<QList<WorkerInfo>> PresenceWatch::look()
{
    const QList<QByteArray> asked = candidates();
    std::vector<Command> reads;
    for (qsizetype i = 0; i < asked.size(); i += keysPerRead) {
        Command read = cmd("MGET");
        read.addAll(asked.mid(i, keysPerRead));
        reads.push_back(read);
    }
    if (reads.empty())
        co_return QList<WorkerInfo>{};
    const std::vector<Reply> answers = co_await m_store->pipeline(reads);
    QList<ByteField> found;
    qsizetype at = 0;
    for (const Reply &answer : answers) {
        for (const Reply &value : checked(answer).toArray()) {
            if (!value.isNil())
                found.append({asked[at], value.toBytes()});
            ++at;
        }
    }
    for (const QByteArray &key : asked)
        m_known.remove(key);
    if (found.isEmpty())
        co_return QList<WorkerInfo>{};
    std::vector<Command> ages;
    for (const auto &[key, value] : found)
        ages.push_back(cmd("PTTL", key));
    const std::vector<Reply> left = co_await m_store->pipeline(ages);
    QList<WorkerInfo> workers;
    for (qsizetype i = 0; i < found.size(); ++i) {
        const qint64 ttl = checked(left[size_t(i)]).toInteger();
        if (ttl == -2)
            continue; // expired between the two reads
        m_known.insert(found[i].first);
        workers.append(readPresence(found[i].first, found[i].second, ttl));
    }
    co_return workers;
}

QCoro::Task<bool> PresenceWatch::hasWorker(QByteArray type, Monotonic now)
{
    if (const Answer known = m_answers.value(type); known.until > now)
        co_return known.isThere;
    QList<WorkerInfo> living = co_await look();
    if (!livesFor(living, type)) {
        co_await search(type);
        living = co_await look();
    }
    const bool isThere = livesFor(living, type);
    m_answers.insert(type, {isThere, now + answerHolds});
    co_return isThere;
}

/// Walks the keys once for the presence of this type; the server is never held up.
QCoro::Task<void> PresenceWatch::search(QByteArray type)
{
    QByteArray cursor = "0";
    for (int page = 0; page < mostSearches; ++page) {
        const Command scan = cmd("SCAN", cursor, "MATCH", keys::presencePattern(type), "COUNT", keysPerSearch);
        const Reply reply = co_await m_store->command(scan);
        const std::vector<Reply> &parts = reply.toArray();
        if (parts.size() != 2)
            co_return;
        for (const Reply &key : parts[1].toArray())
            add(key.toBytes());
        cursor = parts[0].toBytes();
        if (cursor == "0")
            co_return;
    }
}

} // namespace ym::hero
