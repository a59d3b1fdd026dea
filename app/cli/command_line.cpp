#include "app/cli/command_line.h"

#include "app/cli/commands.h"
#include "app/cli/words.h"

#include "core/base/text.h"

#include <algorithm>

#include <CLI/CLI.hpp>

namespace ym::cli {

namespace {

constexpr auto about = "Yardmaster: a desktop workbench for job queues. Without a command it opens the window.";
constexpr auto notes = R"(Stores (--store, or YARDMASTER_STORE):
  embedded:               the default workspace, also without --store; needs no server
  embedded:FOLDER         a workspace in a folder
  memory:                 gone when the command ends
  redis://[user[:password]@]host[:port][/db]    rediss:// for TLS (?ca=FILE&cert=FILE&key=FILE&sni=NAME)
  unix:PATH?db=N          a Redis on a unix socket
A password is better kept in YARDMASTER_PASSWORD than in a URL.

Keys (--keys): auto sends a job to the canonical queues when a worker of its type is present there or it names no legacy
queue, else to that; canonical and legacy use one family alone; dual uses both, and where workers of both kinds listen, a
job may run twice. A worker serves canonical queues first, legacy ones last. --legacy-queue says which ones are meant:
worker (work_queue of --worker-id), type (actor_queue of the type) or actor (the list of --worker-id among the jobs).

Exit codes: 0 done, 1 failed, 2 wrong usage, 124 over its time, 130 interrupted.

Examples:
  yardmaster run resources/samples/hello.py
  yardmaster --store redis://localhost submit report.py --wait
  yardmaster --store redis://localhost worker --type python --slots 4)";

/// A password as an option would stand in the process list and in the shell's history (RELIABILITY 9, C3).
bool hasPasswordOption(const std::vector<std::string> &arguments)
{
    const auto end = std::find(arguments.begin(), arguments.end(), "--");
    return std::any_of(arguments.begin(), end,
                       [](const std::string &a) { return a == "--password" || a.rfind("--password=", 0) == 0; });
}

Answer usage(const QString &message, const std::string &command)
{
    const QString where = command.empty() ? QString() : QString::fromStdString(command) + u' ';
    return {ExitUsage, tr("%1 See yardmaster %2--help.").arg(message, where)};
}

/// CLI11's sentence, ended with a stop and fit to show.
QString sentence(const CLI::ParseError &error)
{
    QString text = shownText(QByteArray::fromStdString(error.what())).trimmed();
    if (!text.endsWith(u'.'))
        text += u'.';
    return text;
}

struct Parsed {
    CLI::App app{about, "yardmaster"};
    ToolRequest tool;
    WindowRequest window;
    std::string store;
    std::string protocol = "hero";
    std::string keys = keyModeName(KeyChoice().mode);
    std::string legacyQueue = legacyQueueName(KeyChoice().legacy);
    std::string order = "fifo";
    bool readOnly = false;
    bool json = false;
};

void defineCommon(Parsed *parsed)
{
    CLI::App &app = parsed->app;
    app.set_version_flag("--version", "yardmaster " YM_VERSION);
    app.add_option("--store", parsed->store, "URL of the store to work on");
    app.add_option("--url,--from", parsed->store)->group("");
    app.add_option("--protocol", parsed->protocol, "How jobs are written there")->capture_default_str();
    app.add_option("--keys", parsed->keys, "Queues by canonical or legacy keys, auto or dual")
        ->check(CLI::IsMember(std::vector<std::string>(keyModeNames.begin(), keyModeNames.end())))
        ->type_name("MODE")
        ->capture_default_str();
    app.add_option("--legacy-queue", parsed->legacyQueue, "The legacy queue: of a worker, a type or an actor")
        ->check(CLI::IsMember(std::vector<std::string>(legacyQueueNames.begin(), legacyQueueNames.end())))
        ->type_name("QUEUE")
        ->capture_default_str();
    app.add_option("--order", parsed->order, "Which end our workers take from")
        ->check(CLI::IsMember(std::vector<std::string>{"fifo", "lifo"}))
        ->type_name("ORDER")
        ->capture_default_str();
    app.add_flag("--read-only", parsed->readOnly, "Change nothing: send only what looks");
    app.add_flag("--json", parsed->json, "Print JSON; remarks are left out");
    app.add_option("--screenshot", parsed->window.screenshot)->group("");
    app.add_option("--size", parsed->window.size)->group("");
    app.add_option("--page", parsed->window.page)->group("");
    app.add_option("--theme", parsed->window.theme)->group("");
    app.footer(notes);
    app.get_formatter()->column_width(28);
    app.fallthrough(); // --store and --json may also stand behind the command
    app.require_subcommand(0, 1);
}

} // namespace

Request parseCommandLine(std::vector<std::string> arguments)
{
    if (hasPasswordOption(arguments))
        return Answer{ExitUsage,
                      tr("A password on the command line can be seen by everybody on this machine; put it into "
                         "YARDMASTER_PASSWORD.")};

    Parsed parsed;
    defineCommon(&parsed);
    std::vector<std::unique_ptr<Command>> commands;
    std::vector<CLI::App *> subcommands;
    for (const CommandRow &row : commandRows()) {
        commands.push_back(row.make());
        subcommands.push_back(parsed.app.add_subcommand(row.name, row.summary));
        OptionSet options(subcommands.back());
        commands.back()->define(&options);
    }

    std::reverse(arguments.begin(), arguments.end()); // CLI11 takes them from the back
    try {
        parsed.app.parse(std::move(arguments));
    } catch (const CLI::CallForHelp &) {
        return Answer{ExitOk, QString::fromStdString(parsed.app.help())}; // of the command, when one was named
    } catch (const CLI::CallForVersion &version) {
        return Answer{ExitOk, QString::fromUtf8(version.what()) + u'\n'};
    } catch (const CLI::ParseError &error) {
        const auto called = parsed.app.get_subcommands();
        const std::vector<std::string> rest = parsed.app.remaining();
        if (called.empty() && dynamic_cast<const CLI::ExtrasError *>(&error) && !rest.empty())
            return usage(tr("“%1” is neither a command nor an option.").arg(shownText(QByteArray::fromStdString(rest.front()), Lines::Flatten, 60)), {});
        return usage(sentence(error), called.empty() ? std::string() : called.front()->get_name());
    }

    for (size_t i = 0; i < subcommands.size(); ++i) {
        if (!subcommands[i]->parsed())
            continue;
        ToolRequest tool;
        tool.store = QByteArray::fromStdString(parsed.store);
        tool.protocol = QByteArray::fromStdString(parsed.protocol);
        tool.keys.mode = *keyModeFromName(QByteArray::fromStdString(parsed.keys));
        tool.keys.legacy = *legacyQueueFromName(QByteArray::fromStdString(parsed.legacyQueue));
        tool.order = parsed.order == "lifo" ? ServingOrder::Lifo : ServingOrder::Fifo;
        tool.readOnly = parsed.readOnly;
        tool.format = parsed.json ? Console::Format::JsonText : Console::Format::Human;
        tool.command = std::move(commands[i]);
        return tool;
    }
    return parsed.window;
}

} // namespace ym::cli
