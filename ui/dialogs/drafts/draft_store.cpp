#include "ui/dialogs/drafts/draft_store.h"

#include <QCoreApplication>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QUuid>

namespace ym {

namespace {

constexpr int formatVersion = 2;
constexpr int oldFormatVersion = 1; ///< one job, its fields beside the draft's own
constexpr qint64 largestFile = 64 * 1024 * 1024;

QString suffixOf(DraftStore::Kind kind)
{
    return kind == DraftStore::Kind::Job ? QStringLiteral(".draft") : QStringLiteral(".graph-draft");
}

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::DraftStore", text);
}

/// Text stays readable in the file; bytes that are no text are kept exactly.
QJsonValue packed(const QByteArray &bytes)
{
    const QString text = QString::fromUtf8(bytes);
    if (text.toUtf8() == bytes)
        return text;
    return QJsonObject{{QStringLiteral("base64"), QString::fromLatin1(bytes.toBase64())}};
}

QByteArray unpacked(const QJsonValue &value)
{
    if (value.isObject())
        return QByteArray::fromBase64(value.toObject().value(QStringLiteral("base64")).toString().toLatin1());
    return value.toString().toUtf8();
}

struct TextField {
    const char *name;
    QByteArray &(*of)(Job &job);
};

constexpr TextField textFields[]{
    {"id", [](Job &job) -> QByteArray & { return job.id; }},
    {"type", [](Job &job) -> QByteArray & { return job.target.type; }},
    {"group", [](Job &job) -> QByteArray & { return job.target.group; }},
    {"instance", [](Job &job) -> QByteArray & { return job.target.instance; }},
    {"worker", [](Job &job) -> QByteArray & { return job.target.legacyWorker; }},
    {"callerId", [](Job &job) -> QByteArray & { return job.callerId; }},
    {"contextId", [](Job &job) -> QByteArray & { return job.contextId; }},
    {"logPath", [](Job &job) -> QByteArray & { return job.logPath; }},
    {"script", [](Job &job) -> QByteArray & { return job.script; }},
};

QJsonObject toJson(const Draft::Part &part)
{
    Job job = part.job;
    QJsonObject object{{QStringLiteral("name"), part.name},
                       {QStringLiteral("priority"), job.target.priority},
                       {QStringLiteral("timeout"), qint64(job.timeout.count())},
                       {QStringLiteral("retries"), job.retries},
                       {QStringLiteral("concurrent"), job.concurrent},
                       {QStringLiteral("network"), job.access.network},
                       {QStringLiteral("read"), QJsonArray::fromStringList(job.access.readable)},
                       {QStringLiteral("write"), QJsonArray::fromStringList(job.access.writable)}};
    if (job.target.keys)
        object.insert(QStringLiteral("keys"), QLatin1String(keyModeName(*job.target.keys)));
    if (job.notBefore)
        object.insert(QStringLiteral("notBefore"), qint64(job.notBefore->time_since_epoch().count()));
    for (const TextField &field : textFields)
        object.insert(QLatin1String(field.name), packed(field.of(job)));
    QJsonArray env, prerequisites;
    for (const auto &[name, value] : job.env)
        env.append(QJsonArray{packed(name), packed(value)});
    for (const QByteArray &id : job.prerequisites)
        prerequisites.append(packed(id));
    object.insert(QStringLiteral("env"), env);
    object.insert(QStringLiteral("prerequisites"), prerequisites);
    return object;
}

QJsonObject toJson(const Draft &draft)
{
    QJsonArray jobs;
    for (const Draft::Part &part : draft.parts)
        jobs.append(toJson(part));
    return {{QStringLiteral("version"), formatVersion},
            {QStringLiteral("profile"), draft.profileId},
            {QStringLiteral("savedAt"), QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs)},
            {QStringLiteral("jobs"), jobs}};
}

QStringList textsOf(const QJsonValue &array)
{
    QStringList texts;
    for (const QJsonValue &text : array.toArray())
        texts.append(text.toString());
    return texts;
}

Draft::Part partFrom(const QJsonObject &object)
{
    Draft::Part part;
    part.name = object.value(QStringLiteral("name")).toString();
    Job &job = part.job;
    job.target.priority = std::clamp(object.value(QStringLiteral("priority")).toInt(1), 0, 2);
    job.timeout = std::chrono::seconds(std::clamp(object.value(QStringLiteral("timeout")).toInt(300), 0, 86400));
    job.retries = std::clamp(object.value(QStringLiteral("retries")).toInt(), 0, 1000);
    job.concurrent = object.value(QStringLiteral("concurrent")).toBool();
    job.access = {object.value(QStringLiteral("network")).toBool(), textsOf(object.value(QStringLiteral("read"))),
                  textsOf(object.value(QStringLiteral("write")))};
    job.target.keys = keyModeFromName(object.value(QStringLiteral("keys")).toString().toLatin1());
    if (const qint64 ms = object.value(QStringLiteral("notBefore")).toInteger(); ms > 0)
        job.notBefore = Timestamp(Milliseconds(ms));
    for (const TextField &field : textFields)
        field.of(job) = unpacked(object.value(QLatin1String(field.name)));
    for (const QJsonValue &pair : object.value(QStringLiteral("env")).toArray())
        job.env.append({unpacked(pair.toArray().at(0)), unpacked(pair.toArray().at(1))});
    for (const QJsonValue &id : object.value(QStringLiteral("prerequisites")).toArray())
        job.prerequisites.append(unpacked(id));
    return part;
}

std::optional<Draft> fromJson(const QByteArray &bytes)
{
    const QJsonObject object = QJsonDocument::fromJson(bytes).object();
    const int version = object.value(QStringLiteral("version")).toInt();
    Draft draft;
    draft.profileId = object.value(QStringLiteral("profile")).toString();
    draft.savedAt = QDateTime::fromString(object.value(QStringLiteral("savedAt")).toString(), Qt::ISODateWithMs);
    if (version == oldFormatVersion) {
        draft.parts.push_back(partFrom(object));
        draft.parts.front().name = object.value(QStringLiteral("file")).toString();
        return draft;
    }
    for (const QJsonValue &job : object.value(QStringLiteral("jobs")).toArray())
        draft.parts.push_back(partFrom(job.toObject()));
    return version == formatVersion && !draft.parts.empty() ? std::optional(std::move(draft)) : std::nullopt;
}

std::optional<Draft> read(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.size() > largestFile)
        return std::nullopt;
    return fromJson(file.readAll());
}

QString lockPath(const QString &path)
{
    return path + QStringLiteral(".lock");
}

} // namespace

DraftFile::DraftFile(QString path, std::unique_ptr<QLockFile> lock)
    : m_path(std::move(path))
    , m_lock(std::move(lock))
{
}

DraftFile::~DraftFile() = default;

Result<void> DraftFile::save(const Draft &draft)
{
    QSaveFile file(m_path);
    const QByteArray bytes = QJsonDocument(toJson(draft)).toJson(QJsonDocument::Compact);
    const bool saved = file.open(QIODevice::WriteOnly)
        && file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner) && file.write(bytes) == bytes.size()
        && file.commit();
    if (saved)
        return {};
    return failure(ErrorKind::Io, tr("The draft could not be kept: %1.").arg(file.errorString()),
                   tr("Save the script to a file of your own."));
}

void DraftFile::discard()
{
    QFile::remove(m_path);
}

DraftStore::DraftStore(QString folder, Kind kind)
    : m_folder(std::move(folder))
    , m_kind(kind)
{
}

std::unique_ptr<DraftFile> DraftStore::lock(const QString &path) const
{
    auto lock = std::make_unique<QLockFile>(lockPath(path));
    lock->setStaleLockTime(0); // a lock is stale only when its process is gone
    if (!lock->tryLock())
        return nullptr;
    return std::unique_ptr<DraftFile>(new DraftFile(path, std::move(lock)));
}

std::unique_ptr<DraftFile> DraftStore::create() const
{
    if (!QDir().mkpath(m_folder))
        return nullptr;
    QFile::setPermissions(m_folder, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    const QString name = QUuid::createUuid().toString(QUuid::WithoutBraces) + suffixOf(m_kind);
    return lock(QDir(m_folder).filePath(name));
}

std::unique_ptr<DraftStore::Recovered> DraftStore::takeAbandoned(const QString &profileId) const
{
    const QStringList filter{u'*' + suffixOf(m_kind)};
    const QFileInfoList files = QDir(m_folder).entryInfoList(filter, QDir::Files | QDir::NoSymLinks, QDir::Time);
    for (const QFileInfo &info : files) {
        std::unique_ptr<DraftFile> file = lock(info.filePath());
        if (!file)
            continue;
        std::optional<Draft> draft = read(info.filePath());
        if (!draft) {
            QFile::rename(info.filePath(), info.filePath() + QStringLiteral(".corrupt"));
            continue;
        }
        if (draft->profileId == profileId)
            return std::make_unique<Recovered>(Recovered{std::move(*draft), std::move(file)});
    }
    return nullptr;
}

} // namespace ym
