#include "models/line_expression.h"

#include <QStringView>

namespace ym {

namespace {

/// Rewrites a pattern, construct by construct; what is not known to be harmless is refused.
class Rewriter {
public:
    explicit Rewriter(QStringView pattern)
        : m_pattern(pattern)
    {
    }

    std::optional<QString> rewritten()
    {
        while (m_at < m_pattern.size()) {
            if (!takeOne())
                return std::nullopt;
        }
        return m_out;
    }

private:
    QChar peek(qsizetype ahead = 0) const
    {
        return m_at + ahead < m_pattern.size() ? m_pattern[m_at + ahead] : QChar();
    }
    bool copy(qsizetype count)
    {
        m_out += m_pattern.mid(m_at, count);
        m_at += count;
        return true;
    }
    bool replace(qsizetype count, const char *by)
    {
        m_out += QLatin1String(by);
        m_at += count;
        return true;
    }

    bool takeOne()
    {
        if (peek() == u'\\')
            return takeEscape();
        if (peek() == u'[')
            return takeClass();
        if (peek() == u'(')
            return takeGroup();
        return peek() != u'\n' && copy(1);
    }

    static bool isWord(QChar c) { return c.isLetterOrNumber() || c == u'_'; }

    bool takeEscape()
    {
        const QChar c = peek(1);
        if (c.isNull())
            return false;
        if (!isWord(c)) // a character that stands for itself
            return c != u'\n' && copy(2);
        switch (c.unicode()) {
        case u's':
            return replace(2, "[^\\S\n]");
        case u'D':
            return replace(2, "[^\\d\n]");
        case u'W':
            return replace(2, "[^\\w\n]");
        case u'A':
            return replace(2, "^");
        case u'z':
        case u'Z':
            return replace(2, "$");
        case u'b':
        case u'B':
        case u'd':
        case u'w':
        case u'S':
        case u'h':
        case u't':
            return copy(2);
        default:
            return c >= u'1' && c <= u'9' && !peek(2).isDigit() && copy(2); // what a group found
        }
    }

    /// [abc], [^abc]; without escapes of sets that hold a line feed.
    bool takeClass()
    {
        if (peek(1) == u'^')
            replace(2, "[^\n");
        else
            copy(1);
        for (bool isFirst = true;; isFirst = false) {
            if (m_at >= m_pattern.size() || peek() == u'[' || peek() == u'\n')
                return false; // open, a named set, or a line feed itself
            if (peek() == u']') {
                if (!isFirst)
                    return copy(1);
                replace(1, "\\]"); // the first one stands for itself, and may not be the first any more
                continue;
            }
            if (peek() != u'\\') {
                // A range may go over the line feed only when it begins below it.
                if (peek() < u' ')
                    return false;
                copy(1);
                continue;
            }
            const QChar c = peek(1);
            const bool isHarmless = !isWord(c) || c == u'd' || c == u'w' || c == u'h' || c == u't' || c == u'S';
            if (c.isNull() || c == u'\n' || !isHarmless || (c == u't' && peek(2) == u'-'))
                return false;
            copy(2);
        }
    }

    /// Plain, named and unnamed groups, and those that only look.
    bool takeGroup()
    {
        if (peek(1) == u'*')
            return false;
        if (peek(1) != u'?')
            return copy(1);
        const QChar kind = peek(2);
        if (kind == u':' || kind == u'=' || kind == u'!' || kind == u'>')
            return copy(3);
        if (kind == u'<' && (peek(3) == u'=' || peek(3) == u'!' || peek(3).isLetter()))
            return copy(3);
        return kind == u'i' && peek(3) == u')' && copy(4);
    }

    QStringView m_pattern;
    qsizetype m_at = 0;
    QString m_out;
};

} // namespace

std::optional<QRegularExpression> acrossLines(const QRegularExpression &line)
{
    static const QString limit = QStringLiteral("(*LIMIT_MATCH=");
    const QString pattern = line.pattern();
    const qsizetype verbs = pattern.startsWith(limit) ? pattern.indexOf(u')') + 1 : 0;
    const auto rewritten = Rewriter(QStringView(pattern).mid(verbs)).rewritten();
    if (!rewritten)
        return std::nullopt;
    // The limit is for one line; there are thousands in a text, and where it is reached the lines are asked one by one.
    const QString manyLines = verbs > 0 ? QStringLiteral("(*LIMIT_MATCH=2000000)") : QString();
    QRegularExpression across(manyLines + *rewritten,
                              line.patternOptions() | QRegularExpression::MultilineOption);
    across.optimize();
    return across.isValid() ? std::optional(across) : std::nullopt;
}

} // namespace ym
