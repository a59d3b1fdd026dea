// CodeView: keys, the clipboard and the menu.
#include "ui/editor/code_view.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>

namespace ym {

bool CodeView::canInsertFromMimeData(const QMimeData *source) const
{
    if (!source->hasText())
        return false;
    const QString utf8 = QStringLiteral("text/plain;charset=utf-8");
    const QString plain = QStringLiteral("text/plain");
    const QString format = source->hasFormat(utf8) ? utf8 : plain;
    const qint64 incoming = source->hasFormat(format) ? source->data(format).size() : source->text().size();
    if (incoming + SendScintilla(SCI_GETLENGTH) <= maxBytes)
        return true;
    // Scintilla asks through a const method; saying why is no change of the text.
    QMetaObject::invokeMethod(
        const_cast<CodeView *>(this), [this, incoming] { Q_EMIT const_cast<CodeView *>(this)->pasteRefused(incoming); },
        Qt::QueuedConnection);
    return false;
}

QByteArray CodeView::fromMimeData(const QMimeData *source, bool &rectangular) const
{
    QByteArray text = QsciScintilla::fromMimeData(source, rectangular);
    text.replace("\r\n", "\n");
    return text;
}

/// Tab writes; Ctrl+Tab leaves (DESIGN: everything has a keyboard path).
bool CodeView::focusNextPrevChild(bool next)
{
    return isReadOnly() ? QAbstractScrollArea::focusNextPrevChild(next) : false;
}

void CodeView::keyPressEvent(QKeyEvent *event)
{
    const bool tab = event->key() == Qt::Key_Tab || event->key() == Qt::Key_Backtab;
    if (tab && event->modifiers().testFlag(Qt::ControlModifier)) {
        QAbstractScrollArea::focusNextPrevChild(!event->modifiers().testFlag(Qt::ShiftModifier));
        return;
    }
    const bool returnKey = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape || (returnKey && event->modifiers().testFlag(Qt::ControlModifier))) {
        event->ignore();
        return;
    }
    if (m_longLine > 0 && !isReadOnly() && removeByKey(event))
        return;
    QsciScintilla::keyPressEvent(event);
}

/// Scintilla takes what it does not show for protected, so what a key takes away is taken away here. True when that was
/// all that the key does.
bool CodeView::removeByKey(const QKeyEvent *event)
{
    const bool isCut = event->matches(QKeySequence::Cut);
    const bool isBack = event->key() == Qt::Key_Backspace && event->modifiers() == Qt::NoModifier;
    const bool isDelete = event->key() == Qt::Key_Delete && event->modifiers() == Qt::NoModifier;
    const bool isLineEnd = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool isText = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))
        && (isLineEnd || (!event->text().isEmpty() && event->text().front().isPrint()));
    const bool removes = isCut || isBack || isDelete;
    if (!(removes || isText || event->matches(QKeySequence::Paste)) || SendScintilla(SCI_GETSELECTIONS) > 1)
        return false;
    if (isCut && hasSelectedText())
        copy();
    const long at = SendScintilla(SCI_GETCURRENTPOS);
    if (hasSelectedText())
        removeSelected();
    else if (isBack)
        removeRange(SendScintilla(SCI_POSITIONBEFORE, at), at);
    else if (isDelete)
        removeRange(at, SendScintilla(SCI_POSITIONAFTER, at));
    SendScintilla(SCI_SCROLLCARET);
    return removes;
}

void CodeView::removeRange(long from, long to)
{
    if (from < to)
        SendScintilla(SCI_DELETERANGE, ulong(from), to - from);
}

/// What the menu does to a selection, the keys do too.
void CodeView::removeSelected()
{
    if (m_longLine > 0 && SendScintilla(SCI_GETSELECTIONS) == 1)
        removeRange(SendScintilla(SCI_GETSELECTIONSTART), SendScintilla(SCI_GETSELECTIONEND));
    else
        SendScintilla(SCI_CLEAR);
}

void CodeView::cut()
{
    if (m_longLine == 0)
        return QsciScintilla::cut();
    copy();
    removeSelected();
}

void CodeView::paste()
{
    if (m_longLine > 0)
        removeSelected();
    QsciScintilla::paste();
}

/// Not the one of Scintilla, whose Delete leaves what is not shown.
void CodeView::contextMenuEvent(QContextMenuEvent *event)
{
    auto *const menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("editorMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [this, menu](const QString &text, QKeySequence::StandardKey key, bool isPossible,
                                  void (CodeView::*what)()) {
        const QString keys = QKeySequence(key).toString(QKeySequence::NativeText);
        QAction *const action = menu->addAction(text + u'\t' + keys);
        action->setEnabled(isPossible);
        connect(action, &QAction::triggered, this, what);
    };
    const bool isWritable = !isReadOnly();
    if (isWritable) {
        add(tr("Undo"), QKeySequence::Undo, isUndoAvailable(), &CodeView::undo);
        add(tr("Redo"), QKeySequence::Redo, isRedoAvailable(), &CodeView::redo);
        menu->addSeparator();
        add(tr("Cut"), QKeySequence::Cut, hasSelectedText(), &CodeView::cut);
    }
    add(tr("Copy"), QKeySequence::Copy, hasSelectedText(), &CodeView::copy);
    if (isWritable) {
        add(tr("Paste"), QKeySequence::Paste, SendScintilla(SCI_CANPASTE), &CodeView::paste);
        add(tr("Delete"), QKeySequence::Delete, hasSelectedText(), &CodeView::removeSelected);
    }
    menu->addSeparator();
    add(tr("Select all"), QKeySequence::SelectAll, length() > 0, &CodeView::markAll);
    menu->popup(event->globalPos());
}

} // namespace ym
