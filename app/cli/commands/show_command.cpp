#include "app/cli/commands/show_command.h"

#include "app/cli/job_json.h"
#include "app/cli/job_lookup.h"
#include "app/cli/table.h"
#include "app/cli/whole_field.h"
#include "app/cli/words.h"

#include "core/base/text.h"
#include "core/job/end_text.h"
#include "core/job/secret_text.h"
#include "core/job/signal_name.h"

#include <QLocale>

namespace ym::cli {

namespace {

constexpr int labelWidth = 14;

/// "label         value"; nothing for an empty value.
void field(Console *console, const QString &label, const QString &value)
{
    if (!value.isEmpty())
        console->line(label.leftJustified(labelWidth) + value);
}

void field(Console *console, const QString &label, const QByteArray &value)
{
    field(console, label, shownText(value));
}

void field(Console *console, const QString &label, const std::optional<Timestamp> &when)
{
    if (when)
        field(console, label, shownTime(when));
}

/// A long text under its own heading, indented so that it cannot be taken for a field.
void block(Console *console, const QString &label, const QByteArray &text)
{
    if (text.isEmpty())
        return;
    console->line(QString());
    console->line(console->heading(label));
    QString shown = shownText(text, Lines::Keep);
    if (shown.endsWith(u'\n'))
        shown.chop(1);
    for (const QString &line : shown.split(u'\n'))
        console->line(line.isEmpty() ? line : QStringLiteral("    ") + line);
}

/// Values whose name says that they are secret are not shown unasked (RELIABILITY 8, env_vars).
QString shownVariable(const ByteField &variable, SecretValues secrets)
{
    const auto &[name, value] = variable;
    const bool isHidden = secrets == SecretValues::Hidden && namesSecret(name);
    return shownText(name) + u'='
        + (isHidden ? tr("(hidden; --reveal shows it)") : shownText(value, Lines::Flatten, 200));
}

/// "failed, exit code 1, 2.0 s, CPU 0.1 s, 12 MiB, bubblewrap".
QString runText(const PastRun &run)
{
    QStringList parts{shownText(run.fate)};
    if (run.signal > 0)
        parts.append(signalText(run.signal));
    else if (run.exitCode > 0)
        parts.append(tr("exit code %1").arg(run.exitCode));
    const auto seconds = [](Milliseconds time) { return QString::number(double(time.count()) / 1000, 'f', 1); };
    if (run.duration.count() >= 0)
        parts.append(tr("%1 s").arg(seconds(run.duration)));
    if (run.cpuTime.count() >= 0)
        parts.append(tr("CPU %1 s").arg(seconds(run.cpuTime)));
    if (run.peakKb > 0)
        parts.append(QLocale::c().formattedDataSize(run.peakKb * 1024));
    parts.append(shownText(run.containment));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

Json detailJson(const Inspector::Detail &detail, SecretValues secrets)
{
    Json json = toJson(detail.job, secrets);
    json["cut"] = Json::object();
    for (auto cut = detail.fullSize.cbegin(); cut != detail.fullSize.cend(); ++cut)
        json["cut"][shownText(cut.key()).toStdString()] = cut.value();
    return json;
}

void print(Console *console, const Job &job, SecretValues secrets)
{
    field(console, tr("id"), job.id);
    field(console, tr("state"), console->stateWord(job.state, job.statusText));
    field(console, tr("type"), job.target.type);
    field(console, tr("group"), job.target.group);
    field(console, tr("instance"), job.target.instance);
    field(console, tr("caller"), job.callerId);
    field(console, tr("context"), job.contextId);
    field(console, tr("worker"), job.claimedBy);
    field(console, tr("attempt"), tr("%1 of %2").arg(job.attempt).arg(job.retries + 1));
    field(console, tr("timeout"), job.timeout.count() == 0 ? tr("none") : tr("%1 s").arg(job.timeout.count()));
    if (job.progress.isKnown())
        field(console, tr("progress"), writeProgress(job.progress));
    field(console, tr("access"), accessText(job.access).toUtf8());
    field(console, tr("concurrent"), job.concurrent ? tr("yes") : QString());
    field(console, tr("log"), job.logPath);
    field(console, tr("created"), job.createdAt);
    field(console, tr("started"), job.startedAt);
    field(console, tr("finished"), job.finishedAt);
    for (const QByteArray &id : job.prerequisites)
        field(console, tr("waits for"), id);
    for (const QByteArray &id : job.dependents)
        field(console, tr("awaited by"), id);
    for (const ByteField &variable : job.env)
        field(console, tr("env"), shownVariable(variable, secrets));
    for (const PastRun &run : job.runs)
        field(console, tr("run %1").arg(run.attempt), runText(run));
    field(console, tr("ended"), endText(job).toUtf8());
    for (const QString &problem : job.problems)
        field(console, tr("problem"), problem.toUtf8());
    block(console, tr("script"), job.script);
    block(console, tr("output"), job.output);
    block(console, tr("error"), job.error);
}

} // namespace

void ShowCommand::define(OptionSet *options)
{
    options->argument("ID", &m_id, "The job");
    options->text("--field", &m_field, "Only this stored field, byte for byte, secrets too, however long it is");
    options->flag("--reveal", &m_reveal, "Also the values of variables that look secret by their names");
    options->notes("Examples:\n"
                   "  yardmaster --json show ID | jq -r .state\n"
                   "  yardmaster show ID --field script > job.py");
}

QCoro::Task<int> ShowCommand::run(Context *context)
{
    const std::unique_ptr<Inspector> inspector = context->inspector();
    Console *const console = context->console;
    if (!m_field.isEmpty()) {
        if (console->isJson())
            throw StoreError(ErrorKind::Usage, tr("A field is written as it is stored."), tr("Leave out --json."));
        co_await writeField(inspector.get(), m_id, m_field, console, Console::Stream::Out);
        co_return ExitOk;
    }
    const Inspector::Detail detail = co_await wholeJob(inspector.get(), m_id);
    const SecretValues secrets = m_reveal ? SecretValues::Shown : SecretValues::Hidden;
    if (console->isJson())
        console->json(detailJson(detail, secrets));
    else
        print(console, detail.job, secrets);
    for (auto cut = detail.fullSize.cbegin(); cut != detail.fullSize.cend(); ++cut) {
        const QString name = shownText(cut.key(), Lines::Flatten, 60);
        console->remark(tr("The field %1 has %2; it is cut. --field %1 writes all of it.")
                            .arg(name, QLocale().formattedDataSize(cut.value())));
    }
    co_return ExitOk;
}

} // namespace ym::cli
