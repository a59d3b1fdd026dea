// Commands that change streams, and those that read a range. There are no consumer groups.
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/resp.h"
#include "core/store/embedded/stream_arguments.h"

#include <algorithm>

namespace ym::embedded {

namespace {

constexpr char smallId[] = "ERR The ID specified in XADD is equal or smaller than the target stream top item";

/// The id of a new entry behind `last`.
StreamId newId(const WantedId &wanted, StreamId last, qint64 now)
{
    StreamId id = wanted.id;
    switch (wanted.kind) {
    case WantedId::Kind::Next:
        return quint64(now) > last.ms ? StreamId{quint64(now), 0} : *last.next();
    case WantedId::Kind::NextSequence:
        if (id.ms == last.ms && last.sequence != StreamId::greatest().sequence)
            id.sequence = last.sequence + 1;
        break;
    case WantedId::Kind::Whole:
        break;
    }
    if (id <= last)
        throw CommandError(smallId);
    return id;
}

Reply xadd(Call &c)
{
    const AddOptions options = readAddOptions(c);
    const qsizetype words = c.argc() - options.firstField;
    if (words < 2 || words % 2 != 0)
        throw CommandError("ERR wrong number of arguments for 'xadd' command");
    if (options.wanted.kind == WantedId::Kind::Whole && options.wanted.id == StreamId{})
        throw CommandError("ERR The ID specified in XADD must be greater than 0-0");
    const StreamValue *const existing = c.keys.get<StreamValue>(c.arg(1));
    if (!existing && !options.makesStream)
        return Reply::nil();
    const StreamId last = existing ? existing->lastId() : StreamId{};
    if (last == StreamId::greatest())
        throw CommandError("ERR The stream has exhausted the last possible ID, unable to add more items");
    const StreamEntry entry{newId(options.wanted, last, c.keys.now()), c.args.sliced(options.firstField)};
    StreamValue &stream = c.keys.obtain<StreamValue>(c.arg(1));
    stream.add(entry);
    c.changed(c.arg(1), "xadd");
    c.executor.markReady(c.keys, c.arg(1));
    QList<QByteArray> logged{"XADD", c.arg(1)};
    if (stream.trim(options.trim) > 0) {
        c.notify("xtrim", c.arg(1));
        logged += {"MAXLEN", "=", QByteArray::number(stream.size())};
    }
    logged += entry.id.text();
    c.logAs(logged + entry.fields);
    return Reply::bulk(entry.id.text());
}

Reply xlen(Call &c)
{
    const StreamValue *const stream = c.keys.get<StreamValue>(c.arg(1));
    return Reply::number(stream ? stream->size() : 0);
}

Reply range(Call &c, StreamValue::Direction direction)
{
    const bool isForward = direction == StreamValue::Direction::Forward;
    StreamRange range{.direction = direction};
    range.from = readRangeEnd(c, isForward ? 2 : 3, RangeEnd::First);
    range.to = readRangeEnd(c, isForward ? 3 : 2, RangeEnd::Last);
    bool isNothingWanted = false;
    for (qsizetype i = 4; i < c.argc(); i += 2) {
        if (!c.isOption(i, "COUNT") || i + 1 >= c.argc())
            throw CommandError(errors::syntax);
        range.count = std::max<qint64>(0, c.integer(i + 1));
        isNothingWanted = range.count == 0;
    }
    const StreamValue *const stream = c.keys.get<StreamValue>(c.arg(1));
    if (!stream)
        return Reply::array({});
    return isNothingWanted ? nilArray() : Reply::array(entriesIn(*stream, range));
}

Reply xrange(Call &c)
{
    return range(c, StreamValue::Direction::Forward);
}

Reply xrevrange(Call &c)
{
    return range(c, StreamValue::Direction::Backward);
}

Reply xdel(Call &c)
{
    StreamValue *const stream = c.keys.get<StreamValue>(c.arg(1));
    if (!stream)
        return Reply::number(0);
    QList<StreamId> ids;
    for (qsizetype i = 2; i < c.argc(); ++i)
        ids.append(readStreamId(c, i));
    const qint64 removed = std::count_if(ids.begin(), ids.end(), [stream](StreamId id) { return stream->remove(id); });
    if (removed > 0)
        c.changed(c.arg(1), "xdel");
    return Reply::number(removed);
}

Reply xtrim(Call &c)
{
    const StreamTrim trim = readTrimOptions(c);
    StreamValue *const stream = c.keys.get<StreamValue>(c.arg(1));
    const qsizetype removed = stream ? stream->trim(trim) : 0;
    if (removed == 0)
        return Reply::number(0);
    c.changed(c.arg(1), "xtrim");
    c.logAs({"XTRIM", c.arg(1), "MAXLEN", "=", QByteArray::number(stream->size())});
    return Reply::number(removed);
}

struct StreamState {
    StreamId last;
    std::optional<qint64> added = {};
    std::optional<StreamId> greatestRemoved = {};
};

StreamState readState(const Call &c)
{
    StreamState state{readStreamId(c, 2)};
    for (qsizetype i = 3; i < c.argc(); i += 2) {
        const bool hasValue = i + 1 < c.argc();
        if (hasValue && c.isOption(i, "ENTRIESADDED")) {
            state.added = c.integer(i + 1);
            if (*state.added < 0)
                throw CommandError("ERR entries_added must be positive");
        } else if (hasValue && c.isOption(i, "MAXDELETEDID")) {
            state.greatestRemoved = readStreamId(c, i + 1);
            if (state.last < *state.greatestRemoved)
                throw CommandError("ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id");
        } else {
            throw CommandError(errors::syntax);
        }
    }
    return state;
}

/// How a compacted log says what the entries alone do not.
Reply xsetid(Call &c)
{
    const StreamState state = readState(c);
    StreamValue *const stream = c.keys.get<StreamValue>(c.arg(1));
    if (!stream)
        throw CommandError(errors::noSuchKey);
    if (stream->size() > 0 && state.last < stream->lastEntryId())
        throw CommandError("ERR The ID specified in XSETID is smaller than the target stream top item");
    if (stream->size() > 0 && state.added && *state.added < stream->size())
        throw CommandError("ERR The entries_added specified in XSETID is smaller than the target stream length");
    const StreamId removed = state.greatestRemoved.value_or(StreamId{});
    stream->setState(state.last, state.added ? quint64(*state.added) : stream->addedCount(),
                     removed == StreamId{} ? stream->greatestRemoved() : removed);
    c.changed(c.arg(1), "xsetid");
    return okReply();
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"xadd", -5, Write, xadd, 1, 1, 1},        {"xlen", 2, ReadOnly, xlen, 1, 1, 1},
    {"xrange", -4, ReadOnly, xrange, 1, 1, 1}, {"xrevrange", -4, ReadOnly, xrevrange, 1, 1, 1},
    {"xdel", -3, Write, xdel, 1, 1, 1},        {"xtrim", -4, Write, xtrim, 1, 1, 1},
    {"xsetid", -3, Write, xsetid, 1, 1, 1},
};

} // namespace

std::span<const CommandSpec> streamCommands()
{
    return rows;
}

} // namespace ym::embedded
