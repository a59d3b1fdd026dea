// Requeue, move, edit and resubmit, purge, and the way back after a removal.
#pragma once

#include "core/engine/session.h"

#include <QObject>
#include <QPointer>

namespace ym {

class ActionRegistry;
class DialogOpener;
class JobActions;
class Workspace;

/// Each asks first, with the count and the place, and tells how it went. GUI thread.
class ChangeActions final : public QObject {
    Q_OBJECT
public:
    ChangeActions(Workspace *workspace, ActionRegistry *registry, JobActions *jobs, DialogOpener *dialogs, QWidget *window);

    /// Asks and removes what waits in this queue.
    void purge(const QByteArray &queue, qint64 depth);
    /// Gives the chosen jobs this target.
    void move(const QList<QByteArray> &ids, const Target &to);

private:
    void requeue();
    void chooseTarget();
    void edit();
    void restore();
    QString whyNone(bool (*applies)(JobState), const QString &otherwise) const;
    /// Asks unless settings say no; production wants its name typed.
    void ask(const QString &title, const QString &text, const QString &details, const QString &answer,
             std::function<void(Session *)> confirmed);
    QString place() const;

    Workspace *m_workspace;
    JobActions *m_jobs;
    DialogOpener *m_dialogs;
    QWidget *m_window;
};

} // namespace ym
