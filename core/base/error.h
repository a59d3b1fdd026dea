// What went wrong, in a form that code can branch on and a person can act on.
#pragma once

#include <QString>

#include <exception>

#include <tl/expected.hpp>

namespace ym {

/// The classes of failure that callers treat differently (RELIABILITY 6.1, error → action).
enum class ErrorKind : quint8 {
    Usage,         ///< the request itself is wrong; repeating it cannot help
    NotFound,      ///< the job, queue, file or interpreter does not exist
    Conflict,      ///< it exists already, or somebody changed it in between
    Unavailable,   ///< no connection, or it was lost; nothing was executed unless `ambiguous`
    Timeout,       ///< no answer within the deadline
    Authentication,///< NOAUTH, WRONGPASS: never retried by itself
    Permission,    ///< NOPERM: one feature is missing, the rest works
    ReadOnly,      ///< a replica, or a connection that is set to read-only
    OutOfMemory,   ///< OOM: the server refuses writes
    NotWritable,   ///< MISCONF: the server cannot persist and refuses writes
    Busy,          ///< LOADING, BUSY, MASTERDOWN, NOREPLICAS, too many clients: try again later
    WrongType,     ///< a key holds another type than the protocol says
    NoScript,      ///< EVALSHA of an unknown script
    Cluster,       ///< MOVED, ASK, CROSSSLOT: Redis Cluster is not supported
    Protocol,      ///< bytes that are not RESP, or a reply of an unexpected shape
    Server,        ///< any other error reply
    TooLarge,      ///< over a cap of ours
    Cancelled,     ///< the owner is closing, or the user cancelled
    Io,            ///< a file or a process
    Internal,      ///< a broken promise of our own code
};

/// One failure: its class, one plain sentence, and what the person can do about it (may be empty).
struct Error {
    ErrorKind kind = ErrorKind::Internal;
    QString message;
    QString advice;
    bool ambiguous = false; ///< the command may have been executed although no reply came (RELIABILITY F8)

    /// The message, and the advice after it, in one line.
    QString text() const;

    bool operator==(const Error &) const = default;
};

/// How core functions that do not wait report failure; also what crosses the Session's edge.
template<typename T>
using Result = tl::expected<T, Error>;

/// Builds the unexpected side of a Result.
inline tl::unexpected<Error> failure(ErrorKind kind, QString message, QString advice = {})
{
    return tl::unexpected<Error>(Error{kind, std::move(message), std::move(advice), false});
}

/// Thrown at a `co_await` inside the core; caught at a loop's turn or turned into a Result at the Session's edge.
class StoreError : public std::exception {
public:
    explicit StoreError(Error error);
    StoreError(ErrorKind kind, QString message, QString advice = {});

    const Error &error() const { return m_error; }
    ErrorKind kind() const { return m_error.kind; }
    const char *what() const noexcept override { return m_what.constData(); }

private:
    Error m_error;
    QByteArray m_what;
};

/// True when waiting and trying again can help without a person (RELIABILITY 6.1).
bool isTransient(ErrorKind kind);

} // namespace ym
