// The interpreter table's file: JSON, written atomically, refused as a whole when anything in it is wrong.
#include "core/worker/interpreter_table.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace ym {

namespace {

constexpr int fileVersion = 1;
constexpr qint64 maxFileBytes = 1 << 20;

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::InterpreterTable", text);
}

/// The numbers of a limits profile by their names in the file. Bytes are in MiB there.
struct LimitField {
    const char *name;
    qint64 (*read)(const RunLimits &);
    void (*write)(RunLimits &, qint64);
};
constexpr qint64 mebi = qint64{1} << 20;
constexpr LimitField limitFields[] = {
    {"cpu_s", [](const RunLimits &l) { return qint64(l.cpu.count()); },
     [](RunLimits &l, qint64 v) { l.cpu = std::chrono::seconds{v}; }},
    {"memory_mib", [](const RunLimits &l) { return l.memoryBytes / mebi; },
     [](RunLimits &l, qint64 v) { l.memoryBytes = v * mebi; }},
    {"address_space_mib", [](const RunLimits &l) { return l.addressBytes / mebi; },
     [](RunLimits &l, qint64 v) { l.addressBytes = v * mebi; }},
    {"file_mib", [](const RunLimits &l) { return l.fileBytes / mebi; },
     [](RunLimits &l, qint64 v) { l.fileBytes = v * mebi; }},
    {"disk_mib", [](const RunLimits &l) { return l.diskBytes / mebi; },
     [](RunLimits &l, qint64 v) { l.diskBytes = v * mebi; }},
    {"files", [](const RunLimits &l) { return qint64(l.files); }, [](RunLimits &l, qint64 v) { l.files = int(v); }},
    {"processes", [](const RunLimits &l) { return qint64(l.processes); },
     [](RunLimits &l, qint64 v) { l.processes = int(v); }},
    {"open_files", [](const RunLimits &l) { return qint64(l.openFiles); },
     [](RunLimits &l, qint64 v) { l.openFiles = int(v); }},
};

QJsonObject limitsJson(const RunLimits &limits)
{
    QJsonObject object;
    for (const LimitField &field : limitFields)
        object[QLatin1String(field.name)] = field.read(limits);
    return object;
}

/// Those that are not named keep their default. False for a name or a number that cannot be.
bool readLimits(const QJsonValue &value, RunLimits &limits)
{
    constexpr double most = 1 << 30;
    if (value.isUndefined())
        return true;
    const QJsonObject object = value.toObject();
    for (auto member = object.begin(); member != object.end(); ++member) {
        const auto field = std::find_if(std::begin(limitFields), std::end(limitFields), [&member](const LimitField &known) {
            return member.key() == QLatin1String(known.name);
        });
        const double number = member.value().toDouble(-1);
        if (field == std::end(limitFields) || number < 0 || number > most)
            return false;
        field->write(limits, qint64(number));
    }
    return value.isObject();
}

/// A list of texts, or nothing. False for anything else.
bool readTexts(const QJsonValue &value, QStringList &texts)
{
    if (value.isUndefined())
        return true;
    const QJsonArray array = value.toArray();
    texts.clear();
    for (const QJsonValue &text : array) {
        if (!text.isString())
            return false;
        texts.append(text.toString());
    }
    return value.isArray();
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
            {QStringLiteral("prelude"), row.prelude},
            {QStringLiteral("version"), QJsonArray::fromStringList(row.versionArguments)},
            {QStringLiteral("network"), row.access.network},
            {QStringLiteral("read"), QJsonArray::fromStringList(row.access.readable)},
            {QStringLiteral("write"), QJsonArray::fromStringList(row.access.writable)},
            {QStringLiteral("limits"), limitsJson(row.limits)}};
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
    row.access.network = object[u"network"].toBool();
    const bool extras = readTexts(object[u"version"], row.versionArguments) && readTexts(object[u"read"], row.access.readable)
        && readTexts(object[u"write"], row.access.writable) && readLimits(object[u"limits"], row.limits);
    if (!extras)
        return failure(ErrorKind::Usage,
                       tr("Row %1: “version”, “read” and “write” are lists of texts, “limits” holds numbers named cpu_s, "
                          "memory_mib, address_space_mib, file_mib, disk_mib, files, processes and open_files.")
                           .arg(number));
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

/// The same JSON without its comments; what is none stays as it is, for the message.
QByteArray withoutComments(const QByteArray &bytes)
{
    constexpr int deepest = 64;
    const auto isShallow = [](int depth, nlohmann::json::parse_event_t, nlohmann::json &) { return depth < deepest; };
    const auto json = nlohmann::json::parse(bytes.begin(), bytes.end(), isShallow, false, true);
    if (json.is_discarded())
        return bytes;
    return QByteArray::fromStdString(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// The rows of a file that exists.
Result<QList<Interpreter>> read(const QString &path)
{
    QFile file(path);
    const QString advice = tr("Correct or delete %1.").arg(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorKind::Io, tr("The interpreter table cannot be read: %1.").arg(file.errorString()), advice);
    const QByteArray bytes = file.read(maxFileBytes + 1);
    if (bytes.size() > maxFileBytes)
        return failure(ErrorKind::TooLarge, tr("The interpreter table is over 1 MiB."), advice);
    auto parsed = parse(withoutComments(bytes));
    if (!parsed)
        return failure(parsed.error().kind, tr("The interpreter table is damaged. %1").arg(parsed.error().message),
                       advice);
    return parsed;
}

} // namespace

Result<void> InterpreterTable::load(const QString &path)
{
    QList<Interpreter> rows;
    if (QFile::exists(path)) {
        const auto found = read(path);
        if (!found)
            return tl::unexpected(found.error());
        rows = *found;
    }
    const QMutexLocker lock(&m_mutex);
    m_userRows = rows;
    return {};
}

Result<void> InterpreterTable::add(const QString &path)
{
    if (!QFile::exists(path))
        return failure(ErrorKind::NotFound, tr("%1 does not exist.").arg(path));
    const auto found = read(path);
    if (!found)
        return tl::unexpected(found.error());
    for (const Interpreter &row : *found) {
        if (const auto set = setRow(row); !set)
            return set;
    }
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
