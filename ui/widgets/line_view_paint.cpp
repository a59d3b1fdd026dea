// How a line view lays out and paints what is on screen.
#include "ui/widgets/line_view.h"

#include "ui/theme.h"
#include "ui/widgets/text_colours.h"

#include <QPainter>
#include <QPaintEvent>
#include <QScrollBar>

#include <algorithm>

namespace ym {

namespace {

constexpr int margin = space::large;
constexpr int verticalMargin = space::small;
constexpr int tabWidth = 8;

struct Range {
    char32_t first, last;
};
/// Characters that take two cells: East Asian wide and full-width ones, and pictures.
constexpr Range wide[] = {{0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x25fd, 0x25fe},
                          {0x2614, 0x2615},   {0x2648, 0x2653},   {0x26a1, 0x26a1},   {0x2705, 0x2705},
                          {0x270a, 0x270b},   {0x2728, 0x2728},   {0x274c, 0x274c},   {0x2753, 0x2757},
                          {0x2795, 0x2797},   {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2e80, 0x303e},
                          {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xa000, 0xa4cf},
                          {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
                          {0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
                          {0x20000, 0x3fffd}};

int cellsOf(char32_t c)
{
    const auto category = QChar::category(c);
    if (category == QChar::Mark_NonSpacing || category == QChar::Mark_Enclosing || category == QChar::Other_Format)
        return 0;
    const auto found = std::lower_bound(std::begin(wide), std::end(wide), c,
                                        [](const Range &range, char32_t code) { return range.last < code; });
    return found != std::end(wide) && found->first <= c ? 2 : 1;
}

bool isPlain(QChar c)
{
    return c.unicode() >= 0x20 && c.unicode() < 0x7f;
}

QColor veiled(QColor colour, int alpha)
{
    colour.setAlpha(alpha);
    return colour;
}

} // namespace

int LineView::Cells::column(qsizetype index) const
{
    const qsizetype within = std::clamp<qsizetype>(index, 0, styled.text.size());
    return columns.empty() ? int(within) : columns[size_t(within)];
}

qsizetype LineView::Cells::indexAt(int column) const
{
    if (columns.empty())
        return std::clamp<qsizetype>(column, 0, styled.text.size());
    const auto found = std::lower_bound(columns.begin(), columns.end(), column);
    qsizetype index = std::min<qsizetype>(found - columns.begin(), styled.text.size());
    if (index > 0 && index < styled.text.size() && styled.text[index].isLowSurrogate())
        --index;
    return index;
}

LineView::Cells LineView::layOut(StyledText text)
{
    Cells cells;
    cells.styled = std::move(text);
    const QString &line = cells.styled.text;
    cells.width = int(line.size());
    if (std::all_of(line.begin(), line.end(), isPlain))
        return cells;
    cells.columns.reserve(size_t(line.size()) + 1);
    int column = 0;
    for (qsizetype i = 0; i < line.size(); ++i) {
        cells.columns.push_back(column);
        const bool isPair = line[i].isHighSurrogate() && i + 1 < line.size() && line[i + 1].isLowSurrogate();
        if (line[i] == u'\t')
            column += tabWidth - column % tabWidth;
        else
            column += cellsOf(isPair ? QChar::surrogateToUcs4(line[i], line[i + 1]) : line[i].unicode());
        if (isPair) {
            cells.columns.push_back(column);
            ++i;
        }
    }
    cells.columns.push_back(column);
    cells.width = column;
    return cells;
}

const LineView::Cells &LineView::cells(qint64 line) const
{
    auto found = m_cells.find(line);
    if (found == m_cells.end())
        found = m_cells.emplace(line, layOut(m_lines ? m_lines->styledLine(line) : StyledText())).first;
    return found->second;
}

QColor LineView::plainColour(StyledText::Kind kind) const
{
    switch (kind) {
    case StyledText::Kind::Error:
        return signalColour(Signal::Bad, palette());
    case StyledText::Kind::Note:
        return secondaryColour(palette());
    case StyledText::Kind::Normal:
    case StyledText::Kind::Added:
    case StyledText::Kind::Removed:
        break;
    }
    return palette().color(QPalette::Text);
}

QColor LineView::colourAt(TextPlace place) const
{
    const StyledText line = m_lines ? m_lines->styledLine(place.line) : StyledText();
    for (const StyledText::Run &run : line.runs) {
        if (place.index >= run.start && place.index < run.start + run.length)
            return textPaint(run.style, plainColour(line.kind), palette()).foreground;
    }
    return plainColour(line.kind);
}

void LineView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.setFont(font());
    const int columns = columnsPerRow();
    int top = verticalMargin;
    qint64 line = firstVisibleLine();
    const int widest = m_widest;
    for (; line < lineCount() && top < viewport()->height(); ++line) {
        const int height = m_lineHeight * (columns > 0 ? rowsOf(line) : 1);
        if (top + height > event->rect().top() && top <= event->rect().bottom())
            paintLine(painter, line, top);
        m_widest = std::max(m_widest, cells(line).width);
        top += height;
    }
    // Only what is near the screen is kept laid out.
    m_cells.erase(m_cells.begin(), m_cells.lower_bound(firstVisibleLine() - 64));
    m_cells.erase(m_cells.upper_bound(line + 64), m_cells.end());
    if (m_widest != widest && !m_isWrapping)
        QMetaObject::invokeMethod(this, &LineView::updateScrollBars, Qt::QueuedConnection);
}

void LineView::fillCells(QPainter &painter, std::pair<int, int> span, const QColor &colour, qint64 line, int top)
{
    const int columns = columnsPerRow();
    const int rows = columns > 0 ? rowsOf(line) : 1;
    for (int row = 0; row < rows; ++row) {
        const int first = columns > 0 ? row * columns : 0;
        const int last = columns > 0 ? first + columns : INT_MAX;
        const int from = std::max(span.first, first), to = std::min(span.second, last);
        if (to <= from)
            continue;
        const double x = margin + (from - first) * m_charWidth - horizontalScrollBar()->value();
        painter.fillRect(QRectF(x, top + row * m_lineHeight, (to - from) * m_charWidth, m_lineHeight), colour);
    }
}

void LineView::paintLine(QPainter &painter, qint64 line, int top)
{
    const Cells &content = cells(line);
    const int rows = rowsOf(line);
    const bool isAdded = content.styled.kind == StyledText::Kind::Added;
    if (isAdded || content.styled.kind == StyledText::Kind::Removed) {
        const QColor tint = signalColour(isAdded ? Signal::Good : Signal::Bad, palette());
        painter.fillRect(0, top, viewport()->width(), rows * m_lineHeight, veiled(tint, 36));
    }
    const auto [from, to] = selection();
    if (hasSelection() && line >= from.line && line <= to.line) {
        const int first = line == from.line ? content.column(from.index) : 0;
        const int last = line == to.line ? content.column(to.index) : content.width + 1; // with its line end
        const auto group = hasFocus() ? QPalette::Active : QPalette::Inactive;
        fillCells(painter, {first, last}, palette().color(group, QPalette::Highlight), line, top);
    }
    if (m_marks) {
        for (const auto &[start, length] : m_marks(content.styled.text))
            fillCells(painter, {content.column(start), content.column(start + length)},
                      veiled(signalColour(Signal::Warning, palette()), 90), line, top);
    }
    const int columns = columnsPerRow();
    if (columns > 0) {
        for (int row = 0; row < rows; ++row)
            paintCells(painter, content, {row * columns, (row + 1) * columns}, {margin, top + row * m_lineHeight});
        return;
    }
    const int scrolled = horizontalScrollBar()->value();
    const int first = std::max(0, int((scrolled - margin) / m_charWidth) - 1);
    const int count = int(viewport()->width() / m_charWidth) + 3;
    paintCells(painter, content, {first, first + count}, {margin - scrolled + int(first * m_charWidth), top});
}

/// Paints the columns [first, second); `at` is the upper left corner of the first one.
void LineView::paintCells(QPainter &painter, const Cells &cells, std::pair<int, int> columns, QPoint at)
{
    const qsizetype begin = cells.indexAt(columns.first);
    const qsizetype stop = cells.indexAt(columns.second);
    const auto x = [&](qsizetype index) { return at.x() + (cells.column(index) - columns.first) * m_charWidth; };
    const auto paint = [&](qsizetype from, qsizetype to, const TextStyle &style) {
        from = std::max(from, begin);
        to = std::min(to, stop);
        if (to <= from)
            return;
        const TextPaint look = textPaint(style, plainColour(cells.styled.kind), palette());
        if (look.background.isValid())
            painter.fillRect(QRectF(x(from), at.y(), x(to) - x(from), m_lineHeight), look.background);
        QFont font = this->font();
        font.setBold(style.isBold);
        font.setItalic(style.isItalic || cells.styled.kind == StyledText::Kind::Note);
        font.setUnderline(style.isUnderlined);
        font.setStrikeOut(style.isStruck);
        painter.setFont(font);
        painter.setPen(look.foreground);
        paintPiece(painter, cells.styled.text.sliced(from, to - from), cells, from, {x(from), double(at.y() + m_ascent)});
    };
    qsizetype done = begin;
    for (const StyledText::Run &run : cells.styled.runs) {
        if (run.start + run.length <= begin)
            continue;
        if (run.start >= stop)
            break;
        paint(done, run.start, {});
        paint(run.start, run.start + run.length, run.style);
        done = run.start + run.length;
    }
    paint(done, stop, {});
}

/// Text whose characters all have one cell is painted at once, wide characters one by one in their cells.
void LineView::paintPiece(QPainter &painter, const QString &piece, const Cells &cells, qsizetype start, QPointF at)
{
    if (cells.columns.empty()) {
        painter.drawText(at, piece);
        return;
    }
    const int first = cells.column(start);
    for (qsizetype i = 0; i < piece.size();) {
        qsizetype end = i + 1;
        const auto width = [&](qsizetype from, qsizetype to) { return cells.column(start + to) - cells.column(start + from); };
        if (isPlain(piece[i])) {
            while (end < piece.size() && isPlain(piece[end]))
                ++end;
            // An accent belongs to the letter before it, and both are drawn together.
            const bool hasAccent = end < piece.size() && !piece[end].isSurrogate() && width(end, end + 1) == 0;
            if (hasAccent && end - i > 1)
                --end;
            else if (hasAccent)
                while (end < piece.size() && width(end, end + 1) == 0)
                    ++end;
        } else if (piece[i] != u'\t') {
            const auto isSame = [&](qsizetype k) { return !isPlain(piece[k]) && piece[k] != u'\t' && width(k, k + 1) <= 1; };
            const bool isWide = width(i, i + (piece[i].isHighSurrogate() ? 2 : 1)) > 1;
            if (piece[i].isHighSurrogate() && end < piece.size())
                ++end;
            while (end < piece.size() && (isWide ? width(end, end + 1) == 0 : isSame(end)) && piece[end] != u'\t' && !isPlain(piece[end]))
                ++end;
        }
        if (piece[i] != u'\t')
            painter.drawText(QPointF(at.x() + (cells.column(start + i) - first) * m_charWidth, at.y()), piece.sliced(i, end - i));
        i = end;
    }
}

} // namespace ym
