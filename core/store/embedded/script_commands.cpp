// EVAL and SCRIPT.
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/lua_host.h"

namespace ym::embedded {

namespace {

/// Reads `numkeys key … arg …` behind the script and runs it.
Reply run(Call &c, const QByteArray &sha, LuaHost::Access access)
{
    const qint64 count = c.integer(2);
    if (count > c.argc() - 3)
        throw CommandError("ERR Number of keys can't be greater than number of args");
    if (count < 0)
        throw CommandError("ERR Number of keys can't be negative");
    c.logNothing(); // its commands log themselves
    return c.executor.lua().run(sha, {c.args.sliced(3, count), c.args.sliced(3 + count), access});
}

Reply eval(Call &c)
{
    return run(c, c.executor.lua().add(c.arg(1)), LuaHost::Access::ReadWrite);
}

Reply evalRo(Call &c)
{
    return run(c, c.executor.lua().add(c.arg(1)), LuaHost::Access::ReadOnly);
}

QByteArray knownSha(const Call &c)
{
    const QByteArray sha = c.arg(1).toLower();
    if (!c.executor.lua().contains(sha))
        throw CommandError("NOSCRIPT No matching script. Please use EVAL.");
    return sha;
}

Reply evalsha(Call &c)
{
    return run(c, knownSha(c), LuaHost::Access::ReadWrite);
}

Reply evalshaRo(Call &c)
{
    return run(c, knownSha(c), LuaHost::Access::ReadOnly);
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

Reply scriptKill(Call &)
{
    throw CommandError("NOTBUSY No scripts in execution right now.");
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
    {"script|kill", 2, NoScript, scriptKill},
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
