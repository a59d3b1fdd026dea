// One turn of recover.lua after another until nothing is due; for workers and for sessions.
#pragma once

#include "core/protocol/lease_grace.h"
#include "core/protocol/protocol.h"

namespace ym::hero {

/// Rescues jobs of these types, queues what is delayed and due, and settles who waits for prerequisites, of any type.
/// Each script looks at a bounded number of jobs. Returns how many jobs were moved. `grace` must outlive it.
QCoro::Task<int> recoverTypes(Store *store, ProtocolOptions options, QList<QByteArray> types, LeaseGrace *grace);

} // namespace ym::hero
