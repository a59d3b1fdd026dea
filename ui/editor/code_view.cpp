#include "ui/editor/code_view.h"

#include <Qsci/qscicommandset.h>
#include <Qsci/qscilexer.h>

#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>

namespace ym {

namespace {

constexpr int problemMarker = 0;
constexpr int problemLineMarker = 1;
constexpr int numberMargin = 0;
constexpr int markerMargin = 1;
constexpr int annotationStyle = 60;
constexpr int boxIndicator = 8;
constexpr int indentColumns = 4;

/// Keys that mean something else in this program than in Scintilla.
constexpr QKeyCombination freedKeys[]{
    Qt::CTRL | Qt::Key_Slash, Qt::CTRL | Qt::Key_Return,          Qt::CTRL | Qt::Key_Enter, Qt::CTRL | Qt::Key_K,
    Qt::CTRL | Qt::Key_Tab,   Qt::CTRL | Qt::SHIFT | Qt::Key_Tab, Qt::CTRL | Qt::Key_L,     Qt::CTRL | Qt::Key_0};

} // namespace

QFont codeFont(int points)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (!QFontInfo(font).fixedPitch()) {
        static const QStringList families{QStringLiteral("DejaVu Sans Mono"), QStringLiteral("Liberation Mono"),
                                          QStringLiteral("Noto Sans Mono"), QStringLiteral("Monospace")};
        for (const QString &family : families) {
            font = QFont(family);
            if (QFontInfo(font).fixedPitch())
                break;
        }
    }
    font.setStyleHint(QFont::Monospace);
    font.setPointSize(points);
    return font;
}

CodeView::CodeView(QWidget *parent)
    : QsciScintilla(parent)
{
    setUpView();
    freeKeys();
    applyColours();
    connect(this, &QsciScintilla::textChanged, this, &CodeView::lookForLongLines); // before anything is laid out
    connect(this, &QsciScintilla::linesChanged, this, &CodeView::fitLineNumbers);
    connect(this, &QsciScintillaBase::SCN_ZOOM, this, &CodeView::fitLineNumbers);
}

void CodeView::setUpView()
{
    setUtf8(true);
    setEolMode(EolUnix);
    setFrameShape(QFrame::NoFrame);
    setIndentationsUseTabs(false);
    setTabWidth(indentColumns);
    setIndentationWidth(indentColumns);
    setAutoIndent(true);
    setBackspaceUnindents(true);
    setTabIndents(true);
    setIndentationGuides(true);
    setBraceMatching(SloppyBraceMatch);
    setCaretLineVisible(true);
    setCaretWidth(2);
    setScrollWidth(1);
    setScrollWidthTracking(true);
    setMarginType(numberMargin, NumberMargin);
    setMarginType(markerMargin, SymbolMargin);
    setMarginWidth(markerMargin, 14);
    setMarginMarkerMask(markerMargin, 1 << problemMarker);
    setMarginWidth(2, 0);
    markerDefine(SmallRectangle, problemMarker);
    markerDefine(Background, problemLineMarker);
    setAnnotationDisplay(AnnotationBoxed);
    SendScintilla(SCI_SETMARGINLEFT, 0, long(6));
    SendScintilla(SCI_SETEXTRAASCENT, long(1));
    SendScintilla(SCI_SETEXTRADESCENT, long(2));
    SendScintilla(SCI_SETMULTIPASTE, long(1));
    SendScintilla(SCI_SETADDITIONALSELECTIONTYPING, long(1));
    SendScintilla(SCI_SETMULTIPLESELECTION, long(1));
    // Scintilla shows C0 controls as chips by itself; these would be invisible or reorder what one reads.
    for (const auto &[character, chip] : hiddenCharacterChips())
        SendScintilla(SCI_SETREPRESENTATION, character.constData(), chip.constData());
}

void CodeView::freeKeys()
{
    for (const QKeyCombination key : freedKeys) {
        QsciCommand *const command = standardCommands()->boundTo(key.toCombined());
        if (!command)
            continue;
        if (command->key() == key.toCombined())
            command->setKey(0);
        else
            command->setAlternateKey(0);
    }
}

QByteArray CodeView::bytes() const
{
    const auto *const start = static_cast<const char *>(SendScintillaPtrResult(SCI_GETCHARACTERPOINTER));
    return QByteArray(start, SendScintilla(SCI_GETLENGTH));
}

void CodeView::setBytes(const QByteArray &text)
{
    const bool wasReadOnly = isReadOnly();
    setReadOnly(false);
    replaceAll(text);
    SendScintilla(SCI_EMPTYUNDOBUFFER);
    setModified(false);
    setCursorPosition(0, 0);
    setReadOnly(wasReadOnly);
}

void CodeView::replaceAll(const QByteArray &text)
{
    beginUndoAction();
    SendScintilla(SCI_CLEARALL);
    SendScintilla(SCI_APPENDTEXT, ulong(text.size()), text.constData());
    endUndoAction();
}

void CodeView::setLanguage(Language language)
{
    if (language == m_language && (m_lexer || language == Language::Plain))
        return;
    m_language = language;
    chooseLexer();
}

void CodeView::chooseLexer()
{
    setLexer(nullptr);
    m_lexer.reset(m_longLine > 0 ? new LongLineLexer : makeLexer(m_language, nullptr));
    setLexer(m_lexer.get());
    applyColours();
}

void CodeView::lookForLongLines()
{
    const long size = SendScintilla(SCI_GETLENGTH);
    qsizetype found = 0;
    if (size > mostInALine)
        found = longestLine({static_cast<const char *>(SendScintillaPtrResult(SCI_GETCHARACTERPOINTER)), size});
    if (found <= mostInALine)
        found = 0;
    const bool isOther = (found > 0) != (m_longLine > 0);
    m_longLine = found;
    if (isOther)
        chooseLexer();
}

void CodeView::setFontSize(int points)
{
    m_fontSize = std::clamp(points, 6, 48);
    applyColours();
}

void CodeView::applyColours()
{
    const EditorColours colours = editorColours(palette());
    const QFont font = codeFont(m_fontSize);
    setFont(font);
    setColor(colours.text);
    setPaper(colours.paper);
    if (m_lexer)
        paintLexer(m_lexer.get(), m_longLine > 0 ? Language::Plain : m_language, colours, font);
    if (m_longLine > 0)
        SendScintilla(SCI_STYLESETVISIBLE, ulong(LongLineLexer::Hidden), 0L);
    setMarginsFont(font);
    setMarginsBackgroundColor(colours.margin);
    setMarginsForegroundColor(colours.marginText);
    setCaretForegroundColor(colours.text);
    setCaretLineBackgroundColor(colours.currentLine);
    setSelectionBackgroundColor(colours.selection);
    resetSelectionForegroundColor();
    setIndentationGuidesForegroundColor(colours.guide);
    setIndentationGuidesBackgroundColor(colours.guide);
    setMatchedBraceBackgroundColor(colours.braceMatch);
    setMatchedBraceForegroundColor(colours.text);
    setUnmatchedBraceBackgroundColor(colours.braceMismatch);
    setUnmatchedBraceForegroundColor(colours.text);
    SendScintilla(SCI_INDICSETSTYLE, ulong(boxIndicator), long(INDIC_FULLBOX));
    SendScintilla(SCI_INDICSETFORE, ulong(boxIndicator), colours.chip);
    SendScintilla(SCI_INDICSETALPHA, ulong(boxIndicator), 60L);
    SendScintilla(SCI_INDICSETOUTLINEALPHA, ulong(boxIndicator), 255L);
    SendScintilla(SCI_INDICSETUNDER, ulong(boxIndicator), 0L);
    setMarkerBackgroundColor(colours.problem, problemMarker);
    setMarkerForegroundColor(colours.problem, problemMarker);
    setMarkerBackgroundColor(colours.problemLine, problemLineMarker);
    SendScintilla(SCI_STYLESETFORE, ulong(annotationStyle), colours.problem);
    SendScintilla(SCI_STYLESETBACK, ulong(annotationStyle), colours.problemLine);
    fitLineNumbers();
}

void CodeView::fitLineNumbers()
{
    const int digits = std::max(3, int(QString::number(lines()).size()));
    setMarginWidth(numberMargin, QString(digits + 1, u'9'));
}

std::pair<int, int> CodeView::selectedLines() const
{
    int lineFrom = 0, indexFrom = 0, lineTo = 0, indexTo = 0;
    if (hasSelectedText()) {
        getSelection(&lineFrom, &indexFrom, &lineTo, &indexTo);
        if (lineTo > lineFrom && indexTo == 0)
            --lineTo;
        return {lineFrom, lineTo};
    }
    getCursorPosition(&lineFrom, &indexFrom);
    return {lineFrom, lineFrom};
}

void CodeView::toggleComment()
{
    if (isReadOnly())
        return;
    const auto [first, last] = selectedLines();
    const QString prefix = QString::fromLatin1(commentPrefix(m_language));
    int indent = std::numeric_limits<int>::max();
    bool allCommented = true;
    for (int line = first; line <= last; ++line) {
        const QString content = text(line);
        if (content.trimmed().isEmpty())
            continue;
        const auto start = std::find_if_not(content.begin(), content.end(), [](QChar c) { return c.isSpace(); });
        indent = std::min(indent, int(start - content.begin()));
        allCommented = allCommented && content.trimmed().startsWith(prefix);
    }
    beginUndoAction();
    for (int line = first; line <= last; ++line) {
        const QString content = text(line);
        if (content.trimmed().isEmpty())
            continue;
        if (!allCommented) {
            insertAt(prefix + u' ', line, indent);
            continue;
        }
        const int at = int(content.indexOf(prefix));
        const bool space = at + prefix.size() < content.size() && content[at + prefix.size()] == u' ';
        const long start = positionFromLineIndex(line, at);
        SendScintilla(SCI_DELETERANGE, ulong(start), long(prefix.size() + (space ? 1 : 0)));
    }
    endUndoAction();
}

void CodeView::setProblems(const QList<ScriptProblem> &problems)
{
    markerDeleteAll(problemMarker);
    markerDeleteAll(problemLineMarker);
    clearAnnotations();
    for (const ScriptProblem &problem : problems) {
        const int line = std::clamp(problem.line, 1, lines()) - 1;
        markerAdd(line, problemMarker);
        markerAdd(line, problemLineMarker);
        if (!problem.message.isEmpty())
            annotate(line, problem.message, annotationStyle);
    }
}

void CodeView::setBoxes(const QList<HiddenCharacter> &boxes)
{
    SendScintilla(SCI_SETINDICATORCURRENT, ulong(boxIndicator));
    SendScintilla(SCI_INDICATORCLEARRANGE, 0UL, SendScintilla(SCI_GETLENGTH));
    for (const HiddenCharacter &box : boxes)
        SendScintilla(SCI_INDICATORFILLRANGE, ulong(box.offset), long(box.length));
}

void CodeView::goToLine(int line)
{
    setCursorPosition(std::clamp(line, 1, lines()) - 1, 0);
    ensureCursorVisible();
}

void CodeView::changeEvent(QEvent *event)
{
    QsciScintilla::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        applyColours();
}

} // namespace ym
