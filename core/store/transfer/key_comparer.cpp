#include "core/store/transfer/key_comparer.h"

namespace ym::transfer {

namespace {

constexpr size_t repliesPerKey = 4;

bool isNumber(const Reply &reply, qint64 expected)
{
    return reply.type == Reply::Type::Integer && reply.integer == expected;
}

} // namespace

bool KeyComparer::isSameLife(const KeyInfo &key, const Reply &pttl) const
{
    const std::optional<Milliseconds> mine = key.lifeAt(m_clock->monotonic());
    if (!mine)
        return isNumber(pttl, -1);
    const qint64 theirs = pttl.type == Reply::Type::Integer ? pttl.integer : -1;
    return theirs >= 0 && std::abs(theirs - qint64(mine->count())) <= lifeTolerance.count();
}

bool KeyComparer::isEnding(const KeyInfo &key) const
{
    const std::optional<Milliseconds> left = key.lifeAt(m_clock->monotonic());
    return left && *left <= lifeTolerance;
}

QCoro::Task<std::vector<bool>> KeyComparer::present(std::vector<KeyInfo> keys)
{
    std::vector<Command> commands;
    for (const KeyInfo &info : keys)
        commands.push_back(cmd("EXISTS", info.key));
    std::vector<bool> found;
    if (commands.empty())
        co_return found;
    const std::vector<Reply> replies = co_await m_other->pipeline(std::move(commands));
    for (const Reply &reply : replies) {
        if (reply.isError())
            throw StoreError(errorFromReply(reply.string));
        found.push_back(reply.toInteger() > 0);
    }
    co_return found;
}

QCoro::Task<std::vector<Likeness>> KeyComparer::compareAll(std::vector<KeyContent> keys)
{
    std::vector<Likeness> answers(keys.size(), Likeness::Gone);
    std::vector<size_t> asked;
    std::vector<Command> commands;
    for (size_t i = 0; i < keys.size(); ++i) {
        const auto &[info, elements] = keys[i];
        if (elements.isEmpty())
            continue;
        asked.push_back(i);
        commands.push_back(cmd("TYPE", info.key));
        commands.push_back(cmd("PTTL", info.key));
        commands.push_back(readLength(info.type, info.key));
        commands.push_back(probe(info.type, info.key, elements, 0));
    }
    if (asked.empty())
        co_return answers;
    const std::vector<Reply> replies = co_await m_other->pipeline(std::move(commands));
    for (size_t n = 0; n < asked.size(); ++n) {
        const auto &[info, elements] = keys[asked[n]];
        const Reply *const about = &replies.at(n * repliesPerKey);
        if (about[0].isError())
            throw StoreError(errorFromReply(about[0].string));
        const KeyType type = keyTypeOf(about[0].toBytes());
        const bool isSame = type == info.type && isSameLife(info, about[1])
            && isNumber(about[2], lengthOf(info.type, elements)) && matches(info.type, elements, about[3]);
        Likeness &answer = answers[asked[n]];
        if (isSame)
            answer = Likeness::Equal;
        else if (isEnding(info))
            answer = Likeness::Gone;
        else
            answer = type == KeyType::None ? Likeness::Missing : Likeness::Different;
    }
    co_return answers;
}

QCoro::Task<Likeness> KeyComparer::compareLarge(KeyInfo key, KeyReader *from)
{
    const Likeness outside = co_await compareOutside(key, from);
    if (outside != Likeness::Equal)
        co_return isEnding(key) ? Likeness::Gone : outside;
    const bool isSame = co_await hasSlices(key, from);
    co_return isSame ? Likeness::Equal : isEnding(key) ? Likeness::Gone : Likeness::Different;
}

/// Type, life and length.
QCoro::Task<Likeness> KeyComparer::compareOutside(KeyInfo key, KeyReader *from)
{
    std::vector<Command> commands;
    commands.push_back(cmd("TYPE", key.key));
    commands.push_back(cmd("PTTL", key.key));
    commands.push_back(readLength(key.type, key.key));
    const std::vector<Reply> about = co_await m_other->pipeline(std::move(commands));
    if (about[0].isError())
        throw StoreError(errorFromReply(about[0].string));
    const KeyType type = keyTypeOf(about[0].toBytes());
    if (type == KeyType::None)
        co_return Likeness::Missing;
    if (type != key.type || !isSameLife(key, about[1]))
        co_return Likeness::Different;
    const qint64 length = co_await from->length(key);
    co_return isNumber(about[2], length) ? Likeness::Equal : Likeness::Different;
}

/// As both have the same number of elements, it is enough that the other has all of ours.
QCoro::Task<bool> KeyComparer::hasSlices(KeyInfo key, KeyReader *from)
{
    const qint64 count = co_await from->sliceCount(key);
    SliceCursor cursor;
    while (!cursor.isAtEnd) {
        const qint64 offset = cursor.offset;
        const Elements elements = co_await from->slice(key, &cursor, count);
        if (elements.isEmpty())
            continue;
        std::vector<Command> ask;
        ask.push_back(probe(key.type, key.key, elements, offset));
        const std::vector<Reply> replies = co_await m_other->pipeline(std::move(ask));
        if (!matches(key.type, elements, replies.at(0)))
            co_return false;
    }
    co_return true;
}

} // namespace ym::transfer
