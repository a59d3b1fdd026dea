// Lets a LineLexer colour a Scintilla document.
#pragma once

#include "ui/editor/line_lexer.h"

#include <Qsci/qscilexercustom.h>

#include <QHash>

#include <memory>
#include <vector>

namespace ym {

/// Styles from the line that changed on, no further than Scintilla asks; what is open at a line's end is kept as
/// Scintilla's line state. A style's number is its Token.
class ScintillaLexer final : public QsciLexerCustom {
    Q_OBJECT
public:
    ScintillaLexer(const char *name, std::unique_ptr<const LineLexer> lexer, QObject *parent);

    const char *language() const override { return m_name; }
    QString description(int style) const override;
    void styleText(int start, int end) override;

private:
    int numberOf(const LineLexer::State &state);

    const char *m_name;
    std::unique_ptr<const LineLexer> m_lexer;
    std::vector<LineLexer::State> m_states; ///< by number; 0 is the ground
    QHash<LineLexer::State, int> m_numbers;
};

} // namespace ym
