#include "core/store/embedded/stream_arguments.h"

#include "core/store/embedded/collection_limits.h"

#include <algorithm>

namespace ym::embedded {

namespace {

StreamId readId(const QByteArray &text, quint64 missing)
{
    const auto id = StreamId::read(text, missing);
    if (!id)
        throw CommandError("ERR Invalid stream ID specified as stream command argument");
    return *id;
}

/// How many entries go at most when about is enough and nothing else was said: it bounds the time that this takes.
qint64 defaultLimit()
{
    constexpr qint64 blocks = 100;
    constexpr qint64 most = 1'000'000;
    const qint64 entries = std::min(collectionLimits.streamBlockEntries, most);
    return entries == 0 ? 10'000 : std::min(entries * blocks, most);
}

/// MAXLEN, MINID and LIMIT, which may come in any order among other words.
class TrimReader {
public:
    explicit TrimReader(const Call &call)
        : m_call(call)
    {
    }

    /// Takes an option at argument `at` and moves it behind; false when there is none.
    bool take(qsizetype &at)
    {
        if (at + 1 >= m_call.argc())
            return false;
        if (m_call.isOption(at, "MAXLEN"))
            takeThreshold(at, StreamTrim::By::Length);
        else if (m_call.isOption(at, "MINID"))
            takeThreshold(at, StreamTrim::By::Id);
        else if (m_call.isOption(at, "LIMIT"))
            takeLimit(at);
        else
            return false;
        return true;
    }

    bool hasThreshold() const { return m_trim.by != StreamTrim::By::None; }

    /// Refuses a limit for nothing.
    void checkPurpose() const
    {
        if (m_trim.limit > 0 && !hasThreshold())
            throw CommandError("ERR syntax error, LIMIT cannot be used without specifying a trimming strategy");
    }

    /// What was said, when it makes sense together.
    StreamTrim finish()
    {
        checkPurpose();
        if (m_hasLimit && !m_trim.isAbout)
            throw CommandError("ERR syntax error, LIMIT cannot be used without the special ~ option");
        if (!m_hasLimit && m_trim.isAbout)
            m_trim.limit = defaultLimit();
        return m_trim;
    }

private:
    void takeThreshold(qsizetype &at, StreamTrim::By by)
    {
        if (hasThreshold())
            throw CommandError("ERR syntax error, MAXLEN and MINID options at the same time are not compatible");
        ++at;
        const bool hasMark = at + 1 < m_call.argc() && (m_call.arg(at) == "~" || m_call.arg(at) == "=");
        m_trim.isAbout = hasMark && m_call.arg(at) == "~";
        at += hasMark ? 1 : 0;
        if (by == StreamTrim::By::Length)
            m_trim.length = m_call.integer(at);
        else
            m_trim.least = readStreamId(m_call, at);
        if (m_trim.length < 0)
            throw CommandError("ERR The MAXLEN argument must be >= 0.");
        m_trim.by = by;
        ++at;
    }

    void takeLimit(qsizetype &at)
    {
        m_trim.limit = m_call.integer(at + 1);
        if (m_trim.limit < 0)
            throw CommandError("ERR The LIMIT argument must be >= 0.");
        m_hasLimit = true;
        at += 2;
    }

    const Call &m_call;
    StreamTrim m_trim;
    bool m_hasLimit = false;
};

WantedId readWantedId(const QByteArray &text)
{
    if (text == "*")
        return {};
    if (text.endsWith("-*"))
        return {WantedId::Kind::NextSequence, readId(text.chopped(2), 0)};
    return {WantedId::Kind::Whole, readId(text, 0)};
}

} // namespace

StreamId readStreamId(const Call &call, qsizetype index, quint64 missing)
{
    return readId(call.arg(index), missing);
}

StreamId readRangeEnd(const Call &call, qsizetype index, RangeEnd end)
{
    const QByteArray &text = call.arg(index);
    const bool isFirst = end == RangeEnd::First;
    if (text == "-")
        return {};
    if (text == "+")
        return StreamId::greatest();
    const bool isOpen = text.size() > 1 && text.startsWith('(');
    const StreamId id = readId(isOpen ? text.sliced(1) : text, isFirst ? 0 : StreamId::greatest().sequence);
    if (!isOpen)
        return id;
    const auto inside = isFirst ? id.next() : id.previous();
    if (!inside)
        throw CommandError(isFirst ? "ERR invalid start ID for the interval" : "ERR invalid end ID for the interval");
    return *inside;
}

AddOptions readAddOptions(const Call &call)
{
    AddOptions options;
    TrimReader trim(call);
    qsizetype at = 2;
    while (at < call.argc() && call.arg(at) != "*") {
        if (trim.take(at))
            continue;
        if (!call.isOption(at, "NOMKSTREAM"))
            break;
        options.makesStream = false;
        ++at;
    }
    if (at < call.argc())
        options.wanted = readWantedId(call.arg(at));
    options.trim = trim.finish();
    options.firstField = at + 1;
    return options;
}

StreamTrim readTrimOptions(const Call &call)
{
    TrimReader trim(call);
    qsizetype at = 2;
    while (at < call.argc()) {
        if (!trim.take(at))
            throw CommandError(errors::syntax);
    }
    trim.checkPurpose();
    if (!trim.hasThreshold())
        throw CommandError("ERR syntax error, XTRIM must be called with a trimming strategy");
    return trim.finish();
}

Reply entryReply(const StreamEntry &entry)
{
    std::vector<Reply> parts;
    parts.push_back(Reply::bulk(entry.id.text()));
    parts.push_back(bulkArray(entry.fields));
    return Reply::array(std::move(parts));
}

std::vector<Reply> entriesIn(const StreamValue &stream, const StreamRange &range)
{
    std::vector<Reply> found;
    stream.walk(range.from, range.to, range.direction, [&](const StreamEntry &entry) {
        found.push_back(entryReply(entry));
        return range.count == 0 || qint64(found.size()) < range.count;
    });
    return found;
}

} // namespace ym::embedded
