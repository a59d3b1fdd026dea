// Where jobs shall go that have not started.
#pragma once

#include "core/engine/session.h"
#include "ui/dialogs/parts/fitting_dialog.h"

class QLabel;
class QPushButton;

namespace ym {

class PresenceIndex;
class RouteBox;
class TargetFields;

/// Choose type, group, instance and priority; the whole target is the new one. GUI thread.
class MoveDialog final : public FittingDialog {
    Q_OBJECT
public:
    MoveDialog(Session *session, qsizetype jobCount, QWidget *parent = nullptr);

    void setInterpreters(const QList<InterpreterStatus> &interpreters);
    void setPresence(PresenceIndex *presence);
    void setTarget(const Target &target);
    Target target() const;

Q_SIGNALS:
    void chosen(const ym::Target &target);
    /// For the target that is chosen here.
    void startWorkerWanted(const ym::Target &target);

private:
    void validate();

    TargetFields *m_fields;
    RouteBox *m_route;
    QLabel *m_status;
    QPushButton *m_move;
};

} // namespace ym
