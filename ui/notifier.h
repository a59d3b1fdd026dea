// Tells that a watched job ended: on the desktop where that is possible, else in the window.
#pragma once

#include "core/engine/session.h"

#include <QObject>

#include <functional>

class QSystemTrayIcon;

namespace ym {

class Workspace;

/// GUI thread.
class Notifier final : public QObject {
    Q_OBJECT
public:
    /// Shows a message on the desktop; false when that is not possible. Tests put their own in.
    using Desktop = std::function<bool(const QString &title, const QString &text)>;

    Notifier(Workspace *workspace, QWidget *window);
    ~Notifier() override;

    void setDesktop(Desktop desktop) { m_desktop = std::move(desktop); }

private:
    void tell(Session *session, const JobSummary &job);
    bool showOnDesktop(const QString &title, const QString &text);

    Workspace *m_workspace;
    QWidget *m_window;
    Desktop m_desktop;
    QSystemTrayIcon *m_tray = nullptr;
    QString m_lastProfile; ///< where a click on the message leads
    QByteArray m_lastJob;
};

} // namespace ym
