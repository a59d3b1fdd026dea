#include "core/store/read_only_store.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>

namespace ym {

namespace {

/// By verb, or by verb and subcommand where only some of a verb's commands look. The commands of a viewer (RELIABILITY
/// 6.5) and of every connection.
const QSet<QByteArray> &readingVerbs()
{
    static const QSet<QByteArray> verbs{
        "PING",     "ECHO",     "SELECT",           "ROLE",      "TIME",      "INFO",           "DBSIZE",   "TYPE",
        "EXISTS",   "TTL",      "PTTL",             "SCAN",      "GET",       "MGET",           "STRLEN",   "GETRANGE",
        "HGET",     "HMGET",    "HGETALL",          "HLEN",      "HEXISTS",   "HSTRLEN",        "HKEYS",    "HVALS",
        "HSCAN",    "LLEN",     "LRANGE",           "LINDEX",    "LPOS",      "SCARD",          "SISMEMBER", "SMEMBERS",
        "SSCAN",    "ZCARD",    "ZCOUNT",           "ZSCORE",    "ZRANGE",    "ZRANGEBYSCORE",  "ZRANK",    "ZSCAN",
        "XLEN",     "XRANGE",   "EVAL_RO",          "EVALSHA_RO", "CONFIG GET", "MEMORY USAGE", "OBJECT ENCODING",
        "SLOWLOG GET", "SLOWLOG LEN", "CLIENT ID",  "CLIENT GETNAME", "CLIENT SETNAME",
    };
    return verbs;
}

} // namespace

bool isReadingCommand(const Command &command)
{
    const QByteArray verb = command.verb().toUpper();
    if (readingVerbs().contains(verb))
        return verb != "GETRANGE" || command.args.size() == 4;
    return command.args.size() > 1 && readingVerbs().contains(verb + ' ' + command.args[1].toUpper());
}

bool isReadingScript(const Script &script)
{
    const QByteArray first = script.text.left(script.text.indexOf('\n'));
    return first.startsWith("#!lua") && first.contains("no-writes");
}

Error readOnlyError()
{
    return {ErrorKind::ReadOnly, QCoreApplication::translate("ym::Store", "This connection is read-only."),
            QCoreApplication::translate("ym::Store",
                                        "Switch that off in the connection's settings to change something."),
            false};
}

void ReadOnlyStore::requireReading(const Command &command) const
{
    if (!isReadingCommand(command))
        throw StoreError(m_refusal);
}

void ReadOnlyStore::requireReading(const std::vector<Command> &commands) const
{
    for (const Command &command : commands)
        requireReading(command);
}

ReadOnlyStore::ReadOnlyStore(std::unique_ptr<Store> inner, Error refusal, QObject *parent)
    : Store(parent)
    , m_inner(std::move(inner))
    , m_refusal(std::move(refusal))
{
    connect(m_inner.get(), &Store::statusChanged, this, &Store::statusChanged);
}

ReadOnlyStore::~ReadOnlyStore() = default;

QCoro::Task<Reply> ReadOnlyStore::command(Command command)
{
    requireReading(command);
    co_return co_await m_inner->command(std::move(command));
}

QCoro::Task<std::vector<Reply>> ReadOnlyStore::pipeline(std::vector<Command> commands)
{
    requireReading(commands);
    co_return co_await m_inner->pipeline(std::move(commands));
}

QCoro::Task<std::vector<Reply>> ReadOnlyStore::transaction(std::vector<Command> commands)
{
    requireReading(commands);
    co_return co_await m_inner->transaction(std::move(commands));
}

QCoro::Task<Reply> ReadOnlyStore::script(const Script *script, QList<QByteArray> keys, QList<QByteArray> args)
{
    if (!isReadingScript(*script))
        throw StoreError(m_refusal);
    co_return co_await m_inner->script(script, std::move(keys), std::move(args));
}

QCoro::Task<Reply> ReadOnlyStore::blocking(Command command, Milliseconds wait, std::stop_token stop)
{
    requireReading(command);
    co_return co_await m_inner->blocking(std::move(command), wait, std::move(stop));
}

std::unique_ptr<Subscription> ReadOnlyStore::subscribe(QList<QByteArray> channels, Match match)
{
    return m_inner->subscribe(std::move(channels), match);
}

QCoro::Task<bool> ReadOnlyStore::waitUntilReady(std::stop_token stop)
{
    return m_inner->waitUntilReady(std::move(stop));
}

} // namespace ym
