// The grammar of Rhai for the editor (PROTOCOLS, Scripts: "Rhai for the editor").
#pragma once

#include "ui/editor/line_lexer.h"

namespace ym {

/// Nestable comments, template strings with code inside `${…}`, raw strings and everything that continues over lines.
class RhaiLexer final : public LineLexer {
public:
    State lexLine(QByteArrayView line, const State &state, Token *out) const override;
};

} // namespace ym
