#include "app/cli/commands/output_command.h"

#include "app/cli/job_json.h"
#include "app/cli/job_lookup.h"
#include "app/cli/whole_field.h"
#include "app/cli/words.h"

#include <QLocale>

namespace ym::cli {

void OutputCommand::define(OptionSet *options)
{
    options->argument("ID", &m_id, "The job");
    options->notes(
        "Its output goes to standard output and its error text to standard error, byte for byte; on a\n"
        "terminal only text and colours. The exit code is 1 while the job is not over.\n\n"
        "Example:\n  yardmaster output ID > report.txt");
}

QCoro::Task<int> OutputCommand::run(Context *context)
{
    const std::unique_ptr<Inspector> inspector = context->inspector();
    const Inspector::Detail detail = co_await wholeJob(inspector.get(), m_id, wholeValue);
    const Job &job = detail.job;
    Console *const console = context->console;
    for (const char *name : {"output", "error"}) {
        if (console->isJson() && detail.fullSize.contains(name))
            throw StoreError(ErrorKind::TooLarge,
                             tr("The %1 of this job has %2 and does not fit into one reply.")
                                 .arg(QLatin1String(name), QLocale().formattedDataSize(detail.fullSize.value(name))),
                             tr("Leave out --json: then it is written piece by piece."));
    }
    if (console->isJson()) {
        Json json;
        json["id"] = toJson(job.id);
        json["state"] = stateName(job.state);
        json["output"] = toJson(job.output);
        json["error"] = toJson(job.error);
        console->json(json);
    } else {
        const auto isCut = [&detail](const char *name) { return detail.fullSize.contains(name); };
        if (isCut("output"))
            co_await writeField(inspector.get(), m_id, "output", console, Console::Stream::Out);
        else
            console->output(Console::Stream::Out, job.output);
        if (isCut("error"))
            co_await writeField(inspector.get(), m_id, "error", console, Console::Stream::Err);
        else
            console->output(Console::Stream::Err, job.error);
    }
    if (isTerminal(job.state))
        co_return ExitOk;
    const QString sentence = tr("The job is %1; its output is stored when it ends. Use yardmaster wait first.");
    console->error(sentence.arg(QLatin1String(stateName(job.state))));
    co_return ExitFailed;
}

} // namespace ym::cli
