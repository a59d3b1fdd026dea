#include "core/store/redis/reply_reader.h"

#include "core/base/text.h"

#include <QCoreApplication>

#include <hiredis/read.h>

#include <cstring>

namespace ym {

namespace {

QString say(const char *text)
{
    return QCoreApplication::translate("ym::Redis", text);
}

/// What other protocols begin with, so that a wrong port is told in plain words (RELIABILITY P3, P26).
struct Greeting {
    const char *start;
    const char *message;
    const char *advice;
};

constexpr Greeting greetings[] = {
    {"HTTP/", QT_TRANSLATE_NOOP("ym::Redis", "This is not a Redis server: it speaks HTTP."),
     QT_TRANSLATE_NOOP("ym::Redis", "Check the port.")},
    {"\x15\x03", QT_TRANSLATE_NOOP("ym::Redis", "The server expects TLS."),
     QT_TRANSLATE_NOOP("ym::Redis", "Write rediss:// instead of redis://.")},
    {"\x16\x03", QT_TRANSLATE_NOOP("ym::Redis", "The server expects TLS."),
     QT_TRANSLATE_NOOP("ym::Redis", "Write rediss:// instead of redis://.")},
    {"SSH-", QT_TRANSLATE_NOOP("ym::Redis", "This is not a Redis server: it speaks SSH."),
     QT_TRANSLATE_NOOP("ym::Redis", "Check the port.")},
    {"%", QT_TRANSLATE_NOOP("ym::Redis", "The server answers in RESP3, which was not asked for."), ""},
};

} // namespace

/// The callbacks with which the parser builds its values. A null result stops the parser with an error.
struct ReplyReader::Builder {
    /// Only the path to the element being read is held by the parser, so a list may grow when a sibling arrives.
    static Reply *place(const redisReadTask *task)
    {
        if (!task->parent)
            return &static_cast<ReplyReader *>(task->privdata)->m_root;
        return &static_cast<Reply *>(task->parent->obj)->elements.emplace_back();
    }

    static void *refuse(const redisReadTask *task, const char *why)
    {
        static_cast<ReplyReader *>(task->privdata)->m_violation = why;
        return nullptr;
    }

    static void *createString(const redisReadTask *task, char *bytes, size_t count)
    {
        // The parser skips the line end of a bulk without looking at it.
        if (task->type == REDIS_REPLY_STRING && (bytes[count] != '\r' || bytes[count + 1] != '\n'))
            return refuse(task, QT_TRANSLATE_NOOP("ym::Redis", "a value without its line end"));
        Reply *reply = place(task);
        reply->type = task->type == REDIS_REPLY_STRING ? Reply::Type::Bulk
            : task->type == REDIS_REPLY_ERROR          ? Reply::Type::Error
                                                       : Reply::Type::Status;
        reply->string = QByteArray(bytes, qsizetype(count));
        return reply;
    }

    static void *createArray(const redisReadTask *task, int count)
    {
        if (count > maxElements)
            return refuse(task, QT_TRANSLATE_NOOP("ym::Redis", "a list of more than a million elements"));
        Reply *reply = place(task);
        reply->type = Reply::Type::Array;
        reply->elements.reserve(size_t(std::min(count, 1024)));
        return reply;
    }

    static void *createInteger(const redisReadTask *task, long long value)
    {
        Reply *reply = place(task);
        reply->type = Reply::Type::Integer;
        reply->integer = value;
        return reply;
    }

    static void *createNil(const redisReadTask *task) { return place(task); }

    /// Everything is owned by m_root.
    static void freeObject(void *) { }

    static inline redisReplyObjectFunctions functions{createString, createArray, createInteger, createNil, freeObject};
};

ReplyReader::ReplyReader(qint64 maxReplyBytes)
    : m_reader(redisReaderCreateWithFunctions(&Builder::functions))
    , m_maxReplyBytes(maxReplyBytes)
{
    Q_CHECK_PTR(m_reader);
    m_reader->privdata = this;
}

ReplyReader::~ReplyReader()
{
    redisReaderFree(m_reader);
}

void ReplyReader::feed(const char *bytes, qsizetype count)
{
    if (m_error)
        return;
    if (m_replies == 0 && m_opening.size() < 16)
        m_opening.append(bytes, std::min<qsizetype>(count, 16));
    m_replyBytes += count;
    if (redisReaderFeed(m_reader, bytes, size_t(count)) != REDIS_OK)
        failAsParser();
}

bool ReplyReader::next(Reply &reply)
{
    if (m_error || isBetweenReplies())
        return false;
    void *complete = nullptr;
    if (redisReaderGetReply(m_reader, &complete) != REDIS_OK) {
        failAsParser();
        return false;
    }
    if (!complete) {
        checkPartial();
        return false;
    }
    reply = std::move(m_root);
    m_root = Reply{};
    ++m_replies;
    m_replyBytes = qint64(m_reader->len - m_reader->pos);
    return true;
}

/// Nothing is left that could be parsed.
bool ReplyReader::isBetweenReplies() const
{
    return m_reader->pos == m_reader->len && m_reader->ridx < 0;
}

/// An unfinished reply stands at the parser's cursor, behind its marker: refuse it as soon as it cannot fit any more.
void ReplyReader::checkPartial()
{
    const char *const at = m_reader->buf ? m_reader->buf + m_reader->pos : nullptr;
    const auto rest = qsizetype(m_reader->len - m_reader->pos);
    const bool isBulk = m_reader->ridx >= 0 && m_reader->rstack[m_reader->ridx].type == REDIS_REPLY_STRING;
    const void *const lineEnd = rest > 0 ? std::memchr(at, '\n', size_t(std::min<qsizetype>(rest, 32))) : nullptr;
    qint64 announced = 0;
    if (isBulk && lineEnd)
        announced = std::strtoll(at, nullptr, 10);
    const qint64 before = m_replyBytes - rest; // of this reply, parsed already
    if (m_replyBytes > m_maxReplyBytes || announced > m_maxReplyBytes - before) {
        fail(ErrorKind::TooLarge,
             say(QT_TRANSLATE_NOOP("ym::Redis", "The server's reply is larger than the limit of %1 MiB."))
                 .arg(std::max<qint64>(1, m_maxReplyBytes >> 20)));
    } else if (rest > maxLine && !(isBulk && lineEnd)) {
        fail(ErrorKind::TooLarge, say(QT_TRANSLATE_NOOP("ym::Redis", "The server sent an endless line.")));
    }
}

void ReplyReader::fail(ErrorKind kind, const QString &message, const QString &advice)
{
    m_error = Error{kind, message, advice, false};
    m_root = Reply{};
}

void ReplyReader::failAsParser()
{
    if (m_violation) {
        fail(ErrorKind::Protocol,
             say(QT_TRANSLATE_NOOP("ym::Redis", "The server broke the Redis protocol: %1.")).arg(say(m_violation)));
        return;
    }
    for (const Greeting &greeting : greetings) {
        if (m_replies == 0 && m_opening.startsWith(greeting.start)) {
            fail(ErrorKind::Protocol, say(greeting.message), *greeting.advice ? say(greeting.advice) : QString());
            return;
        }
    }
    fail(ErrorKind::Protocol,
         say(QT_TRANSLATE_NOOP("ym::Redis", "The server broke the Redis protocol: %1."))
             .arg(shownText(QByteArray(m_reader->errstr), Lines::Flatten, 120)));
}

} // namespace ym
