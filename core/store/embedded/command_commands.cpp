// COMMAND: what this server can do.
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/glob.h"
#include "core/store/embedded/numbers.h"

namespace ym::embedded {

namespace {

std::vector<Reply> flagsOf(const CommandSpec &spec)
{
    constexpr std::pair<CommandFlag, const char *> names[] = {
        {CommandFlag::Write, "write"},       {CommandFlag::ReadOnly, "readonly"}, {CommandFlag::PubSub, "pubsub"},
        {CommandFlag::NoScript, "noscript"}, {CommandFlag::Blocking, "blocking"}, {CommandFlag::Hidden, "skip_monitor"},
        {CommandFlag::NoAuth, "no_auth"},
    };
    std::vector<Reply> flags;
    for (const auto &[flag, name] : names) {
        if (spec.is(flag))
            flags.push_back(Reply::status(name));
    }
    return flags;
}

std::vector<Reply> categoriesOf(const CommandSpec &spec)
{
    constexpr std::pair<CommandFlag, const char *> names[] = {
        {CommandFlag::Write, "@write"},       {CommandFlag::ReadOnly, "@read"},    {CommandFlag::PubSub, "@pubsub"},
        {CommandFlag::Blocking, "@blocking"}, {CommandFlag::Script, "@scripting"},
    };
    std::vector<Reply> categories;
    for (const auto &[flag, name] : names) {
        if (spec.is(flag))
            categories.push_back(Reply::status(name));
    }
    return categories;
}

Reply describe(const CommandSpec &spec)
{
    std::vector<Reply> subcommands;
    for (const CommandSpec &sub : spec.subcommands)
        subcommands.push_back(describe(sub));
    return Reply::array({Reply::bulk(spec.name), Reply::number(spec.arity), Reply::array(flagsOf(spec)),
                         Reply::number(spec.firstKey), Reply::number(spec.lastKey),
                         Reply::number(spec.firstKey > 0 ? spec.keyStep : 0), Reply::array(categoriesOf(spec)),
                         Reply::array({}), Reply::array({}), Reply::array(std::move(subcommands))});
}

using Replies = std::vector<Reply>;

Reply command(Call &)
{
    Replies replies;
    forEachCommand([](const CommandSpec &spec, void *to) { static_cast<Replies *>(to)->push_back(describe(spec)); },
                   &replies);
    return Reply::array(std::move(replies));
}

Reply count(Call &)
{
    return Reply::number(commandCount());
}

/// "config" or "config|get".
const CommandSpec *findByFullName(const QByteArray &name)
{
    const qsizetype bar = name.indexOf('|');
    const CommandSpec *spec = findCommand(bar < 0 ? name : name.left(bar));
    return bar < 0 || !spec ? spec : findSubcommand(*spec, name.sliced(bar + 1));
}

Reply info(Call &c)
{
    if (c.argc() == 2)
        return command(c);
    Replies replies;
    for (qsizetype i = 2; i < c.argc(); ++i) {
        const CommandSpec *spec = findByFullName(c.arg(i));
        replies.push_back(spec ? describe(*spec) : Reply::nil());
    }
    return Reply::array(std::move(replies));
}

Reply list(Call &c)
{
    const bool isFiltered = c.argc() == 5 && c.isOption(2, "FILTERBY");
    if (c.argc() != 2
        && !(isFiltered && (c.isOption(3, "PATTERN") || c.isOption(3, "MODULE") || c.isOption(3, "ACLCAT"))))
        throw CommandError(errors::syntax);
    if (isFiltered && !c.isOption(3, "PATTERN")) // there are no modules, and no categories to tell apart
        return Reply::array({});
    QList<QByteArray> names;
    forEachCommand([](const CommandSpec &spec, void *to) { static_cast<QList<QByteArray> *>(to)->append(spec.name); },
                   &names);
    if (isFiltered)
        names.removeIf([&c](const QByteArray &name) { return !matchesGlobIgnoringCase(c.arg(4), name); });
    return bulkArray(names);
}

/// `numkeys key …` at `at` of the words.
QList<QByteArray> countedKeys(const QList<QByteArray> &words, qsizetype at)
{
    const auto number = at < words.size() ? readInteger(words[at]) : std::nullopt;
    if (!number || *number < 0 || *number > words.size() - at - 1)
        throw CommandError("ERR Invalid arguments specified for command");
    return words.sliced(at + 1, *number);
}

/// Where the number of keys stands, for commands that count them; 0 = it does not.
qsizetype keyCountIndex(const QByteArray &name)
{
    constexpr std::pair<const char *, qsizetype> rows[] = {
        {"eval", 2},       {"eval_ro", 2},     {"evalsha", 2},     {"evalsha_ro", 2}, {"lmpop", 1}, {"zmpop", 1},
        {"blmpop", 2},     {"bzmpop", 2},      {"zunion", 1},      {"zinter", 1},     {"zdiff", 1}, {"zintercard", 1},
        {"sintercard", 1}, {"zunionstore", 2}, {"zinterstore", 2}, {"zdiffstore", 2}, {"fcall", 2}, {"fcall_ro", 2},
    };
    for (const auto &[known, index] : rows) {
        if (name == known)
            return index;
    }
    return 0;
}

bool isXread(const CommandSpec &spec)
{
    return qstrcmp(spec.name, "xread") == 0;
}

/// The last STORE counts.
QList<QByteArray> sortKeys(const QList<QByteArray> &words)
{
    QList<QByteArray> keys{words[1]};
    for (qsizetype i = 2; i + 1 < words.size(); ++i) {
        if (qstricmp(words[i].constData(), "STORE") == 0)
            keys = {words[1], words[++i]};
    }
    return keys;
}

/// Between STREAMS and as many ids.
QList<QByteArray> streamKeys(const QList<QByteArray> &words)
{
    for (qsizetype i = 1; i < words.size(); ++i) {
        const qsizetype rest = words.size() - i - 1;
        if (qstricmp(words[i].constData(), "STREAMS") == 0 && rest >= 2)
            return words.sliced(i + 1, rest / 2);
    }
    throw CommandError("ERR Invalid arguments specified for command");
}

QList<QByteArray> keysOf(const CommandSpec &spec, const QList<QByteArray> &words)
{
    QList<QByteArray> keys;
    if (const qsizetype index = keyCountIndex(spec.name)) {
        if (spec.firstKey > 0) // where the result goes
            keys.append(words[spec.firstKey]);
        return keys + countedKeys(words, index);
    }
    if (qstrcmp(spec.name, "sort") == 0)
        return sortKeys(words);
    if (isXread(spec))
        return streamKeys(words);
    const qsizetype last = spec.lastKey < 0 ? words.size() + spec.lastKey : spec.lastKey;
    for (qsizetype i = spec.firstKey; spec.firstKey > 0 && i <= last && i < words.size(); i += spec.keyStep)
        keys.append(words[i]);
    return keys;
}

Reply getKeys(Call &c)
{
    const QList<QByteArray> words = c.args.sliced(2);
    const CommandSpec *spec = findCommand(words[0]);
    if (spec && !spec->subcommands.empty() && words.size() > 1)
        spec = findSubcommand(*spec, words[1]);
    if (!spec)
        throw CommandError("ERR Invalid command specified");
    if (spec->firstKey == 0 && keyCountIndex(spec->name) == 0 && !isXread(*spec))
        throw CommandError("ERR The command has no key arguments");
    if (!spec->takes(words.size()))
        throw CommandError("ERR Invalid number of arguments specified for command");
    return bulkArray(keysOf(*spec, words));
}

constexpr CommandSpec subcommands[] = {
    {"command|count", 2, CommandFlag::None, count},
    {"command|getkeys", -4, CommandFlag::None, getKeys},
    {"command|info", -2, CommandFlag::None, info},
    {"command|list", -2, CommandFlag::None, list},
};

constexpr CommandSpec rows[] = {
    {"command", -1, CommandFlag::None, command, 0, 0, 0, subcommands},
};

} // namespace

std::span<const CommandSpec> commandCommands()
{
    return rows;
}

} // namespace ym::embedded
