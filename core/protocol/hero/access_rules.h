// What a Redis user may do who only looks, who works, or who dispatches (RELIABILITY 6.5).
#pragma once

#include "core/protocol/protocol.h"

namespace ym::hero {

/// The rules of an ACL user after its name and password, as `ACL SETUSER` and an ACL file take them. `who` matters for
/// workers: one that has an instance may serve that place only.
QList<QByteArray> accessRules(AccessRole role, const WorkerIdentity &who);

} // namespace ym::hero
