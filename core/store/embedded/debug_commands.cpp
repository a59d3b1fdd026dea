// DEBUG: the harmless part.
#include "core/store/embedded/client_link.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/value_copy.h"

#include <algorithm>

namespace ym::embedded {

namespace {

/// The process goes on; only the clients notice.
Reply sleep(Call &c)
{
    const double seconds = c.number(2);
    if (c.client.link && seconds > 0)
        c.client.link->hub().sleep(Milliseconds(qint64(std::min(seconds, 1e6) * 1000)));
    return okReply();
}

Reply object(Call &c)
{
    const Entry *entry = c.keys.find(c.arg(2));
    if (!entry)
        throw CommandError(errors::noSuchKey);
    return Reply::status(QByteArray("Value at:0x0 refcount:1 encoding:") + encodingOf(*entry)
                         + " serializedlength:" + QByteArray::number(memoryOf(entry->value))
                         + " lru:0 lru_seconds_idle:0");
}

/// Expired keys go when they are looked at, in any case.
Reply setActiveExpire(Call &c)
{
    c.executor.setExpiresByItself(c.integer(2) != 0);
    return okReply();
}

Reply container(Call &)
{
    throw CommandError("ERR wrong number of arguments for 'debug' command");
}

using enum CommandFlag;

constexpr CommandSpec debugRows[] = {
    {"debug|sleep", 3, NoScript, sleep},
    {"debug|object", 3, NoScript, object},
    {"debug|set-active-expire", 3, NoScript, setActiveExpire},
};

constexpr CommandSpec rows[] = {
    {"debug", -2, NoScript, container, 0, 0, 0, debugRows},
};

} // namespace

std::span<const CommandSpec> debugCommands()
{
    return rows;
}

} // namespace ym::embedded
