// Facts about values that commands of several types need.
#pragma once

#include "core/store/embedded/keyspace.h"

namespace ym::embedded {

/// A deep copy (COPY).
Value copyValue(const Value &value);
/// The name that OBJECT ENCODING gives.
const char *encodingOf(const Entry &entry);
/// Bytes that the value takes, roughly (MEMORY USAGE).
qsizetype memoryOf(const Value &value);

} // namespace ym::embedded
