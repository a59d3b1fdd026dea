// What must hold of jobs at any instant and in the end (RELIABILITY 4), asked of the server itself.
#pragma once

#include "core/job/job.h"
#include "core/store/store.h"

#include <QHash>
#include <QSet>

namespace ym::test {

/// One atomic look at all of these jobs: for each that is not in exactly one place (I1) a line
/// `id status queued delayed leased`. It runs in the server, so nothing moves meanwhile.
inline constexpr char placesScript[] = R"(
local queued, found = {}, {}
for _, id in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do queued[id] = (queued[id] or 0) + 1 end
for _, id in ipairs(ARGV) do
  local status = redis.call('HGET', 'hero:job:' .. id, 'status') or 'missing'
  local q = queued[id] or 0
  local d = redis.call('ZSCORE', 'hero:q:delayed', id) and 1 or 0
  local l = redis.call('ZSCORE', KEYS[2], id) and 1 or 0
  local right = (status == 'dispatched' and q + d == 1 and l == 0) or (status == 'started' and l == 1 and q + d == 0)
    or ((status == 'waiting_for_prerequisites' or status == 'finished' or status == 'error') and q + d + l == 0)
  if not right then found[#found + 1] = id .. ' ' .. status .. ' ' .. q .. ' ' .. d .. ' ' .. l end
end
return found)";

/// How many of these jobs are over.
inline constexpr char overScript[] = R"(
local over = 0
for _, id in ipairs(ARGV) do
  local status = redis.call('HGET', 'hero:job:' .. id, 'status')
  if status == 'finished' or status == 'error' then over = over + 1 end
end
return over)";

/// A job as it was meant and as it ended.
struct ChaosJob {
    Job draft;
    QHash<QByteArray, QByteArray> record;

    int number(const char *field) const { return record.value(field).toInt(); }
    bool isFinished() const { return record.value("status") == "finished"; }
    bool isOver() const { return isFinished() || record.value("status") == "error"; }
    /// Ended by itself, not because of one before it.
    bool wasCommitted() const { return isOver() && !record.value("error").startsWith("prerequisite "); }
};

/// Everything that is wrong with one job in the end; empty when all is well. `starts`: runs that its workers told of.
inline QStringList faultsOf(const ChaosJob &job, const QHash<QByteArray, ChaosJob> &all, int starts)
{
    QStringList faults;
    const auto blame = [&](const char *what) {
        QString line = QString::fromLatin1("%1: %2 (").arg(QString::fromLatin1(job.draft.id), QLatin1String(what));
        for (const char *field : {"status", "error", "attempt", "rescues", "retries"})
            line += QString::fromLatin1("%1=%2 ").arg(QLatin1String(field), QString::fromUtf8(job.record.value(field)));
        faults << line + QStringLiteral("starts=%1)").arg(starts);
    };
    if (!job.isOver()) {
        blame("not over");
        return faults;
    }
    const int rescues = job.number("rescues");
    if (rescues > 3)
        blame("rescued more often than the cap");
    if (job.number("attempt") > 1 + rescues + job.draft.retries || starts > 1 + rescues + job.draft.retries)
        blame("ran more often than 1 + rescues + retries");
    if (job.isFinished() && job.record.value("output").trimmed() != "done " + job.draft.callerId)
        blame("another job's output");
    for (const QByteArray &id : job.draft.prerequisites) {
        const ChaosJob before = all.value(id);
        if (starts > 0 && !before.isFinished())
            blame("started although a prerequisite has not finished");
        if (job.isFinished() && job.record.value("started_at") < before.record.value("finished_at"))
            blame("started before its prerequisite had finished");
    }
    return faults;
}

} // namespace ym::test
