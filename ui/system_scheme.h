// Whether the desktop wants dark windows, now and when it changes its mind.
#pragma once

#include <QDBusVariant>
#include <QObject>

namespace ym {

enum class Brightness : quint8;

/// Asks the desktop portal (org.freedesktop.appearance) over D-Bus without waiting; until it answers, and where there
/// is none, the lightness of the platform's palette decides. Make it before the application gets a palette of its own.
/// GUI thread.
class SystemScheme final : public QObject {
    Q_OBJECT
public:
    explicit SystemScheme(QObject *parent = nullptr);

    Brightness brightness() const { return m_brightness; }

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void onPortalChanged(const QString &space, const QString &key, const QDBusVariant &value);

private:
    void askPortal();
    void take(uint portalValue);

    Brightness m_brightness;
};

} // namespace ym
