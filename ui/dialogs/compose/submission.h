// Sends a draft so that pressing twice, or again after a lost answer, makes one job.
#pragma once

#include "core/engine/session.h"

#include <QObject>
#include <QPointer>

#include <optional>

namespace ym {

/// The next submission's id is chosen beforehand and changes only when the store has answered for it (RELIABILITY F8,
/// U6). GUI thread.
class Submission final : public QObject {
    Q_OBJECT
public:
    explicit Submission(Session *session, QObject *parent = nullptr);

    /// While a submission is under way another one is ignored.
    bool isBusy() const { return m_busy; }
    QByteArray nextId() const { return m_id; }
    void submit(Job draft);

Q_SIGNALS:
    void busyChanged();
    void accepted(const ym::SubmitReceipt &receipt);
    /// What happened and what to do, in a sentence or two. The draft may be submitted again.
    void refused(const QString &message);

private:
    void conclude(const Job &sent, const Result<SubmitReceipt> &outcome);
    void succeed(const SubmitReceipt &receipt);
    QString conflict(const Job &sent, const Error &error);

    QPointer<Session> m_session;
    QByteArray m_id;
    std::optional<Job> m_unsure; ///< was sent and not answered: it may have arrived
    bool m_busy = false;
};

} // namespace ym
