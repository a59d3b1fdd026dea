#include "ui/editor/scintilla_lexer.h"

#include <Qsci/qsciscintilla.h>

namespace ym {

namespace {

using Sci = QsciScintillaBase;

constexpr std::array<const char *, tokenCount> tokenNames{"Text",     "Comment", "Documentation", "Keyword", "Constant",
                                                          "String",   "Escape",  "Interpolation", "Number",  "Operator",
                                                          "Function", "Action",  "Parameter",     "Prose"};

} // namespace

ScintillaLexer::ScintillaLexer(const char *name, std::unique_ptr<const LineLexer> lexer, QObject *parent)
    : QsciLexerCustom(parent)
    , m_name(name)
    , m_lexer(std::move(lexer))
    , m_states{LineLexer::State()}
    , m_numbers{{LineLexer::State(), 0}}
{
}

QString ScintillaLexer::description(int style) const
{
    return style >= 0 && style < tokenCount ? QString::fromLatin1(tokenNames[size_t(style)]) : QString();
}

int ScintillaLexer::numberOf(const LineLexer::State &state)
{
    const auto known = m_numbers.constFind(state);
    if (known != m_numbers.constEnd())
        return *known;
    m_states.push_back(state);
    return *m_numbers.insert(state, int(m_states.size() - 1));
}

void ScintillaLexer::styleText(int start, int end)
{
    const QsciScintilla *const view = editor();
    const long firstLine = view->SendScintilla(Sci::SCI_LINEFROMPOSITION, start);
    const long lastLine = view->SendScintilla(Sci::SCI_LINEFROMPOSITION, end > start ? end - 1 : end);
    const long from = view->SendScintilla(Sci::SCI_POSITIONFROMLINE, firstLine);
    const long next = view->SendScintilla(Sci::SCI_POSITIONFROMLINE, lastLine + 1);
    const long length = view->SendScintilla(Sci::SCI_GETLENGTH);
    const long to = lastLine + 1 < view->lines() ? next : length;
    if (to <= from)
        return;
    const QByteArray text(static_cast<const char *>(view->SendScintillaPtrResult(Sci::SCI_GETCHARACTERPOINTER)) + from,
                          to - from);
    QByteArray styles(text.size(), '\0');
    auto *const tokens = reinterpret_cast<Token *>(styles.data());
    const long before = firstLine > 0 ? view->SendScintilla(Sci::SCI_GETLINESTATE, firstLine - 1) : 0;
    LineLexer::State state = before >= 0 && before < long(m_states.size()) ? m_states[size_t(before)] : QByteArray();
    qsizetype at = 0;
    for (long line = firstLine; line <= lastLine; ++line) {
        const long lineStart = from + at;
        const long lineEnd =
            line + 1 < view->lines() ? view->SendScintilla(Sci::SCI_POSITIONFROMLINE, line + 1) : length;
        const qsizetype size = lineEnd - lineStart;
        state = m_lexer->lexLine(QByteArrayView(text).sliced(at, size), state, tokens + at);
        view->SendScintilla(Sci::SCI_SETLINESTATE, ulong(line), long(numberOf(state)));
        at += size;
    }
    startStyling(int(from));
    view->SendScintilla(Sci::SCI_SETSTYLINGEX, ulong(styles.size()), styles.constData());
}

} // namespace ym
