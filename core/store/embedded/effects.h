// What commands have changed, on its way to the log.
#pragma once

#include <QByteArray>
#include <QList>

namespace ym::embedded {

/// Gets what commands have changed, as commands that make the same change again.
class EffectSink {
public:
    virtual ~EffectSink() = default;
    /// All of `effects` belong together: a reader must see all or none.
    virtual void append(const QList<QList<QByteArray>> &effects) = 0;
    /// The error reply that writes get now; empty = writes are welcome.
    virtual QByteArray refusal() const = 0;
};

/// Gathers the effects of one outermost command. A SELECT goes before an effect in another database than the last one.
class Effects {
public:
    void add(int database, QList<QByteArray> words)
    {
        if (database != m_database)
            m_words.append({"SELECT", QByteArray::number(database)});
        m_database = database;
        m_words.append(std::move(words));
    }
    bool isEmpty() const { return m_words.isEmpty(); }
    /// Forgets what was not taken.
    void drop()
    {
        m_words.clear();
        m_database = m_takenDatabase;
    }
    QList<QList<QByteArray>> take()
    {
        m_takenDatabase = m_database;
        return std::exchange(m_words, {});
    }

    /// What a reader of the log has selected at its end.
    void setDatabase(int database) { m_database = m_takenDatabase = database; }
    int database() const { return m_database; }

private:
    QList<QList<QByteArray>> m_words;
    int m_database = 0;
    int m_takenDatabase = 0; ///< the same without what may still be dropped
};

} // namespace ym::embedded
