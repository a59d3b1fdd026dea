// What the store remembers about one client.
#pragma once

#include "core/store/reply.h"

#include <QByteArray>
#include <QList>
#include <QSet>

#include <functional>
#include <optional>
#include <utility>

namespace ym::embedded {

class Call;
class ClientLink;
struct CommandSpec;

/// What a blocked client waits for.
struct Waiting {
    int database = 0;
    QList<QByteArray> keys;
    /// Tries to take from `key`, which has just got something. Nothing when it holds another type.
    std::function<std::optional<Reply>(Call &call, const QByteArray &key)> serve;
    qint64 deadline = -1; ///< Clock::monotonic in ms; -1 = never
    quint64 turn = 0; ///< order of arrival
};

/// A key at the time of its WATCH.
struct WatchedKey {
    int database;
    QByteArray key;
    quint64 revision;
    bool wasExpired; ///< its time had come and it was still there: that it goes is no change
};

/// One client: the store's own, a script, or one of an endpoint. Its owner must call Executor::forget before it dies.
struct ClientContext {
    qint64 id = 0;
    QByteArray name;
    int database = 0; ///< the one that SELECT chose
    ClientLink *link = nullptr; ///< null for the store's own clients
    bool isAuthenticated = true;
    bool isMonitor = false;
    const CommandSpec *lastCommand = nullptr;

    bool mayBlock = false; ///< blocking commands may wait; else they answer nil at once
    qint64 longestWait = -1; ///< ms that a wait may last whatever the command says; -1 = no such limit
    bool isInTransaction = false;
    bool isTransactionBroken = false; ///< a command could not be queued
    QList<QList<QByteArray>> queued;
    qint64 queuedBytes = 0; ///< what these take
    QList<WatchedKey> watched;

    std::optional<Waiting> waiting;
    /// Gets the reply of a command that had blocked. Called after the command that served it is complete.
    std::function<void(Reply)> onServed;

    QSet<QByteArray> channels;
    QSet<QByteArray> patterns;
    bool isListening() const { return !channels.isEmpty() || !patterns.isEmpty(); }
    bool hearsEveryEvent = false; ///< keyspace notifications, whatever CONFIG SET says
    /// Gets published messages as the array that goes over the wire.
    std::function<void(Reply)> onMessage;
};

} // namespace ym::embedded
