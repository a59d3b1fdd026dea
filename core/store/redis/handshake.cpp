#include "core/store/redis/handshake.h"

#include "core/base/text.h"

#include <QCoreApplication>

namespace ym {

namespace {

QString say(const char *text)
{
    return QCoreApplication::translate("ym::Redis", text);
}

enum class Step : quint8 { Auth, Select, Name, Ping, Info };

struct Plan {
    std::vector<Step> steps;
    std::vector<Command> commands;

    void add(Step step, Command command)
    {
        steps.push_back(step);
        commands.push_back(std::move(command));
    }
};

Plan planFor(const StoreAddress &address, const QString &clientName, Ask ask)
{
    Plan plan;
    if (!address.user.isEmpty())
        plan.add(Step::Auth, cmd("AUTH", address.user.toUtf8(), address.password.toUtf8()));
    else if (!address.password.isEmpty())
        plan.add(Step::Auth, cmd("AUTH", address.password.toUtf8()));
    if (address.database != 0)
        plan.add(Step::Select, cmd("SELECT", address.database));
    if (!clientName.isEmpty())
        plan.add(Step::Name, cmd("CLIENT", "SETNAME", clientName.toUtf8()));
    if (ask == Ask::Everything) { // several sections in one INFO need Redis 7
        for (const char *section : {"server", "persistence", "memory", "replication", "cluster"})
            plan.add(Step::Info, cmd("INFO", section));
    }
    plan.add(Step::Ping, cmd("PING"));
    return plan;
}

/// INFO as a table; unknown lines are ignored (RELIABILITY P21).
QHash<QByteArray, QByteArray> readInfo(const std::vector<Reply> &replies, const Plan &plan)
{
    QHash<QByteArray, QByteArray> info;
    for (size_t i = 0; i < replies.size(); ++i) {
        if (plan.steps[i] != Step::Info || replies[i].type != Reply::Type::Bulk)
            continue;
        for (const QByteArray &line : replies[i].string.split('\n')) {
            const qsizetype colon = line.indexOf(':');
            if (colon > 0 && !line.startsWith('#') && line.size() < 1000)
                info.insert(line.left(colon), line.mid(colon + 1).trimmed());
        }
    }
    return info;
}

bool isOlderThan(const QByteArray &version, int major, int minor)
{
    const QList<QByteArray> parts = version.split('.');
    if (parts.size() < 2)
        return false;
    const int theirMajor = parts[0].toInt();
    return theirMajor < major || (theirMajor == major && parts[1].toInt() < minor);
}

ServerFacts factsFrom(const QHash<QByteArray, QByteArray> &info, const StoreAddress &address)
{
    ServerFacts facts;
    facts.server = QStringLiteral("redis");
    const QByteArray version = info.value("redis_version");
    if (!version.isEmpty())
        facts.server += u' ' + shownText(version, Lines::Flatten, 40);
    facts.isReplica = info.value("role") == "slave";
    if (address.insecureTls)
        facts.warnings << say(QT_TRANSLATE_NOOP("ym::Redis", "Not secure: the server's certificate is not checked."));
    if (isOlderThan(version, 6, 2))
        facts.warnings << say(QT_TRANSLATE_NOOP("ym::Redis", "Too old: Redis 6.2 or newer is needed."));
    if (info.value("aof_enabled") == "0")
        facts.warnings << say(QT_TRANSLATE_NOOP("ym::Redis",
                                                "Not durable: the append-only file (AOF) is off, so a crash of the "
                                                "server loses jobs. Switch it on with CONFIG "
                                                "SET appendonly yes, and in the server's configuration file."));
    const QByteArray policy = info.value("maxmemory_policy");
    if (!policy.isEmpty() && policy != "noeviction")
        facts.warnings
            << say(QT_TRANSLATE_NOOP(
                       "ym::Redis",
                       "Not safe: the server may delete jobs when its memory is full (maxmemory-policy %1). Set it to "
                       "noeviction."))
                   .arg(shownText(policy, Lines::Flatten, 40));
    if (facts.isReplica)
        facts.warnings << say(QT_TRANSLATE_NOOP("ym::Redis", "Read-only: this server is a replica."));
    return facts;
}

/// LOADING with the progress that INFO gives (RELIABILITY F14).
Error withProgress(Error error, const QHash<QByteArray, QByteArray> &info)
{
    const QByteArray percent = info.value("loading_loaded_perc");
    if (info.value("loading") == "1" && !percent.isEmpty())
        error.message +=
            say(QT_TRANSLATE_NOOP("ym::Redis", " (%1 % loaded)")).arg(shownText(percent, Lines::Flatten, 8));
    return error;
}

/// A TLS port hangs up without a word when it is greeted in plain text (RELIABILITY 6.3).
Error withTlsHint(Error error, const StoreAddress &address)
{
    const bool hungUp = error.kind == ErrorKind::Unavailable && error.ambiguous && error.advice.isEmpty();
    if (hungUp && address.kind == StoreAddress::Kind::Tcp)
        error.advice = say(QT_TRANSLATE_NOOP("ym::Redis", "If it expects TLS, write rediss:// instead of redis://."));
    return error;
}

/// Throws when the answer to one step means that this connection cannot be used.
void judge(Step step, const Reply &reply, const QHash<QByteArray, QByteArray> &info)
{
    if (!reply.isError()) {
        if (step == Step::Ping && reply.string != "PONG")
            throw StoreError(ErrorKind::Protocol,
                             say(QT_TRANSLATE_NOOP(
                                 "ym::Redis", "This is not a Redis server: it answers PING with something else.")));
        return;
    }
    const Error error = errorFromReply(reply.string);
    const bool missingRight = error.kind == ErrorKind::Permission && (step == Step::Name || step == Step::Ping);
    const bool onlyReads = error.kind == ErrorKind::NotWritable; // MISCONF comes to PING, too; reading works
    const bool decoration = step == Step::Info || step == Step::Name;
    if (missingRight || onlyReads || (decoration && error.kind != ErrorKind::Authentication))
        return;
    throw StoreError(withProgress(error, info));
}

} // namespace

QCoro::Task<ServerFacts> openConnection(std::shared_ptr<RedisConnection> connection, StoreAddress address,
                                        QString clientName, Ask ask)
{
    co_await connection->connectToServer();
    const Plan plan = planFor(address, clientName, ask);
    std::vector<Reply> replies;
    try {
        replies = co_await connection->callAll(plan.commands);
    } catch (const StoreError &e) {
        throw StoreError(withTlsHint(e.error(), address));
    }
    const QHash<QByteArray, QByteArray> info = readInfo(replies, plan);
    for (size_t i = 0; i < replies.size(); ++i)
        judge(plan.steps[i], replies[i], info);
    if (info.value("cluster_enabled") == "1")
        throw StoreError(
            ErrorKind::Cluster, say(QT_TRANSLATE_NOOP("ym::Redis", "This server is a node of a Redis Cluster.")),
            say(QT_TRANSLATE_NOOP("ym::Redis", "Redis Cluster is not supported; connect to a standalone server.")));
    co_return factsFrom(info, address);
}

} // namespace ym
