// What of a connection's picture its store does not tell.
#pragma once

#include "core/base/error.h"

namespace ym {

/// What cannot be read although the connection is open, and why; no message where it can.
struct Unread {
    Error jobs;
    Error queues;
    Error workers;

    bool operator==(const Unread &) const = default;
};

} // namespace ym
