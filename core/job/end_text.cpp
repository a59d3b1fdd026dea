#include "core/job/end_text.h"

#include "core/job/fate_name.h"
#include "core/job/signal_name.h"

#include <QCoreApplication>

#include <csignal>

namespace ym {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::JobEnd", text);
}

QString timeText(Milliseconds time)
{
    const double seconds = double(time.count()) / 1000;
    return seconds < 120 ? tr("%1 s").arg(QString::number(seconds, 'f', 1))
                         : tr("%1 min %2 s").arg(time.count() / 60'000).arg(time.count() / 1000 % 60);
}

/// What was done, as far as it is known.
QString howText(const PastRun &run)
{
    if (run.signal == SIGKILL)
        return tr("it was asked to end (SIGTERM) and, because it went on, killed (SIGKILL)");
    if (run.signal != 0)
        return tr("it was asked to end and did, by %1").arg(signalText(run.signal));
    if (run.exitCode >= 0)
        return tr("it was asked to end (SIGTERM) and did, with exit code %1").arg(run.exitCode);
    return tr("it was asked to end (SIGTERM), then killed (SIGKILL) if it went on");
}

QString endText(const QByteArray &fate, const PastRun &run, std::chrono::seconds timeout)
{
    const QString time = run.duration.count() >= 0 ? timeText(run.duration) : QString();
    if (fate == fateName(Execution::Fate::TimedOut)) {
        const QString what = time.isEmpty() ? tr("It ran longer than its timeout of %1 s: %2.")
                                            : tr("It ran for %3, its timeout is %1 s: %2.");
        const QString told = what.arg(QString::number(timeout.count()), howText(run));
        return (time.isEmpty() ? told : told.arg(time)) + u' '
            + tr("If it needs the time, submit it again with a longer timeout.");
    }
    if (fate != fateName(Execution::Fate::Stopped))
        return {};
    return time.isEmpty() ? tr("It was stopped on request: %1.").arg(howText(run))
                          : tr("It was stopped on request after %2: %1.").arg(howText(run), time);
}

} // namespace

QString endText(const Job &job)
{
    // The words of PROTOCOLS, Hero; a script's own error text never has them alone unless it wants to.
    const QByteArray fate = job.error == "timeout" ? QByteArray(fateName(Execution::Fate::TimedOut))
        : job.error == "stopped_by_request"        ? QByteArray(fateName(Execution::Fate::Stopped))
                                                   : QByteArray();
    PastRun run;
    if (!job.runs.isEmpty() && job.runs.constLast().fate == fate)
        run = job.runs.constLast();
    else if (job.startedAt && job.finishedAt)
        run.duration = *job.finishedAt - *job.startedAt;
    if (fate == fateName(Execution::Fate::Stopped) && run.duration.count() < 0)
        return tr("It was stopped on request before it ran.");
    return endText(fate, run, job.timeout);
}

QByteArray addedText(const Execution &execution)
{
    return execution.error.mid(execution.errorBytes).trimmed();
}

QString endText(const Job &job, const Execution &execution)
{
    PastRun run;
    run.exitCode = execution.exitCode;
    run.signal = execution.signal;
    run.duration = execution.duration;
    return endText(fateName(execution.fate), run, job.timeout);
}

} // namespace ym
