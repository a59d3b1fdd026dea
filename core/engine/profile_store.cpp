#include "core/engine/profile_store.h"

#include "core/engine/paths.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

namespace ym {

namespace {

constexpr int fileVersion = 1;

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::ProfileStore", text);
}

QJsonObject toJson(const Profile &profile)
{
    return {{QStringLiteral("id"), profile.id},
            {QStringLiteral("name"), profile.name},
            {QStringLiteral("url"), profile.url},
            {QStringLiteral("protocol"), QString::fromLatin1(profile.protocol)},
            {QStringLiteral("order"), profile.order == ServingOrder::Lifo ? QStringLiteral("lifo") : QStringLiteral("fifo")},
            {QStringLiteral("keys"), QLatin1String(keyModeName(profile.keys.mode))},
            {QStringLiteral("legacyQueue"), QLatin1String(legacyQueueName(profile.keys.legacy))},
            {QStringLiteral("colour"), profile.colour},
            {QStringLiteral("readOnly"), profile.readOnly},
            {QStringLiteral("limitsOnly"), profile.limitsOnly},
            {QStringLiteral("production"), profile.production},
            {QStringLiteral("hasPort"), profile.hasPort},
            {QStringLiteral("port"), profile.port}};
}

Profile fromJson(const QJsonObject &json)
{
    Profile profile;
    profile.id = json[QStringLiteral("id")].toString();
    profile.name = json[QStringLiteral("name")].toString();
    profile.url = json[QStringLiteral("url")].toString();
    profile.protocol = json[QStringLiteral("protocol")].toString(QStringLiteral("hero")).toLatin1();
    profile.order = json[QStringLiteral("order")].toString() == QLatin1String("lifo") ? ServingOrder::Lifo : ServingOrder::Fifo;
    const KeyChoice usual;
    profile.keys.mode = keyModeFromName(json[QStringLiteral("keys")].toString().toLatin1()).value_or(usual.mode);
    profile.keys.legacy =
        legacyQueueFromName(json[QStringLiteral("legacyQueue")].toString().toLatin1()).value_or(usual.legacy);
    profile.colour = json[QStringLiteral("colour")].toString();
    profile.readOnly = json[QStringLiteral("readOnly")].toBool();
    profile.limitsOnly = json[QStringLiteral("limitsOnly")].toBool();
    profile.production = json[QStringLiteral("production")].toBool();
    profile.hasPort = json[QStringLiteral("hasPort")].toBool();
    const int port = json[QStringLiteral("port")].toInt();
    profile.port = port > 0 && port <= 65535 ? quint16(port) : 0;
    return profile;
}

QString setAside(const QString &file)
{
    const QString kept = file + QStringLiteral(".corrupt");
    QFile::remove(kept);
    QFile::rename(file, kept);
    return tr("The saved connections could not be read; the file was kept as %1.").arg(kept);
}

} // namespace

ProfileStore::ProfileStore(QString file)
    : m_file(std::move(file))
{
}

Profile ProfileStore::localProfile()
{
    Profile profile;
    profile.id = QLatin1String(localProfileId);
    profile.name = tr("Local workspace");
    profile.url = QStringLiteral("embedded:");
    return profile;
}

QList<Profile> ProfileStore::load(QString *warning) const
{
    QList<Profile> profiles{localProfile()};
    QFile file(m_file);
    if (!file.exists())
        return profiles;
    if (!file.open(QIODevice::ReadOnly)) {
        *warning = tr("The saved connections in %1 cannot be read; check its permissions.").arg(m_file);
        return profiles;
    }
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(file.read(4 * 1024 * 1024), &error);
    if (error.error != QJsonParseError::NoError || !document.isObject()) {
        file.close();
        *warning = setAside(m_file);
        return profiles;
    }
    for (const auto &value : document[QStringLiteral("connections")].toArray()) {
        Profile profile = fromJson(value.toObject());
        if (profile.id == QLatin1String(localProfileId)) {
            profile.url = profiles[0].url;
            profiles[0] = profile;
        } else if (!profile.id.isEmpty() && !profile.url.isEmpty()) {
            profiles.append(profile);
        }
    }
    if (profiles[0].name.isEmpty())
        profiles[0].name = localProfile().name;
    return profiles;
}

Result<void> ProfileStore::save(const QList<Profile> &profiles) const
{
    if (const Result<void> folder = ensureFolder(QFileInfo(m_file).absolutePath()); !folder)
        return folder;
    QJsonArray list;
    for (const Profile &profile : profiles)
        list.append(toJson(profile));
    const QJsonObject root{{QStringLiteral("version"), fileVersion}, {QStringLiteral("connections"), list}};
    QSaveFile file(m_file);
    const bool written = file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(root).toJson()) > 0 && file.commit();
    if (!written)
        return failure(ErrorKind::Io, tr("The connections could not be saved: %1.").arg(file.errorString()),
                       tr("Check the free space and the permissions of %1.").arg(m_file));
    return {};
}

} // namespace ym
