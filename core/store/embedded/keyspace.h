// The keys of one database: values of six types, expiry, and revisions for WATCH.
#pragma once

#include "core/store/embedded/dict.h"
#include "core/store/embedded/hash_value.h"
#include "core/store/embedded/list_value.h"
#include "core/store/embedded/set_value.h"
#include "core/store/embedded/sorted_set_value.h"
#include "core/store/embedded/stream_value.h"

#include <QHash>

#include <memory>
#include <set>
#include <variant>

namespace ym::embedded {

enum class ValueType : quint8 { String, List, Hash, Set, SortedSet, Stream };

using Value = std::variant<QByteArray, std::unique_ptr<ListValue>, std::unique_ptr<HashValue>,
                           std::unique_ptr<SetValue>, std::unique_ptr<SortedSetValue>, std::unique_ptr<StreamValue>>;

inline ValueType typeOf(const Value &value)
{
    return ValueType(value.index());
}
/// The name that TYPE gives.
const char *typeName(ValueType type);

/// What OBJECT ENCODING says of a string beyond its content: a text that is never a number, or bytes that were changed
/// in place.
enum class TextForm : quint8 { Plain, Text, Raw };

/// One value and when it ends (milliseconds since 1970; -1 = never).
struct Entry {
    [[no_unique_address]] Value value;
    TextForm form = TextForm::Plain; ///< of a string
    qint64 expireAt = -1;
};
static_assert(sizeof(Entry) == sizeof(Value) + sizeof(qint64), "the form of a string costs a key nothing");

class Keyspace;

/// Told about what happens to keys outside the command's own doing.
class KeyspaceObserver {
public:
    virtual ~KeyspaceObserver() = default;
    /// `key` has just been removed because its time had come.
    virtual void keyExpired(Keyspace &database, const QByteArray &key) = 0;
    /// A value was put where none was (`isNew`), or in place of another.
    virtual void keyPut(Keyspace &database, const QByteArray &key, bool isNew) = 0;
};

/// All keys of a database. Expired keys are never seen: they go when they are looked at, or by expireSome(). Time is
/// what its owner says, so that it stands still while a script or transaction runs. One thread.
class Keyspace {
public:
    using Node = Dict<Entry>::Node;

    /// `now` points to the time, in milliseconds since 1970; both must outlive the keyspace.
    Keyspace(int index, KeyspaceObserver *observer, const qint64 *now);

    /// The number that SELECT takes.
    int index() const { return m_index; }
    qint64 now() const { return *m_now; }

    qsizetype size() const { return m_entries.size(); }
    Entry *find(const QByteArray &key);
    bool contains(const QByteArray &key) { return find(key) != nullptr; }

    /// The value of this type; null when there is no key. Throws WRONGTYPE.
    template <typename T> T *get(const QByteArray &key)
    {
        Entry *entry = find(key);
        return entry ? &as<T>(*entry) : nullptr;
    }
    /// The same, made empty when there is no key; the caller must put something in.
    template <typename T> T &obtain(const QByteArray &key)
    {
        if (T *existing = get<T>(key))
            return *existing;
        return *std::get<std::unique_ptr<T>>(put(key, std::make_unique<T>()).value);
    }
    QByteArray *getString(const QByteArray &key);
    /// The same with what belongs to it, for those who change the text in place.
    Entry *getStringEntry(const QByteArray &key);

    /// Puts a value, replacing another one and its expiry.
    Entry &put(const QByteArray &key, Value value);
    /// Puts a value that comes from another key, with its life.
    void putEntry(const QByteArray &key, Entry entry);
    bool remove(const QByteArray &key);
    /// The same without a look at the time: an expired key is removed, too, and counts as one that was there.
    bool discard(const QByteArray &key);
    void clear();
    /// Exchanges all keys with another database; what is watched stays with the number.
    void swapKeys(Keyspace &other);

    /// Ends `key` at `at` ms since 1970; -1 = never. Nothing happens when there is no such key.
    void setExpiry(const QByteArray &key, qint64 at);
    /// Removes up to `limit` keys whose time has come, and counts it down; true when there are more.
    bool expireSome(int &limit);
    /// When the next key ends; -1 = none will.
    qint64 nextExpiry() const { return m_deadlines.empty() ? -1 : m_deadlines.begin()->first; }
    qsizetype expiringCount() const { return qsizetype(m_deadlines.size()); }
    /// True when the key is there but its time has come.
    bool isExpired(const QByteArray &key) const;

    const Dict<Entry> &entries() const { return m_entries; }

    /// WATCH: begins to count changes of `key` and returns the count so far. One unwatch() for each watch().
    quint64 watch(const QByteArray &key);
    void unwatch(const QByteArray &key);
    quint64 revision(const QByteArray &key) const { return m_watched.value(key).revision; }
    /// `key` was changed.
    void touch(const QByteArray &key);

private:
    template <typename T> T &as(Entry &entry)
    {
        if (auto *value = std::get_if<std::unique_ptr<T>>(&entry.value))
            return **value;
        throwWrongType();
    }
    [[noreturn]] static void throwWrongType();
    void setNodeExpiry(Node *node, qint64 at);
    void expire(Node *node);
    void touchWatchedIn(const Dict<Entry> &entries);

    struct Watched {
        quint64 revision = 0;
        int watchers = 0;
    };

    int m_index;
    KeyspaceObserver *m_observer;
    const qint64 *m_now;
    Dict<Entry> m_entries;
    std::set<std::pair<qint64, Node *>> m_deadlines;
    QHash<QByteArray, Watched> m_watched;
};

} // namespace ym::embedded
