#include "ui/widgets/line_view.h"

#include "core/base/text.h"
#include "models/output_buffer.h"
#include "ui/theme.h"

#include <QEvent>
#include <QScrollBar>
#include <QTextBlock>

namespace ym {

QString brokenLines(const QString &text)
{
    qsizetype start = 0;
    bool isLong = false;
    for (qsizetype end = text.indexOf(u'\n'); !isLong; end = text.indexOf(u'\n', start)) {
        isLong = (end < 0 ? text.size() : end) - start > LineView::longestLine;
        if (end < 0)
            break;
        start = end + 1;
    }
    if (!isLong)
        return text;
    QString out;
    out.reserve(text.size() + text.size() / LineView::longestLine);
    qsizetype column = 0;
    for (const QChar c : text) {
        column = c == u'\n' ? 0 : column + 1;
        if (column > LineView::longestLine && !c.isLowSurrogate()) {
            out += u'\n';
            column = 1;
        }
        out += c;
    }
    return out;
}

LineView::LineView(QWidget *parent)
    : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setFont(monoFont());
    setFrameShape(NoFrame);
    setLineWrapMode(NoWrap);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    document()->setDocumentMargin(space::large);
    // A person who scrolls up wants to read: the end is followed again when they are back there.
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
        QMetaObject::invokeMethod(
            this,
            [this] {
                m_isFollowing = m_isFollowing && verticalScrollBar()->value() >= verticalScrollBar()->maximum() - 1;
            },
            Qt::QueuedConnection);
    });
}

void LineView::setBytes(const QByteArray &bytes)
{
    setPlain(shownText(bytes, Lines::Keep));
}

void LineView::setPlain(const QString &text)
{
    showBuffer(nullptr);
    setPlainText(brokenLines(text));
}

void LineView::appendBytes(const QByteArray &bytes)
{
    const QString text = brokenLines(shownText(bytes, Lines::Keep));
    keepEnd([this, &text] {
        QTextCursor cursor(document());
        cursor.movePosition(QTextCursor::End);
        cursor.insertText(text);
    });
}

void LineView::showBuffer(OutputBuffer *buffer)
{
    if (m_buffer == buffer)
        return;
    if (m_buffer)
        m_buffer->disconnect(this);
    m_buffer = buffer;
    m_lines = 0;
    if (!buffer)
        return;
    connect(buffer, &OutputBuffer::restarted, this, &LineView::forgetLines);
    connect(buffer, &OutputBuffer::linesDropped, this, &LineView::dropLines);
    connect(buffer, &OutputBuffer::linesChanged, this, &LineView::replaceLines);
    connect(buffer, &OutputBuffer::linesAppended, this, &LineView::insertLines);
    reload();
}

void LineView::setFollowing(bool on)
{
    m_isFollowing = on;
    if (on)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void LineView::setWrapping(bool on)
{
    setLineWrapMode(on ? WidgetWidth : NoWrap);
}

void LineView::keepEnd(const std::function<void()> &change)
{
    const bool isFollowing = m_isFollowing;
    change();
    if (isFollowing)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

QTextCharFormat LineView::formatOf(int line) const
{
    const OutputLine content = m_buffer->lineAt(line);
    QTextCharFormat format;
    format.setForeground(palette().color(QPalette::Text));
    if (content.marker)
        format.setForeground(secondaryColour(palette()));
    else if (content.stream == OutputChunk::Stream::Err)
        format.setForeground(signalColour(Signal::Bad, palette()));
    format.setFontItalic(content.marker);
    return format;
}

void LineView::forgetLines()
{
    clear();
    m_lines = 0;
}

void LineView::reload()
{
    forgetLines();
    if (m_buffer)
        insertLines(0, m_buffer->lineCount());
}

/// Lines that are there already are passed over: a buffer that is shown anew may still announce what it has. A document
/// is never without a block: the first line goes into the one that is there.
void LineView::insertLines(int first, int count)
{
    if (!m_buffer || first + count <= m_lines)
        return;
    keepEnd([this, end = first + count] {
        QTextCursor cursor(document());
        cursor.movePosition(QTextCursor::End);
        cursor.beginEditBlock();
        for (; m_lines < end; ++m_lines) {
            if (m_lines > 0)
                cursor.insertBlock();
            cursor.insertText(m_buffer->lineAt(m_lines).text, formatOf(m_lines));
        }
        cursor.endEditBlock();
    });
}

void LineView::replaceLines(int first, int last)
{
    keepEnd([this, first, last] {
        for (int line = first; m_buffer && line <= last; ++line) {
            QTextCursor cursor(document()->findBlockByNumber(line));
            cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
            cursor.insertText(m_buffer->lineAt(line).text, formatOf(line));
        }
    });
}

void LineView::dropLines(int first, int count)
{
    QTextCursor cursor(document()->findBlockByNumber(first));
    const QTextBlock after = document()->findBlockByNumber(first + count);
    if (after.isValid())
        cursor.setPosition(after.position(), QTextCursor::KeepAnchor);
    else
        cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
    cursor.removeSelectedText();
    m_lines = std::max(m_lines - count, 0);
}

void LineView::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_buffer)
        reload();
}

} // namespace ym
