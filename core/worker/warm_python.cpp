#include "core/worker/warm_python.h"

#include "core/worker/job_environment.h"

#include <QFile>
#include <QSet>

namespace ym {

namespace {

constexpr qsizetype longestLook = 64 << 10; ///< imports stand at the beginning of a script

const QSet<QByteArray> &quietModules()
{
    static const QSet<QByteArray> names{
        "abc",        "argparse",   "array",       "ast",        "asyncio",   "base64",    "binascii",   "bisect",
        "bz2",        "calendar",   "codecs",      "collections", "configparser", "contextlib", "copy",  "csv",
        "ctypes",     "dataclasses", "datetime",   "decimal",    "difflib",   "email",     "enum",       "errno",
        "fnmatch",    "fractions",  "functools",   "getpass",    "glob",      "gzip",      "hashlib",    "heapq",
        "hmac",       "html",       "http",        "inspect",    "io",        "itertools", "json",       "locale",
        "logging",    "lzma",       "math",        "mimetypes",  "operator",  "pathlib",   "pickle",     "platform",
        "pprint",     "queue",      "random",      "re",         "secrets",   "select",    "shlex",      "shutil",
        "signal",     "socket",     "sqlite3",     "ssl",        "stat",      "statistics", "string",    "struct",
        "subprocess", "tarfile",    "tempfile",    "textwrap",   "threading", "time",      "traceback",  "types",
        "typing",     "unicodedata", "urllib",     "uuid",       "weakref",   "xml",       "zipfile",    "zlib"};
    return names;
}

bool isSpace(char c)
{
    return c == ' ' || c == '\t';
}

/// The first word from there on, and moves behind it.
QByteArray takeWord(const QByteArray &line, qsizetype &at)
{
    while (at < line.size() && isSpace(line[at]))
        ++at;
    const qsizetype from = at;
    while (at < line.size() && !isSpace(line[at]) && line[at] != ',' && line[at] != ';' && line[at] != '.'
           && line[at] != '\r' && line[at] != '#')
        ++at;
    return line.mid(from, at - from);
}

QByteArray zygoteScript()
{
    QFile file(QStringLiteral(":/python/zygote.py"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Variables that an interpreter reads when it starts.
bool wantsOwnInterpreter(const Job &job)
{
    return std::any_of(job.env.begin(), job.env.end(),
                       [](const ByteField &variable) { return variable.first.startsWith("PYTHON"); });
}

} // namespace

bool canBeForked(const Interpreter &row, const Job &job)
{
    const auto words = row.command.mid(1);
    return row.command.constFirst().section(u'/', -1).startsWith(QLatin1String("python3")) && row.prelude.isEmpty()
        && words == QStringList{QStringLiteral("-u"), QStringLiteral("{file}")} && !wantsOwnInterpreter(job);
}

LaunchOrder warmInterpreter(const LaunchOrder &job, const QByteArray &module)
{
    LaunchOrder zygote = job;
    zygote.command = {job.command.constFirst(), "-u", "-c", zygoteScript(), module, job.script};
    zygote.variables = jobEnvironment({}, job.folder);
    zygote.variables.append("LD_BIND_NOW=1"); // what is bound before the forks, no fork has to change
    zygote.files.clear();
    zygote.imports.clear();
    zygote.script.clear();
    zygote.isWarm = true;
    return zygote;
}

QList<QByteArray> importedModules(const QByteArray &script)
{
    QList<QByteArray> found;
    const QByteArray text = QByteArray::fromRawData(script.constData(), std::min(script.size(), longestLook));
    for (const QByteArray &line : text.split('\n')) {
        qsizetype at = 0;
        const QByteArray verb = takeWord(line, at);
        if (verb != "import" && verb != "from")
            continue;
        for (bool more = true; more; more = verb == "import" && at < line.size() && line[at++] == ',') {
            const QByteArray name = takeWord(line, at);
            if (quietModules().contains(name) && !found.contains(name))
                found.append(name);
            const qsizetype comma = line.indexOf(',', at);
            at = comma < 0 ? line.size() : comma;
        }
    }
    return found;
}

} // namespace ym
