// The interpreter table's file: JSON, written atomically, refused as a whole when anything in it is wrong.
#include "core/worker/interpreter_table.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <algorithm>

namespace ym {

namespace {

constexpr int fileVersion = 1;
constexpr qint64 maxFileBytes = 1 << 20;

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::InterpreterTable", text);
}

QJsonObject toJson(const Interpreter &row)
{
    return {{QStringLiteral("type"), QString::fromUtf8(row.type)},
            {QStringLiteral("command"), QJsonArray::fromStringList(row.command)},
            {QStringLiteral("feed"),
             row.feed == Interpreter::Feed::File ? QStringLiteral("file") : QStringLiteral("stdin")},
            {QStringLiteral("failure"),
             row.failure == Interpreter::Failure::ExitCode ? QStringLiteral("exit-code")
                                                           : QStringLiteral("exit-code-or-stderr")},
            {QStringLiteral("suffix"), row.fileSuffix},
            {QStringLiteral("prelude"), row.prelude}};
}

/// One of two words; the first is the default. Empty optional: neither.
std::optional<bool> isSecond(const QJsonValue &value, const char *first, const char *second)
{
    if (value.isUndefined() || value.toString() == QLatin1String(first))
        return false;
    return value.toString() == QLatin1String(second) ? std::optional(true) : std::nullopt;
}

bool isTextOrMissing(const QJsonValue &value)
{
    return value.isUndefined() || value.isString();
}

Result<Interpreter> fromJson(const QJsonValue &value, int number)
{
    const QJsonObject object = value.toObject();
    const QJsonArray command = object[u"command"].toArray();
    const auto stdinFeed = isSecond(object[u"feed"], "file", "stdin");
    const auto stderrFails = isSecond(object[u"failure"], "exit-code", "exit-code-or-stderr");
    const bool texts = object[u"type"].isString() && isTextOrMissing(object[u"suffix"])
        && isTextOrMissing(object[u"prelude"])
        && std::all_of(command.begin(), command.end(), [](const QJsonValue &word) { return word.isString(); });
    if (!texts || !stdinFeed || !stderrFails)
        return failure(ErrorKind::Usage,
                       tr("Row %1 is not an interpreter; it needs a type, a command as a list of words, feed “file” or "
                          "“stdin” and failure “exit-code” or “exit-code-or-stderr”.")
                           .arg(number));
    Interpreter row;
    row.type = object[u"type"].toString().toUtf8();
    for (const QJsonValue &word : command)
        row.command.append(word.toString());
    row.feed = *stdinFeed ? Interpreter::Feed::StandardInput : Interpreter::Feed::File;
    row.failure = *stderrFails ? Interpreter::Failure::ExitCodeOrStderr : Interpreter::Failure::ExitCode;
    row.fileSuffix = object[u"suffix"].toString();
    row.prelude = object[u"prelude"].toString();
    if (const QString problem = rowProblem(row); !problem.isEmpty())
        return failure(ErrorKind::Usage, tr("Row %1: %2").arg(QString::number(number), problem));
    return row;
}

Result<QList<Interpreter>> parse(const QByteArray &bytes)
{
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(bytes, &problem);
    if (problem.error != QJsonParseError::NoError)
        return failure(
            ErrorKind::Usage,
            tr("It is not JSON: %1 at byte %2.").arg(problem.errorString(), QString::number(problem.offset)));
    const QJsonObject object = document.object();
    const int version = object[u"version"].toInt();
    if (version != fileVersion || !object[u"interpreters"].isArray())
        return failure(ErrorKind::Usage,
                       version > fileVersion ? tr("It was written by a newer Yardmaster.")
                                             : tr("It is not an interpreter table."));
    QList<Interpreter> rows;
    for (const QJsonValue &value : object[u"interpreters"].toArray()) {
        const Result<Interpreter> row = fromJson(value, int(rows.size()) + 1);
        if (!row)
            return tl::unexpected(row.error());
        rows.removeIf([&row](const Interpreter &other) { return other.type == row->type; });
        rows.append(*row);
    }
    std::sort(rows.begin(), rows.end(), [](const auto &a, const auto &b) { return a.type < b.type; });
    return rows;
}

} // namespace

Result<void> InterpreterTable::load(const QString &path)
{
    QFile file(path);
    QList<Interpreter> rows;
    if (file.exists()) {
        const QString advice = tr("Correct or delete %1.").arg(path);
        if (!file.open(QIODevice::ReadOnly))
            return failure(ErrorKind::Io, tr("The interpreter table cannot be read: %1.").arg(file.errorString()),
                           advice);
        const QByteArray bytes = file.read(maxFileBytes + 1);
        if (bytes.size() > maxFileBytes)
            return failure(ErrorKind::TooLarge, tr("The interpreter table is over 1 MiB."), advice);
        const auto parsed = parse(bytes);
        if (!parsed)
            return failure(parsed.error().kind, tr("The interpreter table is damaged. %1").arg(parsed.error().message),
                           advice);
        rows = *parsed;
    }
    const QMutexLocker lock(&m_mutex);
    m_userRows = rows;
    return {};
}

Result<void> InterpreterTable::save(const QString &path) const
{
    QJsonArray list;
    for (const Interpreter &row : userRows())
        list.append(toJson(row));
    const QJsonObject object{{QStringLiteral("version"), fileVersion}, {QStringLiteral("interpreters"), list}};
    QSaveFile file(path);
    const bool ok = file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(object).toJson()) > 0 && file.commit();
    if (!ok)
        return failure(ErrorKind::Io, tr("The interpreter table cannot be saved: %1.").arg(file.errorString()),
                       tr("Check the folder of %1.").arg(path));
    return {};
}

} // namespace ym
