// EVAL and SCRIPT.
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/lua_host.h"

namespace ym::embedded {

namespace {

/// `numkeys` behind the script, within bounds; it is checked before the script is looked at.
qint64 readKeyCount(const Call &c)
{
    const qint64 count = c.integer(2);
    if (count > c.argc() - 3)
        throw CommandError("ERR Number of keys can't be greater than number of args");
    if (count < 0)
        throw CommandError("ERR Number of keys can't be negative");
    return count;
}

QByteArray addScript(Call &c)
{
    return c.executor.lua().add(c.arg(1));
}

[[noreturn]] void throwUnknownScript()
{
    throw CommandError("NOSCRIPT No matching script. Please use EVAL.");
}

QByteArray knownScript(Call &c)
{
    const QByteArray sha = c.arg(1).toLower();
    if (!c.executor.lua().contains(sha))
        throwUnknownScript();
    return sha;
}

Reply run(Call &c, QByteArray (*script)(Call &), LuaHost::Access access)
{
    const qint64 count = readKeyCount(c);
    const QByteArray sha = script(c);
    c.logNothing(); // its commands log themselves
    return c.executor.lua().run(sha,
                                {c.args.sliced(3, count), c.args.sliced(3 + count), access, c.keys.index(), &c.client});
}

Reply eval(Call &c)
{
    return run(c, addScript, LuaHost::Access::ReadWrite);
}

Reply evalRo(Call &c)
{
    return run(c, addScript, LuaHost::Access::ReadOnly);
}

/// A text that cannot be a SHA-1 is refused before anything else is looked at.
Reply runKnown(Call &c, LuaHost::Access access)
{
    constexpr qsizetype shaSize = 40;
    if (c.arg(1).size() != shaSize)
        throwUnknownScript();
    return run(c, knownScript, access);
}

Reply evalsha(Call &c)
{
    return runKnown(c, LuaHost::Access::ReadWrite);
}

Reply evalshaRo(Call &c)
{
    return runKnown(c, LuaHost::Access::ReadOnly);
}

Reply scriptLoad(Call &c)
{
    return Reply::bulk(c.executor.lua().add(c.arg(2)));
}

Reply scriptExists(Call &c)
{
    std::vector<Reply> answers;
    for (qsizetype i = 2; i < c.argc(); ++i)
        answers.push_back(Reply::number(c.executor.lua().contains(c.arg(i).toLower())));
    return Reply::array(std::move(answers));
}

Reply scriptFlush(Call &c)
{
    if (c.argc() > 3 || (c.argc() == 3 && !c.isOption(2, "ASYNC") && !c.isOption(2, "SYNC")))
        throw CommandError("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
    c.executor.lua().clear();
    return okReply();
}

Reply scriptKill(Call &c)
{
    c.executor.lua().kill();
    return okReply();
}

Reply container(Call &)
{
    throw CommandError("ERR wrong number of arguments for 'script' command");
}

using enum CommandFlag;

constexpr CommandSpec scriptRows[] = {
    {"script|load", 3, NoScript, scriptLoad},
    {"script|exists", -3, NoScript, scriptExists},
    {"script|flush", -2, NoScript, scriptFlush},
    {"script|kill", 2, NoScript | WhileBusy, scriptKill},
};

constexpr CommandSpec rows[] = {
    {"eval", -3, NoScript | Script, eval},
    {"eval_ro", -3, NoScript | Script | ReadOnly, evalRo},
    {"evalsha", -3, NoScript | Script, evalsha},
    {"evalsha_ro", -3, NoScript | Script | ReadOnly, evalshaRo},
    {"script", -2, NoScript, container, 0, 0, 0, scriptRows},
};

} // namespace

std::span<const CommandSpec> scriptCommands()
{
    return rows;
}

} // namespace ym::embedded
