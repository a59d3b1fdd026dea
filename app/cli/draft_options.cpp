#include "app/cli/draft_options.h"

#include "app/cli/script_source.h"
#include "app/cli/words.h"

#include "core/base/text.h"
#include "core/worker/interpreter_table.h"

#include <QFile>
#include <QFileInfo>

#include <pwd.h>
#include <unistd.h>

namespace ym::cli {

namespace {

/// The type that the ending of a file stands for.
Result<QByteArray> typeOfFile(const QByteArray &file, const InterpreterTable &table)
{
    if (file == "-")
        return failure(ErrorKind::Usage, tr("A script from standard input has no ending."),
                       tr("Add --type, for example --type python."));
    const QByteArray type = table.typeForFileName(QString::fromUtf8(file));
    if (!type.isEmpty())
        return type;
    QStringList endings;
    for (const Interpreter &row : table.rows()) {
        if (!row.fileSuffix.isEmpty())
            endings.append(row.fileSuffix);
    }
    endings.removeDuplicates();
    return failure(ErrorKind::Usage, tr("The ending of %1 stands for no type.").arg(shownText(file)),
                   tr("Add --type, or use one of %1.").arg(endings.join(QStringLiteral(", "))));
}

Result<QList<ByteField>> parseEnv(const QList<QByteArray> &pairs)
{
    QList<ByteField> env;
    for (const QByteArray &text : pairs) {
        const qsizetype equals = text.indexOf('=');
        if (equals <= 0)
            return failure(ErrorKind::Usage, tr("“%1” sets no variable.").arg(shownText(text, Lines::Flatten, 60)),
                           tr("Write --env NAME=VALUE."));
        env.append({text.left(equals), text.mid(equals + 1)});
    }
    return env;
}

} // namespace

void AccessOptions::define(OptionSet *options)
{
    options->flag("--network", &network, "Allow the network");
    options->texts("--read", &readable, "Folder or file that may be read; may be repeated");
    options->texts("--write", &writable, "Folder or file that may be changed; may be repeated");
}

Result<JobAccess> AccessOptions::access() const
{
    JobAccess access;
    access.network = network;
    for (const auto &[from, into] : {std::pair(&readable, &access.readable), std::pair(&writable, &access.writable)}) {
        for (const QByteArray &path : *from) {
            const QFileInfo place(QFile::decodeName(path));
            if (!place.exists())
                return failure(ErrorKind::Usage, tr("%1 does not exist.").arg(shownText(path)));
            into->append(place.absoluteFilePath());
        }
    }
    return access;
}

void DraftOptions::define(OptionSet *options)
{
    options->argument("FILE", &file, "The script; - reads it from standard input");
    options->text("-t,--type", &type, "Script type; without it the ending of FILE decides");
    options->texts("-e,--env", &env, "NAME=VALUE for the script's environment; may be repeated");
    options->number("--timeout", &timeout, 0, 86400, "Seconds after which the run is ended; 0 = none");
    options->number("--retries", &retries, 0, 1000, "Further attempts after a failure");
    options->text("--caller", &caller, "Who asks, CALLER_ID in the script; without it your login name");
    options->text("--context", &context, "In which context, CONTEXT_ID in the script");
    options->text("--log", &log, "Log file, below the log folder of the machine where it runs");
    access.define(options);
}

Result<Job> DraftOptions::draft(const InterpreterTable &table) const
{
    const Result<QByteArray> known = type.isEmpty() ? typeOfFile(file, table) : type;
    if (!known)
        return tl::unexpected(known.error());
    Result<Job> job = defaults();
    if (!job)
        return job;
    job->target.type = *known;
    Result<QByteArray> script = readScript(file);
    if (!script)
        return tl::unexpected(script.error());
    job->script = *script;
    return job;
}

Result<Job> DraftOptions::defaults() const
{
    Job job;
    job.target.type = type;
    Result<QList<ByteField>> variables = parseEnv(env);
    if (!variables)
        return tl::unexpected(variables.error());
    job.env = *variables;
    job.timeout = std::chrono::seconds{timeout};
    job.retries = retries;
    const Result<JobAccess> asked = access.access();
    if (!asked)
        return tl::unexpected(asked.error());
    job.access = *asked;
    job.callerId = caller.isEmpty() ? callerName() : caller;
    job.contextId = context;
    job.logPath = log;
    for (const auto &[name, value] : {std::pair("--caller", &caller), {"--context", &context}, {"--log", &log}}) {
        if (!isUtf8(*value))
            return failure(ErrorKind::Usage, tr("The value of %1 is not UTF-8 text.").arg(QLatin1String(name)));
    }
    return job;
}

QByteArray callerName()
{
    const passwd *const user = ::getpwuid(::getuid());
    return user ? QByteArray(user->pw_name) : QByteArray::number(::getuid());
}

Result<void> checkDraft(const Job &draft)
{
    const QList<FieldProblem> problems = validateDraft(draft);
    if (problems.isEmpty())
        return {};
    return failure(ErrorKind::Usage, problems.first().message);
}

} // namespace ym::cli
