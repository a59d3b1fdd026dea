#include "core/store/embedded/executor.h"

#include "core/store/embedded/lua_host.h"
#include "core/store/embedded/resp.h"

namespace ym::embedded {

namespace {

/// At most this many keys go in one tick, so that a million that end together do not stop the thread.
constexpr int expireBatch = 1000;

/// C text ends at a zero byte; error texts show no more than that.
QByteArray asCText(const QByteArray &bytes, qsizetype limit)
{
    const qsizetype zero = bytes.indexOf('\0');
    return bytes.left(std::min(limit, zero < 0 ? bytes.size() : zero));
}

QByteArray unknownCommand(const QList<QByteArray> &args)
{
    QByteArray shown;
    for (qsizetype i = 1; i < args.size() && shown.size() < 128; ++i)
        shown += '\'' + asCText(args[i], 128 - shown.size()) + "' ";
    return "ERR unknown command '" + asCText(args[0], 128) + "', with args beginning with: " + shown;
}

/// Error texts are one line on the wire.
Reply errorReply(QByteArray text)
{
    while (text.endsWith('\n') || text.endsWith('\r'))
        text.chop(1);
    text.replace('\r', ' ').replace('\n', ' ');
    return Reply::error(std::move(text));
}

qint64 memoryOf(const QList<QByteArray> &words)
{
    constexpr qint64 heap = 16; // of each allocation
    qint64 bytes = heap + qint64(sizeof words);
    for (const QByteArray &word : words)
        bytes += heap + qint64(sizeof word) + word.size();
    return bytes;
}

bool isExec(const CommandSpec &spec)
{
    return qstrcmp(spec.name, "exec") == 0;
}

/// True for commands that may write, and for an EXEC of such.
bool writes(const CommandSpec &spec, const ClientContext &client)
{
    if (!isExec(spec))
        return spec.is(CommandFlag::Write);
    return std::any_of(client.queued.cbegin(), client.queued.cend(), [](const QList<QByteArray> &words) {
        const CommandSpec *queued = findCommand(words[0]);
        return queued && queued->is(CommandFlag::Write);
    });
}

} // namespace

Executor::Executor(Clock *clock, EffectSink *sink)
    : m_clock(clock)
    , m_sink(sink)
    , m_startedAt(clock->now())
{
    KeyspaceObserver *self = this;
    for (int index = 0; index < databaseCount; ++index)
        m_databases.emplace_back(index, self, &m_now);
    refreshNow();
}

Executor::~Executor() = default;

qsizetype Executor::scriptCount() const
{
    return m_lua ? m_lua->scriptCount() : 0;
}

bool Executor::isInScript() const
{
    return m_lua && m_lua->isRunning();
}

bool Executor::isBusy() const
{
    return m_lua && m_lua->isBusy();
}

LuaHost &Executor::lua()
{
    if (!m_lua)
        m_lua = std::make_unique<LuaHost>(*this);
    return *m_lua;
}

void Executor::refreshNow()
{
    m_now = m_clock->now().time_since_epoch().count();
}

Keyspace &Executor::database(qint64 number)
{
    if (number < 0 || number >= databaseCount)
        throw CommandError("ERR DB index is out of range");
    return m_databases[size_t(number)];
}

void Executor::swapDatabases(Keyspace &first, Keyspace &second)
{
    first.swapKeys(second);
    for (Keyspace *each : {&first, &second}) {
        for (const QByteArray &key : m_waiters.keysWaitedFor(each->index())) {
            if (each->contains(key))
                m_waiters.markReady(each->index(), key);
        }
    }
}

void Executor::introduce(ClientContext &client)
{
    if (client.id == 0)
        client.id = newClientId();
    m_clients.insert(&client);
}

void Executor::forget(ClientContext &client)
{
    m_waiters.remove(&client);
    m_pubSub.forget(&client);
    unwatchAll(client);
    m_monitors.remove(client);
    m_clients.remove(&client);
}

void Executor::unwatchAll(ClientContext &client)
{
    for (const WatchedKey &watched : std::as_const(client.watched))
        database(watched.database).unwatch(watched.key);
    client.watched.clear();
}

QList<QList<QByteArray>> Executor::endTransaction(ClientContext &client)
{
    client.isInTransaction = false;
    client.isTransactionBroken = false;
    unwatchAll(client);
    client.queuedBytes = 0;
    return std::exchange(client.queued, {});
}

const CommandSpec *Executor::lookUp(const QList<QByteArray> &args, QByteArray &error) const
{
    const CommandSpec *spec = findCommand(args[0]);
    if (!spec) {
        error = unknownCommand(args);
        return nullptr;
    }
    if (!spec->subcommands.empty() && args.size() > 1) {
        const CommandSpec *sub = findSubcommand(*spec, args[1]);
        if (!sub) {
            error = "ERR unknown subcommand '" + asCText(args[1], 128) + "'. Try " + QByteArray(spec->name).toUpper()
                + " HELP.";
            return nullptr;
        }
        spec = sub;
    }
    if (!spec->takes(args.size())) {
        error = QByteArray("ERR wrong number of arguments for '") + spec->name + "' command";
        return nullptr;
    }
    return spec;
}

Executor::Outcome Executor::execute(ClientContext &client, const QList<QByteArray> &args)
{
    if (isBusy()) // time stands still, and the effects of the script are not complete
        return admit(client, args);
    refreshNow();
    ++m_commands;
    Outcome outcome = admit(client, args);
    commit();
    if (m_waiters.hasReady())
        serveWaiters();
    return outcome;
}

/// What a refused command does to a transaction: it cannot be carried out any more, and a refused EXEC ends it.
QByteArray Executor::refuse(ClientContext &client, const QList<QByteArray> &args, QByteArray error)
{
    client.isTransactionBroken |= client.isInTransaction;
    const CommandSpec *spec = findCommand(args[0]);
    if (!spec || !isExec(*spec))
        return error;
    endTransaction(client);
    if (error.startsWith("ERR "))
        error.remove(0, 4);
    return "EXECABORT Transaction discarded because of: " + error;
}

/// Why this client may not run this command now; empty = it may.
QByteArray Executor::refusalFor(const ClientContext &client, const CommandSpec &spec) const
{
    if (!client.isAuthenticated && !spec.is(CommandFlag::NoAuth))
        return "NOAUTH Authentication required.";
    if (client.isInTransaction && spec.is(CommandFlag::NoMulti))
        return "ERR Command not allowed inside a transaction";
    const QByteArray refusal = writes(spec, client) ? writeRefusal() : QByteArray();
    if (refusal.isEmpty() && client.link && client.isListening() && !spec.is(CommandFlag::WhileListening))
        return QByteArray("ERR Can't execute '") + spec.name
            + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context";
    if (refusal.isEmpty() && isBusy() && !spec.is(CommandFlag::WhileBusy))
        return errors::busy;
    return refusal;
}

/// The checks before a command runs, in the order of Redis.
Executor::Outcome Executor::admit(ClientContext &client, const QList<QByteArray> &args)
{
    QByteArray error;
    const CommandSpec *spec = lookUp(args, error);
    if (spec)
        error = refusalFor(client, *spec);
    if (!error.isEmpty())
        return {errorReply(refuse(client, args, error))};
    client.lastCommand = spec;
    if (client.isInTransaction && !spec->is(CommandFlag::Immediate)) {
        client.queued.append(args);
        client.queuedBytes += memoryOf(args);
        return {Reply::status("QUEUED")};
    }
    return run(client, *spec, args);
}

Executor::Outcome Executor::run(ClientContext &client, const CommandSpec &spec, const QList<QByteArray> &args)
{
    if (!m_monitors.isEmpty() && !spec.is(CommandFlag::Hidden))
        m_monitors.show(client, args, m_now);
    Call call(*this, client, args, database(client.database));
    Outcome outcome;
    try {
        outcome.reply = spec.handler(call);
    } catch (const CommandError &error) {
        outcome.reply = errorReply(error.text());
    }
    record(call, &spec);
    if (call.isBlocked()) {
        outcome.isBlocked = true;
        m_waiters.add(&client);
    }
    return outcome;
}

Reply Executor::executeNested(ClientContext &client, const CommandSpec &spec, const QList<QByteArray> &args)
{
    ++m_commands;
    return run(client, spec, args).reply;
}

void Executor::replay(const QList<QByteArray> &args)
{
    QByteArray error;
    const CommandSpec *spec = lookUp(args, error);
    if (!spec)
        throw CommandError(error);
    m_isReplaying = true;
    m_now = 0; // nothing expires while the past is told; what is over goes afterwards
    Call call(*this, m_replayClient, args, database(m_replayClient.database));
    try {
        spec->handler(call);
    } catch (const CommandError &) {
        m_isReplaying = false;
        throw;
    }
    m_isReplaying = false;
    m_effects.setDatabase(m_replayClient.database);
}

/// Keeps what a command changed for the log. A refused command has changed nothing, but keys may have expired before.
void Executor::record(const Call &call, const CommandSpec *spec)
{
    if (!m_sink || m_isReplaying)
        return;
    if (call.isLogReplaced()) {
        for (const QList<QByteArray> &words : call.log())
            m_effects.add(call.keys.index(), words);
        return;
    }
    if (call.hasChanges() && (!spec || spec->is(CommandFlag::Write)))
        m_effects.add(call.keys.index(), call.args);
}

void Executor::commit()
{
    if (!m_effects.isEmpty())
        m_sink->append(m_effects.take());
}

/// Serves waiters until nothing new is ready: what one of them takes may be moved to a key that another waits for.
void Executor::serveWaiters()
{
    while (m_waiters.hasReady()) {
        const QList<WaitList::Key> keys = m_waiters.takeReady();
        for (const WaitList::Key &key : keys) {
            for (ClientContext *client : m_waiters.waitersOf(key)) {
                if (!database(key.first).contains(key.second))
                    break;
                if (m_waiters.contains(client))
                    serve(*client, key);
            }
        }
    }
}

void Executor::serve(ClientContext &client, const WaitList::Key &key)
{
    const auto serveFrom = client.waiting->serve;
    const QList<QByteArray> noArgs;
    Call call(*this, client, noArgs, database(key.first));
    std::optional<Reply> reply;
    try {
        reply = serveFrom(call, key.second);
    } catch (const CommandError &error) {
        reply = errorReply(error.text());
    }
    record(call, nullptr);
    commit();
    if (!reply)
        return;
    m_waiters.remove(&client);
    client.onServed(std::move(*reply));
}

void Executor::endWaiting(ClientContext &client, Reply reply)
{
    m_waiters.remove(&client);
    client.onServed(std::move(reply));
}

bool Executor::tick()
{
    refreshNow();
    const qint64 now = m_clock->monotonic().count();
    while (ClientContext *client = m_waiters.overdue(now))
        endWaiting(*client, nilArray());
    int left = expireBatch;
    bool hasMore = false;
    for (Keyspace &each : m_databases)
        hasMore |= m_expiresByItself && each.expireSome(left);
    commit();
    return hasMore;
}

std::optional<Milliseconds> Executor::untilNextTick() const
{
    std::optional<Milliseconds> wait;
    const auto consider = [&wait](qint64 ms) {
        const Milliseconds duration(std::max<qint64>(0, ms));
        wait = wait ? std::min(*wait, duration) : duration;
    };
    if (m_waiters.nextDeadline() >= 0)
        consider(m_waiters.nextDeadline() - m_clock->monotonic().count());
    for (const Keyspace &each : m_databases) {
        if (m_expiresByItself && each.nextExpiry() >= 0)
            consider(each.nextExpiry() - m_clock->now().time_since_epoch().count());
    }
    return wait;
}

void Executor::publishEvent(int database, const char *event, const QByteArray &key)
{
    if (m_pubSub.isIdle())
        return;
    using Audience = PubSub::Audience;
    const bool isWanted = m_eventClasses.contains(event);
    const auto audience = [isWanted](bool hasChannel) {
        return isWanted && hasChannel ? Audience::Everybody : Audience::EveryEventHearers;
    };
    const QByteArray number = QByteArray::number(database);
    m_pubSub.publish("__keyspace@" + number + "__:" + key, event, audience(m_eventClasses.hasKeyspaceChannels()));
    m_pubSub.publish("__keyevent@" + number + "__:" + event, key, audience(m_eventClasses.hasEventChannels()));
}

void Executor::keyPut(Keyspace &database, const QByteArray &key, bool isNew)
{
    if (!isNew) // as in Redis: who waits for a key is not served when it is overwritten
        return;
    m_waiters.markReady(database.index(), key);
    if (m_eventClasses.contains("new"))
        publishEvent(database.index(), "new", key);
}

void Executor::keyExpired(Keyspace &database, const QByteArray &key)
{
    publishEvent(database.index(), "expired", key);
    if (m_sink && !m_isReplaying)
        m_effects.add(database.index(), {"DEL", key});
}

} // namespace ym::embedded
