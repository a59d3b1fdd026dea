// Which grammar belongs to which script type.
#pragma once

#include "ui/editor/editor_colours.h"

#include <QByteArray>
#include <QFont>

class QsciLexer;
class QObject;

namespace ym {

enum class Language : quint8 { Plain, Python, Rhai, HeroScript, V };

/// The grammar of a script type (PROTOCOLS, Scripts). A python or v text that begins with `!!` is HeroScript.
Language languageOf(const QByteArray &type, const QByteArray &script);

/// What starts a comment that runs to the line's end.
QByteArray commentPrefix(Language language);

/// A new lexer, owned by `parent`; null for Plain.
QsciLexer *makeLexer(Language language, QObject *parent);

/// Gives every style of a lexer its colour and font.
void paintLexer(QsciLexer *lexer, Language language, const EditorColours &colours, const QFont &font);

} // namespace ym
