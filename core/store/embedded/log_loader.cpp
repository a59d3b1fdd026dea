#include "core/store/embedded/log_loader.h"

#include "core/base/text.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/resp.h"

#include <QCoreApplication>

namespace ym::embedded {

namespace {

using Outcome = ReadCommand::Outcome;

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::LogLoader", text);
}

bool isVerb(const ReadCommand &command, const char *verb)
{
    return qstricmp(command.args.first().constData(), verb) == 0;
}

bool isKnown(const ReadCommand &command)
{
    return command.outcome == Outcome::Complete && findCommand(command.args.first());
}

} // namespace

Result<void> LogLoader::open(const QString &path)
{
    m_path = path;
    m_file.setFileName(path);
    if (!m_file.exists())
        return {};
    if (!m_file.open(QIODevice::ReadOnly))
        return failure(ErrorKind::Io, tr("The log %1 cannot be read (%2).").arg(path, m_file.errorString()),
                       tr("Look at the folder's rights and its disk."));
    return map(m_file.size());
}

Result<void> LogLoader::open(int file, const QString &path, qint64 size)
{
    m_path = path;
    if (!m_file.open(file, QIODevice::ReadOnly, QFile::DontCloseHandle))
        return failure(ErrorKind::Io, tr("The log %1 cannot be read (%2).").arg(path, m_file.errorString()));
    return map(size);
}

Result<void> LogLoader::map(qint64 size)
{
    if (size == 0)
        return {};
    const uchar *bytes = m_file.map(0, size);
    if (!bytes)
        return failure(ErrorKind::Io, tr("The log %1 cannot be read (%2).").arg(m_path, m_file.errorString()));
    m_bytes = QByteArrayView(bytes, size);
    if (m_bytes.startsWith("REDIS"))
        return failure(ErrorKind::Protocol, tr("The log %1 begins with a binary snapshot.").arg(m_path),
                       tr("Rewrite it on its server with aof-use-rdb-preamble set to no."));
    return {};
}

Result<bool> LogLoader::step(int limit)
{
    for (; limit > 0 && m_offset < m_bytes.size(); --limit) {
        const ReadCommand command = readCommand(m_bytes, m_offset);
        if (command.outcome != Outcome::Complete) {
            // A record that ends early may hold bytes that look like a command by themselves: one is no proof.
            if (hasCommandsAfter(m_offset, command.outcome == Outcome::Incomplete ? 2 : 1))
                return corrupt(m_offset, tr("unreadable bytes with whole commands behind them"));
            m_offset = m_bytes.size();
            return false;
        }
        if (const auto taken = take(command.args, m_offset, command.next); !taken)
            return tl::unexpected(taken.error());
        m_offset = command.next;
    }
    return m_offset < m_bytes.size();
}

Result<void> LogLoader::take(const QList<QByteArray> &args, qint64 at, qint64 next)
{
    const ReadCommand command{Outcome::Complete, args, next};
    const QByteArray selected = isVerb(command, "SELECT") && args.size() == 2 ? args[1] : QByteArray();
    if (!selected.isEmpty() && selected == m_lastSelect)
        m_baseSize = next;
    m_lastSelect = selected;
    if (isVerb(command, "MULTI")) {
        if (m_isInTransaction)
            return corrupt(at, tr("a transaction inside a transaction"));
        m_isInTransaction = true;
        return {};
    }
    if (m_isInTransaction && !isVerb(command, "EXEC")) {
        m_transaction.append(args);
        return {};
    }
    if (isVerb(command, "EXEC")) {
        if (!m_isInTransaction)
            return corrupt(at, tr("the end of a transaction that has not begun"));
        m_isInTransaction = false;
        const QList<QList<QByteArray>> commands = std::exchange(m_transaction, {});
        for (const QList<QByteArray> &each : commands) {
            if (const auto applied = apply(each, at); !applied)
                return applied;
        }
    } else if (const auto applied = apply(args, at); !applied) {
        return applied;
    }
    m_validSize = next;
    return {};
}

Result<void> LogLoader::apply(const QList<QByteArray> &args, qint64 at)
{
    ++m_commands;
    const QByteArray trouble = m_apply(args);
    if (!trouble.isEmpty())
        return corrupt(at, shownText(trouble, Lines::Flatten, 200));
    return {};
}

/// True when `wanted` whole known commands in a row stand behind `offset`.
bool LogLoader::hasCommandsAfter(qint64 offset, int wanted) const
{
    for (qsizetype at = m_bytes.indexOf('*', offset + 1); at >= 0; at = m_bytes.indexOf('*', at + 1)) {
        qsizetype next = at;
        int found = 0;
        for (; found < wanted; ++found) {
            const ReadCommand command = readCommand(m_bytes, next);
            if (!isKnown(command))
                break;
            next = command.next;
        }
        if (found == wanted)
            return true;
    }
    return false;
}

tl::unexpected<Error> LogLoader::corrupt(qint64 at, const QString &reason) const
{
    return failure(
        ErrorKind::Io, tr("The log %1 is damaged at byte %2: %3.").arg(m_path).arg(at).arg(reason),
        tr("Nothing was changed. Keep a copy, then let redis-check-aof --fix cut it there, or restore a backup."));
}

} // namespace ym::embedded
