#include "ui/dialogs/compose/elsewhere.h"

#include "core/base/text.h"
#include "ui/dialogs/compose/submission.h"

#include <QMenu>

#include <utility>

namespace ym {

Elsewhere::Elsewhere(Connections *connections, QString ownProfile, QObject *parent)
    : QObject(parent)
    , m_connections(connections)
    , m_ownProfile(std::move(ownProfile))
{
}

QList<Profile> Elsewhere::choices() const
{
    QList<Profile> others;
    for (const Profile &profile : m_connections->profiles()) {
        if (profile.id != m_ownProfile && !profile.readOnly)
            others.append(profile);
    }
    return others;
}

void Elsewhere::fill(QMenu *menu)
{
    menu->clear();
    for (const Profile &profile : choices()) {
        QString name = shownText(profile.name.toUtf8(), Lines::Flatten, 60);
        QAction *const choice = menu->addAction(name.replace(u'&', QStringLiteral("&&"))); // no key of the menu
        connect(choice, &QAction::triggered, this, [this, id = profile.id] { Q_EMIT chosen(id); });
    }
}

void Elsewhere::submit(const QString &profileId, Job draft)
{
    if (m_isBusy)
        return;
    Session *const session = m_connections->open(profileId);
    if (!session)
        return;
    m_draft = std::move(draft);
    m_isBusy = true;
    if (m_session != session) {
        if (m_session)
            m_session->disconnect(this);
        delete m_submission;
        m_session = session;
        m_submission = new Submission(session, this);
        connect(session, &Session::stateChanged, this, &Elsewhere::tryNow);
        connect(m_submission, &Submission::refused, this, &Elsewhere::conclude);
        connect(m_submission, &Submission::accepted, this, [this](const SubmitReceipt &receipt) {
            m_isBusy = false;
            Q_EMIT accepted(m_session, receipt);
        });
    }
    Q_EMIT waiting(tr("Connecting to %1…").arg(session->profile().name));
    tryNow();
}

void Elsewhere::tryNow()
{
    if (!m_isBusy || !m_session || m_submission->isBusy())
        return;
    const ConnectionState state = m_session->state();
    if (state.phase == ConnectionState::Phase::Ready) {
        Q_EMIT waiting(tr("Submitting to %1…").arg(m_session->profile().name));
        m_draft.id = m_submission->nextId();
        m_submission->submit(m_draft);
    } else if (!state.trouble.message.isEmpty()) {
        conclude(tr("Not submitted to %1: %2").arg(m_session->profile().name, state.trouble.text()));
    }
}

void Elsewhere::conclude(const QString &message)
{
    m_isBusy = false;
    Q_EMIT refused(message);
}

} // namespace ym
