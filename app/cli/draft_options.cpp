#include "app/cli/draft_options.h"

#include "app/cli/script_source.h"
#include "app/cli/words.h"

#include "core/base/text.h"
#include "core/worker/interpreter_table.h"

#include <pwd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

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
    return failure(ErrorKind::Usage, tr("The ending of %1 stands for no type.").arg(shownText(file)),
                   tr("Add --type, or use one of %1.").arg(endings.join(QStringLiteral(", "))));
}

/// Who submits: the login name, so that others see whose job it is.
QByteArray callerName()
{
    const passwd *const user = ::getpwuid(::getuid());
    return user ? QByteArray(user->pw_name) : QByteArray::number(::getuid());
}

Result<QList<ByteField>> parseEnv(const std::vector<std::string> &pairs)
{
    QList<ByteField> env;
    for (const std::string &pair : pairs) {
        const QByteArray text = QByteArray::fromStdString(pair);
        const qsizetype equals = text.indexOf('=');
        if (equals <= 0)
            return failure(ErrorKind::Usage, tr("“%1” sets no variable.").arg(shownText(text, Lines::Flatten, 60)),
                           tr("Write --env NAME=VALUE."));
        env.append({text.left(equals), text.mid(equals + 1)});
    }
    return env;
}

} // namespace

void DraftOptions::define(CLI::App *app)
{
    app->add_option("FILE", file, "The script; - reads it from standard input")->required();
    app->add_option("-t,--type", type, "Script type; without it the ending of FILE decides");
    app->add_option("-e,--env", env, "NAME=VALUE for the script's environment; may be repeated")
        ->allow_extra_args(false);
    app->add_option("--timeout", timeout, "Seconds after which the run is ended; 0 = none")
        ->check(CLI::Range(0, 86400))
        ->capture_default_str();
    app->add_option("--retries", retries, "Further attempts after a failure")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
}

Result<Job> DraftOptions::draft(const InterpreterTable &table) const
{
    Job job;
    const QByteArray name = QByteArray::fromStdString(file);
    const Result<QByteArray> known = type.empty() ? typeOfFile(name, table) : QByteArray::fromStdString(type);
    if (!known)
        return tl::unexpected(known.error());
    job.target.type = *known;
    Result<QList<ByteField>> variables = parseEnv(env);
    if (!variables)
        return tl::unexpected(variables.error());
    job.env = *variables;
    Result<QByteArray> script = readScript(name);
    if (!script)
        return tl::unexpected(script.error());
    job.script = *script;
    job.timeout = std::chrono::seconds{timeout};
    job.retries = retries;
    job.callerId = callerName();
    return job;
}

Result<void> checkDraft(const Job &draft)
{
    const QList<FieldProblem> problems = validateDraft(draft);
    if (problems.isEmpty())
        return {};
    return failure(ErrorKind::Usage, problems.first().message);
}

} // namespace ym::cli
