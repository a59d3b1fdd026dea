#include "app/cli/graph_file.h"

#include "app/cli/draft_options.h"
#include "app/cli/script_source.h"
#include "app/cli/words.h"

#include "core/base/text.h"
#include "core/job/dependency_graph.h"
#include "core/worker/interpreter_table.h"

#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QUuid>

namespace ym::cli {

namespace {

constexpr qsizetype mostJobs = 100'000;

/// What a job may have, and whether it makes sense for all.
struct Member {
    const char *name;
    QJsonValue::Type type;
    bool isShared = true; ///< also in "defaults"
};
constexpr Member members[] = {
    {"name", QJsonValue::String, false},
    {"script", QJsonValue::String, false},
    {"file", QJsonValue::String, false},
    {"after", QJsonValue::Array, false},
    {"type", QJsonValue::String},
    {"group", QJsonValue::String},
    {"instance", QJsonValue::String},
    {"worker_id", QJsonValue::String},
    {"keys", QJsonValue::String},
    {"priority", QJsonValue::Double},
    {"delay", QJsonValue::Double},
    {"timeout", QJsonValue::Double},
    {"retries", QJsonValue::Double},
    {"concurrent", QJsonValue::Bool},
    {"env", QJsonValue::Object},
    {"log", QJsonValue::String},
    {"caller", QJsonValue::String},
    {"context", QJsonValue::String},
    {"network", QJsonValue::Bool},
    {"read", QJsonValue::Array},
    {"write", QJsonValue::Array},
};

int lineAt(const QByteArray &text, qsizetype offset)
{
    return int(text.left(offset).count('\n')) + 1;
}

/// The line where a job's name stands; 0 when it cannot be told.
int lineOf(const QByteArray &text, const QString &name)
{
    const QRegularExpression pattern(QStringLiteral("\"name\"\\s*:\\s*\"%1\"").arg(QRegularExpression::escape(name)));
    const QRegularExpressionMatch match = pattern.match(QString::fromUtf8(text));
    return match.hasMatch() ? lineAt(QString::fromUtf8(text).left(match.capturedStart()).toUtf8(), text.size()) : 0;
}

class Reader {
public:
    Reader(QByteArray path, const InterpreterTable &table, Job defaults)
        : m_path(std::move(path))
        , m_table(table)
        , m_defaults(std::move(defaults))
    {
    }

    Result<GraphFile> read();

private:
    Result<void> readMember(const QString &name, const QJsonValue &value, Job *job);
    Result<void> readMembers(const QJsonObject &object, Job *job, bool isShared);
    Result<void> readScriptOf(const QJsonObject &object, Job *job);
    Result<void> readPaths(const QString &name, const QJsonArray &values, QStringList *into);
    QByteArray pathOf(const QString &name) const;
    Result<void> readJob(const QJsonValue &value, qsizetype number);
    Result<void> resolveNames();
    Result<void> checkCircle() const;
    tl::unexpected<Error> wrong(const QString &message, const QString &advice = {}) const;

    QByteArray m_path;
    const InterpreterTable &m_table;
    Job m_defaults;
    QByteArray m_text;
    QString m_where; ///< “job “x””, for messages
    int m_line = 0;
    GraphFile m_file;
    QHash<QByteArray, size_t> m_places;
    QList<QList<QByteArray>> m_after;
};

tl::unexpected<Error> Reader::wrong(const QString &message, const QString &advice) const
{
    QString place = shownText(m_path == "-" ? QByteArray("standard input") : m_path);
    if (m_line > 0)
        place += QStringLiteral(":%1").arg(m_line);
    return failure(ErrorKind::Usage, place + QStringLiteral(": ") + (m_where.isEmpty() ? QString() : m_where + QStringLiteral(": ")) + message,
                   advice);
}

Result<GraphFile> Reader::read()
{
    const Result<QByteArray> text = readScript(m_path);
    if (!text)
        return tl::unexpected(text.error());
    m_text = *text;
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(m_text, &problem);
    if (problem.error != QJsonParseError::NoError) {
        m_line = lineAt(m_text, problem.offset);
        return wrong(tr("this is not JSON: %1.").arg(problem.errorString()));
    }
    const QJsonObject top = document.object();
    for (const QString &name : top.keys()) {
        if (name != QLatin1String("jobs") && name != QLatin1String("defaults"))
            return wrong(tr("“%1” means nothing here.").arg(shownText(name.toUtf8())), tr("Write “jobs” and “defaults”."));
    }
    const QJsonArray jobs = top[u"jobs"].toArray();
    if (jobs.isEmpty())
        return wrong(tr("there are no jobs."), tr("Write {\"jobs\": [{\"name\": …, \"script\": …}]}."));
    if (jobs.size() > mostJobs)
        return wrong(tr("there are more than %1 jobs.").arg(mostJobs), tr("Make several graphs of them."));
    m_where = tr("defaults");
    if (!top[u"defaults"].isObject() && !top[u"defaults"].isUndefined())
        return wrong(tr("it is no object."), tr("Write {\"defaults\": {\"type\": …}, \"jobs\": […]}."));
    if (const Result<void> read = readMembers(top[u"defaults"].toObject(), &m_defaults, true); !read)
        return tl::unexpected(read.error());
    qsizetype number = 0;
    for (const QJsonValue &value : jobs) {
        if (const Result<void> read = readJob(value, ++number); !read)
            return tl::unexpected(read.error());
    }
    if (const Result<void> resolved = resolveNames(); !resolved)
        return tl::unexpected(resolved.error());
    m_line = 0;
    m_where.clear();
    if (const Result<void> checked = checkCircle(); !checked)
        return tl::unexpected(checked.error());
    return std::move(m_file);
}

Result<void> Reader::readJob(const QJsonValue &value, qsizetype number)
{
    const QJsonObject object = value.toObject();
    const QString name = object[u"name"].toString();
    static const QRegularExpression fit(QStringLiteral("\\A[A-Za-z0-9_.-]{1,100}\\z"));
    m_line = 0;
    m_where = tr("job number %1").arg(number);
    if (!fit.match(name).hasMatch())
        return wrong(tr("it needs a name."), tr("A name is 1 to 100 letters, digits, “_”, “.” and “-”."));
    m_line = lineOf(m_text, name);
    m_where = tr("job “%1”").arg(name);
    if (m_places.contains(name.toUtf8()))
        return wrong(tr("there are two of this name."));
    Job job = m_defaults;
    job.id = newJobId();
    if (const Result<void> read = readMembers(object, &job, false); !read)
        return read;
    if (const Result<void> read = readScriptOf(object, &job); !read)
        return read;
    if (const Result<void> checked = checkDraft(job); !checked)
        return wrong(checked.error().message);
    QList<QByteArray> after;
    for (const QJsonValue &entry : object[u"after"].toArray()) {
        if (!entry.isString())
            return wrong(tr("“after” holds something that is no name."), tr("Write names of jobs of this file, or ids."));
        if (!after.contains(entry.toString().toUtf8()))
            after.append(entry.toString().toUtf8());
    }
    m_places.insert(name.toUtf8(), m_file.drafts.size());
    m_file.names.append(name.toUtf8());
    m_file.drafts.push_back(std::move(job));
    m_after.append(after);
    return {};
}

Result<void> Reader::readMembers(const QJsonObject &object, Job *job, bool isShared)
{
    for (auto member = object.begin(); member != object.end(); ++member) {
        const auto known = std::find_if(std::begin(members), std::end(members),
                                        [&](const Member &row) { return member.key() == QLatin1String(row.name); });
        if (known == std::end(members) || (isShared && !known->isShared))
            return wrong(tr("“%1” means nothing here.").arg(shownText(member.key().toUtf8(), Lines::Flatten, 60)));
        if (member.value().type() != known->type)
            return wrong(tr("“%1” has a value of another kind.").arg(member.key()));
        if (const Result<void> read = readMember(member.key(), member.value(), job); !read)
            return read;
    }
    return {};
}

Result<void> Reader::readMember(const QString &name, const QJsonValue &value, Job *job)
{
    const QByteArray text = value.toString().toUtf8();
    const auto number = [&](int least, int most) { return value.toInt(least - 1) >= least && value.toInt(least - 1) <= most; };
    const auto outside = [&](int least, int most) {
        return wrong(tr("“%1” must be a whole number from %2 to %3.").arg(name, QString::number(least), QString::number(most)));
    };
    if (name == QLatin1String("type"))
        job->target.type = text;
    else if (name == QLatin1String("group"))
        job->target.group = text;
    else if (name == QLatin1String("instance"))
        job->target.instance = text;
    else if (name == QLatin1String("log"))
        job->logPath = text;
    else if (name == QLatin1String("caller"))
        job->callerId = text;
    else if (name == QLatin1String("context"))
        job->contextId = text;
    else if (name == QLatin1String("worker_id"))
        job->target.legacyWorker = text;
    else if (name == QLatin1String("concurrent"))
        job->concurrent = value.toBool();
    else if (name == QLatin1String("network"))
        job->access.network = value.toBool();
    else if (name == QLatin1String("read"))
        return readPaths(name, value.toArray(), &job->access.readable);
    else if (name == QLatin1String("write"))
        return readPaths(name, value.toArray(), &job->access.writable);
    if (name == QLatin1String("keys")) {
        job->target.keys = keyModeFromName(text);
        if (!job->target.keys)
            return wrong(tr("“keys” must be auto, canonical, legacy or dual."));
    } else if (name == QLatin1String("delay")) {
        if (!number(0, 366 * 86'400))
            return outside(0, 366 * 86'400);
        job->notBefore.reset();
        if (value.toInt() > 0)
            job->notBefore = Clock::system().now() + std::chrono::seconds{value.toInt()};
    } else if (name == QLatin1String("priority")) {
        if (!number(0, 2))
            return outside(0, 2);
        job->target.priority = value.toInt();
    } else if (name == QLatin1String("timeout")) {
        if (!number(0, 86'400))
            return outside(0, 86'400);
        job->timeout = std::chrono::seconds{value.toInt()};
    } else if (name == QLatin1String("retries")) {
        if (!number(0, 1'000))
            return outside(0, 1'000);
        job->retries = value.toInt();
    } else if (name == QLatin1String("env")) {
        const QJsonObject object = value.toObject();
        for (auto variable = object.begin(); variable != object.end(); ++variable) {
            if (!variable.value().isString())
                return wrong(tr("the variable %1 must be text.").arg(shownText(variable.key().toUtf8(), Lines::Flatten, 60)));
            job->env.removeIf([&](const ByteField &field) { return field.first == variable.key().toUtf8(); });
            job->env.append({variable.key().toUtf8(), variable.value().toString().toUtf8()});
        }
    }
    return {};
}

/// Relative to the folder of the graph file.
QByteArray Reader::pathOf(const QString &name) const
{
    const QByteArray path = name.toUtf8();
    const qsizetype slash = m_path.lastIndexOf('/');
    return path.startsWith('/') || slash < 0 ? path : m_path.left(slash + 1) + path;
}

/// Files or folders that a job may use: what --read and --write name.
Result<void> Reader::readPaths(const QString &name, const QJsonArray &values, QStringList *into)
{
    into->clear();
    for (const QJsonValue &value : values) {
        const QFileInfo place(QFile::decodeName(pathOf(value.toString())));
        if (!value.isString() || value.toString().isEmpty())
            return wrong(tr("“%1” holds something that is no path.").arg(name));
        if (!place.exists())
            return wrong(tr("%1 does not exist.").arg(shownText(value.toString().toUtf8())));
        into->append(place.absoluteFilePath());
    }
    return {};
}

/// "script" is the text, "file" names a file.
Result<void> Reader::readScriptOf(const QJsonObject &object, Job *job)
{
    const bool hasFile = object.contains(u"file");
    if (hasFile == object.contains(u"script"))
        return wrong(tr("it needs a “script” or a “file”, and not both."));
    if (!hasFile) {
        job->script = object[u"script"].toString().toUtf8();
        return {};
    }
    const QByteArray file = pathOf(object[u"file"].toString());
    if (file == "-")
        return wrong(tr("“file” names a file; standard input is none."));
    const Result<QByteArray> script = readScript(file);
    if (!script)
        return wrong(script.error().message);
    job->script = *script;
    if (job->target.type.isEmpty())
        job->target.type = m_table.typeForFileName(QString::fromUtf8(file));
    return {};
}

/// "after" holds names of this file, or ids of jobs that the store has.
Result<void> Reader::resolveNames()
{
    for (size_t i = 0; i < m_file.drafts.size(); ++i) {
        const QString own = QString::fromUtf8(m_file.names[qsizetype(i)]);
        for (const QByteArray &name : m_after[qsizetype(i)]) {
            const auto place = m_places.constFind(name);
            const QUuid id = QUuid::fromString(QLatin1String(name));
            if (place == m_places.cend() && id.isNull()) {
                m_line = lineOf(m_text, own);
                m_where = tr("job “%1”").arg(own);
                return wrong(tr("there is no job “%1” to wait for.").arg(shownText(name, Lines::Flatten, 60)),
                             tr("Write the name of a job of this file, or the id of a job that exists."));
            }
            m_file.drafts[i].prerequisites.append(place == m_places.cend() ? id.toByteArray(QUuid::WithoutBraces)
                                                                          : m_file.drafts[*place].id);
        }
    }
    return {};
}

Result<void> Reader::checkCircle() const
{
    const GraphPlan plan = planGraph(m_file.drafts);
    if (plan.isSound())
        return {};
    QStringList names;
    for (const QByteArray &id : plan.cycle.mid(0, 20)) {
        for (size_t i = 0; i < m_file.drafts.size(); ++i) {
            if (m_file.drafts[i].id == id)
                names.append(QString::fromUtf8(m_file.names[qsizetype(i)]));
        }
    }
    names.append(names.first());
    return wrong(tr("the jobs wait for one another in a circle: %1.").arg(names.join(QStringLiteral(" → "))),
                 tr("Take one of them out of an “after”."));
}

} // namespace

Result<GraphFile> readGraphFile(const QByteArray &path, const InterpreterTable &table, const Job &defaults)
{
    return Reader(path, table, defaults).read();
}

} // namespace ym::cli
