// Bytes of a client into commands.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

namespace ym::embedded {

/// How large a request may be.
struct RequestLimits {
    qint64 bulk = 512 * 1024 * 1024; ///< bytes of one word
    /// Bytes of all words together, and what a transaction may queue; beyond it the client is cut without a word.
    qint64 request = 1024 * 1024 * 1024;
    bool isTrusted = true; ///< an unauthenticated client gets much tighter limits
};

/// Reads RESP2 requests (multibulk and inline commands) from bytes that come in pieces of any size, with the limits and
/// error texts of Redis 7.0. One client, one thread.
///
///     parser.feed(bytes);
///     while (parser.next() == RequestParser::Outcome::Complete)
///         run(parser.words());
///     parser.park();
class RequestParser {
public:
    enum class Outcome : quint8 {
        Complete, ///< words() has a request, which is not empty
        Incomplete, ///< more bytes are needed
        Broken, ///< no request can be read any more; error() says why, empty = close without a word
    };

    void setLimits(RequestLimits limits) { m_limits = limits; }

    /// Gives more bytes, which must stay until park(). Only when parked.
    void feed(QByteArrayView bytes);
    /// Reads the next request.
    Outcome next();
    /// Keeps what was not read yet, so that the bytes given may go.
    void park();

    /// The request that next() has found. May be changed.
    QList<QByteArray> &words() { return m_words; }
    /// The text behind "-ERR Protocol error: ".
    const QByteArray &error() const { return m_error; }
    /// Bytes that wait to become a request.
    qsizetype heldBytes() const { return m_rest.size() + m_big.size(); }

private:
    Outcome readCount();
    Outcome readLine();
    Outcome readLength();
    Outcome readWord();
    Outcome readBigWord();
    Outcome broken(QByteArray error);
    qsizetype findInText(char wanted) const;
    qsizetype left() const { return m_input.size() - m_at; }
    Outcome count(qint64 bytes);

    RequestLimits m_limits;
    QByteArrayView m_input;
    qsizetype m_at = 0;
    QByteArray m_rest; ///< what an earlier park() kept; m_input looks at it then
    QList<QByteArray> m_words;
    qint64 m_missing = 0; ///< words of a multibulk request still to come
    qint64 m_length = -1; ///< of the word at hand; -1 = not known yet
    qint64 m_bytes = 0; ///< of the request so far
    QByteArray m_big; ///< a large word as far as it has come
    QByteArray m_error;
    bool m_isComplete = false;
    bool m_isBroken = false;
};

} // namespace ym::embedded
