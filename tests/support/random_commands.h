// Seeded random Redis commands over all data types, for comparing two servers.
#pragma once

#include <QByteArray>
#include <QList>

#include <random>

namespace ym::test {

/// Makes commands whose replies do not depend on chance or on the clock: plain ones, wrong ones, scripts and whole
/// transactions. The same seed gives the same commands.
class RandomCommands {
public:
    using Words = QList<QByteArray>;

    explicit RandomCommands(quint32 seed);

    /// One command, or all those of a transaction.
    QList<Words> next();
    /// One command that may wait.
    Words blockingCommand();
    /// True for commands whose elements come in any order.
    static bool isUnordered(const Words &words);

private:
    Words command();
    Words fromTemplate(const char *text);
    QByteArray token(char kind);
    QByteArray key(char kind);
    QByteArray value();
    QByteArray number();
    QByteArray real();
    QByteArray streamId(int ms);
    void spoil(Words &words);
    template <typename Rows> auto &pick(const Rows &rows) { return rows[size_t(below(int(rows.size())))]; }
    int below(int limit) { return int(m_random() % unsigned(limit)); }
    QList<Words> transaction();

    std::mt19937 m_random;
    int m_lastMs = 0; ///< of the ids of streams, which must rise
};

} // namespace ym::test
