// What is shown, where, and how it is followed; painting and input have files of their own.
#include "ui/widgets/line_view.h"

#include "ui/theme.h"

#include <QAccessibleWidget>
#include <QEvent>
#include <QFontMetricsF>
#include <QScrollBar>

namespace ym {

namespace {

constexpr int margin = space::large;
constexpr int verticalMargin = space::small;
constexpr qint64 mostCopied = 200'000; ///< lines

/// Screen readers get what is on screen.
class AccessibleLines final : public QAccessibleWidget {
public:
    explicit AccessibleLines(LineView *view)
        : QAccessibleWidget(view, QAccessible::StaticText)
        , m_view(view)
    {
    }
    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_view->textOnScreen() : QAccessibleWidget::text(kind);
    }

private:
    LineView *m_view;
};

QAccessibleInterface *makeAccessible(const QString &, QObject *object)
{
    auto *const view = qobject_cast<LineView *>(object);
    return view ? new AccessibleLines(view) : nullptr;
}

} // namespace

LineView::LineView(QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_own(nullptr)
{
    static const bool isInstalled = (QAccessible::installFactory(makeAccessible), true);
    Q_UNUSED(isInstalled)
    setFont(monoFont());
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    m_autoScroll.setInterval(std::chrono::milliseconds(40));
    connect(&m_autoScroll, &QTimer::timeout, this, [this] {
        const int step = m_dragPoint.y() < 0 ? -1 : m_dragPoint.y() > viewport()->height() ? 1 : 0;
        verticalScrollBar()->setValue(verticalScrollBar()->value() + step * 2);
        moveCursor(placeAt(m_dragPoint), true);
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &LineView::noteScrolled);
    updateMetrics();
}

void LineView::showLines(TextLines *lines)
{
    if (m_lines == lines)
        return;
    if (m_lines)
        m_lines->disconnect(this);
    m_lines = lines;
    if (lines) {
        connect(lines, &TextLines::restarted, this, &LineView::onRestarted);
        connect(lines, &TextLines::linesDropped, this, &LineView::onDropped);
        connect(lines, &TextLines::linesPrepended, this, &LineView::onPrepended);
        connect(lines, &TextLines::linesChanged, this, &LineView::lookAgain);
        connect(lines, &TextLines::linesAppended, this, &LineView::lookAgain);
        connect(lines, &QObject::destroyed, this, &LineView::onRestarted, Qt::QueuedConnection);
    }
    onRestarted();
}

void LineView::setBytes(const QByteArray &bytes)
{
    showLines(&m_own);
    m_own.setBytes(bytes, FixedLines::Escapes::Show);
}

void LineView::setOutput(const QByteArray &bytes)
{
    showLines(&m_own);
    m_own.setBytes(bytes, FixedLines::Escapes::Colour);
}

void LineView::setFollowing(bool on)
{
    m_isFollowing = on;
    m_isAway = false;
    keepEnd();
}

void LineView::setWrapping(bool on)
{
    m_isWrapping = on;
    lookAgain();
}

void LineView::setMarks(std::function<Marks(const QString &)> marks)
{
    m_marks = std::move(marks);
    viewport()->update();
}

// --- following the lines

void LineView::onRestarted()
{
    m_anchor = m_cursor = {};
    m_widest = 0;
    m_isAway = false;
    m_isAdjusting = true;
    verticalScrollBar()->setValue(0);
    horizontalScrollBar()->setValue(0);
    m_isAdjusting = false;
    lookAgain();
}

void LineView::onDropped(qint64 first, qint64 count)
{
    const auto move = [&](TextPlace &place) {
        if (place.line >= first + count)
            place.line -= count;
        else if (place.line >= first)
            place = {first, 0};
    };
    move(m_anchor);
    move(m_cursor);
    const int top = verticalScrollBar()->value();
    if (!isFollowing() && top >= first) { // what is read stays where it is
        m_isAdjusting = true;
        verticalScrollBar()->setValue(int(std::max(first, top - count)));
        m_isAdjusting = false;
    }
    lookAgain();
}

void LineView::onPrepended(qint64 count)
{
    m_anchor.line += count;
    m_cursor.line += count;
    const qint64 top = verticalScrollBar()->value() + count;
    m_cells.clear();
    updateScrollBars();
    m_isAdjusting = true;
    verticalScrollBar()->setValue(int(top));
    m_isAdjusting = false;
    lookAgain();
}

void LineView::lookAgain()
{
    m_cells.clear();
    updateScrollBars();
    keepEnd();
    viewport()->update();
}

void LineView::keepEnd()
{
    if (!isFollowing())
        return;
    m_isAdjusting = true;
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    m_isAdjusting = false;
}

/// A person who scrolls up wants to read; the end is followed again when they are back there.
void LineView::noteScrolled()
{
    if (m_isAdjusting)
        return;
    const bool isAway = verticalScrollBar()->value() < verticalScrollBar()->maximum();
    if (isAway == m_isAway)
        return;
    m_isAway = isAway;
    if (m_isFollowing)
        Q_EMIT followingChanged(!isAway);
}

void LineView::scrollContentsBy(int, int)
{
    viewport()->update();
}

void LineView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
    keepEnd();
}

void LineView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        updateMetrics();
    if (event->type() == QEvent::PaletteChange)
        viewport()->update();
}

void LineView::updateMetrics()
{
    const QFontMetricsF metrics(font());
    constexpr int sample = 64; // an advance may be a fraction that adds up
    m_charWidth = std::max(1.0, metrics.horizontalAdvance(QString(sample, u'0')) / sample);
    m_lineHeight = std::max(1, int(std::ceil(metrics.lineSpacing())));
    m_ascent = int(std::ceil(metrics.ascent()));
    lookAgain();
}

// --- geometry

int LineView::visibleRows() const
{
    return std::max(1, (viewport()->height() - 2 * verticalMargin) / m_lineHeight);
}

int LineView::columnsPerRow() const
{
    return m_isWrapping ? std::max(8, int((viewport()->width() - 2 * margin) / m_charWidth)) : 0;
}

int LineView::rowsOf(qint64 line) const
{
    const int columns = columnsPerRow();
    return columns == 0 ? 1 : std::max(1, (cells(line).width + columns - 1) / columns);
}

void LineView::updateScrollBars()
{
    const qint64 lines = lineCount();
    qint64 top = std::max<qint64>(0, lines - visibleRows());
    if (m_isWrapping && lines > 0) {
        int rows = rowsOf(lines - 1);
        for (top = lines - 1; top > 0 && rows + rowsOf(top - 1) <= visibleRows(); --top)
            rows += rowsOf(top - 1);
    }
    const int width = m_isWrapping ? 0 : int(m_widest * m_charWidth) + 2 * margin - viewport()->width();
    m_isAdjusting = true;
    verticalScrollBar()->setRange(0, int(std::min<qint64>(top, INT_MAX)));
    verticalScrollBar()->setPageStep(visibleRows());
    horizontalScrollBar()->setRange(0, std::max(0, width));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(int(m_charWidth * 4));
    m_isAdjusting = false;
}

int LineView::heightOfRows(int rows) const
{
    int needed = 0;
    for (qint64 line = 0; line < lineCount() && needed < rows; ++line)
        needed += rowsOf(line);
    return std::clamp(needed, 1, rows) * m_lineHeight + 2 * verticalMargin + 2 * frameWidth();
}

qint64 LineView::firstVisibleLine() const
{
    return verticalScrollBar()->value();
}

TextPlace LineView::placeAt(QPoint point) const
{
    const int columns = columnsPerRow();
    qint64 line = firstVisibleLine();
    int row = (point.y() - verticalMargin) / m_lineHeight;
    if (point.y() < verticalMargin)
        row = 0;
    while (columns > 0 && line < lineCount() && row >= rowsOf(line))
        row -= rowsOf(line++);
    if (columns == 0)
        line += row;
    if (line >= lineCount())
        return end();
    const double x = point.x() - margin + horizontalScrollBar()->value();
    const int column = std::max(0, int(x / m_charWidth + 0.5)) + (columns > 0 ? row * columns : 0);
    return {line, cells(line).indexAt(column)};
}

TextPlace LineView::end() const
{
    const qint64 lines = lineCount();
    return lines == 0 ? TextPlace() : TextPlace{lines - 1, m_lines->styledLine(lines - 1).text.size()};
}

void LineView::ensureVisible(TextPlace place)
{
    const int value = verticalScrollBar()->value();
    if (place.line < value)
        verticalScrollBar()->setValue(int(place.line));
    else if (place.line >= value + visibleRows() && !m_isWrapping)
        verticalScrollBar()->setValue(int(place.line) - visibleRows() + 1);
    for (int tries = 0; m_isWrapping && tries < visibleRows(); ++tries) {
        int rows = 0;
        for (qint64 line = firstVisibleLine(); line <= place.line && rows <= visibleRows(); ++line)
            rows += rowsOf(line);
        if (rows <= visibleRows() || firstVisibleLine() >= place.line)
            break;
        verticalScrollBar()->setValue(verticalScrollBar()->value() + 1);
    }
    if (m_isWrapping || place.line >= lineCount())
        return;
    const Cells &line = cells(place.line);
    m_widest = std::max(m_widest, line.width);
    updateScrollBars();
    const int x = int(line.column(place.index) * m_charWidth);
    const int left = horizontalScrollBar()->value();
    const int width = viewport()->width() - 2 * margin;
    if (x < left)
        horizontalScrollBar()->setValue(std::max(0, x - width / 4));
    else if (x > left + width)
        horizontalScrollBar()->setValue(x - width * 3 / 4);
}

void LineView::goToLine(qint64 line)
{
    verticalScrollBar()->setValue(int(std::clamp<qint64>(line, 0, std::max<qint64>(0, lineCount() - 1))));
}

void LineView::select(TextPlace from, TextPlace to)
{
    m_anchor = from;
    m_cursor = to;
    const qint64 top = firstVisibleLine();
    if (from.line < top || from.line >= top + visibleRows())
        goToLine(from.line - visibleRows() / 3);
    ensureVisible(to);
    ensureVisible(from);
    viewport()->update();
}

// --- text

QString LineView::textOf(TextPlace from, TextPlace to) const
{
    QString text;
    const qint64 last = std::min({to.line, lineCount() - 1, from.line + mostCopied - 1});
    for (qint64 line = from.line; line <= last; ++line) {
        const QString whole = m_lines->styledLine(line).text;
        const qsizetype begin = line == from.line ? std::min(from.index, whole.size()) : 0;
        const qsizetype stop = line == to.line ? std::min(to.index, whole.size()) : whole.size();
        text += QStringView(whole).sliced(begin, std::max<qsizetype>(0, stop - begin));
        if (line < last)
            text += u'\n';
    }
    return text;
}

QString LineView::toPlainText() const
{
    return lineCount() == 0 ? QString() : textOf({}, {lineCount() - 1, std::numeric_limits<qsizetype>::max()});
}

QString LineView::textOnScreen() const
{
    const qint64 first = firstVisibleLine();
    return lineCount() == 0 ? QString() : textOf({first, 0}, {first + visibleRows(), 0});
}

std::pair<TextPlace, TextPlace> LineView::selection() const
{
    return std::minmax(m_anchor, m_cursor);
}

QString LineView::selectedText() const
{
    const auto [from, to] = selection();
    return hasSelection() && m_lines ? textOf(from, to) : QString();
}

void LineView::selectAll()
{
    m_anchor = {};
    m_cursor = end();
    viewport()->update();
}

} // namespace ym
