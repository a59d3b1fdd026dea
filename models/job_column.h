// The columns of the job table.
#pragma once

#include <QtGlobal>

namespace ym {

enum class JobColumn : quint8 { State, Id, Type, Target, Priority, Caller, Context, Worker, Attempt, Created, Updated, Access };
inline constexpr int jobColumnCount = 12;

} // namespace ym
