// Bytes from a server into replies, with limits that a hostile server cannot get past.
#pragma once

#include "core/store/reply.h"

#include <optional>

struct redisReader;
struct redisReadTask;

namespace ym {

/// hiredis' RESP2 parser building `Reply` values directly, behind caps (RELIABILITY 6.4). Feed it at most `maxFeed`
/// bytes at a time: the parser moves its buffer for every reply. Any error is final; the connection must be dropped.
class ReplyReader {
public:
    static constexpr qsizetype maxFeed = 16 * 1024;
    static constexpr int maxElements = 1'000'000; ///< of one array
    static constexpr qsizetype maxLine = 2 * 1024 * 1024; ///< status, error or header without a line end

    /// `maxReplyBytes`: the largest whole reply that is accepted.
    explicit ReplyReader(qint64 maxReplyBytes);
    ~ReplyReader();
    ReplyReader(const ReplyReader &) = delete;
    ReplyReader &operator=(const ReplyReader &) = delete;

    void feed(const char *bytes, qsizetype count);

    /// Moves the next complete reply into `reply`. False when more bytes are needed or after an error.
    bool next(Reply &reply);

    /// Why no further reply will come: of kind Protocol or TooLarge.
    const std::optional<Error> &error() const { return m_error; }

private:
    struct Builder;

    bool isBetweenReplies() const;
    void checkPartial();
    void fail(ErrorKind kind, const QString &message, const QString &advice = {});
    void failAsParser();

    redisReader *m_reader;
    qint64 m_maxReplyBytes;
    qint64 m_replyBytes = 0; ///< fed since the last complete reply
    quint64 m_replies = 0;
    QByteArray m_opening; ///< the first bytes of all: they tell what speaks there
    Reply m_root;
    const char *m_violation = nullptr;
    std::optional<Error> m_error;
};

} // namespace ym
