#include "ui/pages/connection_trouble.h"

#include "ui/workspace.h"

namespace ym {

EmptyState::Content troubleContent(const Workspace *workspace)
{
    const Session *const session = workspace->session();
    if (!session)
        return {
            "disconnected", Workspace::tr("No connection is open"), Workspace::tr("Choose one at the left."), {}, {}};
    const ConnectionState state = session->state();
    const bool isLocal = session->profile().id == QLatin1String(localProfileId);
    const QString edit = isLocal ? QString() : Workspace::tr("Edit connection…");
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

void retryTrouble(Workspace *workspace)
{
    if (Session *const session = workspace->session())
        session->retryNow();
}

} // namespace ym
