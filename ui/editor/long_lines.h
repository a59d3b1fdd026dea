// Very long lines in the script editor: shown by their beginning, so that the window never waits for them.
#pragma once

#include <Qsci/qscilexercustom.h>

#include <QByteArrayView>

namespace ym {

/// Scintilla lays a line out as a whole, and again with every key: of more bytes than this, that takes a moment.
inline constexpr qsizetype mostInALine = 64 * 1024;
/// Bytes that are shown of each line of a script with a longer one.
inline constexpr qsizetype shownOfALine = 4 * 1024;

/// Bytes of the longest line of a text, without its end.
qsizetype longestLine(QByteArrayView text);

/// Takes the place of a grammar: colours nothing and hides what is behind the first bytes of a line. What is hidden is
/// not measured, and stays in the text.
class LongLineLexer final : public QsciLexerCustom {
    Q_OBJECT
public:
    enum Style { Shown = 0, Hidden = 100 }; ///< Hidden: no style of a grammar

    using QsciLexerCustom::QsciLexerCustom;

    const char *language() const override { return "Long lines"; }
    QString description(int style) const override;
    void styleText(int start, int stop) override;
};

} // namespace ym
