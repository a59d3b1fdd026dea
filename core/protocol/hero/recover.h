// One turn of recover.lua after another until nothing is due; for workers and for sessions.
#pragma once

#include "core/protocol/protocol.h"

namespace ym::hero {

enum class Leases : quint8 { Rescue, Leave }; ///< what happens with those that are over

/// Rescues jobs of these types, queues what is delayed and due, and settles who waits for prerequisites, of any type.
/// Each script looks at a bounded number of jobs. Returns how many jobs were moved.
QCoro::Task<int> recoverTypes(Store *store, ProtocolOptions options, QList<QByteArray> types, Leases leases);

} // namespace ym::hero
