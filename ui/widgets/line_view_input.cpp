// Mouse and keyboard of a line view: select, copy, scroll.
#include "ui/widgets/line_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDateTime>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <QStyleHints>

namespace ym {

namespace {

constexpr qint64 mostCopied = 200'000;

bool isWordCharacter(QChar c)
{
    return c.isLetterOrNumber() || c == u'_' || c == u'-' || c == u'.' || c == u'/';
}

} // namespace

void LineView::copy()
{
    if (!hasSelection())
        return;
    QApplication::clipboard()->setText(selectedText());
    const auto [from, to] = selection();
    if (to.line - from.line >= mostCopied)
        Q_EMIT copyWasCut(mostCopied);
}

bool LineView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) { // of the window: here they mean the text
        auto *const key = static_cast<QKeyEvent *>(event);
        if (key->matches(QKeySequence::SelectAll) || (key->matches(QKeySequence::Copy) && hasSelection())) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

void LineView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy))
        return copy();
    if (event->matches(QKeySequence::SelectAll))
        return selectAll();
    const bool extends = event->modifiers() & Qt::ShiftModifier;
    const auto step = [&](qint64 lines) {
        if (!extends) {
            verticalScrollBar()->setValue(verticalScrollBar()->value() + int(lines));
            return;
        }
        moveCursor({std::clamp<qint64>(m_cursor.line + lines, 0, std::max<qint64>(0, lineCount() - 1)), m_cursor.index}, true);
    };
    const auto sideways = [&](int characters) {
        if (!extends) {
            horizontalScrollBar()->setValue(horizontalScrollBar()->value() + int(characters * 4 * m_charWidth));
            return;
        }
        const qsizetype size = m_lines ? m_lines->styledLine(m_cursor.line).text.size() : 0;
        moveCursor({m_cursor.line, std::clamp<qsizetype>(m_cursor.index + characters, 0, size)}, true);
    };
    switch (event->key()) {
    case Qt::Key_Up:
        return step(-1);
    case Qt::Key_Down:
        return step(1);
    case Qt::Key_PageUp:
        return step(-visibleRows());
    case Qt::Key_PageDown:
        return step(visibleRows());
    case Qt::Key_Left:
        return sideways(-1);
    case Qt::Key_Right:
        return sideways(1);
    case Qt::Key_Home:
        return extends ? moveCursor({}, true) : verticalScrollBar()->setValue(0);
    case Qt::Key_End:
        if (extends)
            return moveCursor(end(), true);
        return verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    default:
        return QAbstractScrollArea::keyPressEvent(event);
    }
}

void LineView::moveCursor(TextPlace place, bool extends)
{
    m_cursor = place;
    if (!extends)
        m_anchor = place;
    ensureVisible(place);
    viewport()->update();
}

std::pair<TextPlace, TextPlace> LineView::wordAt(TextPlace place) const
{
    const QString text = m_lines ? m_lines->styledLine(place.line).text : QString();
    qsizetype from = std::min(place.index, text.size());
    qsizetype to = from;
    while (from > 0 && isWordCharacter(text[from - 1]))
        --from;
    while (to < text.size() && isWordCharacter(text[to]))
        ++to;
    return {{place.line, from}, {place.line, to}};
}

void LineView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const TextPlace place = placeAt(event->position().toPoint());
    const bool isTriple = QDateTime::currentMSecsSinceEpoch() - m_lastDoubleAt < QApplication::doubleClickInterval()
        && (event->position().toPoint() - m_lastDouble).manhattanLength() < QApplication::startDragDistance();
    if (isTriple) {
        m_anchor = {place.line, 0};
        m_cursor = {place.line, m_lines ? m_lines->styledLine(place.line).text.size() : 0};
        viewport()->update();
        return;
    }
    m_cursor = place;
    if (!(event->modifiers() & Qt::ShiftModifier))
        m_anchor = place;
    viewport()->update();
}

void LineView::mouseMoveEvent(QMouseEvent *event)
{
    if (!(event->buttons() & Qt::LeftButton))
        return;
    m_dragPoint = event->position().toPoint();
    m_cursor = placeAt(m_dragPoint);
    viewport()->update();
    const bool isOutside = m_dragPoint.y() < 0 || m_dragPoint.y() > viewport()->height();
    if (isOutside && !m_autoScroll.isActive())
        m_autoScroll.start();
    else if (!isOutside)
        m_autoScroll.stop();
}

void LineView::mouseReleaseEvent(QMouseEvent *)
{
    m_autoScroll.stop();
    if (hasSelection() && QApplication::clipboard()->supportsSelection() && selection().second.line - selection().first.line < 1000)
        QApplication::clipboard()->setText(selectedText(), QClipboard::Selection);
}

void LineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    std::tie(m_anchor, m_cursor) = wordAt(placeAt(event->position().toPoint()));
    m_lastDouble = event->position().toPoint();
    m_lastDoubleAt = QDateTime::currentMSecsSinceEpoch();
    viewport()->update();
}

void LineView::contextMenuEvent(QContextMenuEvent *event)
{
    QMenu *const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *const copyAction = menu->addAction(tr("&Copy"), this, &LineView::copy);
    copyAction->setEnabled(hasSelection());
    menu->addAction(tr("Select &all"), this, &LineView::selectAll);
    menu->popup(event->globalPos());
}

void LineView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void LineView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

} // namespace ym
