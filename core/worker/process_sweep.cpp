#include "core/worker/process_sweep.h"

#include <QDir>
#include <QFile>
#include <QSet>

#include <csignal>

namespace ym {

namespace {

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// State and session stand behind the name, which is in brackets and may hold anything.
bool isOfSession(const QByteArray &stat, qint64 session)
{
    const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
    return fields.size() > 3 && fields[0] != "Z" && fields[3].toLongLong() == session;
}

QSet<int> processesOf(qint64 session, const QByteArray &folder)
{
    QSet<int> found;
    const QByteArray mark = "TMPDIR=" + folder;
    for (const QString &name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        const int pid = name.toInt();
        if (pid <= 0)
            continue;
        const QString proc = QStringLiteral("/proc/") + name;
        const bool ours = isOfSession(contentOf(proc + QStringLiteral("/stat")), session)
            || contentOf(proc + QStringLiteral("/environ")).split('\0').contains(mark);
        if (ours)
            found.insert(pid);
    }
    return found;
}

} // namespace

QCoro::Task<int> sweepRun(Clock *clock, qint64 session, QByteArray folder, Milliseconds limit)
{
    QSet<int> killed;
    const Monotonic end = clock->monotonic() + limit;
    for (;;) {
        const QSet<int> found = processesOf(session, folder);
        for (const int pid : found)
            ::kill(pid, SIGKILL);
        killed.unite(found);
        if (found.isEmpty() || clock->monotonic() >= end)
            co_return int(killed.size());
        co_await clock->sleep(Milliseconds{10}, std::stop_token());
    }
}

} // namespace ym
