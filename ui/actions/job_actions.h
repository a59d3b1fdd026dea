// Stop, retry, remove and the rest, for any set of jobs: when they are possible, what is asked, what is told after.
#pragma once

#include "core/engine/session.h"

#include <QObject>
#include <QPointer>

namespace ym {

class ActionRegistry;
class DialogOpener;
class Workspace;

enum class JobVerb : quint8 { Stop, Retry, Remove };

/// GUI thread.
class JobActions final : public QObject {
    Q_OBJECT
public:
    /// Adds its actions to the registry. `window` is the parent of questions.
    JobActions(Workspace *workspace, ActionRegistry *registry, DialogOpener *dialogs, QWidget *window);

    /// Why nothing that needs this can be changed on the connection that is shown; empty when it can.
    QString whyNoChange(Capability needed) const;
    /// Why it cannot be done to these jobs now; empty when it can. Looks at no more than 200 of them.
    QString whyNot(JobVerb verb, const QList<QByteArray> &ids) const;
    /// Asks where that is due, does it, and tells how it went.
    void perform(JobVerb verb, const QList<QByteArray> &ids);

    void copyIds(const QList<QByteArray> &ids);
    void duplicate(const QByteArray &id);
    /// Opens a window in which the job runs here, beside how it went.
    void runLocally(const QByteArray &id);
    /// A notification when it ends, or none any more.
    void setWatched(const QByteArray &id, bool on);
    bool isWatched(const QByteArray &id) const;

Q_SIGNALS:
    void watchedChanged(const QByteArray &id, bool on);

private:
    void addVerb(JobVerb verb);
    void addOthers(ActionRegistry *registry);
    QString whyNotAll(JobVerb verb) const;
    void request(JobVerb verb, QList<QByteArray> ids, QPointer<Session> session);

    Workspace *m_workspace;
    ActionRegistry *m_registry;
    DialogOpener *m_dialogs;
    QWidget *m_window;
    QSet<std::pair<QString, QByteArray>> m_watched; ///< profile id, job id
};

} // namespace ym
