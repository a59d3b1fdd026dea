#include "ui/editor/balance_check.h"

#include "ui/editor/heroscript_lexer.h"
#include "ui/editor/rhai_lexer.h"

#include <QCoreApplication>

namespace ym {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::BalanceCheck", text);
}

char closing(char opening)
{
    return opening == '(' ? ')' : opening == '[' ? ']' : '}';
}

/// Takes the brackets of a script in their order and remembers the first that does not fit.
class Brackets {
public:
    void take(char c, int line)
    {
        if (m_problem)
            return;
        if (c == '(' || c == '[' || c == '{') {
            m_open.append({c, line});
            return;
        }
        if (c != ')' && c != ']' && c != '}')
            return;
        if (m_open.isEmpty())
            m_problem = {line, tr("“%1” closes nothing").arg(QLatin1Char(c))};
        else if (closing(m_open.constLast().first) != c)
            m_problem = {line, tr("“%1” stands where “%2” of line %3 should close")
                                   .arg(QString(QLatin1Char(c)), QString(QLatin1Char(m_open.constLast().first)),
                                        QString::number(m_open.constLast().second))};
        else
            m_open.removeLast();
    }
    QList<ScriptProblem> result() const
    {
        if (m_problem)
            return {*m_problem};
        if (m_open.isEmpty())
            return {};
        return {{m_open.constLast().second, tr("“%1” is not closed").arg(QLatin1Char(m_open.constLast().first))}};
    }

private:
    QList<std::pair<char, int>> m_open;
    std::optional<ScriptProblem> m_problem;
};

/// HeroScript: the quote that ends a value of several lines. An action that goes on is not open in this sense.
bool isOpenValue(const LineLexer::State &state)
{
    return state == "'" || state == "\"";
}

bool isOpenAnything(const LineLexer::State &state)
{
    return !state.isEmpty();
}

/// By the tokens of a grammar; `countsBrackets` where they mean something.
QList<ScriptProblem> byGrammar(const LineLexer &lexer, const QByteArray &script,
                               bool (*isOpen)(const LineLexer::State &), bool countsBrackets)
{
    Brackets brackets;
    LineLexer::State state;
    int openSince = 0;
    int number = 0;
    QList<Token> tokens;
    for (qsizetype at = 0; at < script.size();) {
        const qsizetype newline = script.indexOf('\n', at);
        const qsizetype end = newline < 0 ? script.size() : newline + 1;
        const QByteArrayView line = QByteArrayView(script).sliced(at, end - at);
        tokens.fill(Token::Text, line.size());
        const bool wasOpen = isOpen(state);
        state = lexer.lexLine(line, state, tokens.data());
        ++number;
        if (isOpen(state) && !wasOpen)
            openSince = number;
        for (qsizetype i = 0; countsBrackets && i < line.size(); ++i) {
            if (tokens[i] == Token::Operator || tokens[i] == Token::Text)
                brackets.take(line[i], number);
        }
        at = end;
    }
    if (isOpen(state))
        return {{openSince, tr("What begins here is not closed at the end of the script")}};
    return brackets.result();
}

/// Strings in ' " and `, comments in // and /* */.
QList<ScriptProblem> byCharacters(const QByteArray &script)
{
    Brackets brackets;
    int line = 1;
    char quote = 0;
    int quoteLine = 0;
    bool isComment = false;
    const auto startsWith = [&script](qsizetype at, const char *two) {
        return at + 1 < script.size() && script[at] == two[0] && script[at + 1] == two[1];
    };
    for (qsizetype i = 0; i < script.size(); ++i) {
        const char c = script[i];
        line += c == '\n' ? 1 : 0;
        if (isComment) {
            isComment = !startsWith(i, "*/");
            i += isComment ? 0 : 1;
        } else if (quote != 0) {
            if (c == '\\')
                ++i;
            else if (c == quote)
                quote = 0;
        } else if (startsWith(i, "//")) {
            const qsizetype newline = script.indexOf('\n', i);
            i = newline < 0 ? script.size() : newline - 1;
        } else if (startsWith(i, "/*")) {
            isComment = true;
            quoteLine = line;
            ++i;
        } else if (c == '\'' || c == '"' || c == '`') {
            quote = c;
            quoteLine = line;
        } else {
            brackets.take(c, line);
        }
    }
    if (quote != 0)
        return {{quoteLine, tr("The string that begins here is not closed")}};
    if (isComment)
        return {{quoteLine, tr("The comment that begins here is not closed")}};
    return brackets.result();
}

} // namespace

QList<ScriptProblem> findUnbalanced(Language language, const QByteArray &script)
{
    switch (language) {
    case Language::Rhai:
        return byGrammar(RhaiLexer(), script, isOpenAnything, true);
    case Language::HeroScript:
        return byGrammar(HeroScriptLexer(), script, isOpenValue, false);
    case Language::V:
        return byCharacters(script);
    case Language::Plain:
    case Language::Python: // has a compiler of its own
        break;
    }
    return {};
}

} // namespace ym
