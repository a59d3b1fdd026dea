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

/// Up to a zero byte; line ends are shown as blanks, also at the end.
QByteArray shownArgument(const QByteArray &argument)
{
    return QByteArray(argument.constData()).replace('\r', ' ').replace('\n', ' ');
}

Reply list(Call &c)
{
    bool hasCode = false;
    bool hasName = false;
    for (qsizetype i = 2; i < c.argc(); ++i) {
        if (!hasCode && c.isOption(i, "WITHCODE")) {
            hasCode = true;
        } else if (!hasName && c.isOption(i, "LIBRARYNAME")) {
            hasName = true;
            if (++i == c.argc())
                throw CommandError("ERR library name argument was not given");
        } else {
            throw CommandError("ERR Unknown argument " + shownArgument(c.arg(i)));
        }
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
