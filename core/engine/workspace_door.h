// The loopback port of a workspace, and who is attached to it.
#pragma once

#include "core/engine/attachment.h"

#include <QObject>

namespace ym {

class WorkspaceStore;

/// Opens the wanted port whenever this process has the workspace, also after a take-over. Works on any store: where
/// there is no workspace there is nothing to attach to. Core thread; the store must outlive it.
class WorkspaceDoor final : public QObject {
    Q_OBJECT
public:
    /// Null: no workspace.
    explicit WorkspaceDoor(WorkspaceStore *store, QObject *parent = nullptr);

    AttachState state() const;

    /// What is wanted from now on; opens or closes at once when this process has the workspace. Returns the port that
    /// is open, 0 = none. Conflict when the port is taken: it stays closed.
    Result<quint16> setPort(const PortAccess &access);
    /// False when there is no such client.
    bool cut(qint64 clientId);

Q_SIGNALS:
    /// Clients came or went, the port or the host changed.
    void changed();

private:
    void onHostChanged();
    Result<quint16> openPort();

    WorkspaceStore *m_store;
    PortAccess m_access;
    QString m_portTrouble;
};

} // namespace ym
