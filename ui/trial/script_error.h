// Where in its script a run failed.
#pragma once

#include "ui/editor/code_view.h"

namespace ym {

/// Reads what an interpreter wrote on standard error: the last line of the script that a Python traceback or a syntax error
/// names, or "(line N, position M)" as Rhai says it. Nothing when it names none. `script` decides which lines there are.
QList<ScriptProblem> scriptErrors(const QByteArray &standardError, const QByteArray &script);

} // namespace ym
