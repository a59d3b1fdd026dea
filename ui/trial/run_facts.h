// How a run ended, in words for people.
#pragma once

#include "core/job/execution.h"
#include "core/job/job.h"

#include <QString>

namespace ym {

/// The end of a run, wherever it took place; what is unknown stays at its default.
struct RunFacts {
    enum class Outcome : quint8 { Unknown, Finished, Failed, Stopped, TimedOut, Abandoned };
    Outcome outcome = Outcome::Unknown;
    int exitCode = -1; ///< -1: none
    int signal = 0; ///< 0: none
    Milliseconds duration{-1}; ///< -1: unknown, likewise the two below
    Milliseconds cpuTime{-1};
    qint64 peakKb = -1;
    QByteArray containment;
};

RunFacts factsOf(const Execution &execution);
/// Of the job's last attempt.
RunFacts factsOf(const Job &job);

QString outcomeText(RunFacts::Outcome outcome);
/// The state whose colour stands for it.
JobState stateOf(RunFacts::Outcome outcome);
/// "exit code 0", "SIGKILL (9)", or empty.
QString exitText(const RunFacts &facts);
/// Exact enough to compare runs: "340 ms", "12.3 s", "4 min 5 s"; empty when it is unknown.
QString runTimeText(Milliseconds duration);
/// Exit, duration, processor time and memory, as far as they are known, with dots between.
QString factsText(const RunFacts &facts);

} // namespace ym
