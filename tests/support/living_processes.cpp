#include "tests/support/living_processes.h"

#include <QDir>
#include <QFile>

#include <unistd.h>

namespace ym::test {

namespace {

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct ProcessLine {
    QByteArray state;
    int parent = 0;
};

ProcessLine lineOf(const QString &pid)
{
    const QByteArray stat = contentOf(QStringLiteral("/proc/%1/stat").arg(pid));
    const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
    return fields.size() > 2 ? ProcessLine{fields[0], fields[1].toInt()} : ProcessLine{};
}

QStringList allPids()
{
    QStringList pids;
    for (const QString &name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        if (name.toInt() > 0)
            pids.append(name);
    }
    return pids;
}

} // namespace

QList<int> livingProcessesOf(const QByteArray &jobId)
{
    QList<int> found;
    for (const QString &pid : allPids()) {
        const QByteArray environment = contentOf(QStringLiteral("/proc/%1/environ").arg(pid));
        if (environment.split('\0').contains("JOB_ID=" + jobId) && lineOf(pid).state != "Z")
            found.append(pid.toInt());
    }
    return found;
}

int zombieCount()
{
    int count = 0;
    for (const QString &pid : allPids()) {
        const ProcessLine line = lineOf(pid);
        count += line.state == "Z" && line.parent == getpid() ? 1 : 0;
    }
    return count;
}

int openDescriptorCount()
{
    return int(
        QDir(QStringLiteral("/proc/self/fd")).entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System).size());
}

} // namespace ym::test
