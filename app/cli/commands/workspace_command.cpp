#include "app/cli/commands/workspace_command.h"

#include "app/cli/table.h"
#include "app/cli/words.h"

#include "core/base/text.h"

#include <QLocale>

#include <nlohmann/json.hpp>

namespace ym::cli {

using namespace embedded;

namespace {

struct StateRow {
    LogReport::State state;
    const char *name; ///< in JSON, and for people
    const char *meaning;
};
constexpr StateRow states[] = {
    {LogReport::State::Missing, "missing", "There is no log: an empty workspace, or none."},
    {LogReport::State::Sound, "sound", "Everything in it can be read."},
    {LogReport::State::Torn, "torn",
     "It ends in the middle of a command. The next opening cuts that off and keeps it; nothing needs to be done."},
    {LogReport::State::Damaged, "damaged",
     "Parts of it cannot be used, and the workspace does not open. `yardmaster workspace salvage` saves the rest."},
};

const StateRow &rowOf(LogReport::State state)
{
    return *std::find_if(std::begin(states), std::end(states),
                         [state](const StateRow &row) { return row.state == state; });
}

std::string jsonText(const QString &text)
{
    return text.toStdString();
}

Json toJson(const LogReport &report)
{
    Json json{{"log", jsonText(report.path)}, {"state", rowOf(report.state).name},    {"size", report.size},
              {"base_size", report.baseSize}, {"readable_size", report.readableSize}, {"commands", report.commandCount},
              {"keys", report.keyCount}};
    json["damage"] = Json::array();
    for (const LogLoader::Gap &gap : report.gaps)
        json["damage"].push_back({{"from", gap.from}, {"to", gap.to}, {"reason", jsonText(gap.reason)}});
    json["kept"] = Json::array();
    for (const QString &name : report.kept)
        json["kept"].push_back(jsonText(name));
    json["open_in"] = nullptr;
    if (report.owner)
        json["open_in"] = Json{{"pid", report.owner->pid}, {"socket", jsonText(report.owner->socket)}};
    return json;
}

QString shownSize(qint64 bytes)
{
    return QLocale::c().formattedDataSize(bytes);
}

QString shownPath(const QString &path)
{
    return shownText(path.toUtf8());
}

} // namespace

void WorkspaceCommand::define(OptionSet *options)
{
    options->argument("ACTION", &m_action, "check or salvage");
    options->flag("--beginning", &m_onlyBeginning, "salvage only what stands before the first damage");
    options->notes(
        "check reads the log of the workspace, says what it holds and where it is damaged, and changes nothing; it\n"
        "fails when the workspace does not open. salvage makes a new log of all that can be read and keeps the "
        "damaged\n"
        "one beside it under another name. Jobs may run again afterwards.\n\n"
        "Examples:\n"
        "  yardmaster workspace check\n"
        "  yardmaster --store embedded:/srv/jobs workspace salvage");
}

Result<void> WorkspaceCommand::check(const Paths &)
{
    if (m_action != "check" && m_action != "salvage")
        return failure(ErrorKind::Usage, tr("The action is check or salvage."));
    if (m_onlyBeginning && m_action != "salvage")
        return failure(ErrorKind::Usage, tr("--beginning belongs to salvage."));
    return {};
}

QCoro::Task<int> WorkspaceCommand::run(Context *context)
{
    const StoreAddress &address = context->address;
    if (address.kind != StoreAddress::Kind::Embedded)
        throw StoreError(ErrorKind::Usage, tr("Only a workspace has a log here: a Redis keeps its own."),
                         tr("Use embedded:FOLDER, or nothing for the default workspace."));
    const QString folder = address.folder.isEmpty() ? context->paths.defaultWorkspace() : address.folder;
    if (m_action == "check") {
        const Result<LogReport> report = checkLog(folder);
        if (!report)
            throw StoreError(report.error());
        co_return showReport(context->console, *report);
    }
    const Result<Salvaged> salvaged = salvageLog(folder, m_onlyBeginning ? Salvage::Beginning : Salvage::All);
    if (!salvaged)
        throw StoreError(salvaged.error());
    co_return showSalvaged(context->console, *salvaged);
}

int WorkspaceCommand::showReport(Console *console, const LogReport &report)
{
    const bool isDamaged = report.state == LogReport::State::Damaged;
    if (console->isJson()) {
        console->json(toJson(report));
        return isDamaged ? ExitFailed : ExitOk;
    }
    console->line(tr("%1: %2").arg(shownPath(report.path), QLatin1String(rowOf(report.state).name)));
    console->line(tr("%1, %2 commands, %3 keys; %4 were written by the last compaction")
                      .arg(shownSize(report.size))
                      .arg(report.commandCount)
                      .arg(report.keyCount)
                      .arg(shownSize(report.baseSize)));
    if (report.state == LogReport::State::Torn)
        console->line(tr("the last %1 bytes are a part of a command").arg(report.size - report.readableSize));
    if (isDamaged) {
        Table table({tr("FROM BYTE"), tr("TO BYTE"), tr("WHAT IS WRONG")});
        for (const LogLoader::Gap &gap : report.gaps)
            table.add({QString::number(gap.from), QString::number(gap.to), gap.reason});
        table.print(console);
    }
    for (const QString &name : report.kept)
        console->line(tr("kept: %1").arg(shownPath(name)));
    if (report.owner)
        console->remark(
            tr("Process %1 has the workspace open; what it writes just now may look torn.").arg(report.owner->pid));
    console->remark(tr(rowOf(report.state).meaning));
    return isDamaged ? ExitFailed : ExitOk;
}

int WorkspaceCommand::showSalvaged(Console *console, const Salvaged &salvaged)
{
    if (console->isJson()) {
        console->json({{"before", toJson(salvaged.before)},
                       {"keys", salvaged.keyCount},
                       {"size", salvaged.size},
                       {"kept_as", jsonText(salvaged.keptAs)}});
        return ExitOk;
    }
    console->line(tr("%1: %2 keys, %3")
                      .arg(shownPath(salvaged.before.path))
                      .arg(salvaged.keyCount)
                      .arg(shownSize(salvaged.size)));
    console->line(tr("kept: %1").arg(shownPath(salvaged.keptAs)));
    console->remark(tr("The workspace opens again. Look at its jobs: what the damaged part said is missing."));
    return ExitOk;
}

} // namespace ym::cli
