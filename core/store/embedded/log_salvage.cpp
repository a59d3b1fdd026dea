#include "core/store/embedded/log_salvage.h"

#include "core/base/clock.h"
#include "core/store/embedded/command_error.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/keyspace_writer.h"
#include "core/store/embedded/log_file.h"
#include "core/store/embedded/torn_tail.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <cerrno>
#include <cstdio>

#include <unistd.h>

namespace ym::embedded {

namespace {

constexpr int commandsPerStep = 100'000;

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::LogSalvage", text);
}

LogReport::State stateOf(const LogLoader &loader)
{
    if (!loader.gaps().empty())
        return LogReport::State::Damaged;
    return loader.isTorn() ? LogReport::State::Torn : LogReport::State::Sound;
}

qint64 keyCountOf(const Executor &executor)
{
    qint64 count = 0;
    for (const Keyspace &keys : executor.databases())
        count += keys.size();
    return count;
}

/// Reads a log into `executor`.
Result<LogReport> readLog(const QString &folder, Executor *executor, Salvage what)
{
    LogReport report;
    report.path = logPathIn(folder);
    report.owner = FolderLock::owner(folder);
    const QString name = QFileInfo(report.path).fileName();
    report.kept = QDir(folder).entryList({name + QStringLiteral(".torn-*"), name + QStringLiteral(".damaged-*")},
                                         QDir::Files, QDir::Name);
    if (!QFile::exists(report.path))
        return report;
    const LogLoader *reader = nullptr;
    LogLoader loader(
        [&](const QList<QByteArray> &args) -> QByteArray {
            if (what == Salvage::Beginning && !reader->gaps().empty())
                return {};
            try {
                executor->replay(args);
                return {};
            } catch (const CommandError &e) {
                return e.text();
            }
        },
        LogLoader::OnDamage::Skip);
    reader = &loader;
    if (const auto opened = loader.open(report.path); !opened)
        return tl::unexpected(opened.error());
    bool hasMore = true;
    while (hasMore) {
        const auto stepped = loader.step(commandsPerStep);
        if (!stepped)
            return tl::unexpected(stepped.error());
        hasMore = *stepped;
    }
    report.state = stateOf(loader);
    report.size = loader.size();
    report.baseSize = loader.baseSize();
    report.readableSize = loader.validSize();
    report.commandCount = loader.commandCount();
    report.keyCount = keyCountOf(*executor);
    report.gaps = loader.gaps();
    return report;
}

/// Writes the keys of `executor` to a new file at `path` and brings it to disk; its size.
Result<qint64> writeLog(const QString &path, const Executor &executor)
{
    QFile::remove(path);
    LogFile file;
    if (const auto opened = file.open(path); !opened)
        return tl::unexpected(opened.error());
    KeyspaceWriter writer([&file](const QByteArray &bytes) { return file.append(bytes); });
    for (const Keyspace &keys : executor.databases())
        writer.write(keys);
    int code = writer.finish(0);
    file.giveBack();
    if (code == 0)
        code = LogFile::sync(*file.handle());
    if (code == 0)
        return file.size();
    QFile::remove(path);
    return failure(ErrorKind::Io, tr("The new log %1 cannot be written (%2).").arg(path, errnoText(code)),
                   tr("Free some space on the disk; nothing was changed."));
}

/// Gives the file at `path` the second name `kept`; then `next` takes its first one.
int replaceLog(const QString &path, const QString &next, const QString &kept)
{
    const QByteArray from = QFile::encodeName(path);
    const QByteArray to = QFile::encodeName(kept);
    if (::link(from.constData(), to.constData()) != 0) {
        const bool isUnable = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS; // no links there
        if (!isUnable || !QFile::copy(path, kept))
            return errno;
    }
    if (const int code = LogFile::syncFolderOf(path))
        return code;
    if (std::rename(QFile::encodeName(next).constData(), from.constData()) != 0)
        return errno;
    return LogFile::syncFolderOf(path);
}

} // namespace

QString logPathIn(const QString &folder)
{
    return QDir(folder).filePath(QStringLiteral("appendonly.aof"));
}

Result<LogReport> checkLog(const QString &folder)
{
    Executor executor(&Clock::system());
    return readLog(folder, &executor, Salvage::All);
}

Result<Salvaged> salvageLog(const QString &folder, Salvage what)
{
    if (!QFile::exists(logPathIn(folder)))
        return failure(ErrorKind::NotFound, tr("There is no workspace in %1.").arg(folder));
    FolderLock lock;
    if (const auto locked = lock.take(folder); !locked)
        return tl::unexpected(locked.error());
    Executor executor(&Clock::system());
    const auto before = readLog(folder, &executor, what);
    if (!before)
        return tl::unexpected(before.error());
    if (before->state == LogReport::State::Sound)
        return failure(ErrorKind::Conflict, tr("The log %1 is sound: there is nothing to salvage.").arg(before->path));

    Salvaged salvaged{*before, keyCountOf(executor), 0, freeName(before->path + QStringLiteral(".damaged"))};
    const QString next = before->path + QStringLiteral(".salvaged");
    const auto size = writeLog(next, executor);
    if (!size)
        return tl::unexpected(size.error());
    salvaged.size = *size;
    if (const int code = replaceLog(before->path, next, salvaged.keptAs)) {
        QFile::remove(next);
        return failure(ErrorKind::Io,
                       tr("The new log cannot take the place of %1 (%2).").arg(before->path, errnoText(code)));
    }
    return salvaged;
}

} // namespace ym::embedded
