// How other programs come into an embedded workspace, and who is in.
#pragma once

#include "core/base/error.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace ym {

/// One client of the workspace's endpoint.
struct AttachedClient {
    qint64 id = 0;
    QByteArray name;         ///< as it calls itself; empty = it does not
    QByteArray address;      ///< 127.0.0.1:40312; empty through the unix socket
    qint64 age = 0;          ///< seconds since it came
    qint64 idle = 0;         ///< seconds since its last command
    QByteArray lastCommand;  ///< lower case; empty = none yet
    bool isBlocked = false;  ///< waits in a blocking command
    int channelCount = 0;    ///< channels and patterns it listens to

    bool operator==(const AttachedClient &) const = default;
};

/// What a person needs to attach a program, as it is now.
struct AttachState {
    enum class Host : quint8 {
        None,      ///< nothing to attach to: not an embedded workspace, or not open
        Here,      ///< this process has the workspace
        Elsewhere, ///< another process has it; its port and its clients are its own
    };
    Host host = Host::None;
    qint64 hostPid = 0;  ///< with Elsewhere
    QString socket;      ///< path of the unix socket; empty = none
    QString trouble;     ///< why there is no socket; one sentence
    quint16 port = 0;    ///< of 127.0.0.1; 0 = closed
    QString portTrouble; ///< why the port that is wanted is not open
    QList<AttachedClient> clients;

    bool operator==(const AttachState &) const = default;
};

/// The loopback port of a workspace as the person wants it; kept over restarts.
struct PortAccess {
    bool isWanted = false;
    quint16 port = 0;  ///< 0 = any free one
    QString password;  ///< made up when there was none

    bool operator==(const PortAccess &) const = default;
};

/// What a client is given: redis://:PASSWORD@127.0.0.1:PORT, with the password as URLs want it.
QString portUrl(quint16 port, const QString &password);
/// 32 characters that stand unchanged in a URL, from the system's source of randomness.
QString newPortPassword();

} // namespace ym
