// The grammar of HeroScript for the editor (PROTOCOLS, Scripts: "HeroScript for the editor").
#pragma once

#include "ui/editor/line_lexer.h"

namespace ym {

/// Actions, their parameters on indented lines, values over several lines; everything else is prose (Markdown).
class HeroScriptLexer final : public LineLexer {
public:
    State lexLine(QByteArrayView line, const State &state, Token *out) const override;
};

} // namespace ym
