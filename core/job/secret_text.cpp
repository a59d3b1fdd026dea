#include "core/job/secret_text.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <array>

namespace ym {

namespace {

constexpr std::array secretWords{"key", "secret", "token", "pass", "pwd", "credential"};

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Goes through a JSON text that may be cut or broken, and finds the ends of what stands in it.
class Reader {
public:
    explicit Reader(const QByteArray &text)
        : m_text(text)
    {
    }

    qsizetype afterSpace(qsizetype at) const
    {
        while (at < m_text.size() && isSpace(m_text[at]))
            ++at;
        return at;
    }

    /// Behind the string that begins here.
    qsizetype afterString(qsizetype at) const
    {
        for (++at; at < m_text.size(); ++at) {
            if (m_text[at] == '\\')
                ++at;
            else if (m_text[at] == '"')
                return at + 1;
        }
        return m_text.size();
    }

    /// Behind the value that begins here, with everything in it.
    qsizetype afterValue(qsizetype at) const
    {
        int depth = 0;
        while (at < m_text.size()) {
            const char c = m_text[at];
            const bool isEnd = c == '}' || c == ']';
            if (depth == 0 && (c == ',' || isEnd))
                return at;
            depth += (c == '{' || c == '[') - isEnd;
            at = c == '"' ? afterString(at) : at + 1;
        }
        return m_text.size();
    }

    QByteArray name(qsizetype from, qsizetype to) const
    {
        const QByteArray literal = m_text.mid(from, to - from);
        if (!literal.contains('\\'))
            return literal.mid(1, literal.size() - 2);
        return QJsonDocument::fromJson('[' + literal + ']').array().at(0).toString().toUtf8();
    }

private:
    const QByteArray &m_text;
};

} // namespace

bool namesSecret(const QByteArray &name)
{
    QByteArray lower = name.toLower();
    if (lower == "pwd" || lower == "oldpwd")
        return false;
    const auto isIn = [&lower](const char *word) { return lower.contains(word); };
    if (std::any_of(secretWords.begin(), secretWords.end(), isIn) || isIn("authori"))
        return true;
    return lower.replace("author", "").contains("auth");
}

QByteArray withoutSecrets(const QByteArray &text)
{
    const Reader reader(text);
    if (!text.mid(reader.afterSpace(0), 1).startsWith('{'))
        return text;
    QByteArray clean;
    qsizetype taken = 0;
    for (qsizetype at = 0; at < text.size();) {
        if (text[at] != '"') {
            ++at;
            continue;
        }
        const qsizetype end = reader.afterString(at);
        const qsizetype colon = reader.afterSpace(end);
        const bool isName = colon < text.size() && text[colon] == ':';
        if (!isName || !namesSecret(reader.name(at, end))) {
            at = end;
            continue;
        }
        const qsizetype value = reader.afterSpace(colon + 1);
        at = reader.afterValue(value);
        const QByteArray secret = text.mid(value, at - value).trimmed();
        if (secret == "\"\"" || secret == "null" || secret.isEmpty())
            continue;
        clean += text.mid(taken, value - taken) + '"' + hiddenSecret + '"';
        taken = at;
    }
    return taken == 0 ? text : clean + text.mid(taken);
}

} // namespace ym
