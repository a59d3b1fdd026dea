// XREAD, which may wait, and XINFO.
#include "core/store/embedded/blocking.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/resp.h"
#include "core/store/embedded/stream_arguments.h"

#include <algorithm>

namespace ym::embedded {

namespace {

constexpr qint64 countAfterWaiting = 1000; ///< when none was said: an old id must not fetch a huge stream

/// A stream, and the id behind which somebody wants to read.
struct Cursor {
    QByteArray key;
    StreamId behind;
};

struct ReadRequest {
    qint64 count = 0; ///< 0 = all
    std::optional<qint64> deadline; ///< nothing = it does not wait
    qsizetype firstKey = 0;
    QList<Cursor> cursors;
};

qsizetype streamCount(const Call &c, qsizetype firstKey)
{
    const qsizetype words = c.argc() - firstKey;
    if (words % 2 != 0)
        throw CommandError("ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be "
                           "specified.");
    return words / 2;
}

/// Up to the keys.
ReadRequest readOptions(const Call &c)
{
    ReadRequest request;
    for (qsizetype i = 1; i < c.argc(); ++i) {
        const bool hasMore = i + 1 < c.argc();
        if (c.isOption(i, "BLOCK") && hasMore) {
            if (c.executor.isInScript())
                throw CommandError("ERR xread command is not allowed with BLOCK option from scripts");
            request.deadline = readDeadlineInMs(c, ++i);
        } else if (c.isOption(i, "COUNT") && hasMore) {
            request.count = std::max<qint64>(0, c.integer(++i));
        } else if (c.isOption(i, "STREAMS") && hasMore) {
            request.firstKey = i + 1;
            return request;
        } else if ((c.isOption(i, "GROUP") && i + 2 < c.argc()) || c.isOption(i, "NOACK")) {
            throw CommandError("ERR The " + c.option(i)
                               + " option is only supported by XREADGROUP. You called XREAD instead.");
        } else {
            break;
        }
    }
    throw CommandError(errors::syntax);
}

StreamId readCursorId(Call &c, qsizetype index, const QByteArray &key)
{
    const StreamValue *const stream = c.keys.get<StreamValue>(key);
    if (c.arg(index) == "$")
        return stream ? stream->lastId() : StreamId{};
    if (c.arg(index) == ">")
        throw CommandError("ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> "
                           "<consumer> option.");
    return readStreamId(c, index);
}

ReadRequest readRequest(Call &c)
{
    ReadRequest request = readOptions(c);
    const qsizetype streams = streamCount(c, request.firstKey);
    for (qsizetype i = request.firstKey; i < request.firstKey + streams; ++i)
        request.cursors.append({c.arg(i), readCursorId(c, i + streams, c.arg(i))});
    return request;
}

/// [key, [entry …]] for what is behind the cursor.
Reply readBehind(const StreamValue &stream, const Cursor &cursor, qint64 count)
{
    const auto from = cursor.behind.next();
    std::vector<Reply> entries;
    if (from)
        entries = entriesIn(stream, {.from = *from, .count = count});
    std::vector<Reply> parts;
    parts.push_back(Reply::bulk(cursor.key));
    parts.push_back(Reply::array(std::move(entries)));
    return Reply::array(std::move(parts));
}

/// Waits for the first of the streams that gets an entry.
Reply waitForEntry(Call &c, const ReadRequest &request)
{
    Waiting waiting;
    waiting.deadline = *request.deadline;
    for (const Cursor &cursor : request.cursors)
        waiting.keys.append(cursor.key);
    const qint64 count = request.count > 0 ? request.count : countAfterWaiting;
    waiting.serve = [cursors = request.cursors, count](Call &call, const QByteArray &key) -> std::optional<Reply> {
        const auto *stream = std::get_if<std::unique_ptr<StreamValue>>(&call.keys.find(key)->value);
        const auto cursor =
            std::find_if(cursors.begin(), cursors.end(), [&key](const Cursor &each) { return each.key == key; });
        if (!stream || (*stream)->lastId() <= cursor->behind)
            return std::nullopt;
        return Reply::array({readBehind(**stream, *cursor, count)});
    };
    return c.block(std::move(waiting), nilArray());
}

Reply xread(Call &c)
{
    const ReadRequest request = readRequest(c);
    std::vector<Reply> found;
    for (const Cursor &cursor : request.cursors) {
        const StreamValue *const stream = c.keys.get<StreamValue>(cursor.key);
        if (stream && stream->size() > 0 && stream->lastEntryId() > cursor.behind)
            found.push_back(readBehind(*stream, cursor, request.count));
    }
    if (!found.empty())
        return Reply::array(std::move(found));
    return request.deadline ? waitForEntry(c, request) : nilArray();
}

const StreamValue &streamOf(Call &c)
{
    const StreamValue *const stream = c.keys.get<StreamValue>(c.arg(2));
    if (!stream)
        throw CommandError(errors::noSuchKey);
    return *stream;
}

/// FULL [COUNT n] at argument 3; nothing when there are no options.
std::optional<qint64> readFullCount(const Call &c)
{
    if (c.argc() == 3)
        return std::nullopt;
    constexpr qint64 usual = 10;
    const bool hasCount = c.argc() == 6 && c.isOption(4, "COUNT");
    if (!c.isOption(3, "FULL") || (c.argc() != 4 && !hasCount))
        throw CommandError("ERR unknown subcommand or wrong number of arguments for '" + c.arg(1)
                           + "'. Try XINFO HELP.");
    const qint64 count = hasCount ? c.integer(5) : usual;
    return count < 0 ? usual : count;
}

Reply firstOf(const StreamValue &stream, StreamValue::Direction direction)
{
    std::vector<Reply> found = entriesIn(stream, {.count = 1, .direction = direction});
    return found.empty() ? Reply::nil() : std::move(found.front());
}

Reply xinfoStream(Call &c)
{
    const StreamValue &stream = streamOf(c);
    const std::optional<qint64> fullCount = readFullCount(c);
    std::vector<Reply> parts;
    const auto say = [&parts](const char *name, Reply value) {
        parts.push_back(Reply::bulk(name));
        parts.push_back(std::move(value));
    };
    say("length", Reply::number(stream.size()));
    say("radix-tree-keys", Reply::number(stream.blockCount()));
    say("radix-tree-nodes", Reply::number(stream.blockCount() + 1));
    say("last-generated-id", Reply::bulk(stream.lastId().text()));
    say("max-deleted-entry-id", Reply::bulk(stream.greatestRemoved().text()));
    say("entries-added", Reply::number(qint64(stream.addedCount())));
    say("recorded-first-entry-id", Reply::bulk(stream.firstEntryId().text()));
    if (fullCount) {
        say("entries", Reply::array(entriesIn(stream, {.count = *fullCount})));
        say("groups", Reply::array({}));
    } else {
        say("groups", Reply::number(0));
        say("first-entry", firstOf(stream, StreamValue::Direction::Forward));
        say("last-entry", firstOf(stream, StreamValue::Direction::Backward));
    }
    return Reply::array(std::move(parts));
}

Reply xinfoGroups(Call &c)
{
    streamOf(c);
    return Reply::array({});
}

Reply xinfoConsumers(Call &c)
{
    streamOf(c);
    throw CommandError("NOGROUP No such consumer group '" + c.arg(3) + "' for key name '" + c.arg(2) + '\'');
}

Reply container(Call &)
{
    throw CommandError("ERR wrong number of arguments for 'xinfo' command");
}

using enum CommandFlag;

constexpr CommandSpec infoRows[] = {
    {"xinfo|stream", -3, ReadOnly, xinfoStream, 2, 2, 1},
    {"xinfo|groups", 3, ReadOnly, xinfoGroups, 2, 2, 1},
    {"xinfo|consumers", 4, ReadOnly, xinfoConsumers, 2, 2, 1},
};

constexpr CommandSpec rows[] = {
    {"xread", -4, ReadOnly | Blocking, xread},
    {"xinfo", -2, None, container, 0, 0, 0, infoRows},
};

} // namespace

std::span<const CommandSpec> streamReadCommands()
{
    return rows;
}

} // namespace ym::embedded
