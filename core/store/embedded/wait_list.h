// Who waits for which key, in order of arrival.
#pragma once

#include "core/store/embedded/client_context.h"

#include <QHash>

#include <set>
#include <vector>

namespace ym::embedded {

/// The clients that blocking commands have put to sleep, and the keys that have got something since. One thread.
class WaitList {
public:
    using Key = std::pair<int, QByteArray>; ///< database, key

    /// Takes up `client`, whose `waiting` is set.
    void add(ClientContext *client);
    void remove(ClientContext *client);
    bool isEmpty() const { return m_deadlines.empty() && m_byKey.isEmpty(); }
    int count() const { return m_count; }

    /// `key` has got something; remembered only when somebody waits for it.
    void markReady(int database, const QByteArray &key)
    {
        if (!m_byKey.isEmpty())
            markWaitedFor({database, key});
    }
    /// The keys of a database that somebody waits for.
    QList<QByteArray> keysWaitedFor(int database) const;
    /// The keys marked since the last call, with their databases, in order.
    QList<Key> takeReady() { return std::exchange(m_ready, {}); }
    bool hasReady() const { return !m_ready.isEmpty(); }

    /// The clients that wait for `key`, longest first.
    std::vector<ClientContext *> waitersOf(const Key &key) const;
    /// True when `client` still waits.
    bool contains(ClientContext *client) const { return client->waiting && m_members.contains(client); }

    /// The earliest deadline in ms of Clock::monotonic; -1 = none.
    qint64 nextDeadline() const { return m_deadlines.empty() ? -1 : m_deadlines.begin()->first; }
    /// A client whose deadline is at or before `now`; null when there is none.
    ClientContext *overdue(qint64 now) const;

private:
    void markWaitedFor(const Key &key);

    QHash<Key, std::vector<ClientContext *>> m_byKey;
    std::set<std::pair<qint64, ClientContext *>> m_deadlines;
    QSet<ClientContext *> m_members;
    QList<Key> m_ready;
    quint64 m_turns = 0;
    int m_count = 0;
};

} // namespace ym::embedded
