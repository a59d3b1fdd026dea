#include "core/store/embedded/wait_list.h"

#include <algorithm>

namespace ym::embedded {

void WaitList::add(ClientContext *client)
{
    Waiting &waiting = *client->waiting;
    waiting.turn = ++m_turns;
    for (const QByteArray &key : std::as_const(waiting.keys)) {
        auto &waiters = m_byKey[{waiting.database, key}];
        if (std::find(waiters.begin(), waiters.end(), client) == waiters.end())
            waiters.push_back(client);
    }
    if (waiting.deadline >= 0)
        m_deadlines.emplace(waiting.deadline, client);
    m_members.insert(client);
    ++m_count;
}

void WaitList::remove(ClientContext *client)
{
    if (!m_members.remove(client))
        return;
    for (const QByteArray &key : std::as_const(client->waiting->keys)) {
        const auto waiters = m_byKey.find({client->waiting->database, key});
        if (waiters == m_byKey.end())
            continue;
        std::erase(*waiters, client);
        if (waiters->empty())
            m_byKey.erase(waiters);
    }
    m_deadlines.erase({client->waiting->deadline, client});
    client->waiting.reset();
    --m_count;
}

QList<QByteArray> WaitList::keysWaitedFor(int database) const
{
    QList<QByteArray> keys;
    for (auto row = m_byKey.constBegin(); row != m_byKey.constEnd(); ++row) {
        if (row.key().first == database)
            keys.append(row.key().second);
    }
    return keys;
}

void WaitList::markWaitedFor(const Key &key)
{
    if (m_byKey.contains(key) && !m_ready.contains(key))
        m_ready.append(key);
}

std::vector<ClientContext *> WaitList::waitersOf(const Key &key) const
{
    const auto waiters = m_byKey.constFind(key);
    return waiters == m_byKey.constEnd() ? std::vector<ClientContext *>() : *waiters;
}

ClientContext *WaitList::overdue(qint64 now) const
{
    return m_deadlines.empty() || m_deadlines.begin()->first > now ? nullptr : m_deadlines.begin()->second;
}

} // namespace ym::embedded
