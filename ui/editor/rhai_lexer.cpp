#include "ui/editor/rhai_lexer.h"

#include <algorithm>
#include <array>
#include <vector>

namespace ym {

namespace {

/// Something that was opened and not closed yet.
struct Frame {
    enum Kind : char { Comment = 'c', DocComment = 'd', Template = 't', Code = 'b', Raw = 'r', Quoted = 'q' };
    Kind kind;
    quint16 count; ///< comments: depth; Code: open braces; Raw: number of #
};

/// Deeper nesting than this is coloured as if it were this deep; a hostile text must not make states grow.
constexpr size_t deepest = 64;
constexpr quint16 countLimit = 0xffff;

constexpr std::array<QByteArrayView, 24> keywords{
    "as",     "break", "catch", "const", "continue", "do",     "else",   "export", "fn",    "for", "global", "if",
    "import", "in",    "let",   "loop",  "private",  "return", "switch", "this",   "throw", "try", "until",  "while"};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isWordStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isWord(char c)
{
    return isWordStart(c) || isDigit(c);
}

bool isHexDigit(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool isOperator(char c)
{
    return QByteArrayView("+-*/%=<>!&|^~?:;,.(){}[]#@").contains(c);
}

std::vector<Frame> unpack(const LineLexer::State &state)
{
    std::vector<Frame> frames;
    for (qsizetype i = 0; i + 2 < state.size(); i += 3)
        frames.push_back({Frame::Kind(state[i]), quint16(uchar(state[i + 1]) | uchar(state[i + 2]) << 8)});
    return frames;
}

LineLexer::State pack(const std::vector<Frame> &frames)
{
    LineLexer::State state;
    for (const Frame &frame : frames) {
        state += frame.kind;
        state += char(frame.count & 0xff);
        state += char(frame.count >> 8);
    }
    return state;
}

/// One line on its way through the grammar.
class Line {
public:
    Line(QByteArrayView text, std::vector<Frame> frames, Token *out)
        : m_text(text)
        , m_frames(std::move(frames))
        , m_out(out)
    {
    }

    std::vector<Frame> run()
    {
        while (m_at < m_text.size())
            step();
        return std::move(m_frames);
    }

private:
    void step()
    {
        if (m_frames.empty())
            return code();
        switch (m_frames.back().kind) {
        case Frame::Comment:
        case Frame::DocComment:
            return comment();
        case Frame::Template:
            return templateText();
        case Frame::Raw:
            return raw();
        case Frame::Quoted:
            return quoted();
        case Frame::Code:
            return code();
        }
    }

    char at(qsizetype ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }
    bool looksAt(QByteArrayView what) const { return m_text.sliced(m_at).startsWith(what); }

    void take(qsizetype length, Token token)
    {
        const qsizetype end = std::min(m_at + length, m_text.size());
        std::fill(m_out + m_at, m_out + end, token);
        m_at = end;
    }

    void push(Frame::Kind kind, quint16 count)
    {
        if (m_frames.size() < deepest)
            m_frames.push_back({kind, count});
    }

    void comment()
    {
        Frame &frame = m_frames.back();
        const Token token = frame.kind == Frame::DocComment ? Token::DocComment : Token::Comment;
        if (looksAt("/*")) {
            frame.count = std::min<quint16>(frame.count, countLimit - 1) + 1;
            take(2, token);
        } else if (looksAt("*/")) {
            if (--frame.count == 0)
                m_frames.pop_back();
            take(2, token);
        } else {
            take(1, token);
        }
    }

    void templateText()
    {
        if (at() == '`') {
            m_frames.pop_back();
            take(1, Token::String);
        } else if (looksAt("${")) {
            push(Frame::Code, 0);
            take(2, Token::Interpolation);
        } else {
            take(1, Token::String);
        }
    }

    void raw()
    {
        const int hashes = m_frames.back().count;
        bool closes = at() == '"';
        for (int i = 1; closes && i <= hashes; ++i)
            closes = at(i) == '#';
        if (closes)
            m_frames.pop_back();
        take(closes ? hashes + 1 : 1, Token::String);
    }

    /// "…" ends with its line, unless the line ends in a backslash.
    void quoted()
    {
        if (at() == '\\') {
            const bool continues = at(1) == '\n' || at(1) == '\r';
            take(continues ? m_text.size() - m_at : escapeLength(), Token::Escape);
            return;
        }
        const bool ends = at() == '"' || at() == '\n' || at() == '\r';
        if (ends)
            m_frames.pop_back();
        take(1, Token::String);
    }

    qsizetype escapeLength() const
    {
        const qsizetype digits = at(1) == 'x' ? 2 : at(1) == 'u' ? 4 : at(1) == 'U' ? 8 : 0;
        qsizetype length = 2;
        while (length < 2 + digits && isHexDigit(at(length)))
            ++length;
        return length;
    }

    void code()
    {
        if (looksAt("//"))
            return lineComment();
        if (looksAt("/*"))
            return openComment();
        if (at() == '"' || at() == '`') {
            push(at() == '"' ? Frame::Quoted : Frame::Template, 0);
            return take(1, Token::String);
        }
        if (at() == '#' && openRaw())
            return;
        if (at() == '\'')
            return character();
        if (isDigit(at()))
            return number();
        if (isWordStart(at()))
            return word();
        if (at() == '{' || at() == '}')
            return brace();
        take(1, isOperator(at()) ? Token::Operator : Token::Text);
    }

    void lineComment()
    {
        const bool doc = (looksAt("///") && !looksAt("////")) || looksAt("//!");
        take(m_text.size() - m_at, doc ? Token::DocComment : Token::Comment);
    }

    void openComment()
    {
        const bool doc = looksAt("/**") && !looksAt("/***") && !looksAt("/**/");
        if (m_frames.size() >= deepest)
            return take(2, Token::Comment);
        push(doc ? Frame::DocComment : Frame::Comment, 1);
        take(2, doc ? Token::DocComment : Token::Comment);
    }

    bool openRaw()
    {
        quint16 hashes = 1;
        while (at(hashes) == '#' && hashes < countLimit)
            ++hashes;
        if (at(hashes) != '"')
            return false;
        push(Frame::Raw, hashes);
        take(hashes + 1, Token::String);
        return true;
    }

    void character()
    {
        qsizetype length = at(1) == '\\' ? 3 : 2;
        while (m_at + length < m_text.size() && length < 12 && at(length) != '\'' && at(length) != '\n')
            ++length;
        const bool closed = at(length) == '\'';
        take(closed ? length + 1 : 1, closed ? Token::String : Token::Text);
    }

    void number()
    {
        qsizetype length = 1;
        const char base = at(1);
        if (at() == '0' && (base == 'x' || base == 'o' || base == 'b' || base == 'X' || base == 'O' || base == 'B')) {
            length = 2;
            while (isHexDigit(at(length)) || at(length) == '_')
                ++length;
            return take(length, Token::Number);
        }
        length = digits(length);
        if (at(length) == '.' && isDigit(at(length + 1)))
            length = digits(length + 1);
        const bool sign = at(length + 1) == '+' || at(length + 1) == '-';
        if ((at(length) == 'e' || at(length) == 'E') && isDigit(at(length + (sign ? 2 : 1))))
            length = digits(length + (sign ? 2 : 1));
        take(length, Token::Number);
    }

    qsizetype digits(qsizetype length) const
    {
        while (isDigit(at(length)) || at(length) == '_')
            ++length;
        return length;
    }

    void word()
    {
        qsizetype length = 1;
        while (isWord(at(length)))
            ++length;
        const QByteArrayView name = m_text.sliced(m_at, length);
        if (name == "true" || name == "false")
            return take(length, Token::Constant);
        if (std::find(keywords.begin(), keywords.end(), name) != keywords.end())
            return take(length, Token::Keyword);
        qsizetype behind = length;
        while (at(behind) == ' ')
            ++behind;
        take(length, at(behind) == '(' ? Token::Function : Token::Text);
    }

    /// Braces are counted only inside ${…}, to find the one that ends it.
    void brace()
    {
        if (m_frames.empty())
            return take(1, Token::Operator);
        Frame &frame = m_frames.back();
        if (at() == '{') {
            frame.count = std::min<quint16>(frame.count, countLimit - 1) + 1;
        } else if (frame.count == 0) {
            m_frames.pop_back();
            return take(1, Token::Interpolation);
        } else {
            --frame.count;
        }
        take(1, Token::Operator);
    }

    QByteArrayView m_text;
    std::vector<Frame> m_frames;
    Token *m_out;
    qsizetype m_at = 0;
};

} // namespace

LineLexer::State RhaiLexer::lexLine(QByteArrayView line, const State &state, Token *out) const
{
    return pack(Line(line, unpack(state), out).run());
}

} // namespace ym
