#include "ui/editor/script_editor.h"

#include "ui/editor/find_bar.h"
#include "ui/editor/hidden_characters.h"
#include "ui/editor/script_check.h"

#include <QAction>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr int scanDelayMs = 150;
constexpr int checkDelayMs = 400; ///< a line that is being typed is not scolded
constexpr qsizetype namedFinds = 1000;

} // namespace

ScriptEditor::ScriptEditor(QWidget *parent)
    : QWidget(parent)
    , m_view(new CodeView(this))
    , m_check(new ScriptCheck(this))
{
    m_view->setObjectName(QStringLiteral("scriptText"));
    m_view->setAccessibleName(tr("Script"));
    m_find = new FindBar(m_view);
    makeNotice();
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_notice);
    column->addWidget(m_view, 1);
    column->addWidget(m_find);
    setFocusProxy(m_view);

    addAction({QKeySequence::Find}, &ScriptEditor::find);
    addAction({Qt::Key_F3}, &ScriptEditor::findNext);
    addAction({Qt::SHIFT | Qt::Key_F3}, &ScriptEditor::findPrevious);
    addAction({Qt::CTRL | Qt::Key_Slash}, &ScriptEditor::toggleComment);
    addAction({Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal}, &ScriptEditor::zoomIn);
    addAction({Qt::CTRL | Qt::Key_Minus}, &ScriptEditor::zoomOut);
    addAction({Qt::CTRL | Qt::Key_0}, &ScriptEditor::resetZoom);

    m_scan.setSingleShot(true);
    m_scan.setInterval(scanDelayMs);
    connect(&m_scan, &QTimer::timeout, this, &ScriptEditor::lookForHiddenCharacters);
    m_checkSoon.setSingleShot(true);
    m_checkSoon.setInterval(checkDelayMs);
    connect(&m_checkSoon, &QTimer::timeout, this, &ScriptEditor::lookForMistakes);
    connect(m_check, &ScriptCheck::checked, this, &ScriptEditor::setProblems);
    connect(m_view, &QsciScintilla::textChanged, this, &ScriptEditor::followText);
    connect(m_view, &CodeView::pasteRefused, this, &ScriptEditor::refusePaste);
}

void ScriptEditor::addAction(const QList<QKeySequence> &keys, void (ScriptEditor::*what)())
{
    auto *const action = new QAction(this);
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, what);
    QWidget::addAction(action);
}

void ScriptEditor::makeNotice()
{
    m_notice = new QFrame(this);
    m_notice->setObjectName(QStringLiteral("editorNotice"));
    m_notice->setStyleSheet(
        QStringLiteral("#editorNotice { background: #f5c04a; } #editorNotice QLabel { color: #2b2000; }"));
    auto *const row = new QHBoxLayout(m_notice);
    row->setContentsMargins(10, 5, 6, 5);
    m_noticeText = new QLabel(m_notice);
    m_noticeText->setObjectName(QStringLiteral("editorNoticeText"));
    m_noticeText->setTextFormat(Qt::PlainText);
    m_noticeText->setWordWrap(true);
    m_remove = new QPushButton(tr("Remove them"), m_notice);
    m_remove->setObjectName(QStringLiteral("removeHidden"));
    auto *const close = new QPushButton(tr("Close"), m_notice);
    for (QPushButton *button : {m_remove, close})
        button->setAutoDefault(false);
    row->addWidget(m_noticeText, 1);
    row->addWidget(m_remove);
    row->addWidget(close);
    connect(m_remove, &QPushButton::clicked, this, &ScriptEditor::removeHiddenCharacters);
    connect(close, &QPushButton::clicked, m_notice, &QWidget::hide);
    m_notice->hide();
}

void ScriptEditor::setLanguage(const QByteArray &type)
{
    m_type = type;
    m_view->setLanguage(languageOf(type, m_view->bytes().left(2)));
    m_checkSoon.start();
}

void ScriptEditor::setPython(const QString &path)
{
    m_check->setPython(path);
    m_checkSoon.start();
}

void ScriptEditor::lookForMistakes()
{
    if (!isReadOnly())
        m_check->check(language(), script());
}

bool ScriptEditor::setScript(const QByteArray &script)
{
    if (script.size() > CodeView::maxBytes) {
        refusePaste(script.size());
        return false;
    }
    m_notice->hide();
    m_saysLongLine = false;
    m_view->setProblems({});
    m_view->setBytes(script);
    lookForHiddenCharacters();
    return true;
}

void ScriptEditor::setReadOnly(bool on)
{
    m_view->setReadOnly(on);
    m_view->setCaretLineVisible(!on);
    lookForHiddenCharacters();
}

QString ScriptEditor::warning() const
{
    return m_notice->isHidden() ? QString() : m_noticeText->text();
}

void ScriptEditor::showNotice(const QString &text, bool removable)
{
    m_noticeText->setText(text);
    m_remove->setVisible(removable && !isReadOnly());
    m_notice->show();
}

void ScriptEditor::followText()
{
    char start[3]{};
    if (m_view->length() >= 2)
        m_view->SendScintilla(QsciScintillaBase::SCI_GETTEXTRANGE, 0L, 2L, start);
    m_view->setLanguage(languageOf(m_type, start));
    tellLongLine();
    m_scan.start();
    m_checkSoon.start();
    Q_EMIT scriptChanged();
}

QString ScriptEditor::longLineNote() const
{
    const QLocale locale;
    return tr("A line of this script has %1. Therefore there are no colours here, and of each line only the first %2 are shown; "
              "the script itself is whole.")
        .arg(locale.formattedDataSize(m_view->longLine(), 1), locale.formattedDataSize(shownOfALine, 0));
}

/// Once when it begins: a note that was closed stays closed.
void ScriptEditor::tellLongLine()
{
    const bool isLong = m_view->longLine() > 0;
    if (isLong == m_saysLongLine)
        return;
    m_saysLongLine = isLong;
    if (isLong)
        showNotice(longLineNote(), false);
    else
        m_notice->hide();
}

void ScriptEditor::lookForHiddenCharacters()
{
    const QByteArray text = m_view->bytes();
    const QList<HiddenCharacter> found = findHiddenCharacters(text, namedFinds);
    m_view->setBoxes(found);
    if (found.isEmpty()) {
        if (!m_remove->isHidden() || isReadOnly())
            m_notice->hide();
        return;
    }
    showNotice(
        tr("The script holds characters that cannot be seen: %1. They may change what it does.").arg(describe(found))
            + (m_saysLongLine ? u' ' + longLineNote() : QString()),
        true);
}

void ScriptEditor::removeHiddenCharacters()
{
    m_view->replaceAll(withoutHiddenCharacters(m_view->bytes()));
    m_notice->hide();
    m_view->setFocus();
}

void ScriptEditor::refusePaste(qint64 bytes)
{
    const QLocale locale;
    showNotice(tr("This text has %1, a script has at most %2. Put the data into a file and let the script read it.")
                   .arg(locale.formattedDataSize(bytes), locale.formattedDataSize(CodeView::maxBytes)),
               false);
}

void ScriptEditor::find()
{
    m_find->start();
}

void ScriptEditor::findNext()
{
    m_find->findNext();
}

void ScriptEditor::findPrevious()
{
    m_find->findPrevious();
}

} // namespace ym
