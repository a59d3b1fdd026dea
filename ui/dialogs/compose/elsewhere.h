// Submits a draft over another connection than the one that its window belongs to.
#pragma once

#include "core/engine/session.h"

#include <QObject>
#include <QPointer>

class QMenu;

namespace ym {

class Submission;

/// Opens the connection when that is needed and waits until it is ready or refused. One draft at a time. GUI thread.
class Elsewhere final : public QObject {
    Q_OBJECT
public:
    Elsewhere(Connections *connections, QString ownProfile, QObject *parent);

    /// The connections that can be submitted to, besides the own one: none of them is read-only.
    QList<Profile> choices() const;
    /// Puts the choices into a menu.
    void fill(QMenu *menu);
    bool isBusy() const { return m_isBusy; }
    void submit(const QString &profileId, Job draft);

Q_SIGNALS:
    void chosen(const QString &profileId);
    /// What it waits for, for a status line.
    void waiting(const QString &text);
    void accepted(ym::Session *session, const ym::SubmitReceipt &receipt);
    void refused(const QString &message);

private:
    void tryNow();
    void conclude(const QString &message);

    Connections *m_connections;
    QString m_ownProfile;
    QPointer<Session> m_session;
    QPointer<Submission> m_submission;
    Job m_draft;
    bool m_isBusy = false;
};

} // namespace ym
