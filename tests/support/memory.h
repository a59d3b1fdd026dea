// What a test reads of memory, and whether a sanitizer leaves it a meaning.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QtGlobal>

#include <sys/resource.h>
#include <unistd.h>

namespace ym::test {

/// A sanitizer keeps what is freed: then no figure of memory says anything.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool isMemoryMeasurable = false;
#else
inline constexpr bool isMemoryMeasurable = true;
#endif

/// What this process has in memory now.
inline qint64 residentBytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(1).toLongLong() * sysconf(_SC_PAGESIZE) : 0;
}

inline qint64 residentMiB()
{
    return residentBytes() >> 20;
}

/// The most that this process has had in memory so far.
inline qint64 peakMiB()
{
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = file.readAll();
    return text.mid(text.indexOf("VmHWM:") + 6, 20).simplified().split(' ').value(0).toLongLong() >> 10;
}

/// The most that any process started from here, and waited for, has had.
inline qint64 peakOfChildrenMiB()
{
    struct rusage usage { };
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return usage.ru_maxrss >> 10;
}

} // namespace ym::test
