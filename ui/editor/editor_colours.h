// The colours of script text, for light and dark.
#pragma once

#include "ui/editor/line_lexer.h"

#include <QColor>
#include <QPalette>

#include <array>

namespace ym {

/// Everything an editor paints with. Paper and text come from the window's palette, so that the editor never stands
/// out from the theme; the token colours reach a contrast of 4.5:1 on it.
struct EditorColours {
    QColor paper;
    QColor text;
    QColor margin;
    QColor marginText;
    QColor currentLine;
    QColor selection;
    QColor guide;
    QColor braceMatch;
    QColor braceMismatch;
    QColor problem;
    QColor problemLine;
    QColor chip; ///< background of hidden characters
    std::array<QColor, tokenCount> tokens;

    QColor of(Token token) const { return tokens.at(size_t(token)); }
    bool isBold(Token token) const { return token == Token::Keyword || token == Token::Action; }
    bool isItalic(Token token) const { return token == Token::Comment || token == Token::DocComment; }
};

/// True when the palette's text area is dark.
bool isDark(const QPalette &palette);

EditorColours editorColours(const QPalette &palette);

} // namespace ym
