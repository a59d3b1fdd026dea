#include "app/cli/commands/interpreters_command.h"

#include "app/cli/job_json.h"
#include "app/cli/table.h"
#include "app/cli/words.h"

#include "core/base/text.h"

namespace ym::cli {

namespace {

const char *stateOf(const InterpreterStatus &status)
{
    return !status.found ? "not found" : status.isBroken ? "broken" : "found";
}

Json statusJson(const InterpreterStatus &status)
{
    Json json;
    json["type"] = toJson(status.interpreter.type);
    json["state"] = stateOf(status);
    json["path"] = status.path.toStdString();
    json["version"] = status.version.toStdString();
    json["detail"] = status.detail.toStdString();
    return json;
}

} // namespace

void InterpretersCommand::define(OptionSet *options)
{
    options->text("--project", &m_project, "A file with rows for script types, as in yardmaster.json");
    options->notes("Each program is run once, contained as its jobs would be, to say its version; one that cannot is "
                   "broken.");
}

Result<void> InterpretersCommand::check(const Paths &paths)
{
    Result<std::unique_ptr<LocalExecutor>> local = LocalExecutor::make(paths, {.project = m_project});
    if (!local)
        return tl::unexpected(local.error());
    m_local = std::move(*local);
    return {};
}

QCoro::Task<int> InterpretersCommand::run(Context *context)
{
    Console *const console = context->console;
    Table table({tr("TYPE"), tr("STATE"), tr("VERSION"), tr("PROGRAM")});
    Json array = Json::array();
    const QList<Interpreter> rows = m_local->table.rows();
    for (const Interpreter &row : rows) {
        const InterpreterStatus status = co_await m_local->executor.examine(row);
        array.push_back(statusJson(status));
        table.add({shownCell(row.type), tr(stateOf(status)), shownCell(status.version.toUtf8()),
                   status.found ? status.path : row.command.value(0)});
    }
    if (console->isJson())
        console->json(array);
    else
        table.print(console);
    co_return ExitOk;
}

} // namespace ym::cli
