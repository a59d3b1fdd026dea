#include "app/cli/commands/doctor_command.h"

#include "app/cli/attempt.h"
#include "app/cli/job_json.h"
#include "app/cli/json_array.h"
#include "app/cli/words.h"

#include "core/base/counted.h"
#include "core/base/shell_word.h"
#include "core/base/text.h"
#include "core/job/end_text.h"
#include "core/protocol/schedule.h"

namespace ym::cli {

namespace {

constexpr qsizetype shownCases = 10;
constexpr qsizetype longestError = 300;

/// What does it, as a command, for the first of its jobs; empty when none of ours does.
QString commandFor(const Remedy &remedy)
{
    const auto word = [](const QByteArray &bytes) { return shellWord(QString::fromUtf8(bytes)); };
    QStringList words{QStringLiteral("yardmaster")};
    switch (remedy.kind) {
    case Remedy::Kind::None:
        return {};
    case Remedy::Kind::StartWorker: {
        const Target &target = remedy.target;
        if (target.type.isEmpty())
            return {};
        words << QStringLiteral("worker") << QStringLiteral("--type") << word(target.type);
        if (!target.group.isEmpty())
            words << QStringLiteral("--group") << word(target.group);
        if (!target.instance.isEmpty())
            words << QStringLiteral("--instance") << word(target.instance);
        return words.join(u' ');
    }
    case Remedy::Kind::Requeue:
    case Remedy::Kind::Retry:
        break;
    }
    words << (remedy.kind == Remedy::Kind::Requeue ? QStringLiteral("requeue") : QStringLiteral("retry"));
    for (const QByteArray &id : remedy.jobs.mid(0, shownCases)) {
        if (!isUtf8(id) || id.startsWith('-'))
            return {}; // nobody types that
        words << word(id);
    }
    return words.join(u' ');
}

Json orNull(const QString &text)
{
    return text.isEmpty() ? Json(nullptr) : Json(text.toStdString());
}

Json toJson(const Finding &finding)
{
    Json json;
    json["rule"] = finding.rule.toStdString();
    json["severity"] = severityName(finding.severity);
    json["text"] = finding.text.toStdString();
    json["advice"] = orNull(finding.advice);
    json["command"] = orNull(commandFor(finding.remedy));
    json["key"] = finding.key.isEmpty() ? Json(nullptr) : cli::toJson(finding.key);
    json["count"] = finding.count;
    Json jobs = Json::array();
    for (const Finding::Case &one : finding.cases)
        jobs.push_back(Json{
            {"id", cli::toJson(one.job)}, {"text", orNull(one.text)}, {"command", orNull(commandFor(one.remedy))}});
    json["jobs"] = jobs;
    return json;
}

Json toJson(const Examination &report)
{
    Json json;
    Json jobs = Json::object();
    for (int state = 0; state < jobStateCount; ++state) {
        if (report.jobs[size_t(state)] > 0)
            jobs[stateName(JobState(state))] = report.jobs[size_t(state)];
    }
    json["findings"] = Json::array();
    for (const Finding &finding : report.findings)
        json["findings"].push_back(toJson(finding));
    json["jobs"] = jobs;
    json["queues"] = report.queueCount;
    json["workers"] = report.workerCount;
    return json;
}

QString severityWord(Finding::Severity severity)
{
    switch (severity) {
    case Finding::Severity::Problem:
        return tr("PROBLEM");
    case Finding::Severity::Warning:
        return tr("WARNING");
    case Finding::Severity::Note:
        break;
    }
    return tr("NOTE");
}

constexpr int indent = 9; ///< the longest of these words, and two spaces

void print(Console *console, const Finding &finding)
{
    const QString margin(indent, u' ');
    const QString word = severityWord(finding.severity);
    console->line(console->heading(word) + QString(indent - word.size(), u' ') + finding.text);
    for (const Finding::Case &one : finding.cases.mid(0, shownCases)) {
        const QString id = shownText(one.job, Lines::Flatten, 80);
        console->line(margin + (one.text.isEmpty() ? id : id + QStringLiteral("  ") + one.text));
    }
    const qint64 more = finding.count - std::min(shownCases, finding.cases.size());
    if (!finding.cases.isEmpty() && more > 0)
        console->line(margin + counted(more, tr("and 1 more"), tr("and %1 more")));
    if (!finding.advice.isEmpty())
        console->line(margin + finding.advice);
    if (const QString command = commandFor(finding.remedy); !command.isEmpty())
        console->line(margin + QStringLiteral("$ ") + command);
    console->line({});
}

QString summary(const Examination &report)
{
    QStringList states;
    for (int state = 0; state < jobStateCount; ++state) {
        if (report.jobs[size_t(state)] > 0)
            states.append(tr("%1 %2").arg(QLocale().toString(report.jobs[size_t(state)]),
                                          QString::fromLatin1(stateName(JobState(state)))));
    }
    const QString jobs = counted(report.jobCount(), tr("1 job"), tr("%1 jobs"));
    return tr("Looked at %1, %2 and %3: %4, %5, %6.")
        .arg(states.isEmpty() ? jobs : tr("%1 (%2)").arg(jobs, states.join(QStringLiteral(", "))),
             counted(report.queueCount, tr("1 queue"), tr("%1 queues")),
             counted(report.workerCount, tr("1 worker"), tr("%1 workers")),
             counted(report.countOf(Finding::Severity::Problem), tr("1 problem"), tr("%1 problems")),
             counted(report.countOf(Finding::Severity::Warning), tr("1 warning"), tr("%1 warnings")),
             counted(report.countOf(Finding::Severity::Note), tr("1 note"), tr("%1 notes")));
}

/// How it stands with a job, also with one that is over.
QString standingText(const Doctor::JobReport &report)
{
    const Job &job = report.job;
    if (!report.standing.text.isEmpty())
        return report.standing.text;
    if (!isTerminal(job.state))
        return {};
    const QString early = endText(job);
    return early.isEmpty() ? shownText(job.error.left(longestError), Lines::Flatten, longestError) : early;
}

} // namespace

void DoctorCommand::define(OptionSet *options)
{
    options->optionalArguments("ID", &m_ids, "Only these jobs: why does each not run?");
    options->notes(
        "Looks at the store, its queues, its workers and every job that is not over, and changes nothing. Fails (1)\n"
        "when something is stuck: when nothing will happen unless somebody does something.\n"
        "Examples:\n"
        "  yardmaster doctor\n"
        "  yardmaster doctor 280b5919-4065-470d-bc47-9710ce4ae562\n"
        "  yardmaster --json doctor | jq -r '.findings[] | select(.severity == \"problem\") | .text'");
}

QCoro::Task<int> DoctorCommand::run(Context *context)
{
    const std::chrono::seconds ahead = co_await storeAhead(context->store, context->clock);
    const std::unique_ptr<Inspector> inspector = context->inspector();
    Doctor doctor(inspector.get(), context->clock->now() + ahead);
    if (m_ids.isEmpty())
        co_return co_await examineAll(context, &doctor);
    co_return co_await examineJobs(context, &doctor);
}

QCoro::Task<int> DoctorCommand::examineAll(Context *context, Doctor *doctor)
{
    const std::stop_token stop = context->interrupts->token();
    const Examination report = co_await doctor->examine(context->store->status().warnings, stop);
    Console *const console = context->console;
    const bool isWhole = !stop.stop_requested();
    if (console->isJson()) {
        console->json(toJson(report));
    } else {
        for (const Finding &finding : report.findings)
            print(console, finding);
        if (!report.hasProblems() && isWhole)
            console->line(tr("Nothing is stuck."));
        console->remark(isWhole ? summary(report) : tr("Interrupted: not everything was looked at."));
    }
    if (!isWhole)
        co_return ExitInterrupted;
    co_return report.hasProblems() ? ExitFailed : ExitOk;
}

QCoro::Task<int> DoctorCommand::examineJobs(Context *context, Doctor *doctor)
{
    Console *const console = context->console;
    std::optional<JsonArray> array;
    if (console->isJson())
        array.emplace(console);
    bool isTrouble = false;
    for (const QByteArray &id : m_ids) {
        const Result<Doctor::JobReport> report = co_await attempt(doctor->examineJob(id));
        const bool isGone = !report && report.error().kind == ErrorKind::NotFound;
        if (!report && !isGone && report.error().kind != ErrorKind::WrongType)
            throw StoreError(report.error());
        const QString text = report ? standingText(*report)
            : isGone                ? tr("There is no such job.")
                                    : report.error().text();
        const QString command = report ? commandFor(report->standing.remedy) : QString();
        const bool isBad = !report || report->standing.isTrouble();
        isTrouble = isTrouble || isBad;
        if (array) {
            Json json;
            json["id"] = cli::toJson(id);
            json["state"] = report ? Json(stateName(report->job.state)) : Json(nullptr);
            json["rule"] = !report ? Json(isGone ? "not_found" : "unreadable") : orNull(report->standing.rule);
            json["text"] = orNull(text);
            json["command"] = orNull(command);
            array->add(json);
            continue;
        }
        const QString state = report ? console->stateWord(report->job.state, report->job.statusText) : QString();
        console->line(shownText(id, Lines::Flatten, 80) + QStringLiteral("  ") + (report ? state : text));
        if (report && !text.isEmpty())
            console->line(QStringLiteral("  ") + text);
        if (!command.isEmpty())
            console->line(QStringLiteral("  $ ") + command);
    }
    co_return isTrouble ? ExitFailed : ExitOk;
}

} // namespace ym::cli
