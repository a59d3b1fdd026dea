// Intersection, union and difference of sets.
#pragma once

#include "core/store/embedded/call.h"

namespace ym::embedded {

enum class SetOperation : quint8 { Intersection, Union, Difference };

/// The result as a new set; missing keys are empty sets. Throws WRONGTYPE when any key holds something else.
std::unique_ptr<SetValue> combineSets(Call &call, const QList<QByteArray> &keys, SetOperation operation);

} // namespace ym::embedded
