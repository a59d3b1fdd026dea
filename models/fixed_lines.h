// A text that is there as a whole, as lines for a view.
#pragma once

#include "models/text_lines.h"

#include <QByteArray>

namespace ym {

/// Keeps the bytes and where rows begin; a row is decoded when it is asked for. GUI thread.
class FixedLines final : public TextLines {
    Q_OBJECT
public:
    enum class Escapes : quint8 {
        Show, ///< every control character is shown: data
        Colour, ///< as a terminal would, but only colours: output
    };
    using TextLines::TextLines;

    void setBytes(const QByteArray &bytes, Escapes escapes = Escapes::Show);
    /// Lines as they are.
    void setLines(std::vector<StyledText> lines);

    qint64 lineCount() const override;
    StyledText styledLine(qint64 line) const override;

private:
    QByteArray m_bytes;
    std::vector<qsizetype> m_starts;
    std::vector<TextStyle> m_styles; ///< at the start of each row; empty without colours
    std::vector<StyledText> m_lines; ///< instead of the bytes
};

} // namespace ym
