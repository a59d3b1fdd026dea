// Executes commands: (client, words) → reply or "waits".
#pragma once

#include "core/base/clock.h"
#include "core/store/embedded/call.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/effects.h"
#include "core/store/embedded/event_classes.h"
#include "core/store/embedded/keyspace.h"
#include "core/store/embedded/monitors.h"
#include "core/store/embedded/pub_sub.h"
#include "core/store/embedded/wait_list.h"

#include <deque>
#include <memory>

namespace ym::embedded {

class ClientHub;
class LuaHost;
class Persistence;

/// The heart of the embedded store: databases, waiters, channels and scripts, driven by commands. It knows no sockets,
/// files or coroutines. One thread; not reentrant but for the commands that scripts and EXEC run.
class Executor final : private KeyspaceObserver {
public:
    static constexpr int databaseCount = 16;

    struct Outcome {
        Reply reply;
        bool isBlocked = false; ///< the reply comes through ClientContext::onServed
    };

    /// `clock` and `sink` must outlive the executor; without a sink nothing is recorded.
    explicit Executor(Clock *clock, EffectSink *sink = nullptr);
    ~Executor() override;

    /// Runs one command of a client to its end, then serves those who waited for what it brought.
    Outcome execute(ClientContext &client, const QList<QByteArray> &args);
    /// Runs a command of a script or of EXEC: no waiting, no serving, the effects join the outer command's.
    Reply executeNested(ClientContext &client, const CommandSpec &spec, const QList<QByteArray> &args);
    /// Runs a command of the log: nothing is recorded and nothing is refused. Throws CommandError.
    void replay(const QList<QByteArray> &args);

    /// The row for these words, also of a subcommand; null and the error when they name none or are too few.
    const CommandSpec *lookUp(const QList<QByteArray> &args, QByteArray &error) const;

    /// Ends a client: its waiting, watches and subscriptions.
    void forget(ClientContext &client);
    void unwatchAll(ClientContext &client);
    /// Ends a client's transaction and watches; returns what was queued.
    QList<QList<QByteArray>> endTransaction(ClientContext &client);
    /// Stops a client's waiting without a reply.
    void cancelWaiting(ClientContext &client) { m_waiters.remove(&client); }
    /// Ends a client's waiting with this reply.
    void endWaiting(ClientContext &client, Reply reply);
    qint64 newClientId() { return ++m_lastClientId; }

    /// Looks at the clock: commands see the time of the last look, which each of a client's makes.
    void refreshNow();

    /// Ends waits whose time is over and removes expired keys (a bounded number: call again when true is returned).
    bool tick();
    /// Time until tick() has something to do; nothing = no need.
    std::optional<Milliseconds> untilNextTick() const;

    /// The log, for those commands that are about it; null = the keys live in memory only. It must outlive the
    /// executor.
    void setPersistence(Persistence *persistence) { m_persistence = persistence; }
    Persistence *persistence() const { return m_persistence; }

    /// All databases, in the order of their numbers.
    std::deque<Keyspace> &databases() { return m_databases; }
    const std::deque<Keyspace> &databases() const { return m_databases; }
    /// Throws CommandError when there is no such number.
    Keyspace &database(qint64 number);
    /// Exchanges the keys of two databases; those who wait there may find what they want.
    void swapDatabases(Keyspace &first, Keyspace &second);
    /// `key` has got something that those who wait for it may want.
    void markReady(const Keyspace &database, const QByteArray &key) { m_waiters.markReady(database.index(), key); }
    /// What commands take for the time, in ms since 1970.
    qint64 now() const { return m_now; }

    /// The database that a reader of the log has selected at its end.
    int logDatabase() const { return m_effects.database(); }
    PubSub &pubSub() { return m_pubSub; }
    const PubSub &pubSub() const { return m_pubSub; }
    const WaitList &waiters() const { return m_waiters; }
    LuaHost &lua();
    bool isInScript() const;
    /// A script of a client runs for longer than scriptTimeLimit(): until it ends, others get little more than BUSY.
    bool isBusy() const;
    /// 0 = none.
    Milliseconds scriptTimeLimit() const { return m_scriptTimeLimit; }
    void setScriptTimeLimit(Milliseconds limit) { m_scriptTimeLimit = limit; }
    /// What the command at hand has changed so far does not reach the log. For the end of the process only.
    void dropEffects() { m_effects.drop(); }
    qsizetype scriptCount() const;
    Clock &clock() { return *m_clock; }
    quint64 commandCount() const { return m_commands; }
    void resetStats() { m_commands = 0; }
    /// The connections of other programs; null when there is no endpoint.
    ClientHub *hub() const { return m_hub; }
    void setHub(ClientHub *hub) { m_hub = hub; }
    Timestamp startedAt() const { return m_startedAt; }
    const QSet<ClientContext *> &clients() const { return m_clients; }
    /// Makes a client known to CLIENT LIST and INFO.
    void introduce(ClientContext &client);
    void addMonitor(ClientContext &client) { m_monitors.add(client); }
    void removeMonitor(ClientContext &client) { m_monitors.remove(client); }

    /// Which notifications go to everybody who listens; ClientContext::hearsEveryEvent goes beyond.
    const EventClasses &eventClasses() const { return m_eventClasses; }
    void setEventClasses(EventClasses classes) { m_eventClasses = std::move(classes); }
    /// Whether tick() removes expired keys; without it they go when they are looked at.
    void setExpiresByItself(bool does) { m_expiresByItself = does; }
    void publishEvent(int database, const char *event, const QByteArray &key);
    /// The error that a write gets now; empty when it may go on.
    QByteArray writeRefusal() const { return m_sink && !m_isReplaying ? m_sink->refusal() : QByteArray(); }
    bool isReplaying() const { return m_isReplaying; }

private:
    void keyExpired(Keyspace &database, const QByteArray &key) override;
    void keyPut(Keyspace &database, const QByteArray &key, bool isNew) override;

    QByteArray refusalFor(const ClientContext &client, const CommandSpec &spec) const;
    QByteArray refuse(ClientContext &client, const QList<QByteArray> &args, QByteArray error);
    Outcome admit(ClientContext &client, const QList<QByteArray> &args);
    Outcome run(ClientContext &client, const CommandSpec &spec, const QList<QByteArray> &args);
    void record(const Call &call, const CommandSpec *spec);
    void commit();
    void serveWaiters();
    void serve(ClientContext &client, const WaitList::Key &key);

    Clock *m_clock;
    EffectSink *m_sink;
    std::deque<Keyspace> m_databases;
    qint64 m_now = 0;
    PubSub m_pubSub;
    WaitList m_waiters;
    Monitors m_monitors;
    ClientHub *m_hub = nullptr;
    std::unique_ptr<LuaHost> m_lua;
    Milliseconds m_scriptTimeLimit{5000};
    QSet<ClientContext *> m_clients;
    Effects m_effects;
    ClientContext m_replayClient;
    Persistence *m_persistence = nullptr;
    EventClasses m_eventClasses = *EventClasses::read("AKE");
    bool m_expiresByItself = true;
    Timestamp m_startedAt;
    quint64 m_commands = 0;
    qint64 m_lastClientId = 0;
    bool m_isReplaying = false;
};

} // namespace ym::embedded
