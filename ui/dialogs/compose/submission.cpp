#include "ui/dialogs/compose/submission.h"

#include "core/base/when_ready.h"

namespace ym {

Submission::Submission(Session *session, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_id(newJobId())
{
}

void Submission::submit(Job draft)
{
    if (m_busy || !m_session)
        return;
    m_busy = true;
    Q_EMIT busyChanged();
    draft.id = m_id;
    whenReady(m_session->submit(draft), this,
              [this, draft](const Result<SubmitReceipt> &outcome) { conclude(draft, outcome); });
}

void Submission::conclude(const Job &sent, const Result<SubmitReceipt> &outcome)
{
    m_busy = false;
    Q_EMIT busyChanged();
    if (outcome)
        return succeed(*outcome);
    const Error &error = outcome.error();
    if (error.kind == ErrorKind::Conflict && m_unsure == sent)
        return succeed({sent.id, {}}); // the unanswered try did arrive
    if (error.kind == ErrorKind::Conflict) {
        Q_EMIT refused(conflict(sent, error));
        return;
    }
    if (error.ambiguous && !m_unsure)
        m_unsure = sent;
    Q_EMIT refused(error.ambiguous
                       ? tr("%1 The job may have arrived. Submit again: it is not created twice.").arg(error.message)
                       : error.text());
}

void Submission::succeed(const SubmitReceipt &receipt)
{
    m_unsure.reset();
    m_id = newJobId();
    Q_EMIT accepted(receipt);
}

QString Submission::conflict(const Job &sent, const Error &error)
{
    const bool arrived = m_unsure.has_value();
    m_unsure.reset();
    m_id = newJobId();
    if (!arrived)
        return error.text();
    return tr("The first try did arrive, as job %1. What was changed since then was not sent: submit again to make it "
              "another job.")
        .arg(QString::fromUtf8(sent.id.left(8)));
}

} // namespace ym
