#include "core/store/embedded/endpoint/request_parser.h"

#include "core/store/embedded/endpoint/inline_words.h"
#include "core/store/embedded/numbers.h"

#include <algorithm>
#include <limits>

namespace ym::embedded {

namespace {

constexpr qsizetype longestLine = 64 * 1024; ///< of an inline command, and of a count or length
constexpr qint64 mostWords = std::numeric_limits<qint32>::max();
constexpr qint64 mostUntrustedWords = 10;
constexpr qint64 untrustedBulk = 16 * 1024;
constexpr qint64 bigWord = 32 * 1024; ///< from here on a word is gathered in a place of its own
constexpr qint64 reservedAtOnce = 1024 * 1024; ///< a client that announces much must send it, too
constexpr qint64 reservedWords = 1024;
constexpr qint64 wordCost = 32; ///< what a word takes beside its bytes
constexpr qsizetype lineEnd = 2;

} // namespace

void RequestParser::feed(QByteArrayView bytes)
{
    if (m_rest.isEmpty()) {
        m_input = bytes;
    } else {
        m_rest.append(bytes.data(), bytes.size());
        m_input = m_rest;
    }
    m_at = 0;
}

void RequestParser::park()
{
    if (left() == 0)
        m_rest = QByteArray();
    else if (!m_rest.isEmpty())
        m_rest.remove(0, m_at);
    else
        m_rest = m_input.sliced(m_at).toByteArray();
    m_input = m_rest;
    m_at = 0;
}

RequestParser::Outcome RequestParser::next()
{
    if (m_isBroken)
        return Outcome::Broken;
    if (m_isComplete) {
        m_words.clear();
        m_bytes = 0;
        m_isComplete = false;
    }
    while (m_missing == 0) { // requests without a word are passed over
        if (left() == 0)
            return Outcome::Incomplete;
        const Outcome outcome = m_input[m_at] == '*' ? readCount() : readLine();
        if (outcome != Outcome::Complete)
            return outcome;
        if (!m_words.isEmpty()) {
            m_isComplete = true;
            return Outcome::Complete;
        }
    }
    for (; m_missing > 0; --m_missing) {
        const Outcome outcome = readWord();
        if (outcome != Outcome::Complete)
            return outcome;
    }
    m_isComplete = true;
    return Outcome::Complete;
}

RequestParser::Outcome RequestParser::broken(QByteArray error)
{
    m_error = std::move(error);
    m_isBroken = true;
    return Outcome::Broken;
}

/// Where `wanted` is in the text before the next zero byte; -1 = not there (yet).
qsizetype RequestParser::findInText(char wanted) const
{
    const char *const bytes = m_input.data();
    for (qsizetype i = m_at; i < m_input.size() && bytes[i] != '\0'; ++i) {
        if (bytes[i] == wanted)
            return i;
    }
    return -1;
}

/// Adds to the size of the request at hand.
RequestParser::Outcome RequestParser::count(qint64 bytes)
{
    m_bytes += bytes + wordCost;
    return m_bytes > m_limits.request ? broken({}) : Outcome::Complete;
}

/// "*3\r\n"
RequestParser::Outcome RequestParser::readCount()
{
    const qsizetype end = findInText('\r');
    if (end < 0)
        return left() > longestLine ? broken("too big mbulk count string") : Outcome::Incomplete;
    if (end + lineEnd > m_input.size())
        return Outcome::Incomplete;
    const auto words = readInteger(m_input.sliced(m_at + 1, end - m_at - 1));
    if (!words || *words > mostWords)
        return broken("invalid multibulk length");
    if (*words > mostUntrustedWords && !m_limits.isTrusted)
        return broken("unauthenticated multibulk length");
    m_at = end + lineEnd;
    m_missing = std::max<qint64>(0, *words);
    m_words.reserve(qsizetype(std::min(m_missing, reservedWords)));
    return Outcome::Complete;
}

RequestParser::Outcome RequestParser::readLine()
{
    const qsizetype end = findInText('\n');
    if (end < 0)
        return left() > longestLine ? broken("too big inline request") : Outcome::Incomplete;
    QByteArrayView line = m_input.sliced(m_at, end - m_at);
    if (line.endsWith('\r'))
        line.chop(1);
    auto words = splitInlineWords(line);
    if (!words)
        return broken("unbalanced quotes in request");
    m_at = end + 1;
    m_words = std::move(*words);
    return Outcome::Complete;
}

/// "$5\r\n"
RequestParser::Outcome RequestParser::readLength()
{
    const qsizetype end = findInText('\r');
    if (end < 0)
        return left() > longestLine ? broken("too big bulk count string") : Outcome::Incomplete;
    if (end + lineEnd > m_input.size())
        return Outcome::Incomplete;
    if (m_input[m_at] != '$') {
        const char found = m_input[m_at] == '\r' || m_input[m_at] == '\n' ? ' ' : m_input[m_at];
        return broken(QByteArray("expected '$', got '") + found + '\'');
    }
    const auto length = readInteger(m_input.sliced(m_at + 1, end - m_at - 1));
    if (!length || *length < 0 || *length > m_limits.bulk)
        return broken("invalid bulk length");
    if (*length > untrustedBulk && !m_limits.isTrusted)
        return broken("unauthenticated bulk length");
    m_at = end + lineEnd;
    m_length = *length;
    return count(*length);
}

RequestParser::Outcome RequestParser::readWord()
{
    if (m_length < 0) {
        const Outcome outcome = readLength();
        if (outcome != Outcome::Complete)
            return outcome;
    }
    if (left() < m_length + lineEnd || !m_big.isEmpty())
        return m_length < bigWord ? Outcome::Incomplete : readBigWord();
    m_words.emplaceBack(m_input.data() + m_at, qsizetype(m_length));
    m_at += m_length + lineEnd;
    m_length = -1;
    return Outcome::Complete;
}

/// Gathers a large word with its line end, so that no byte is moved more often than needed.
RequestParser::Outcome RequestParser::readBigWord()
{
    const qsizetype whole = m_length + lineEnd;
    if (m_big.isEmpty())
        m_big.reserve(std::min<qsizetype>(whole, reservedAtOnce));
    const qsizetype taken = std::min(left(), whole - m_big.size());
    m_big.append(m_input.data() + m_at, taken);
    m_at += taken;
    if (m_big.size() < whole)
        return Outcome::Incomplete;
    m_big.chop(lineEnd);
    if (m_big.capacity() > m_big.size() + m_big.size() / 4)
        m_big.squeeze();
    m_words.append(std::exchange(m_big, {}));
    m_length = -1;
    return Outcome::Complete;
}

} // namespace ym::embedded
