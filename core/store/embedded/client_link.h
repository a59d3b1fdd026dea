// The connection behind a client, as commands see it.
#pragma once

#include "core/base/clock.h"

#include <QByteArray>
#include <QList>

#include <utility>

namespace ym::embedded {

struct ClientContext;

/// What CLIENT LIST tells about a connection.
struct ClientFacts {
    QByteArray address; ///< 127.0.0.1:40312, or the socket's path and :0
    QByteArray localAddress;
    int descriptor = -1;
    qint64 age = 0; ///< seconds
    qint64 idle = 0; ///< seconds since its last command
    qint64 queryBytes = 0; ///< received and not yet run
    qint64 replyBytes = 0; ///< not yet taken by the peer
    qint64 repliesHeld = 0; ///< pieces of the same
    qint64 totalBytes = 0;
    bool isUnixSocket = false;
    bool isBeingClosed = false;
    bool isWritable = false; ///< waits until the peer takes more
};

/// Counters since the start or the last reset.
struct HubStats {
    qint64 accepted = 0;
    qint64 refused = 0; ///< there were too many
    qint64 inputBytes = 0;
    qint64 outputBytes = 0;
    qint64 reads = 0; ///< from sockets
    qint64 writes = 0; ///< to sockets
};

/// All connections together. Commands reach it through Executor::hub().
class ClientHub {
public:
    virtual ~ClientHub() = default;

    virtual HubStats stats() const = 0;
    virtual void resetStats() = 0;

    using Settings = QList<std::pair<QByteArray, QByteArray>>;
    /// Its limits under the names that CONFIG knows.
    virtual Settings settings() const = 0;
    /// Changes all or none. The reason when none, with the name of the one that cannot be changed.
    virtual QByteArray changeSettings(const Settings &wanted, QByteArray *offender) = 0;

    enum class Pause : quint8 { Writes, All };
    /// Holds back commands for `duration`; the longer one counts when there is a pause already.
    virtual void pause(Pause kind, Milliseconds duration) = 0;
    virtual void unpause() = 0;
    /// Runs nothing for anybody for `duration` (DEBUG SLEEP); the process itself goes on.
    virtual void sleep(Milliseconds duration) = 0;
    /// Lets the other clients say something while a script of `running` holds everything up. Called by that script.
    virtual void serveWhileBusy(const ClientContext &running) = 0;
    /// Asks the owner to end. False when it does not want to be asked.
    virtual bool requestShutdown() = 0;
};

/// One connection. Its methods may be called from inside a command, also of another client.
class ClientLink {
public:
    virtual ~ClientLink() = default;

    virtual ClientFacts facts() const = 0;
    virtual ClientHub &hub() = 0;

    enum class Close : quint8 { Now, AfterReply };
    virtual void close(Close when) = 0;

    enum class Replies : quint8 { On, Off, SkipNext };
    virtual void setReplies(Replies replies) = 0;

    /// True when AUTH has something to check.
    virtual bool hasPassword() const = 0;
    virtual bool isPassword(const QByteArray &password) const = 0;
    /// Whether a new client of this kind must authenticate itself.
    virtual bool needsPassword() const = 0;
};

} // namespace ym::embedded
