// A saved connection.
#pragma once

#include "core/job/key_mode.h"
#include "core/job/queue_info.h"

#include <QString>

namespace ym {

/// How to reach one store and what is allowed there. Passwords are not part of it; they live in Secrets under the id.
struct Profile {
    QString id;                     ///< stable; "local" for the default workspace
    QString name;
    QString url;                    ///< a store URL without password (StoreAddress)
    QByteArray protocol = "hero";
    ServingOrder order = ServingOrder::Fifo;
    KeyChoice keys;                 ///< which family of queue keys, where the protocol has two
    QString colour;                 ///< "#rrggbb" or empty
    bool readOnly = false;
    bool limitsOnly = false;        ///< consent: jobs may run here where they can only be limited, not kept from files
    bool production = false;        ///< red frame, destructive actions want the name typed
    bool hasPort = false;           ///< of an embedded workspace: open a loopback port with it
    quint16 port = 0;               ///< that port; 0 = any free one

    bool operator==(const Profile &) const = default;
};

inline constexpr auto localProfileId = "local";

} // namespace ym
