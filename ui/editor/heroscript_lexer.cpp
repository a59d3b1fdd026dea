#include "ui/editor/heroscript_lexer.h"

#include <algorithm>

namespace ym {

namespace {

// States: "" prose, "a" inside an action, "'" and "\"" inside a multi-line value of an action.
constexpr auto inAction = "a";

bool isNameByte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'
        || c == '.';
}

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// The number of `!` of an action line, 0 when it is none: `![` is Markdown, more than four are prose.
qsizetype bangs(QByteArrayView line)
{
    qsizetype count = 0;
    while (count < line.size() && line[count] == '!')
        ++count;
    const bool action =
        count >= 1 && count <= 4 && count < line.size() && isNameByte(line[count]) && line[count] != '.';
    return action ? count : 0;
}

bool isNumber(QByteArrayView value)
{
    bool ok = false;
    value.toByteArray().toDouble(&ok);
    return ok;
}

/// The parameters of an action, on its own line or on an indented one.
class Parameters {
public:
    Parameters(QByteArrayView text, qsizetype at, Token *out)
        : m_text(text)
        , m_at(at)
        , m_out(out)
    {
    }

    LineLexer::State run()
    {
        while (m_at < m_text.size() && m_open.isEmpty())
            step();
        return m_open.isEmpty() ? LineLexer::State(inAction) : m_open;
    }

private:
    void take(qsizetype length, Token token)
    {
        const qsizetype end = std::min(m_at + length, m_text.size());
        std::fill(m_out + m_at, m_out + end, token);
        m_at = end;
    }

    void step()
    {
        const QByteArrayView rest = m_text.sliced(m_at);
        if (isSpace(rest[0]))
            return take(1, Token::Text);
        if (rest.startsWith("//"))
            return take(rest.size(), Token::Comment);
        if (rest[0] == '\'' || rest[0] == '"')
            return quoted();
        qsizetype length = 0;
        while (length < rest.size() && isNameByte(rest[length]))
            ++length;
        if (length > 0 && length < rest.size() && rest[length] == ':') {
            take(length + 1, Token::Parameter);
            return value();
        }
        bare();
    }

    void value()
    {
        const QByteArrayView rest = m_text.sliced(m_at);
        const QByteArrayView end = rest.trimmed();
        if (end == "'" || end == "\"\"\"") {
            m_open = end.first(1).toByteArray();
            return take(rest.size(), Token::String);
        }
        if (!rest.isEmpty() && (rest[0] == '\'' || rest[0] == '"'))
            return quoted();
        bare();
    }

    void quoted()
    {
        const qsizetype close = m_text.indexOf(m_text[m_at], m_at + 1);
        take(close < 0 ? m_text.size() - m_at : close + 1 - m_at, Token::String);
    }

    void bare()
    {
        qsizetype length = 0;
        while (m_at + length < m_text.size() && !isSpace(m_text[m_at + length]))
            ++length;
        const QByteArrayView word = m_text.sliced(m_at, length);
        const bool constant = word == "true" || word == "false";
        take(length, constant ? Token::Constant : isNumber(word) ? Token::Number : Token::Text);
    }

    QByteArrayView m_text;
    qsizetype m_at;
    Token *m_out;
    LineLexer::State m_open;
};

LineLexer::State fill(QByteArrayView line, Token token, Token *out, LineLexer::State next)
{
    std::fill(out, out + line.size(), token);
    return next;
}

LineLexer::State actionLine(QByteArrayView line, qsizetype count, Token *out)
{
    qsizetype end = count;
    while (end < line.size() && isNameByte(line[end]))
        ++end;
    std::fill(out, out + end, Token::Action);
    return Parameters(line, end, out).run();
}

LineLexer::State insideValue(QByteArrayView line, const LineLexer::State &quote, Token *out)
{
    const QByteArrayView content = line.trimmed();
    const bool closes = quote == "'" ? content == "'" : content == "\"\"\"";
    return fill(line, Token::String, out, closes ? LineLexer::State(inAction) : quote);
}

} // namespace

LineLexer::State HeroScriptLexer::lexLine(QByteArrayView line, const State &state, Token *out) const
{
    if (state == "'" || state == "\"")
        return insideValue(line, state, out);
    if (const qsizetype count = bangs(line))
        return actionLine(line, count, out);
    if (line.trimmed().startsWith("//"))
        return fill(line, Token::Comment, out, state);
    if (line.trimmed().isEmpty())
        return fill(line, Token::Text, out, state);
    const bool continues = state == inAction && (line.startsWith("  ") || line.startsWith("\t"));
    if (continues)
        return Parameters(line, 0, out).run();
    return fill(line, Token::Prose, out, {});
}

} // namespace ym
