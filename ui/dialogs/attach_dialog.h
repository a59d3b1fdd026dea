// How other programs attach to an embedded workspace: its socket, its port, who is in.
#pragma once

#include "core/engine/session.h"
#include "ui/dialogs/parts/fitting_dialog.h"

#include <QPointer>
#include <QTimer>

class QCheckBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace ym {

class ClientList;
class CopyLine;
class SnippetBox;
class UiSettings;

/// Everything is done at once: the switch opens the port, a new password is a new password. Looks again every second
/// while it is shown. GUI thread.
class AttachDialog final : public FittingDialog {
    Q_OBJECT
public:
    AttachDialog(Connections *connections, Session *session, UiSettings *settings, QWidget *parent = nullptr);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void makeSocketPart(QVBoxLayout *column);
    void makePortPart(QVBoxLayout *column);
    void look();
    void showState(const AttachState &state);
    void showSocket();
    void showPort();
    void readAccess();
    void applyPort();
    void renewPassword();
    void disconnectClient(qint64 id);
    void fail(const Error &error);

    QPointer<Connections> m_connections;
    QPointer<Session> m_session;
    QString m_profileId;
    AttachState m_state;
    PortAccess m_access;
    bool m_hasAccess = false;
    QString m_failure;
    QTimer m_clock;
    QLabel *m_guestNote;
    CopyLine *m_socketUrl;
    QCheckBox *m_portSwitch;
    QSpinBox *m_port;
    CopyLine *m_portUrl;
    QPushButton *m_renew;
    QLabel *m_portNote;
    ClientList *m_clients;
    SnippetBox *m_snippets;
};

} // namespace ym
