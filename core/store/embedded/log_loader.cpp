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
            const qint64 next = findCommandsAfter(m_offset, command.outcome == Outcome::Incomplete ? 2 : 1);
            if (next < 0) {
                m_offset = m_bytes.size();
                return false;
            }
            const QString reason = tr("unreadable bytes with whole commands behind them");
            if (const auto goesOn = damaged(m_offset, next, reason); !goesOn)
                return tl::unexpected(goesOn.error());
            m_offset = next;
            continue;
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
        if (m_isInTransaction) {
            if (const auto goesOn = damaged(m_transactionAt, at, tr("a transaction inside a transaction")); !goesOn)
                return goesOn;
        }
        m_isInTransaction = true;
        m_transactionAt = at;
        return {};
    }
    if (isVerb(command, "EXEC"))
        return endTransaction(at, next);
    if (m_isInTransaction) {
        m_transaction.append(args);
        return {};
    }
    m_validSize = next;
    return apply(args, at, next);
}

Result<void> LogLoader::endTransaction(qint64 at, qint64 next)
{
    m_validSize = next;
    if (!std::exchange(m_isInTransaction, false))
        return damaged(at, next, tr("the end of a transaction that has not begun"));
    const QList<QList<QByteArray>> commands = std::exchange(m_transaction, {});
    for (const QList<QByteArray> &each : commands) {
        if (const auto applied = apply(each, m_transactionAt, next); !applied)
            return applied;
    }
    return {};
}

Result<void> LogLoader::apply(const QList<QByteArray> &args, qint64 at, qint64 next)
{
    const QByteArray trouble = m_apply(args);
    if (!trouble.isEmpty())
        return damaged(at, next, shownText(trouble, Lines::Flatten, 200));
    ++m_commands;
    return {};
}

/// Where `wanted` whole known commands in a row stand behind `offset`; -1 = nowhere.
qint64 LogLoader::findCommandsAfter(qint64 offset, int wanted) const
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
            return at;
    }
    return -1;
}

/// The bytes from `at` to `next` cannot be used, and neither can a transaction that they belong to.
Result<void> LogLoader::damaged(qint64 at, qint64 next, const QString &reason)
{
    if (m_onDamage == OnDamage::Refuse)
        return failure(
            ErrorKind::Io, tr("The log %1 is damaged at byte %2: %3.").arg(m_path).arg(at).arg(reason),
            tr("Nothing was changed. `yardmaster workspace check` tells more, `yardmaster workspace salvage` "
               "makes a log of what can be read and keeps this one; or restore a backup."));
    m_gaps.push_back({m_isInTransaction ? m_transactionAt : at, next, reason});
    m_isInTransaction = false;
    m_transaction.clear();
    m_lastSelect.clear();
    return {};
}

} // namespace ym::embedded
