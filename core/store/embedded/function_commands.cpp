// Functions: there are none, and scripts do the same.
#include "core/store/embedded/call.h"
#include "core/store/embedded/command_table.h"

namespace ym::embedded {

namespace {

[[noreturn]] void refuse()
{
    throw CommandError("ERR functions are not supported by this server, use EVAL and SCRIPT LOAD");
}

Reply load(Call &)
{
    refuse();
}

Reply call(Call &)
{
    throw CommandError("ERR Function not found");
}

/// Nothing is there to be removed.
Reply flush(Call &c)
{
    if (c.argc() > 3 || (c.argc() == 3 && !c.isOption(2, "ASYNC") && !c.isOption(2, "SYNC")))
        throw CommandError("ERR FUNCTION FLUSH only supports SYNC|ASYNC option");
    return okReply();
}

Reply list(Call &c)
{
    for (qsizetype i = 2; i < c.argc(); ++i) {
        if (c.isOption(i, "LIBRARYNAME") && ++i == c.argc())
            throw CommandError("ERR library name argument was not given");
        if (!c.isOption(i, "WITHCODE") && !c.isOption(i - 1, "LIBRARYNAME"))
            throw CommandError(QByteArray("ERR Unknown argument ") + c.arg(i).constData()); // up to a zero byte
    }
    return Reply::array({});
}

using enum CommandFlag;

constexpr CommandSpec functionRows[] = {
    {"function|load", -3, NoScript, load},
    {"function|restore", -3, NoScript, load},
    {"function|flush", -2, NoScript, flush},
    {"function|list", -2, NoScript, list},
};

constexpr CommandSpec rows[] = {
    {"function", -2, NoScript, [](Call &) -> Reply { refuse(); }, 0, 0, 0, functionRows},
    {"fcall", -3, NoScript, call},
    {"fcall_ro", -3, NoScript | ReadOnly, call},
};

} // namespace

std::span<const CommandSpec> functionCommands()
{
    return rows;
}

} // namespace ym::embedded
