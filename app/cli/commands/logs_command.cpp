#include "app/cli/commands/logs_command.h"

#include "app/cli/job_json.h"
#include "app/cli/job_lookup.h"
#include "app/cli/words.h"

#include "core/worker/job_log.h"

namespace ym::cli {

using namespace std::chrono_literals;

namespace {

constexpr Milliseconds lookAgain{20};
constexpr int looksPerQuestion = 25; ///< of the file, for each question whether the job is over

void print(Console *console, const JobLogReader::Piece &piece)
{
    if (!console->isJson()) {
        console->output(Console::Stream::Out, piece.bytes);
        return;
    }
    Json json;
    json["offset"] = piece.offset;
    json["text"] = toJson(piece.bytes);
    console->json(json);
}

} // namespace

void LogsCommand::define(OptionSet *options)
{
    options->argument("ID", &m_id, "The job");
    options->flag("-f,--follow", &m_follows, "Go on printing until the job is over");
    options->notes(
        "Log files are kept on the machine where a job ran. With --json one object a piece: {\"offset\", \"text\"}.");
}

QCoro::Task<int> LogsCommand::run(Context *context)
{
    const std::unique_ptr<Inspector> inspector = context->inspector();
    const std::stop_token token = context->interrupts->token();
    const Inspector::Detail detail = co_await wholeJob(inspector.get(), m_id);
    const Job &job = detail.job;
    bool isOver = isTerminal(job.state);
    JobLogReader log({context->paths.logs(), {}, {}}, job.logPath, job.id);
    int looks = 0;
    while (!token.stop_requested()) {
        const Result<JobLogReader::Piece> piece = log.next();
        const bool comesLater = !piece && piece.error().kind == ErrorKind::NotFound && m_follows && !isOver;
        if (!piece && !comesLater)
            throw StoreError(piece.error());
        if (piece && !piece->bytes.isEmpty()) {
            print(context->console, *piece);
            continue; // there may be more
        }
        if (!m_follows || isOver)
            break;
        co_await context->clock->sleep(lookAgain, token);
        if (++looks % looksPerQuestion != 0)
            continue;
        // Asked before the file is read again, so that the last lines of a job that is over are not missed.
        const std::vector<JobSummary> now = co_await inspector->summaries(QList<QByteArray>(1, job.id));
        isOver = now.empty() || isTerminal(now.front().state);
    }
    co_return token.stop_requested() ? ExitInterrupted : ExitOk;
}

} // namespace ym::cli
