// LCS: what two strings have in common.
#include "core/store/embedded/call.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/string_limits.h"

namespace ym::embedded {

namespace {

struct LcsOptions {
    bool onlyLength = false;
    bool withRanges = false;
    bool withLengths = false;
    qint64 shortest = 0;
};

LcsOptions readOptions(const Call &c)
{
    LcsOptions options;
    for (qsizetype i = 3; i < c.argc(); ++i) {
        if (c.isOption(i, "IDX"))
            options.withRanges = true;
        else if (c.isOption(i, "LEN"))
            options.onlyLength = true;
        else if (c.isOption(i, "WITHMATCHLEN"))
            options.withLengths = true;
        else if (c.isOption(i, "MINMATCHLEN") && i + 1 < c.argc())
            options.shortest = c.integer(++i);
        else
            throw CommandError(errors::syntax);
    }
    if (options.onlyLength && options.withRanges)
        throw CommandError("ERR If you want both the length and indexes, please just use IDX.");
    return options;
}

QByteArray textOf(Call &c, const QByteArray &key)
{
    const Entry *entry = c.keys.find(key);
    if (!entry)
        return {};
    if (const auto *text = std::get_if<QByteArray>(&entry->value))
        return *text;
    throw CommandError("ERR The specified keys must contain string values");
}

/// The lengths of the longest common subsequences of all pairs of beginnings.
class LengthTable {
public:
    LengthTable(const QByteArray &a, const QByteArray &b)
        : m_width(b.size() + 1)
    {
        const quint64 cells = quint64(a.size() + 1) * quint64(m_width);
        if (cells > quint64(maxStringSize) / sizeof(quint32))
            throw CommandError("ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len");
        m_cells.resize(cells);
        for (qsizetype i = 1; i <= a.size(); ++i) {
            for (qsizetype j = 1; j <= b.size(); ++j)
                cell(i, j) = a[i - 1] == b[j - 1] ? at(i - 1, j - 1) + 1 : std::max(at(i - 1, j), at(i, j - 1));
        }
    }

    quint32 at(qsizetype i, qsizetype j) const { return m_cells[size_t(i * m_width + j)]; }

private:
    quint32 &cell(qsizetype i, qsizetype j) { return m_cells[size_t(i * m_width + j)]; }

    qsizetype m_width;
    std::vector<quint32> m_cells;
};

struct Match {
    qsizetype a; ///< where it begins in each
    qsizetype b;
    qsizetype size;
};

/// The common parts, last first.
std::vector<Match> matchesOf(const QByteArray &a, const QByteArray &b, const LengthTable &lengths)
{
    std::vector<Match> matches;
    qsizetype i = a.size();
    qsizetype j = b.size();
    while (i > 0 && j > 0) {
        if (a[i - 1] == b[j - 1]) {
            --i;
            --j;
            if (!matches.empty() && matches.back().a == i + 1 && matches.back().b == j + 1)
                matches.back() = {i, j, matches.back().size + 1};
            else
                matches.push_back({i, j, 1});
        } else if (lengths.at(i - 1, j) > lengths.at(i, j - 1)) {
            --i;
        } else {
            --j;
        }
    }
    return matches;
}

Reply rangeReply(qsizetype from, qsizetype size)
{
    return Reply::array({Reply::number(from), Reply::number(from + size - 1)});
}

Reply rangesReply(const std::vector<Match> &matches, const LcsOptions &options, qint64 length)
{
    std::vector<Reply> ranges;
    for (const Match &match : matches) {
        if (match.size < options.shortest)
            continue;
        Reply range = Reply::array({rangeReply(match.a, match.size), rangeReply(match.b, match.size)});
        if (options.withLengths)
            range.elements.push_back(Reply::number(match.size));
        ranges.push_back(std::move(range));
    }
    return Reply::array(
        {Reply::bulk("matches"), Reply::array(std::move(ranges)), Reply::bulk("len"), Reply::number(length)});
}

Reply lcs(Call &c)
{
    const QByteArray a = textOf(c, c.arg(1));
    const QByteArray b = textOf(c, c.arg(2));
    const LcsOptions options = readOptions(c);
    const LengthTable lengths(a, b);
    const qint64 length = lengths.at(a.size(), b.size());
    if (options.onlyLength)
        return Reply::number(length);
    const std::vector<Match> matches = matchesOf(a, b, lengths);
    if (options.withRanges)
        return rangesReply(matches, options, length);
    QByteArray common;
    for (auto match = matches.rbegin(); match != matches.rend(); ++match)
        common += a.mid(match->a, match->size);
    return Reply::bulk(common);
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"lcs", -3, ReadOnly, lcs, 1, 2, 1},
};

} // namespace

std::span<const CommandSpec> subsequenceCommands()
{
    return rows;
}

} // namespace ym::embedded
