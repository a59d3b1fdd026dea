// The JSON that --json prints; its shape is documented in README and stays.
#pragma once

#include "app/cli/console.h"

#include "core/job/execution.h"
#include "core/job/job.h"
#include "core/job/queue_info.h"

#include <nlohmann/json.hpp>

namespace ym::cli {

/// Text as a string; bytes that are not UTF-8 as {"base64": "…"}, so that nothing is lost.
Json toJson(const QByteArray &bytes);
Json toJson(const std::optional<Timestamp> &when);
/// Hidden: the values of variables whose names say that they are secret are null, and their names stand in env_hidden.
enum class SecretValues : quint8 { Hidden, Shown };
Json toJson(const Job &job, SecretValues secrets = SecretValues::Hidden);
/// null while nothing is known.
Json toJson(const JobProgress &progress);
Json toJson(const JobAccess &access);
Json toJson(const PastRun &run);
Json toJson(const JobSummary &job);
Json toJson(const QueueInfo &queue);
Json toJson(const WorkerInfo &worker);
/// The end of one run, without its output.
Json toJson(const Execution &execution);

} // namespace ym::cli
