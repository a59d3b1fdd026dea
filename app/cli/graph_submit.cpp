#include "app/cli/graph_submit.h"

#include "app/cli/job_json.h"
#include "app/cli/table.h"
#include "app/cli/words.h"

#include "core/base/text.h"
#include "core/job/dependency_graph.h"
#include "core/protocol/schedule.h"

#include <algorithm>

namespace ym::cli {

namespace {

/// Throws NotFound when a prerequisite outside the file is no job.
QCoro::Task<void> checkOutside(Context *context, GraphPlan plan)
{
    QList<QByteArray> ids;
    for (const QList<QByteArray> &outside : plan.outside)
        ids += outside;
    const std::unique_ptr<Inspector> inspector = context->inspector();
    const std::vector<JobSummary> found = co_await inspector->summaries(ids);
    QStringList missing;
    for (const QByteArray &id : ids) {
        const auto isIt = [&id](const JobSummary &job) { return job.id == id; };
        if (std::none_of(found.begin(), found.end(), isIt) && !missing.contains(QString::fromUtf8(id)))
            missing.append(QString::fromUtf8(id));
    }
    if (!missing.isEmpty())
        throw StoreError(ErrorKind::NotFound,
                         tr("These prerequisites do not exist: %1.").arg(missing.join(QStringLiteral(", "))));
}

} // namespace

QCoro::Task<int> planGraphFile(Context *context, GraphFile file)
{
    const GraphPlan plan = planGraph(file.drafts);
    co_await checkOutside(context, plan);
    const std::unique_ptr<Producer> producer = context->producer();
    QHash<QByteArray, QByteArray> names;
    for (size_t i = 0; i < file.drafts.size(); ++i)
        names.insert(file.drafts[i].id, file.names[qsizetype(i)]);
    QHash<QByteArray, QByteArray> queues; // by all of the target: one look for each
    Table table({tr("LEVEL"), tr("NAME"), tr("TYPE"), tr("QUEUE"), tr("AFTER")});
    Json array = Json::array();
    for (const int place : plan.order) {
        const Job &job = file.drafts[size_t(place)];
        const Target target = job.target;
        const QByteArray where = target.type + '|' + target.group + '|' + target.instance + '|' + QByteArray::number(target.priority) + '|'
            + target.legacyWorker + '|' + QByteArray::number(target.keys ? int(*target.keys) : -1);
        if (!queues.contains(where)) {
            const RoutePreview route = co_await producer->preview(target);
            queues.insert(where, route.queueKeys.join(", "));
        }
        QList<QByteArray> after;
        for (const QByteArray &id : job.prerequisites)
            after.append(names.value(id, id));
        table.add({QString::number(plan.level[size_t(place)]), QString::fromUtf8(file.names[place]), shownCell(target.type),
                   shownCell(queues.value(where)), after.isEmpty() ? QStringLiteral("–") : shownText(after.join(", "))});
        Json json;
        json["name"] = toJson(file.names[place]);
        json["level"] = plan.level[size_t(place)];
        json["type"] = toJson(target.type);
        json["queue"] = toJson(queues.value(where));
        json["after"] = Json::array();
        for (const QByteArray &name : after)
            json["after"].push_back(toJson(name));
        array.push_back(json);
    }
    Console *const console = context->console;
    if (console->isJson()) {
        console->json(array);
        co_return ExitOk;
    }
    table.print(console);
    const int levels = *std::max_element(plan.level.begin(), plan.level.end()) + 1;
    console->remark(tr("%1 jobs on %2 level(s); nothing was submitted.").arg(file.drafts.size()).arg(levels));
    co_return ExitOk;
}

QCoro::Task<int> submitGraphFile(Context *context, GraphFile file)
{
    const std::unique_ptr<Producer> producer = context->producer();
    std::vector<Job> drafts = co_await byStoreClock(context->store, context->clock, file.drafts);
    co_await producer->submitGraph(std::move(drafts));
    Console *const console = context->console;
    Json array = Json::array();
    for (size_t i = 0; i < file.drafts.size(); ++i) {
        Json json;
        json["name"] = toJson(file.names[qsizetype(i)]);
        json["id"] = toJson(file.drafts[i].id);
        array.push_back(json);
        if (!console->isJson())
            console->line(QString::fromUtf8(file.drafts[i].id + "  " + file.names[qsizetype(i)]));
    }
    if (console->isJson())
        console->json(array);
    co_return ExitOk;
}

QCoro::Task<int> waitForGraph(Context *context, GraphFile file)
{
    const std::unique_ptr<Producer> producer = context->producer();
    Console *const console = context->console;
    int exitCode = ExitOk;
    for (size_t i = 0; i < file.drafts.size(); ++i) {
        const Job job =
            co_await producer->waitUntilOver(file.drafts[i].id, Milliseconds{0}, context->interrupts->token());
        if (job.state != JobState::Finished)
            exitCode = ExitFailed;
        if (console->isJson())
            console->json(toJson(job));
        else
            console->line(QString::fromUtf8(job.id + "  " + file.names[qsizetype(i)] + "  ")
                          + console->stateWord(job.state, job.statusText));
    }
    co_return exitCode;
}

} // namespace ym::cli
