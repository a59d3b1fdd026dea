// Brackets and strings that do not close: what can be said of a script without running its language.
#pragma once

#include "ui/editor/code_view.h"

namespace ym {

/// The first thing that is wrong; empty when nothing is, and for languages of which nothing is known. For Rhai and
/// HeroScript by the editor's own grammar.
QList<ScriptProblem> findUnbalanced(Language language, const QByteArray &script);

} // namespace ym
