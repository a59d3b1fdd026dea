#include "core/store/embedded/endpoint/inline_words.h"

namespace ym::embedded {

namespace {

bool isBlank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const char lower = char(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

char unescaped(char c)
{
    switch (c) {
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'b':
        return '\b';
    case 'a':
        return '\a';
    default:
        return c;
    }
}

/// Walks over one line; `peek` gives a zero byte behind its end.
class Line {
public:
    explicit Line(QByteArrayView text)
        : m_text(text)
    {
        const qsizetype zero = text.indexOf('\0');
        if (zero >= 0)
            m_text = text.first(zero);
    }

    char peek(qsizetype ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }
    char take() { return m_text[m_at++]; }
    bool isAtEnd() const { return m_at >= m_text.size(); }
    void skipBlanks()
    {
        while (isBlank(peek()))
            ++m_at;
    }
    void skip(qsizetype count) { m_at += count; }

private:
    QByteArrayView m_text;
    qsizetype m_at = 0;
};

/// The rest of a "…" word behind its opening quote; false when it does not end well.
bool readDoubleQuoted(Line &line, QByteArray &word)
{
    while (!line.isAtEnd()) {
        const int high = hexDigit(line.peek(2));
        const int low = hexDigit(line.peek(3));
        if (line.peek() == '\\' && line.peek(1) == 'x' && high >= 0 && low >= 0) {
            word += char(high * 16 + low);
            line.skip(4);
        } else if (line.peek() == '\\' && line.peek(1) != '\0') {
            line.skip(1);
            word += unescaped(line.take());
        } else if (line.peek() == '"') {
            line.skip(1);
            return line.isAtEnd() || isBlank(line.peek());
        } else {
            word += line.take();
        }
    }
    return false;
}

bool readSingleQuoted(Line &line, QByteArray &word)
{
    while (!line.isAtEnd()) {
        if (line.peek() == '\\' && line.peek(1) == '\'') {
            word += '\'';
            line.skip(2);
        } else if (line.peek() == '\'') {
            line.skip(1);
            return line.isAtEnd() || isBlank(line.peek());
        } else {
            word += line.take();
        }
    }
    return false;
}

bool readWord(Line &line, QByteArray &word)
{
    while (!line.isAtEnd() && !isBlank(line.peek())) {
        const char c = line.take();
        if (c == '"')
            return readDoubleQuoted(line, word);
        if (c == '\'')
            return readSingleQuoted(line, word);
        word += c;
    }
    return true;
}

} // namespace

std::optional<QList<QByteArray>> splitInlineWords(QByteArrayView text)
{
    QList<QByteArray> words;
    Line line(text);
    for (line.skipBlanks(); !line.isAtEnd(); line.skipBlanks()) {
        QByteArray word("");
        if (!readWord(line, word))
            return std::nullopt;
        words.append(std::move(word));
    }
    return words;
}

} // namespace ym::embedded
