#include "ui/trial/run_facts.h"

#include "core/job/signal_name.h"
#include "models/cell_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <array>

namespace ym {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::RunFacts", text);
}

constexpr std::array<const char *, 6> outcomes{
    QT_TRANSLATE_NOOP("ym::RunFacts", "Unknown"),  QT_TRANSLATE_NOOP("ym::RunFacts", "Finished"),
    QT_TRANSLATE_NOOP("ym::RunFacts", "Failed"),   QT_TRANSLATE_NOOP("ym::RunFacts", "Stopped"),
    QT_TRANSLATE_NOOP("ym::RunFacts", "Over its time"), QT_TRANSLATE_NOOP("ym::RunFacts", "Given back"),
};

RunFacts::Outcome outcomeNamed(const QByteArray &fate)
{
    if (fate == "finished")
        return RunFacts::Outcome::Finished;
    if (fate == "stopped")
        return RunFacts::Outcome::Stopped;
    return fate == "timeout" ? RunFacts::Outcome::TimedOut : RunFacts::Outcome::Failed;
}

} // namespace

RunFacts factsOf(const Execution &execution)
{
    RunFacts facts;
    facts.outcome = RunFacts::Outcome(int(execution.fate) + 1);
    facts.exitCode = execution.exitCode;
    facts.signal = execution.signal;
    facts.duration = execution.duration;
    facts.cpuTime = execution.cpuTime;
    facts.peakKb = execution.maxRssKb > 0 ? execution.maxRssKb : -1;
    facts.containment = execution.containment;
    return facts;
}

RunFacts factsOf(const Job &job)
{
    RunFacts facts;
    if (!job.runs.isEmpty()) {
        const PastRun &run = job.runs.last();
        return {outcomeNamed(run.fate), run.exitCode, run.signal, run.duration, run.cpuTime, run.peakKb, run.containment};
    }
    if (job.state == JobState::Finished)
        facts.outcome = RunFacts::Outcome::Finished;
    else if (isTerminal(job.state))
        facts.outcome = RunFacts::Outcome::Failed;
    if (job.startedAt && job.finishedAt)
        facts.duration = *job.finishedAt - *job.startedAt;
    return facts;
}

QString outcomeText(RunFacts::Outcome outcome)
{
    return tr(outcomes.at(size_t(outcome)));
}

JobState stateOf(RunFacts::Outcome outcome)
{
    if (outcome == RunFacts::Outcome::Finished)
        return JobState::Finished;
    return outcome == RunFacts::Outcome::Unknown ? JobState::Unknown : JobState::Failed;
}

QString exitText(const RunFacts &facts)
{
    if (facts.signal != 0)
        return signalText(facts.signal);
    return facts.exitCode >= 0 ? tr("exit code %1").arg(facts.exitCode) : QString();
}

QString runTimeText(Milliseconds duration)
{
    const qint64 ms = duration.count();
    if (ms < 0)
        return {};
    if (ms < 1000)
        return tr("%1 ms").arg(ms);
    if (ms < 60'000)
        return tr("%1 s").arg(QLocale().toString(double(ms) / 1000, 'f', 1));
    return tr("%1 min %2 s").arg(QString::number(ms / 60'000), QString::number(ms / 1000 % 60));
}

QString factsText(const RunFacts &facts)
{
    QStringList parts{exitText(facts), runTimeText(facts.duration)};
    if (facts.cpuTime.count() >= 0)
        parts.append(tr("%1 of processor time").arg(runTimeText(facts.cpuTime)));
    if (facts.peakKb >= 0)
        parts.append(tr("%1 at most").arg(sizeText(facts.peakKb * 1024)));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

} // namespace ym
