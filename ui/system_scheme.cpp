#include "ui/system_scheme.h"

#include "ui/theme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QGuiApplication>

namespace ym {

namespace {

const QString service = QStringLiteral("org.freedesktop.portal.Desktop");
const QString path = QStringLiteral("/org/freedesktop/portal/desktop");
const QString portalInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString appearance = QStringLiteral("org.freedesktop.appearance");
const QString colorScheme = QStringLiteral("color-scheme");

/// The portal wraps the value once or twice, depending on its version.
uint unwrapped(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value.toUInt();
}

} // namespace

SystemScheme::SystemScheme(QObject *parent)
    : QObject(parent)
    , m_brightness(brightnessOf(QGuiApplication::palette()))
{
    if (QDBusConnection::sessionBus().isConnected())
        askPortal();
}

void SystemScheme::askPortal()
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    // The one string-typed connect of the program: D-Bus signals have no C++ declaration.
    bus.connect(service, path, portalInterface, QStringLiteral("SettingChanged"), this,
                "1onPortalChanged(QString,QString,QDBusVariant)");
    QDBusMessage read = QDBusMessage::createMethodCall(service, path, portalInterface, QStringLiteral("Read"));
    read << appearance << colorScheme;
    auto *const waiting = new QDBusPendingCallWatcher(bus.asyncCall(read), this);
    connect(waiting, &QDBusPendingCallWatcher::finished, this, [this, waiting] {
        waiting->deleteLater();
        const QDBusPendingReply<QDBusVariant> reply = *waiting;
        if (reply.isValid())
            take(unwrapped(QVariant::fromValue(reply.value())));
    });
}

void SystemScheme::onPortalChanged(const QString &space, const QString &key, const QDBusVariant &value)
{
    if (space == appearance && key == colorScheme)
        take(unwrapped(QVariant::fromValue(value)));
}

/// 0 no preference, 1 dark, 2 light.
void SystemScheme::take(uint portalValue)
{
    if (portalValue != 1 && portalValue != 2)
        return;
    const Brightness wanted = portalValue == 1 ? Brightness::Dark : Brightness::Light;
    if (wanted == m_brightness)
        return;
    m_brightness = wanted;
    Q_EMIT changed();
}

} // namespace ym
