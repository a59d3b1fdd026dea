#include "core/worker/failure_text.h"

#include "core/job/signal_name.h"
#include "core/worker/limit_text.h"

#include <QCoreApplication>
#include <QFile>
#include <QLocale>

#include <csignal>
#include <cstring>

namespace ym {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::FailureText", text);
}

QString raiseText()
{
    return tr("if the script needs more, raise the limit of its type in Settings › Interpreters");
}

QString size(qint64 bytes)
{
    return QLocale::c().formattedDataSize(bytes);
}

bool usedItsCpu(const LaunchEnd &end, const RunLimits &limits)
{
    return limits.cpu.count() > 0 && end.cpuTime >= limits.cpu;
}

QString cpuText(const RunLimits &limits)
{
    return tr("it used more than its %1 s of processor time; if it needs more, give it a longer timeout, or its type a "
              "higher limit in Settings › Interpreters")
        .arg(limits.cpu.count());
}

/// Why a signal may have come.
QString causeText(const LaunchEnd &end, const RunLimits &limits)
{
    switch (end.code) {
    case SIGXCPU:
        return limits.cpu.count() > 0 ? cpuText(limits) : QString();
    case SIGKILL: // also what follows SIGXCPU
        return usedItsCpu(end, limits) ? cpuText(limits)
                                       : tr("not by Yardmaster; by itself, or by the system when memory ran out");
    case SIGXFSZ:
        return tr("it made a file larger than %1; %2").arg(size(limits.fileBytes), raiseText());
    case SIGSEGV:
    case SIGBUS:
    case SIGILL:
    case SIGFPE:
    case SIGABRT:
        return tr("the program itself crashed, or one of its modules");
    case SIGTERM:
    case SIGINT:
    case SIGHUP:
        return tr("not by Yardmaster; by itself or somebody else");
    default:
        return {};
    }
}

/// A limit that shows as an error of a system call. The words are the C library's, and Python's for memory.
struct Refusal {
    const char *words;
    QString (*limit)(const RunLimits &);
};
const Refusal refusals[] = {
    {"MemoryError",
     [](const RunLimits &l) {
         return l.addressBytes > 0 ? tr("each of its processes may have %1 of memory").arg(size(l.addressBytes)) : QString();
     }},
    {"Cannot allocate memory",
     [](const RunLimits &l) {
         return l.addressBytes > 0 ? tr("each of its processes may have %1 of memory").arg(size(l.addressBytes)) : QString();
     }},
    {"File too large",
     [](const RunLimits &l) {
         return l.fileBytes > 0 ? tr("each of its files may have %1").arg(size(l.fileBytes)) : QString();
     }},
    {"No space left on device",
     [](const RunLimits &l) {
         return l.diskBytes > 0 ? tr("its folder may hold %1").arg(size(l.diskBytes)) : QString();
     }},
    {"Too many open files",
     [](const RunLimits &l) {
         return l.openFiles > 0 ? tr("each of its processes may have %1 files open").arg(l.openFiles) : QString();
     }},
    {"can't start new thread",
     [](const RunLimits &l) {
         return l.processes > 0 ? tr("it may have %1 processes and threads").arg(l.processes) : QString();
     }},
};

/// When the last line of its errors names a limit. Empty: it does not.
QString refusedText(const QByteArray &standardError, const RunLimits &limits)
{
    constexpr qsizetype longestLine = 4096;
    const QByteArray end = standardError.right(longestLine).trimmed();
    const QByteArray line = end.mid(end.lastIndexOf('\n') + 1);
    for (const Refusal &refusal : refusals) {
        const QString limit = line.contains(refusal.words) ? refusal.limit(limits) : QString();
        if (!limit.isEmpty())
            return tr("%1; %2").arg(limit, raiseText());
    }
    return {};
}

QString howText(const LaunchEnd &end, const RunLimits &limits, const QByteArray &standardError)
{
    if (!end.passedLimit.isEmpty())
        return tr("ended because %1; %2").arg(passedLimitText(end.passedLimit, limits), raiseText());
    if (end.how == LaunchEnd::How::Signal) {
        const QString what = tr("killed by %1, %2").arg(signalText(end.code), QString::fromUtf8(strsignal(end.code)));
        const QString why = causeText(end, limits);
        return why.isEmpty() ? what : tr("%1: %2").arg(what, why);
    }
    if (standardError.trimmed().isEmpty())
        return tr("exit code %1").arg(end.code);
    return refusedText(standardError, limits);
}

} // namespace

QByteArray failureText(const LaunchEnd &end, const RunLimits &limits, const QByteArray &standardError)
{
    const QByteArray how = howText(end, limits, standardError).toUtf8();
    if (standardError.isEmpty() || how.isEmpty())
        return standardError + how;
    return standardError + (standardError.endsWith('\n') ? "" : "\n") + how;
}

QByteArray notStartedText(const LaunchEnd &end, const QByteArray &program)
{
    const QString why = end.how == LaunchEnd::How::NotStarted ? qt_error_string(end.code) : end.complaint;
    const QString text = end.how == LaunchEnd::How::NotStarted
        ? tr("%1 could not be started: %2; check Settings › Interpreters")
        : tr("the launcher of %1 was lost: %2");
    return text.arg(QFile::decodeName(program), why).toUtf8();
}

} // namespace ym
