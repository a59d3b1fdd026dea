// A workspace folder of the test's own, its log, and what its keys look like.
#pragma once

#include "core/store/embedded/embedded_store.h"
#include "core/store/embedded/log_salvage.h"
#include "core/store/embedded/resp.h"

#include "tests/support/await.h"
#include "tests/support/resp_connection.h"

#include <QDir>
#include <QFile>
#include <QHash>
#include <QTemporaryDir>

#include <algorithm>

namespace ym::test {

inline QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void writeFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

/// Commands as they stand in a log.
inline QByteArray wire(const QList<QList<QByteArray>> &commands)
{
    QByteArray bytes;
    for (const auto &words : commands)
        embedded::appendCommand(bytes, words);
    return bytes;
}

using embedded::logPathIn;

/// A workspace folder and the store that is open in it, on a clock of the test's own.
class Workspace {
public:
    using Options = EmbeddedStore::Options;

    explicit Workspace(EmbeddedStore::Fsync fsync = EmbeddedStore::Fsync::EverySecond)
    {
        m_options.fsync = fsync;
        m_options.folder = m_folder.path();
        reopen();
    }
    explicit Workspace(Options options)
        : m_options(std::move(options))
    {
        m_options.folder = m_folder.path();
        reopen();
    }

    void reopen()
    {
        close();
        m_store = std::make_unique<EmbeddedStore>(m_options, &clock);
        await(m_store->open());
    }
    void close() { m_store.reset(); }
    /// Closes, replaces the log by `bytes`, and opens again.
    void reopenWith(const QByteArray &bytes)
    {
        close();
        for (const QString &old : QDir(m_folder.path()).entryList({QStringLiteral("*.torn-*")}))
            QFile::remove(m_folder.filePath(old));
        writeFile(logPath(), bytes);
        reopen();
    }
    std::optional<ErrorKind> failureOfOpening(const QByteArray &bytes)
    {
        close();
        writeFile(logPath(), bytes);
        m_store = std::make_unique<EmbeddedStore>(m_options, &clock);
        return failureOf(m_store->open());
    }

    Reply run(Command command) { return await(m_store->command(std::move(command))); }
    QString folder() const { return m_folder.path(); }
    QString logPath() const { return logPathIn(m_folder.path()); }
    EmbeddedStore &store() { return *m_store; }
    /// What the log holds, once closed.
    QByteArray closedLog()
    {
        close();
        return contentOf(logPath());
    }
    /// The value of a row of INFO persistence.
    QByteArray fact(const QByteArray &name)
    {
        const QByteArray info = run(cmd("INFO", "persistence")).string;
        const qsizetype at = info.indexOf('\n' + name + ':');
        return at < 0 ? QByteArray() : info.mid(at + name.size() + 2, info.indexOf('\r', at) - at - name.size() - 2);
    }

    ManualClock clock;

private:
    QTemporaryDir m_folder;
    Options m_options;
    std::unique_ptr<EmbeddedStore> m_store;
};

/// What to ask about a key to know all of it.
inline QList<QList<QByteArray>> questionsAbout(const QByteArray &key)
{
    return {{"TYPE", key},
            {"PEXPIRETIME", key},
            {"GET", key},
            {"LRANGE", key, "0", "-1"},
            {"HGETALL", key},
            {"SMEMBERS", key},
            {"ZRANGE", key, "0", "-1", "WITHSCORES"},
            {"XRANGE", key, "-", "+"}};
}

/// The texts in a reply, however deep. A small sorted set of Redis keeps no negative zero, so there is one zero only.
inline QByteArray flatText(const Reply &reply)
{
    QByteArray text = reply.string == "-0" ? QByteArray("0") : reply.string;
    for (const Reply &element : reply.elements)
        text += ' ' + flatText(element);
    return text;
}

/// The replies as text that does not depend on the order of elements in hashes and sets.
inline QByteArray describe(const std::vector<Reply> &replies)
{
    QByteArray text;
    for (const Reply &reply : replies) {
        QList<QByteArray> parts{reply.isError() ? QByteArray("error") : reply.string,
                                QByteArray::number(reply.integer)};
        for (const Reply &element : reply.elements)
            parts.append(flatText(element));
        if (&reply != &replies[3]) // a list has its order
            std::sort(parts.begin(), parts.end());
        text += parts.join('|') + '\n';
    }
    return text;
}

/// Every key ("DATABASE:NAME") with all that it holds.
using KeyspaceText = QHash<QByteArray, QByteArray>;

/// `ask` sends commands and returns their replies. Leaves the connection in database 0.
template <typename Ask> KeyspaceText describeKeys(Ask ask)
{
    KeyspaceText text;
    for (int database = 15; database >= 0; --database) {
        const QByteArray number = QByteArray::number(database);
        for (const QByteArray &key : ask(QList<QList<QByteArray>>{{"SELECT", number}, {"KEYS", "*"}})[1].toList())
            text.insert(number + ':' + key, describe(ask(questionsAbout(key))));
    }
    return text;
}

inline KeyspaceText describeAll(Store &store)
{
    return describeKeys([&store](const QList<QList<QByteArray>> &all) {
        std::vector<Command> commands;
        for (const auto &words : all)
            commands.push_back(Command{words});
        return await(store.pipeline(commands));
    });
}

inline KeyspaceText describeAll(RespConnection &connection)
{
    return describeKeys([&connection](const QList<QList<QByteArray>> &all) { return connection.ask(all); });
}

} // namespace ym::test
