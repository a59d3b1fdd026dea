// One running command: its arguments, and everything it may do.
#pragma once

#include "core/store/embedded/client_context.h"
#include "core/store/embedded/command_error.h"
#include "core/store/embedded/keyspace.h"
#include "core/store/reply.h"

#include <QList>

namespace ym::embedded {

class Executor;

/// What a handler works with. It lives as long as the command; the reply is the handler's return value, an error is a
/// CommandError thrown before anything was changed.
class Call {
public:
    Call(Executor &theExecutor, ClientContext &theClient, const QList<QByteArray> &theArgs, Keyspace &theKeys)
        : executor(theExecutor)
        , client(theClient)
        , args(theArgs)
        , keys(theKeys)
    {
    }

    Executor &executor;
    ClientContext &client;
    const QList<QByteArray> &args;
    Keyspace &keys;

    qsizetype argc() const { return args.size(); }
    const QByteArray &arg(qsizetype index) const { return args[index]; }
    /// Argument `index` as upper-case text, for options.
    QByteArray option(qsizetype index) const { return args[index].toUpper(); }
    bool isOption(qsizetype index, const char *name) const { return qstricmp(args[index].constData(), name) == 0; }
    /// Throws when the argument is no integer of 64 bits.
    qint64 integer(qsizetype index, const char *error = errors::notInteger) const;
    double number(qsizetype index, const char *error = errors::notFloat) const;
    /// The same for 32 bits; `error` stands for both failures.
    int smallInteger(qsizetype index, const char *error = nullptr) const;

    /// `key` was changed: watchers, waiters, notification subscribers and the log learn it.
    void changed(const QByteArray &key, const char *event);
    /// The same for a key of another database.
    void changedIn(Keyspace &database, const QByteArray &key, const char *event);
    /// A notification without a change.
    void notify(const char *event, const QByteArray &key);
    /// Removes `key` when its collection became empty, with the event that Redis sends.
    void removeIfEmpty(const QByteArray &key, qsizetype size);
    /// A change that has no key (FLUSHALL).
    void changedAll() { ++m_changes; }

    /// The log gets these commands in place of the client's words.
    void logAs(QList<QByteArray> words)
    {
        m_log.append(std::move(words));
        m_isLogReplaced = true;
    }
    /// The log gets nothing of this command: its parts have logged themselves.
    void logNothing() { m_isLogReplaced = true; }

    /// Makes the client wait; the handler returns the result. Clients that may not wait get `otherwise`.
    Reply block(Waiting waiting, Reply otherwise);

    bool hasChanges() const { return m_changes > 0; }
    bool isLogReplaced() const { return m_isLogReplaced; }
    const QList<QList<QByteArray>> &log() const { return m_log; }
    bool isBlocked() const { return m_isBlocked; }

private:
    int m_changes = 0;
    bool m_isLogReplaced = false;
    bool m_isBlocked = false;
    QList<QList<QByteArray>> m_log;
};

/// `OK`.
Reply okReply();
Reply bulkOrNil(const std::optional<QByteArray> &value);
Reply bulkArray(const QList<QByteArray> &values);

} // namespace ym::embedded
