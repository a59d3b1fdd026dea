// A chained hash table with byte-string keys that grows in small steps and can be scanned while it changes.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QHashFunctions>
#include <QRandomGenerator>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace ym::embedded {

/// The value of a dictionary that is only a set of keys.
struct NoValue { };

/// Maps bytes to `V`. A node holds link, hash, value and key in one allocation, and its address stays until it is
/// removed. Growing moves a few buckets with each change, so no single command pays for it. Cursors walk the bucket
/// numbers with their bits reversed: whatever was present during a whole scan is reported, however the table was
/// resized meanwhile (some elements perhaps twice). Not copyable; one thread.
template <typename V> class Dict {
public:
    struct Node {
        Node *next;
        quint32 hash;
        quint32 keySize;
        [[no_unique_address]] V value;

        const char *keyData() const { return reinterpret_cast<const char *>(this + 1); }
        QByteArrayView key() const { return {keyData(), qsizetype(keySize)}; }
        QByteArray keyBytes() const { return QByteArray(keyData(), qsizetype(keySize)); }
    };

    Dict() = default;
    ~Dict() { clear(); }
    Dict(const Dict &) = delete;
    Dict &operator=(const Dict &) = delete;

    qsizetype size() const { return m_tables[0].used + m_tables[1].used; }
    bool isEmpty() const { return size() == 0; }

    Node *find(QByteArrayView key) const
    {
        const quint32 hash = hashOf(key);
        for (const Table &table : m_tables) {
            if (table.used == 0)
                continue;
            for (Node *node = table.buckets[hash & table.mask()]; node; node = node->next) {
                if (isMatch(node, hash, key))
                    return node;
            }
        }
        return nullptr;
    }

    bool contains(QByteArrayView key) const { return find(key) != nullptr; }

    /// The node of `key`, made with a default value when it is new (`second` tells).
    std::pair<Node *, bool> insert(QByteArrayView key)
    {
        moveSome();
        if (Node *found = find(key))
            return {found, false};
        growIfFull();
        void *memory = std::malloc(sizeof(Node) + size_t(key.size()));
        if (!memory)
            throw std::bad_alloc();
        Node *node = new (memory) Node{nullptr, hashOf(key), quint32(key.size()), V()};
        if (!key.isEmpty())
            std::memcpy(const_cast<char *>(node->keyData()), key.data(), size_t(key.size()));
        link(m_tables[isMoving() ? 1 : 0], node);
        return {node, true};
    }

    bool remove(QByteArrayView key)
    {
        moveSome();
        const quint32 hash = hashOf(key);
        for (Table &table : m_tables) {
            if (table.used == 0)
                continue;
            for (Node **link = &table.buckets[hash & table.mask()]; *link; link = &(*link)->next) {
                if (!isMatch(*link, hash, key))
                    continue;
                Node *node = *link;
                *link = node->next;
                destroy(node);
                --table.used;
                shrinkIfSparse();
                return true;
            }
        }
        return false;
    }

    void clear()
    {
        for (Table &table : m_tables) {
            for (quint64 i = 0; i < table.size; ++i)
                destroyChain(table.buckets[i]);
            std::free(table.buckets);
            table = Table();
        }
        m_moving = -1;
    }

    void swap(Dict &other)
    {
        std::swap(m_tables, other.m_tables);
        std::swap(m_moving, other.m_moving);
    }

    /// Calls `visit(Node &)` for every node; the table must not change meanwhile.
    template <typename Visit> void forEach(Visit visit) const
    {
        for (const Table &table : m_tables) {
            for (quint64 i = 0; i < table.size; ++i) {
                for (Node *node = table.buckets[i]; node; node = node->next)
                    visit(*node);
            }
        }
    }

    /// Visits the nodes of one step of a scan and returns the next cursor; 0 starts and ends. The table must not change
    /// inside `visit`.
    template <typename Visit> quint64 scan(quint64 cursor, Visit visit) const
    {
        if (isEmpty())
            return 0;
        const Table *small = &m_tables[0];
        const Table *large = &m_tables[1];
        if (!isMoving()) {
            visitBucket(*small, cursor, visit);
            return advance(cursor, small->mask());
        }
        if (small->size > large->size)
            std::swap(small, large);
        visitBucket(*small, cursor, visit);
        do {
            visitBucket(*large, cursor, visit);
            cursor = advance(cursor, large->mask());
        } while (cursor & (small->mask() ^ large->mask()));
        return cursor;
    }

    /// Any node, each as likely as any other; null when empty.
    Node *random() const
    {
        if (isEmpty())
            return nullptr;
        auto *generator = QRandomGenerator::global();
        const quint64 total = m_tables[0].size + m_tables[1].size;
        while (true) {
            const quint64 at = generator->generate64() % total;
            Node *node = at < m_tables[0].size ? m_tables[0].buckets[at] : m_tables[1].buckets[at - m_tables[0].size];
            // A place in a chain of full length; one that is not there is drawn again, or short chains would win.
            for (quint32 place = generator->bounded(longestChain); node && place > 0; --place)
                node = node->next;
            if (node)
                return node;
        }
    }

    /// Bytes of the table itself; values count with their own size only.
    qsizetype memoryUsage() const { return qsizetype((m_tables[0].size + m_tables[1].size) * sizeof(Node *)); }

private:
    struct Table {
        Node **buckets = nullptr;
        quint64 size = 0;
        qsizetype used = 0;
        quint64 mask() const { return size - 1; }
    };
    static constexpr quint64 initialSize = 4;
    static constexpr quint32 longestChain = 10; ///< longer ones are one in ten million at a full load

    static quint32 hashOf(QByteArrayView key)
    {
        static const size_t seed = size_t(QRandomGenerator::system()->generate64());
        const size_t hash = qHashBits(key.data(), size_t(key.size()), seed);
        return quint32(hash ^ (hash >> 32));
    }

    static bool isMatch(const Node *node, quint32 hash, QByteArrayView key)
    {
        return node->hash == hash && node->keySize == quint32(key.size())
            && (key.isEmpty() || std::memcmp(node->keyData(), key.data(), size_t(key.size())) == 0);
    }

    static void link(Table &table, Node *node)
    {
        Node *&head = table.buckets[node->hash & table.mask()];
        node->next = head;
        head = node;
        ++table.used;
    }

    static void destroy(Node *node)
    {
        node->~Node();
        std::free(node);
    }

    static void destroyChain(Node *node)
    {
        while (node) {
            Node *next = node->next;
            destroy(node);
            node = next;
        }
    }

    template <typename Visit> static void visitBucket(const Table &table, quint64 cursor, Visit &visit)
    {
        for (Node *node = table.buckets[cursor & table.mask()]; node; node = node->next)
            visit(*node);
    }

    static quint64 reversed(quint64 v)
    {
        v = ((v >> 1) & 0x5555555555555555ull) | ((v & 0x5555555555555555ull) << 1);
        v = ((v >> 2) & 0x3333333333333333ull) | ((v & 0x3333333333333333ull) << 2);
        v = ((v >> 4) & 0x0f0f0f0f0f0f0f0full) | ((v & 0x0f0f0f0f0f0f0f0full) << 4);
        return __builtin_bswap64(v);
    }

    /// Adds one to the bucket number counted from its highest bit.
    static quint64 advance(quint64 cursor, quint64 mask) { return reversed(reversed(cursor | ~mask) + 1); }

    bool isMoving() const { return m_moving >= 0; }

    static Table tableOf(quint64 size)
    {
        Table table;
        table.buckets = static_cast<Node **>(std::calloc(size, sizeof(Node *)));
        if (!table.buckets)
            throw std::bad_alloc();
        table.size = size;
        return table;
    }

    void growIfFull()
    {
        if (isMoving())
            return;
        if (m_tables[0].size == 0)
            m_tables[0] = tableOf(initialSize);
        else if (quint64(m_tables[0].used) >= m_tables[0].size)
            startMove(m_tables[0].size * 2);
    }

    void shrinkIfSparse()
    {
        if (!isMoving() && m_tables[0].size > initialSize && quint64(m_tables[0].used) * 10 < m_tables[0].size)
            startMove(std::max(initialSize, std::bit_ceil(quint64(m_tables[0].used))));
    }

    void startMove(quint64 size)
    {
        m_tables[1] = tableOf(size);
        m_moving = 0;
    }

    /// Moves one chain (and skips a bounded number of empty buckets).
    void moveSome()
    {
        if (!isMoving())
            return;
        Table &from = m_tables[0];
        for (int empty = 10; from.used > 0 && !from.buckets[m_moving]; ++m_moving) {
            if (--empty == 0)
                return;
        }
        if (from.used > 0) {
            Node *node = std::exchange(from.buckets[m_moving++], nullptr);
            while (node) {
                Node *next = node->next;
                link(m_tables[1], node);
                --from.used;
                node = next;
            }
        }
        if (from.used == 0) {
            std::free(from.buckets);
            m_tables[0] = std::exchange(m_tables[1], Table());
            m_moving = -1;
        }
    }

    Table m_tables[2];
    qint64 m_moving = -1; ///< next bucket of table 0 to move; -1 = at rest
};

} // namespace ym::embedded
