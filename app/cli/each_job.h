// The same action on several jobs, with one line or one JSON object for each.
#pragma once

#include "app/cli/command.h"

#include <functional>

namespace ym::cli {

/// What became of one job: a stable word for JSON, words for people.
struct Outcome {
    const char *word;
    QString shown;
    bool isFailure = false;
};

/// Runs `action` for each id in order, also after one that failed; prints "ID  outcome", or an array in JSON. Exit code
/// 1 when any failed. A lost connection ends it.
QCoro::Task<int> eachJob(Context *context, QList<QByteArray> ids,
                         std::function<QCoro::Task<Outcome>(Producer *, QByteArray)> action);

} // namespace ym::cli
