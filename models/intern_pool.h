// Values that many rows share, stored once and counted.
#pragma once

#include "models/index_table.h"

#include <QByteArray>
#include <QHashFunctions>

#include <array>
#include <memory>
#include <vector>

namespace ym {

/// What a pool keeps of a value: for texts a copy without spare room, when there is much of it.
template <typename T> const T &kept(const T &value)
{
    return value;
}
inline QByteArray kept(const QByteArray &text)
{
    return text.capacity() > text.size() + 64 ? QByteArray(text.constData(), text.size()) : text;
}

/// The values of a pool as another thread may read them: those that existed when it was copied, while the pool is
/// frozen.
template <typename T> class InternValues {
public:
    static constexpr quint32 chunkSize = sizeof(T) > 32 ? 64 : 1024; ///< what is large has few values
    using Chunk = std::array<T, chunkSize>;

    const T &at(quint32 index) const { return (*m_chunks[index / chunkSize])[index % chunkSize]; }
    quint32 count() const { return m_count; }

protected:
    T &ref(quint32 index) { return (*m_chunks[index / chunkSize])[index % chunkSize]; }

    std::vector<std::shared_ptr<Chunk>> m_chunks;
    quint32 m_count = 0;
};

/// Index 0 is the empty value and always there. T has ==, a default value and qHash(T, seed). One thread.
template <typename T> class InternPool : public InternValues<T> {
public:
    InternPool() { clear(); }

    /// The index of this value, which has one user more.
    quint32 acquire(const T &value)
    {
        if (value == T())
            return 0;
        const size_t hash = hashOf(value);
        quint32 index = m_table.find(hash, [&](quint32 i) { return this->at(i) == value; });
        if (index == IndexTable::none) {
            index = newIndex();
            this->ref(index) = kept(value);
            m_table.insert(hash, index, [this](quint32 i) { return hashOf(this->at(i)); });
        }
        ++m_users[index];
        return index;
    }

    /// One user less; the last one frees the value, as soon as nobody else reads the pool.
    void release(quint32 index)
    {
        if (index == 0 || --m_users[index] > 0)
            return;
        if (m_isFrozen)
            m_limbo.push_back(index);
        else
            free(index);
    }

    bool isUsed(quint32 index) const { return m_users[index] > 0; }

    void freeze() { m_isFrozen = true; }
    void thaw()
    {
        m_isFrozen = false;
        for (const quint32 index : std::exchange(m_limbo, {})) {
            if (m_users[index] == 0 && !(this->at(index) == T()))
                free(index);
        }
    }

    /// Not while frozen.
    void clear()
    {
        this->m_chunks.clear();
        this->m_count = 0;
        m_users.clear();
        m_free.clear();
        m_table.clear();
        newIndex();
    }

    qint64 bytesUsed() const
    {
        return qint64(this->m_chunks.size() * sizeof(typename InternValues<T>::Chunk)
                      + m_users.capacity() * sizeof(quint32))
            + m_table.bytesUsed();
    }

private:
    size_t hashOf(const T &value) const { return qHash(value, m_seed); }

    quint32 newIndex()
    {
        if (!m_free.empty()) {
            const quint32 index = m_free.back();
            m_free.pop_back();
            return index;
        }
        if (this->m_count % InternValues<T>::chunkSize == 0)
            this->m_chunks.push_back(std::make_shared<typename InternValues<T>::Chunk>());
        m_users.push_back(0);
        return this->m_count++;
    }

    void free(quint32 index)
    {
        const T value = std::exchange(this->ref(index), T());
        m_table.remove(hashOf(value), index, [this](quint32 i) { return hashOf(this->at(i)); });
        m_free.push_back(index);
    }

    std::vector<quint32> m_users;
    std::vector<quint32> m_free;
    std::vector<quint32> m_limbo;
    IndexTable m_table;
    size_t m_seed = QHashSeed::globalSeed();
    bool m_isFrozen = false;
};

} // namespace ym
