#include "ui/pages/connection_trouble.h"

#include "core/base/text.h"
#include "ui/workspace.h"

namespace ym {

namespace {

/// The Local workspace has no address and no password.
QString editButton(const Session *session)
{
    return session->profile().id == QLatin1String(localProfileId) ? QString() : Workspace::tr("Edit connection…");
}

} // namespace

EmptyState::Content troubleContent(const Workspace *workspace)
{
    const Session *const session = workspace->session();
    if (!session)
        return {
            "disconnected", Workspace::tr("No connection is open"), Workspace::tr("Choose one at the left."), {}, {}};
    const ConnectionState state = session->state();
    const QString edit = editButton(session);
    switch (state.phase) {
    case ConnectionState::Phase::Closed:
        return {"disconnected", Workspace::tr("Not connected"), Workspace::tr("This connection is closed."),
                Workspace::tr("Connect"), edit};
    case ConnectionState::Phase::Connecting:
        return {"connection", Workspace::tr("Connecting…"), session->profile().url, {}, edit, -1};
    case ConnectionState::Phase::Waiting:
        return {"disconnected", Workspace::tr("No connection"), state.trouble.text(), Workspace::tr("Retry now"), edit};
    case ConnectionState::Phase::Refused:
        return {"disconnected", Workspace::tr("The connection was refused"), state.trouble.text(),
                Workspace::tr("Retry now"), edit};
    case ConnectionState::Phase::Ready:
        break;
    }
    return {};
}

EmptyState::Content unreadContent(const Workspace *workspace, const QString &title, const Error &why)
{
    return {"warning", title, shownText(why.text().toUtf8(), Lines::Flatten, 600), Workspace::tr("Try again"),
            editButton(workspace->session())};
}

void retryTrouble(Workspace *workspace)
{
    if (Session *const session = workspace->session())
        session->retryNow();
}

} // namespace ym
