#include "app/cli/each_job.h"

#include "app/cli/attempt.h"
#include "app/cli/job_json.h"
#include "app/cli/json_array.h"
#include "app/cli/words.h"

#include "core/base/text.h"

namespace ym::cli {

namespace {

/// Failures that concern this one job; any other is the end of all.
bool isAboutTheJob(ErrorKind kind)
{
    return kind == ErrorKind::NotFound || kind == ErrorKind::Conflict || kind == ErrorKind::WrongType
        || kind == ErrorKind::Usage;
}

Json outcomeJson(const QByteArray &id, const Outcome &outcome)
{
    Json json;
    json["id"] = toJson(id);
    json["outcome"] = outcome.word;
    json["message"] = outcome.shown.toStdString();
    return json;
}

} // namespace

QCoro::Task<int> eachJob(Context *context, QList<QByteArray> ids,
                         std::function<QCoro::Task<Outcome>(Producer *, QByteArray)> action)
{
    const std::unique_ptr<Producer> producer = context->producer();
    Console *const console = context->console;
    std::optional<JsonArray> array;
    if (console->isJson())
        array.emplace(console);
    bool failed = false;
    for (const QByteArray &id : ids) {
        const Result<Outcome> result = co_await attempt(action(producer.get(), id));
        if (!result && !isAboutTheJob(result.error().kind))
            throw StoreError(result.error());
        const bool isGone = !result && result.error().kind == ErrorKind::NotFound;
        const Outcome outcome = result ? *result
            : isGone                   ? Outcome{"not_found", tr("there is no such job"), true}
                                       : Outcome{"error", result.error().text(), true};
        failed = failed || outcome.isFailure;
        if (array)
            array->add(outcomeJson(id, outcome));
        const QString line = shownText(id) + QStringLiteral("  ") + outcome.shown;
        if (outcome.isFailure)
            console->remark(line);
        else if (!console->isJson())
            console->line(line);
    }
    co_return failed ? ExitFailed : ExitOk;
}

} // namespace ym::cli
