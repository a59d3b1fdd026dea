#include "core/protocol/hero/key_census.h"

#include "core/protocol/hero/replies.h"

#include <QScopeGuard>

#include <algorithm>

namespace ym::hero {

namespace {

constexpr int keysPerPage = 200;
constexpr qsizetype mostQueues = 5'000; ///< a hostile or broken producer may make up names without end

} // namespace

KeyCensus::KeyCensus(Store *store)
    : m_store(store)
    , m_presence(store)
{
}

QCoro::Task<void> KeyCensus::advance(int pages)
{
    if (m_isWalking)
        co_return;
    m_isWalking = true;
    const auto done = qScopeGuard([this] { m_isWalking = false; });
    for (int page = 0; page < pages; ++page) {
        m_pages += isComplete() ? 0 : 1;
        Command scan = cmd("SCAN", m_cursor, "MATCH");
        if (m_isAmongJobs)
            scan.add(keys::jobPattern()).add("COUNT").add(QByteArray::number(keysPerPage)).add("TYPE").add("list");
        else
            scan.add(keys::discoveryPattern()).add("COUNT").add(QByteArray::number(keysPerPage));
        const Reply reply = co_await m_store->command(scan);
        const std::vector<Reply> &parts = reply.toArray();
        if (parts.size() != 2)
            co_return;
        for (const Reply &key : parts[1].toArray())
            take(key.toBytes());
        m_cursor = parts[0].toBytes();
        if (m_cursor != "0")
            continue;
        m_isAmongJobs = !m_isAmongJobs;
        if (!m_isAmongJobs) {
            m_isComplete = true;
            co_return;
        }
    }
}

void KeyCensus::take(const QByteArray &key)
{
    if (keys::parsePresence(key))
        m_presence.add(key);
    else if (const auto queue = m_isAmongJobs ? keys::parseList(key) : keys::parseQueue(key);
             queue && m_queues.size() < mostQueues) {
        m_queues.insert(key);
        m_presence.expect(queue->target);
    }
}

void KeyCensus::sawTarget(const Target &target)
{
    if (target.type.isEmpty() || m_queues.size() >= mostQueues)
        return;
    m_queues.insert(keys::work(target));
    if (!target.legacyWorker.isEmpty())
        m_queues.insert(keys::legacyWork(LegacyQueue::Worker, target));
    m_presence.expect(target);
}

void KeyCensus::sawWorker(const Target &worker)
{
    if (m_queues.size() >= mostQueues || worker.type.isEmpty())
        return;
    m_queues.insert(keys::work({worker.type, {}, {}, 1, {}}));
    m_queues.insert(keys::work({worker.type, worker.group, {}, 1, {}}));
    m_queues.insert(keys::work({worker.type, worker.group, worker.instance, 1, {}}));
}

QList<QByteArray> KeyCensus::queues() const
{
    QList<QByteArray> list(m_queues.cbegin(), m_queues.cend());
    std::sort(list.begin(), list.end());
    return list;
}

QSet<QByteArray> KeyCensus::types() const
{
    QSet<QByteArray> types = m_presence.types();
    for (const QByteArray &key : m_queues) {
        if (const auto queue = keys::parseQueue(key); queue && !queue->target.type.isEmpty())
            types.insert(queue->target.type);
    }
    return types;
}

} // namespace ym::hero
