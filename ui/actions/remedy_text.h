// What a button says that applies a remedy.
#pragma once

#include "core/job/remedy.h"

#include <QString>

namespace ym {

/// "Requeue 3 jobs…"; empty when there is nothing to do. As a button has it: & is doubled.
QString remedyText(const Remedy &remedy);

} // namespace ym
