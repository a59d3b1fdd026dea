#include "core/store/embedded/resp.h"

#include "core/store/embedded/numbers.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace ym::embedded {

namespace {

constexpr qint64 maxArguments = 1024 * 1024;
constexpr qint64 maxBulk = 512 * 1024 * 1024;

using Outcome = ReadCommand::Outcome;

/// Reads `mark` + decimal + CRLF.
Outcome readHeader(QByteArrayView bytes, qsizetype &offset, char mark, qint64 &value)
{
    if (offset >= bytes.size())
        return Outcome::Incomplete;
    if (bytes[offset] != mark)
        return Outcome::Malformed;
    qsizetype end = offset + 1;
    while (end < bytes.size() && bytes[end] != '\r') {
        if (end - offset > 20 || bytes[end] < '0' || bytes[end] > '9')
            return Outcome::Malformed;
        ++end;
    }
    if (end + 1 >= bytes.size())
        return Outcome::Incomplete;
    const auto number = readInteger(bytes.sliced(offset + 1, end - offset - 1));
    if (bytes[end + 1] != '\n' || !number)
        return Outcome::Malformed;
    value = *number;
    offset = end + 2;
    return Outcome::Complete;
}

Outcome readBulk(QByteArrayView bytes, qsizetype &offset, QByteArray &value)
{
    qint64 size = 0;
    if (const Outcome outcome = readHeader(bytes, offset, '$', size); outcome != Outcome::Complete)
        return outcome;
    if (size > maxBulk)
        return Outcome::Malformed;
    if (bytes.size() - offset < size + 2)
        return Outcome::Incomplete;
    if (bytes[offset + size] != '\r' || bytes[offset + size + 1] != '\n')
        return Outcome::Malformed;
    value = bytes.sliced(offset, size).toByteArray();
    offset += size + 2;
    return Outcome::Complete;
}

} // namespace

Reply nilArray()
{
    Reply reply;
    reply.integer = 1;
    return reply;
}

constexpr qsizetype headerRoom = 24; ///< mark, 20 digits and sign, line end

/// Writes `mark` + decimal + CRLF to `at`; returns the end.
char *writeHeader(char *at, char mark, qint64 value)
{
    *at++ = mark;
    at = std::to_chars(at, at + headerRoom, value).ptr;
    *at++ = '\r';
    *at++ = '\n';
    return at;
}

/// Makes room for `count` more bytes, growing by halves; returns where they begin. The caller gives back what it does
/// not need with finish().
char *extend(QByteArray &to, qsizetype count)
{
    const qsizetype size = to.size();
    if (size + count > to.capacity())
        to.reserve(std::max(size + count, size + size / 2));
    to.resize(size + count);
    return to.data() + size;
}

void finish(QByteArray &to, const char *end)
{
    to.truncate(end - to.constData());
}

void appendHeader(QByteArray &to, char mark, qint64 value)
{
    finish(to, writeHeader(extend(to, headerRoom), mark, value));
}

/// `mark` + text + CRLF
void appendLine(QByteArray &to, char mark, const QByteArray &text)
{
    char *at = extend(to, text.size() + 3);
    *at++ = mark;
    std::memcpy(at, text.constData(), size_t(text.size()));
    std::memcpy(at + text.size(), "\r\n", 2);
}

void appendBulk(QByteArray &to, QByteArrayView bytes)
{
    char *at = writeHeader(extend(to, headerRoom + bytes.size() + 2), '$', bytes.size());
    if (!bytes.isEmpty())
        std::memcpy(at, bytes.data(), size_t(bytes.size()));
    std::memcpy(at + bytes.size(), "\r\n", 2);
    finish(to, at + bytes.size() + 2);
}

void appendCommand(QByteArray &to, const QList<QByteArray> &args)
{
    appendHeader(to, '*', args.size());
    for (const QByteArray &arg : args)
        appendBulk(to, arg);
}

void appendReply(QByteArray &to, const Reply &reply)
{
    switch (reply.type) {
    case Reply::Type::Nil:
        to += reply.integer == 0 ? "$-1\r\n" : "*-1\r\n";
        return;
    case Reply::Type::Status:
        appendLine(to, '+', reply.string);
        return;
    case Reply::Type::Error:
        appendLine(to, '-', reply.string);
        return;
    case Reply::Type::Integer:
        appendHeader(to, ':', reply.integer);
        return;
    case Reply::Type::Bulk:
        appendBulk(to, reply.string);
        return;
    case Reply::Type::Array:
        appendHeader(to, '*', qint64(reply.elements.size()));
        for (const Reply &element : reply.elements)
            appendReply(to, element);
        return;
    }
}

ReadCommand readCommand(QByteArrayView bytes, qsizetype offset)
{
    ReadCommand result;
    while (offset < bytes.size() && bytes[offset] == '#') {
        const qsizetype end = bytes.indexOf('\n', offset);
        if (end < 0)
            return result;
        offset = end + 1;
    }
    qint64 count = 0;
    result.outcome = readHeader(bytes, offset, '*', count);
    if (result.outcome == Outcome::Complete && (count < 1 || count > maxArguments))
        result.outcome = Outcome::Malformed;
    if (result.outcome != Outcome::Complete)
        return result;
    result.args.reserve(qsizetype(count));
    for (; count > 0; --count) {
        QByteArray value;
        result.outcome = readBulk(bytes, offset, value);
        if (result.outcome != Outcome::Complete)
            return result;
        result.args.append(std::move(value));
    }
    result.next = offset;
    return result;
}

} // namespace ym::embedded
