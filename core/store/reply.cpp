#include "core/store/reply.h"

#include "core/base/text.h"

#include <QCoreApplication>

namespace ym {

namespace {

[[noreturn]] void wrongShape(const char *expected)
{
    throw StoreError(ErrorKind::Protocol,
                     QCoreApplication::translate("ym::Reply", "The server sent a reply of an unexpected shape (expected %1).")
                         .arg(QLatin1String(expected)));
}

struct ErrorRow {
    const char *code;
    ErrorKind kind;
    const char *advice;
};

constexpr const char *noRight = QT_TRANSLATE_NOOP(
    "ym::Reply",
    "Give this user the right on the server, or connect as another one; “yardmaster acl ROLE” prints what is needed.");

// RELIABILITY 6.1. The code is the first word of the error text.
constexpr ErrorRow errorRows[] = {
    {"OOM", ErrorKind::OutOfMemory, QT_TRANSLATE_NOOP("ym::Reply", "The server is at its memory limit; free some or raise maxmemory.")},
    {"READONLY", ErrorKind::ReadOnly, QT_TRANSLATE_NOOP("ym::Reply", "This is a read-only replica; connect to its master.")},
    {"LOADING", ErrorKind::Busy, QT_TRANSLATE_NOOP("ym::Reply", "The server is loading its data; it is tried again.")},
    {"MASTERDOWN", ErrorKind::Busy, QT_TRANSLATE_NOOP("ym::Reply", "The replica has lost its master; it is tried again.")},
    {"NOREPLICAS", ErrorKind::Busy, QT_TRANSLATE_NOOP("ym::Reply", "Too few replicas are connected; it is tried again.")},
    {"BUSY", ErrorKind::Busy, QT_TRANSLATE_NOOP("ym::Reply", "A script blocks the server; an administrator can end it with SCRIPT KILL.")},
    {"UNKILLABLE", ErrorKind::Busy, QT_TRANSLATE_NOOP("ym::Reply", "A script blocks the server and has written already.")},
    {"MISCONF", ErrorKind::NotWritable, QT_TRANSLATE_NOOP("ym::Reply", "The server cannot save its data and refuses writes; look at its disk.")},
    {"NOAUTH", ErrorKind::Authentication, QT_TRANSLATE_NOOP("ym::Reply", "This server wants a password; set it in the connection.")},
    {"WRONGPASS", ErrorKind::Authentication, QT_TRANSLATE_NOOP("ym::Reply", "Correct the user or the password of the connection.")},
    {"NOPERM", ErrorKind::Permission, noRight},
    {"NOSCRIPT", ErrorKind::NoScript, ""},
    {"WRONGTYPE", ErrorKind::WrongType, ""},
    {"MOVED", ErrorKind::Cluster, QT_TRANSLATE_NOOP("ym::Reply", "Redis Cluster is not supported; connect to a standalone server.")},
    {"ASK", ErrorKind::Cluster, QT_TRANSLATE_NOOP("ym::Reply", "Redis Cluster is not supported; connect to a standalone server.")},
    {"CROSSSLOT", ErrorKind::Cluster, QT_TRANSLATE_NOOP("ym::Reply", "Redis Cluster is not supported; connect to a standalone server.")},
    {"CLUSTERDOWN", ErrorKind::Cluster, QT_TRANSLATE_NOOP("ym::Reply", "Redis Cluster is not supported; connect to a standalone server.")},
};

struct PhraseRow {
    const char *start;
    ErrorKind kind;
    const char *advice;
};

constexpr PhraseRow phraseRows[] = {
    {"ERR max number of clients reached", ErrorKind::Busy, QT_TRANSLATE_NOOP("ym::Reply", "The server has no free connection; it is tried again.")},
    {"ERR Protocol error", ErrorKind::Protocol, ""},
    {"ERR AUTH <password> called without", ErrorKind::Authentication, QT_TRANSLATE_NOOP("ym::Reply", "The server has no password; remove it from the connection.")},
    {"ERR The user executing the script", ErrorKind::Permission, noRight},
    {"ERR DB index is out of range", ErrorKind::Usage, QT_TRANSLATE_NOOP("ym::Reply", "Choose a database that the server has.")},
};

} // namespace

qint64 Reply::toInteger() const
{
    if (type == Type::Integer)
        return integer;
    if (type == Type::Bulk) {
        bool ok = false;
        const qint64 value = string.toLongLong(&ok);
        if (ok)
            return value;
    }
    wrongShape("an integer");
}

QByteArray Reply::toBytes() const
{
    if (type == Type::Bulk || type == Type::Status || type == Type::Nil)
        return string;
    wrongShape("a string");
}

const std::vector<Reply> &Reply::toArray() const
{
    if (type == Type::Array || type == Type::Nil)
        return elements;
    wrongShape("an array");
}

QList<QByteArray> Reply::toList() const
{
    QList<QByteArray> list;
    list.reserve(qsizetype(toArray().size()));
    for (const Reply &element : elements)
        list.append(element.toBytes());
    return list;
}

Error errorFromReply(const QByteArray &text)
{
    const auto advice = [](const char *source) {
        return *source ? QCoreApplication::translate("ym::Reply", source) : QString();
    };
    const QString message = shownText(text.left(800), Lines::Flatten, 200);
    const QByteArray code = text.left(text.indexOf(' '));
    for (const ErrorRow &row : errorRows) {
        if (code == row.code)
            return {row.kind, message, advice(row.advice), false};
    }
    for (const PhraseRow &row : phraseRows) {
        if (text.startsWith(row.start))
            return {row.kind, message, advice(row.advice), false};
    }
    return {ErrorKind::Server, message, {}, false};
}

} // namespace ym
