// Start, quiet, resume and stop the workers inside this application.
#pragma once

#include "core/engine/session.h"

#include <QObject>

#include <functional>

namespace ym {

class ActionRegistry;
class DialogOpener;
class Workspace;

/// GUI thread.
class WorkerActions final : public QObject {
    Q_OBJECT
public:
    WorkerActions(Workspace *workspace, ActionRegistry *registry, DialogOpener *dialogs, QWidget *window);

    /// Handle of the local worker that is meant; 0 = none. The function asks the page that shows them.
    void setChosen(std::function<quint32()> chosen) { m_chosen = std::move(chosen); }

private:
    void add(ActionRegistry *registry, DialogOpener *dialogs);
    LocalWorkerInfo worker() const;
    void quiet(bool on);
    void stop();
    void tell(const Result<bool> &result, const QString &done);

    Workspace *m_workspace;
    QWidget *m_window;
    std::function<quint32()> m_chosen;
};

} // namespace ym
