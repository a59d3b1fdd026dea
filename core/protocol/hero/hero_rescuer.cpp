#include "core/protocol/hero/hero_rescuer.h"

#include "core/protocol/hero/field_readers.h"
#include "core/protocol/hero/key_family.h"
#include "core/protocol/hero/keys.h"
#include "core/protocol/hero/recover.h"
#include "core/protocol/hero/scan_limit.h"
#include "core/protocol/hero/scripts.h"

namespace ym::hero {

namespace {

constexpr qint64 entriesPerTrip = 1'000;
constexpr qsizetype mostEntries = 500'000; ///< of one queue that are compared; a longer one is left alone
constexpr qsizetype unlistedPerScript = 10; ///< each may cost a walk through its lists
constexpr qsizetype othersPerScript = 200;

/// Where a queued job should be: where its record says it was queued, else where its target sends it.
QByteArray queueOf(const Target &target, const QByteArray &queues)
{
    const QList<QByteArray> named = readIds(queues).value_or(QList<QByteArray>());
    return named.isEmpty() ? canonicalFamily().queueFor(target) : named.constFirst();
}

/// The queue itself, and then those where others may have left its jobs for more workers (PROTOCOLS, Routing).
QList<QByteArray> placesFor(const QByteArray &queue)
{
    QList<QByteArray> list{queue};
    const auto known = keys::parseQueue(queue);
    if (!known || known->kind != QueueKind::Work)
        return list;
    Target place = known->target;
    while (!place.group.isEmpty()) {
        (place.instance.isEmpty() ? place.group : place.instance).clear();
        for (place.priority = 0; place.priority <= 2; ++place.priority)
            list.append(keys::work(place));
    }
    return list;
}

} // namespace

HeroRescuer::HeroRescuer(Store *store, ProtocolOptions options, Clock *clock)
    : m_store(store)
    , m_options(options)
    , m_grace(store, clock, options.lease)
{
}

QCoro::Task<int> HeroRescuer::recover()
{
    const std::vector<Command> ask{cmd("SMEMBERS", keys::types())};
    const std::vector<Reply> known = co_await m_store->pipeline(ask);
    QSet<QByteArray> types = m_types;
    if (!known.front().isError()) { // somebody may have put another thing there
        for (const QByteArray &type : known.front().toList())
            types.insert(type);
    }
    if (types.isEmpty())
        types.insert(QByteArray()); // what is delayed or waits has to be looked at all the same
    co_return co_await recoverTypes(m_store, m_options, QList<QByteArray>(types.cbegin(), types.cend()), &m_grace);
}

QCoro::Task<bool> HeroRescuer::takeTurn(Milliseconds interval)
{
    const QByteArray key = keys::reconciled();
    const Command take = cmd("SET", key, "1", "NX", "PX", qint64(interval.count()));
    const Reply taken = co_await m_store->command(take);
    if (!taken.isNil())
        co_return true;
    const Reply left = co_await m_store->command(cmd("PTTL", key));
    if (left.toInteger() != -1)
        co_return false;
    co_await m_store->command(cmd("SET", key, "1", "PX", qint64(interval.count()))); // by somebody's hand, for ever
    co_return true;
}

QCoro::Task<int> HeroRescuer::reconcile(std::stop_token stop)
{
    const Suspects suspects = co_await findSuspects(stop);
    QList<QByteArray> lost;
    QSet<QByteArray> elsewhere;
    if (!suspects.unlisted.isEmpty())
        elsewhere = co_await legacyContent(stop);
    for (auto queue = suspects.unlisted.cbegin(); queue != suspects.unlisted.cend(); ++queue) {
        QList<QByteArray> left = queue.value();
        left.removeIf([&](const QByteArray &id) { return elsewhere.contains(id); });
        for (const QByteArray &place : placesFor(queue.key())) {
            if (left.isEmpty())
                break;
            const QSet<QByteArray> listed = co_await contentOf(place, stop);
            if (listed.size() >= mostEntries)
                left.clear();
            left.removeIf([&](const QByteArray &id) { return listed.contains(id); });
        }
        lost += left;
    }
    int moved = 0;
    for (qsizetype from = 0; from < lost.size(); from += unlistedPerScript) {
        const int repaired = co_await repair(lost.mid(from, unlistedPerScript), stop);
        moved += repaired;
    }
    for (qsizetype from = 0; from < suspects.others.size(); from += othersPerScript) {
        const int repaired = co_await repair(suspects.others.mid(from, othersPerScript), stop);
        moved += repaired;
    }
    co_return moved;
}

/// Reads the state of every job, a page at a time.
QCoro::Task<HeroRescuer::Suspects> HeroRescuer::findSuspects(std::stop_token stop)
{
    Suspects suspects;
    ScanLimit limit(m_store);
    QByteArray cursor = "0";
    do {
        co_await limit.countPage();
        const Command scan =
            cmd("SCAN", cursor, "MATCH", keys::jobPattern(), "COUNT", ScanLimit::keysPerPage, "TYPE", "hash");
        const Reply page = co_await m_store->command(scan);
        const std::vector<Reply> &parts = page.toArray();
        if (parts.size() != 2)
            break;
        QList<QByteArray> ids;
        std::vector<Command> looks;
        for (const Reply &key : parts[1].toArray()) {
            ids.append(keys::jobId(key.toBytes()));
            looks.push_back(cmd("HMGET", key.toBytes(), "status", "script_type", "scriptType", "group", "instance",
                                "priority", "claim", "queues"));
        }
        const std::vector<Reply> records = co_await m_store->pipeline(looks);
        for (size_t i = 0; i < records.size(); ++i) {
            const QList<QByteArray> values = records[i].isError() ? QList<QByteArray>() : records[i].toList();
            const std::optional<JobState> state = readStatus(values.value(0));
            Target target;
            target.type = (values.value(1).isEmpty() ? values.value(2) : values.value(1)).toLower();
            target.group = values.value(3);
            target.instance = values.value(4);
            target.priority = readCount(values.value(5), 0, 2).value_or(1);
            if (!state || target.type.isEmpty() || target.type.size() > 64)
                continue;
            m_types.insert(target.type);
            const QByteArray id = ids[qsizetype(i)];
            if (state == JobState::Queued)
                suspects.unlisted[queueOf(target, values.value(7))].append(id);
            else if (state == JobState::Waiting || (state == JobState::Running && !values.value(6).isEmpty()))
                suspects.others.append(id);
        }
        cursor = parts[0].toBytes();
    } while (cursor != "0" && !stop.stop_requested());
    co_return suspects;
}

/// The ids in every legacy work queue: a job of others may stand in one that its record does not name.
QCoro::Task<QSet<QByteArray>> HeroRescuer::legacyContent(std::stop_token stop)
{
    QSet<QByteArray> all;
    ScanLimit limit(m_store);
    QByteArray cursor = "0";
    do {
        co_await limit.countPage();
        const Command scan =
            cmd("SCAN", cursor, "MATCH", keys::legacyPattern(), "COUNT", ScanLimit::keysPerPage, "TYPE", "list");
        const Reply page = co_await m_store->command(scan);
        const std::vector<Reply> &parts = page.toArray();
        if (parts.size() != 2)
            break;
        for (const Reply &key : parts[1].toArray()) {
            const QSet<QByteArray> ids = co_await contentOf(key.toBytes(), stop);
            all += ids;
        }
        cursor = parts[0].toBytes();
    } while (cursor != "0" && all.size() < mostEntries && !stop.stop_requested());
    co_return all;
}

/// The ids in a queue. Read from the end that is pushed to: what is pushed meanwhile shows some ids twice and hides none.
QCoro::Task<QSet<QByteArray>> HeroRescuer::contentOf(QByteArray queue, std::stop_token stop)
{
    QSet<QByteArray> ids;
    const Reply kind = co_await m_store->command(cmd("TYPE", queue));
    if (kind.toBytes() != "list")
        co_return ids;
    for (qint64 from = 0; ids.size() < mostEntries && !stop.stop_requested(); from += entriesPerTrip) {
        const Reply part = co_await m_store->command(cmd("LRANGE", queue, from, from + entriesPerTrip - 1));
        const QList<QByteArray> found = part.toList();
        for (const QByteArray &id : found)
            ids.insert(id);
        if (found.size() < entriesPerTrip)
            break;
    }
    co_return ids;
}

QCoro::Task<int> HeroRescuer::repair(QList<QByteArray> ids, std::stop_token stop)
{
    if (stop.stop_requested())
        co_return 0;
    QList<QByteArray> args{QByteArray::number(qint64(m_options.lostGrace.count())),
                           m_options.order == ServingOrder::Fifo ? "RIGHT" : "LEFT",
                           QByteArray::number(qint64(m_options.replyTtl.count()))};
    args += ids;
    const Reply moved = co_await m_store->script(script("reconcile"), {}, args);
    co_return int(moved.toInteger());
}

} // namespace ym::hero
