#include "app/cli/commands/restore_command.h"

#include "app/cli/attempt.h"
#include "app/cli/job_json.h"
#include "app/cli/table.h"
#include "app/cli/words.h"

#include "core/base/text.h"
#include "core/engine/removal_journal.h"

namespace ym::cli {

namespace {

void print(Console *console, const QList<RemovalJournal::Entry> &entries)
{
    Json array = Json::array();
    Table table({tr("REMOVAL"), tr("WHEN"), tr("JOBS")});
    for (const RemovalJournal::Entry &entry : entries) {
        Json json;
        json["name"] = entry.name.toStdString();
        json["at"] = toJson(std::optional(entry.when));
        json["jobs"] = entry.count;
        array.push_back(json);
        table.add({entry.name, shownTime(entry.when), QString::number(entry.count)});
    }
    if (console->isJson())
        console->json(array);
    else if (entries.isEmpty())
        console->remark(tr("Nothing was removed from this store lately."));
    else
        table.print(console);
}

} // namespace

void RestoreCommand::define(OptionSet *options)
{
    options->flag("--list", &m_lists, "List what can be brought back, newest first, and do nothing");
    options->text("--removal", &m_name, "Which one; without it the newest");
    options->notes("Brings back the jobs that remove or purge deleted on this machine within a week. What was queued is queued\n"
                   "again; a job that exists again is left as it is.");
}

QCoro::Task<int> RestoreCommand::run(Context *context)
{
    RemovalJournal journal(context->removedFolder, context->clock);
    const QList<RemovalJournal::Entry> entries = journal.entries();
    Console *const console = context->console;
    if (m_lists) {
        print(console, entries);
        co_return ExitOk;
    }
    if (entries.isEmpty() && m_name.isEmpty())
        throw StoreError(ErrorKind::NotFound, tr("Nothing was removed from this store lately."));
    const QString name = m_name.isEmpty() ? entries.first().name : QString::fromUtf8(m_name);
    const Result<std::vector<RemovedJob>> kept = journal.read(name);
    if (!kept)
        throw StoreError(kept.error());
    const std::unique_ptr<Producer> producer = context->producer();
    int restored = 0;
    int failed = 0;
    for (auto job = kept->rbegin(); job != kept->rend(); ++job) { // nothing comes back before what it waits for
        const Result<bool> done = co_await attempt(producer->restore(*job));
        if (!done && done.error().kind != ErrorKind::WrongType)
            throw StoreError(done.error());
        if (!done)
            console->remark(shownText(job->id) + QStringLiteral("  ") + done.error().text());
        failed += done ? 0 : 1;
        restored += done && *done ? 1 : 0;
    }
    if (failed == 0)
        journal.forget(name);
    if (console->isJson()) {
        Json json;
        json["restored"] = restored;
        console->json(json);
    } else {
        console->line(tr("%1 of %2 job(s) are back").arg(restored).arg(kept->size()));
    }
    co_return failed == 0 ? ExitOk : ExitFailed;
}

} // namespace ym::cli
