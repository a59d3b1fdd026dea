// A job as every protocol sees it: plain values, bytes as they came.
#pragma once

#include "core/base/clock.h"
#include "core/job/containment.h"
#include "core/job/progress.h"
#include "core/job/target.h"

#include <QList>
#include <QStringList>

#include <chrono>
#include <optional>
#include <utility>

namespace ym {

/// The states all protocols map to. The protocol's own word stays in Job::statusText.
enum class JobState : quint8 {
    Unknown,  ///< a status text nobody knows; shown as it is
    Waiting,  ///< for prerequisites
    Scheduled,///< for a time: delayed retry or scheduled job
    Queued,   ///< Hero: dispatched
    Running,  ///< Hero: started
    Finished,
    Failed,   ///< Hero: error
    Dead,     ///< given up: dead list, broken, poison
    Lost,     ///< the store had it and has it no more, and nobody removed it; only a window that saw it knows
};
inline constexpr int jobStateCount = 9;

/// Finished, Failed and Dead never change by themselves (RELIABILITY I4).
constexpr bool isTerminal(JobState state)
{
    return state == JobState::Finished || state == JobState::Failed || state == JobState::Dead;
}

/// Stable lower-case word for files, the command line and JSON: "queued".
const char *stateName(JobState state);
/// The inverse of stateName, any case.
std::optional<JobState> stateFromName(const QByteArray &name);

using ByteField = std::pair<QByteArray, QByteArray>;

/// What is kept of one run of a job, by workers that keep it.
struct PastRun {
    int attempt = 0;
    QByteArray fate;                   ///< "finished", "failed", "stopped", "timeout"
    QByteArray worker;                 ///< {type}:{group}:{inst}
    QByteArray containment;            ///< as in Execution
    int exitCode = -1;                 ///< -1: none
    int signal = 0;                    ///< 0: none
    Milliseconds duration{-1};         ///< -1: unknown, likewise the two below
    Milliseconds cpuTime{-1};
    qint64 peakKb = -1;                ///< largest resident size of one process
    QByteArray output;                 ///< the last 4 KiB
    QByteArray error;                  ///< likewise

    bool operator==(const PastRun &) const = default;
};

/// One job with everything that is known of it. Fields that a protocol lacks stay empty.
struct Job {
    QByteArray id;
    QByteArray callerId;
    QByteArray contextId;
    Target target;
    QByteArray script;
    std::chrono::seconds timeout{300}; ///< 0 = none (PROTOCOLS, Hero)
    int retries = 0;                   ///< attempts after the first
    int attempt = 0;                   ///< how many times a worker has started it
    bool concurrent = false;
    QByteArray logPath;
    std::optional<Timestamp> createdAt;
    std::optional<Timestamp> updatedAt;
    std::optional<Timestamp> startedAt;
    std::optional<Timestamp> finishedAt;
    std::optional<Timestamp> notBefore; ///< scheduled for, or delayed until
    JobState state = JobState::Unknown;
    QByteArray statusText;             ///< the protocol's own word
    QList<ByteField> env;              ///< environment for the script, in order
    JobAccess access;                  ///< what it asks for beyond the worker's defaults
    QList<QByteArray> prerequisites;   ///< what must finish first
    QList<QByteArray> dependents;      ///< who waits for this one
    QByteArray output;
    QByteArray error;
    QList<PastRun> runs;               ///< by attempt
    QByteArray claimedBy;              ///< {type}:{group}:{inst} of the worker that has it
    JobProgress progress;              ///< only while it runs, where the worker tells it
    QList<ByteField> raw;              ///< every field as stored, sorted by name, unknown ones included
    QStringList problems;              ///< what could not be read, one sentence each; empty for a good record

    bool operator==(const Job &) const = default;
};

/// What a table shows of a job: cheap to fetch and to move between threads.
struct JobSummary {
    QByteArray id;
    JobState state = JobState::Unknown;
    QByteArray statusText; ///< only for Unknown, at most 64 bytes; for Lost the reason
    Target target;
    QByteArray callerId;
    QByteArray contextId;
    QByteArray claimedBy;
    std::optional<Timestamp> createdAt;
    std::optional<Timestamp> updatedAt;
    int attempt = 0;
    bool invalid = false;  ///< the key holds another type, or the record cannot be read
    JobProgress progress{}; ///< only while it runs, where the worker tells it
    JobAccess access{};     ///< what it asks for beyond the worker's defaults

    bool operator==(const JobSummary &) const = default;
};

/// A new lower-case UUID v4 (PROTOCOLS, Hero job id).
QByteArray newJobId();

/// What is wrong with a draft, by field name ("type", "script", "env", …); empty when it can be submitted.
/// Rules of PROTOCOLS 1+2: type `[a-z0-9_-]{1,64}`, timeout 0…86400 s, retries 0…1000, env names
/// `[A-Za-z_][A-Za-z0-9_]*` without duplicates and without NUL in values, log path relative and without "..".
struct FieldProblem {
    QByteArray field;
    QString message;
    bool operator==(const FieldProblem &) const = default;
};
QList<FieldProblem> validateDraft(const Job &draft);

} // namespace ym
