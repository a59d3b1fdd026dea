#include "core/store/embedded/keyspace.h"

#include "core/store/embedded/command_error.h"

namespace ym::embedded {

const char *typeName(ValueType type)
{
    switch (type) {
    case ValueType::String:
        return "string";
    case ValueType::List:
        return "list";
    case ValueType::Hash:
        return "hash";
    case ValueType::Set:
        return "set";
    case ValueType::SortedSet:
        return "zset";
    case ValueType::Stream:
        return "stream";
    }
    return "none";
}

Keyspace::Keyspace(int index, KeyspaceObserver *observer, const qint64 *now)
    : m_index(index)
    , m_observer(observer)
    , m_now(now)
{
}

void Keyspace::throwWrongType()
{
    throw CommandError(errors::wrongType);
}

Entry *Keyspace::find(const QByteArray &key)
{
    Node *node = m_entries.find(key);
    if (!node)
        return nullptr;
    if (node->value.expireAt >= 0 && node->value.expireAt <= *m_now) {
        expire(node);
        return nullptr;
    }
    return &node->value;
}

Entry *Keyspace::getStringEntry(const QByteArray &key)
{
    Entry *entry = find(key);
    if (entry && !std::holds_alternative<QByteArray>(entry->value))
        throwWrongType();
    return entry;
}

QByteArray *Keyspace::getString(const QByteArray &key)
{
    Entry *entry = getStringEntry(key);
    return entry ? &std::get<QByteArray>(entry->value) : nullptr;
}

Entry &Keyspace::put(const QByteArray &key, Value value)
{
    find(key); // an expired value ends before the new one begins
    const auto [node, isNew] = m_entries.insert(key);
    setNodeExpiry(node, -1);
    node->value.value = std::move(value);
    node->value.form = TextForm::Plain;
    m_observer->keyPut(*this, key, isNew);
    return node->value;
}

void Keyspace::putEntry(const QByteArray &key, Entry entry)
{
    put(key, std::move(entry.value)).form = entry.form;
    setExpiry(key, entry.expireAt);
}

bool Keyspace::remove(const QByteArray &key)
{
    return find(key) && discard(key);
}

bool Keyspace::discard(const QByteArray &key)
{
    Node *node = m_entries.find(key);
    if (!node)
        return false;
    setNodeExpiry(node, -1);
    m_entries.remove(key);
    return true;
}

void Keyspace::touchWatchedIn(const Dict<Entry> &entries)
{
    for (auto watched = m_watched.begin(); watched != m_watched.end(); ++watched) {
        if (entries.contains(watched.key()))
            ++watched->revision;
    }
}

void Keyspace::clear()
{
    touchWatchedIn(m_entries);
    m_deadlines.clear();
    m_entries.clear();
}

void Keyspace::swapKeys(Keyspace &other)
{
    for (Keyspace *each : {this, &other}) {
        each->touchWatchedIn(m_entries);
        each->touchWatchedIn(other.m_entries);
    }
    m_entries.swap(other.m_entries);
    m_deadlines.swap(other.m_deadlines);
}

void Keyspace::setExpiry(const QByteArray &key, qint64 at)
{
    if (Node *node = m_entries.find(key))
        setNodeExpiry(node, at);
}

void Keyspace::setNodeExpiry(Node *node, qint64 at)
{
    if (node->value.expireAt == at)
        return;
    if (node->value.expireAt >= 0)
        m_deadlines.erase({node->value.expireAt, node});
    node->value.expireAt = at;
    if (at >= 0)
        m_deadlines.emplace(at, node);
}

void Keyspace::expire(Node *node)
{
    const QByteArray key = node->keyBytes();
    m_deadlines.erase({node->value.expireAt, node});
    m_entries.remove(key);
    touch(key);
    m_observer->keyExpired(*this, key);
}

bool Keyspace::expireSome(int &limit)
{
    while (!m_deadlines.empty() && m_deadlines.begin()->first <= *m_now) {
        if (limit == 0)
            return true;
        --limit;
        expire(m_deadlines.begin()->second);
    }
    return false;
}

bool Keyspace::isExpired(const QByteArray &key) const
{
    const Node *node = m_entries.find(key);
    return node && node->value.expireAt >= 0 && node->value.expireAt <= *m_now;
}

quint64 Keyspace::watch(const QByteArray &key)
{
    Watched &watched = m_watched[key];
    ++watched.watchers;
    return watched.revision;
}

void Keyspace::unwatch(const QByteArray &key)
{
    const auto watched = m_watched.find(key);
    if (watched != m_watched.end() && --watched->watchers == 0)
        m_watched.erase(watched);
}

void Keyspace::touch(const QByteArray &key)
{
    if (m_watched.isEmpty())
        return;
    const auto watched = m_watched.find(key);
    if (watched != m_watched.end())
        ++watched->revision;
}

} // namespace ym::embedded
