// CONFIG: the settings of the server, of which those of its clients, its notifications and its memory can be changed.
#include "core/store/embedded/client_link.h"
#include "core/store/embedded/collection_limits.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/glob.h"
#include "core/store/embedded/numbers.h"
#include "core/store/embedded/server_info.h"

#include <QSet>

namespace ym::embedded {

namespace {

/// A threshold of the compact forms; it counts at once.
struct NumberSetting {
    const char *name;
    const char *oldName; ///< also understood; null = none
    qint64 lowest;
    qint64 highest;
    qint64 CollectionLimits::*value;
};

constexpr qint64 anyNumber = std::numeric_limits<qint64>::max();

constexpr NumberSetting numberSettings[] = {
    {"hash-max-listpack-entries", "hash-max-ziplist-entries", 0, anyNumber, &CollectionLimits::hashEntries},
    {"hash-max-listpack-value", "hash-max-ziplist-value", 0, anyNumber, &CollectionLimits::hashText},
    {"list-max-listpack-size", "list-max-ziplist-size", -5, std::numeric_limits<qint32>::max(),
     &CollectionLimits::listChunk},
    {"set-max-intset-entries", nullptr, 0, anyNumber, &CollectionLimits::setIntegers},
    {"stream-node-max-bytes", nullptr, 0, anyNumber, &CollectionLimits::streamBlockBytes},
    {"stream-node-max-entries", nullptr, 0, anyNumber, &CollectionLimits::streamBlockEntries},
    {"zset-max-listpack-entries", "zset-max-ziplist-entries", 0, anyNumber, &CollectionLimits::sortedSetEntries},
    {"zset-max-listpack-value", "zset-max-ziplist-value", 0, anyNumber, &CollectionLimits::sortedSetText},
};

const NumberSetting *numberSetting(const QByteArray &name)
{
    for (const NumberSetting &setting : numberSettings) {
        if (name == setting.name || (setting.oldName && name == setting.oldName))
            return &setting;
    }
    return nullptr;
}

QList<std::pair<QByteArray, QByteArray>> allSettings(Executor &executor)
{
    QList<std::pair<QByteArray, QByteArray>> all = serverConfig(executor);
    all.append({"notify-keyspace-events", executor.eventClasses().letters()});
    for (const NumberSetting &setting : numberSettings) {
        const QByteArray value = QByteArray::number(collectionLimits.*setting.value);
        all.append({setting.name, value});
        if (setting.oldName)
            all.append({setting.oldName, value});
    }
    return all;
}

Reply configGet(Call &c)
{
    QList<QByteArray> found;
    for (const auto &[name, value] : allSettings(c.executor)) {
        for (qsizetype i = 2; i < c.argc(); ++i) {
            if (!matchesGlobIgnoringCase(c.arg(i), name))
                continue;
            found << name << value;
            break;
        }
    }
    return bulkArray(found);
}

[[noreturn]] void refuse(const QByteArray &name, const QByteArray &reason)
{
    throw CommandError("ERR CONFIG SET failed (possibly related to argument '" + name + "') - " + reason);
}

/// A change that has been looked at and cannot fail any more.
using Change = std::function<void()>;

qint64 readNumber(const QByteArray &name, const QByteArray &text, qint64 lowest, qint64 highest)
{
    const auto value = readInteger(text);
    if (!value)
        refuse(name, "argument couldn't be parsed into an integer");
    if (*value < lowest || *value > highest)
        refuse(name,
               "argument must be between " + QByteArray::number(lowest) + " and " + QByteArray::number(highest)
                   + " inclusive");
    return *value;
}

/// A change of the executor's own; nothing when the setting is not one of these.
std::optional<Change> readOwnChange(Executor &executor, const QByteArray &name, const QByteArray &text)
{
    if (name == "notify-keyspace-events") {
        const auto classes = EventClasses::read(text);
        if (!classes)
            refuse(name, "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
        return [&executor, classes] { executor.setEventClasses(*classes); };
    }
    if (name == "busy-reply-threshold" || name == "lua-time-limit") {
        const Milliseconds limit{readNumber(name, text, 0, anyNumber)};
        return [&executor, limit] { executor.setScriptTimeLimit(limit); };
    }
    if (const NumberSetting *setting = numberSetting(name)) {
        const qint64 value = readNumber(name, text, setting->lowest, setting->highest);
        return [setting, value] { collectionLimits.*setting->value = value; };
    }
    return std::nullopt;
}

/// The value that a setting has; throws when there is none of this name.
QByteArray currentValue(const Executor &executor, const QByteArray &name)
{
    for (const auto &[known, value] : serverConfig(executor)) {
        if (known == name.toLower())
            return value;
    }
    throw CommandError("ERR Unknown option or number of arguments for CONFIG SET - '" + name + '\'');
}

/// All or none are changed.
Reply configSet(Call &c)
{
    if (c.argc() % 2 != 0)
        throw CommandError(errors::syntax);
    QList<Change> changes;
    ClientHub::Settings ofClients; ///< and those that never change
    QSet<QByteArray> names;
    for (qsizetype i = 2; i < c.argc(); i += 2) {
        const QByteArray name = c.arg(i).toLower();
        const QByteArray &value = c.arg(i + 1);
        if (const auto change = readOwnChange(c.executor, name, value))
            changes.append(*change);
        else if (currentValue(c.executor, c.arg(i)) != value)
            ofClients.append({name, value});
        if (names.contains(name))
            refuse(name, "duplicate parameter");
        names.insert(name);
    }
    if (!ofClients.isEmpty()) {
        ClientHub *hub = c.executor.hub();
        QByteArray offender = ofClients.constFirst().first;
        const QByteArray error = hub ? hub->changeSettings(ofClients, &offender) : "can't set immutable config";
        if (!error.isEmpty())
            refuse(offender, error);
    }
    for (const Change &change : std::as_const(changes))
        change();
    return okReply();
}

Reply configResetstat(Call &c)
{
    c.executor.resetStats();
    if (ClientHub *hub = c.executor.hub())
        hub->resetStats();
    return okReply();
}

Reply container(Call &)
{
    throw CommandError("ERR wrong number of arguments for 'config' command");
}

using enum CommandFlag;

constexpr CommandSpec configRows[] = {
    {"config|get", -3, NoScript, configGet},
    {"config|set", -4, NoScript, configSet},
    {"config|resetstat", 2, NoScript, configResetstat},
};

constexpr CommandSpec rows[] = {
    {"config", -2, NoScript, container, 0, 0, 0, configRows},
};

} // namespace

std::span<const CommandSpec> configCommands()
{
    return rows;
}

} // namespace ym::embedded
