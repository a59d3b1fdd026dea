// Requeue, move, edit and resubmit, purge, and the way back after a removal.
#pragma once

#include "core/engine/session.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <optional>

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

    /// Where the chosen queue comes from; nothing when none is.
    void setChosenQueue(std::function<std::optional<QueueInfo>()> chosen) { m_chosenQueue = std::move(chosen); }
    /// Why what waits in this queue cannot be removed; empty when it can.
    QString whyNoPurge(const std::optional<QueueInfo> &queue) const;
    /// Asks and removes what waits in this queue.
    void purge(const QueueInfo &queue);
    /// Gives the chosen jobs this target.
    void move(const QList<QByteArray> &ids, const Target &to);
    /// Asks and takes these jobs away from whoever has them.
    void requeue(const QList<QByteArray> &ids);

private:
    void chooseTarget();
    void edit();
    QString whyNone(bool (*applies)(JobState), const QString &otherwise) const;
    /// Asks unless settings say no; production wants its name typed.
    void ask(const QString &title, const QString &text, const QString &details, const QString &answer,
             std::function<void(Session *)> confirmed);
    QString place() const;

    Workspace *m_workspace;
    JobActions *m_jobs;
    DialogOpener *m_dialogs;
    QWidget *m_window;
    std::function<std::optional<QueueInfo>()> m_chosenQueue = [] { return std::optional<QueueInfo>(); };
};

} // namespace ym
