// Made-up jobs, queues and workers: the same count gives the same data, so that pictures and tests repeat.
#pragma once

#include "core/engine/session.h"

namespace ym::test {

/// `count` jobs, newest first, the way a busy day leaves them: most are finished, some wait, run or failed. Times are
/// before `now`. `count` 0 … 10,000,000.
std::vector<JobSummary> demoJobs(int count, Timestamp now);

/// Everything that belongs to such a summary: script, environment, output, error, raw fields.
JobDetail demoDetail(const JobSummary &job, Timestamp now);

/// Ten queues, one of which has jobs that nobody serves.
QList<QueueInfo> demoQueues(Timestamp now);

/// Five workers, one of which is silent and one quiet.
QList<WorkerInfo> demoWorkers(Timestamp now);

/// Two workers inside the application, one running.
QList<LocalWorkerInfo> demoLocalWorkers();

/// What the doctor finds there, and three jobs of workers that are gone.
Examination demoExamination(Timestamp now);

} // namespace ym::test
