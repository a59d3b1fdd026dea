#include "app/cli/commands/audit_command.h"

#include "app/cli/table.h"
#include "app/cli/words.h"

#include "core/base/text.h"
#include "core/job/signal_name.h"

#include <QFile>
#include <QLocale>

#include <nlohmann/json.hpp>

namespace ym::cli {

namespace {

constexpr qint64 longestLine = 4096; ///< the lines are ours; ids of others may be long

/// The last whole lines of a file, oldest first.
QList<QByteArray> lastLines(QFile *file, qint64 count)
{
    file->seek(std::max(qint64{0}, file->size() - count * longestLine));
    QList<QByteArray> lines = file->readAll().split('\n');
    lines.removeAll(QByteArray());
    return lines.mid(std::max(qsizetype{0}, lines.size() - qsizetype(count)));
}

QString cell(const Json &entry, const char *name)
{
    const auto value = entry.find(name);
    if (value == entry.end() || value->is_null())
        return {};
    return value->is_string() ? shownText(QByteArray::fromStdString(value->get<std::string>()), Lines::Flatten, 40)
                              : QString::fromStdString(value->dump());
}

qint64 number(const Json &entry, const char *name)
{
    const auto value = entry.find(name);
    return value != entry.end() && value->is_number_integer() ? value->get<qint64>() : 0;
}

QString resultOf(const Json &entry)
{
    const qint64 signal = number(entry, "signal");
    const qint64 exitCode = number(entry, "exit");
    const QString fate = cell(entry, "fate");
    if (signal > 0)
        return fate + QStringLiteral(", ") + signalText(int(signal));
    return exitCode > 0 ? tr("%1, exit code %2").arg(fate).arg(exitCode) : fate;
}

} // namespace

void AuditCommand::define(OptionSet *options)
{
    options->number("-n,--count", &m_count, 1, 10000, "How many of the latest runs");
    options->notes("Every run on this machine leaves a line in the audit log: who, what by its SHA-256, how it was "
                   "contained, and how it ended.");
}

QCoro::Task<int> AuditCommand::run(Context *context)
{
    Console *const console = context->console;
    QFile file(context->paths.auditFile());
    if (!file.open(QIODevice::ReadOnly)) {
        console->remark(tr("Nothing was executed here yet."));
        co_return ExitOk;
    }
    Table table({tr("TIME"), tr("JOB"), tr("TRY"), tr("TYPE"), tr("WORKER"), tr("CONTAINED"), tr("RESULT"), tr("CPU"),
                 tr("MEMORY"), tr("SHA-256")});
    for (const QByteArray &line : lastLines(&file, m_count)) {
        const Json entry = Json::parse(line.begin(), line.end(), nullptr, false);
        if (!entry.is_object())
            continue; // the first one may be half a line
        if (console->isJson()) {
            console->json(entry);
            continue;
        }
        table.add({cell(entry, "time"), cell(entry, "job"), cell(entry, "attempt"), cell(entry, "type"),
                   cell(entry, "worker"), cell(entry, "contained"), resultOf(entry),
                   tr("%1 ms").arg(number(entry, "cpu_ms")),
                   QLocale::c().formattedDataSize(number(entry, "max_rss_kb") * 1024), cell(entry, "sha256").left(12)});
    }
    if (!console->isJson())
        table.print(console);
    co_return ExitOk;
}

} // namespace ym::cli
