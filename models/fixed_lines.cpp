#include "models/fixed_lines.h"

#include "core/base/terminal_filter.h"
#include "core/base/text.h"
#include "models/row_split.h"
#include "models/styled_text.h"

namespace ym {

void FixedLines::setBytes(const QByteArray &bytes, Escapes escapes)
{
    m_lines.clear();
    m_starts.clear();
    m_styles.clear();
    m_bytes = escapes == Escapes::Colour ? TerminalFilter().feed(bytes) : bytes;
    const bool hasColours = escapes == Escapes::Colour && m_bytes.contains('\x1b');
    TextStyle style;
    for (qsizetype at = 0; at < m_bytes.size();) {
        m_starts.push_back(at);
        const Row row = rowAt(m_bytes, at);
        if (hasColours) {
            m_styles.push_back(style);
            advanceStyle(QByteArrayView(m_bytes).sliced(at, row.end - at), style);
        }
        at = row.next;
    }
    Q_EMIT restarted();
}

void FixedLines::setLines(std::vector<StyledText> lines)
{
    m_bytes.clear();
    m_starts.clear();
    m_styles.clear();
    m_lines = std::move(lines);
    Q_EMIT restarted();
}

qint64 FixedLines::lineCount() const
{
    return qint64(m_lines.empty() ? m_starts.size() : m_lines.size());
}

StyledText FixedLines::styledLine(qint64 line) const
{
    if (line < 0 || line >= lineCount())
        return {};
    if (!m_lines.empty())
        return m_lines[size_t(line)];
    const qsizetype start = m_starts[size_t(line)];
    const QByteArrayView bytes = QByteArrayView(m_bytes).sliced(start, rowAt(m_bytes, start).end - start);
    if (m_styles.empty())
        return {shownText(bytes.toByteArray(), Lines::Keep), {}, StyledText::Kind::Normal};
    TextStyle style = m_styles[size_t(line)];
    return styledText(bytes, style);
}

} // namespace ym
