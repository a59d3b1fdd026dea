#include "ui/actions/script_reading.h"

#include "core/base/when_ready.h"
#include "ui/workspace.h"

#include <QCoreApplication>

namespace ym {

void readForEditor(Workspace *workspace, const QByteArray &id, QObject *context, std::function<void(const Job &)> use)
{
    Session *const session = workspace->session();
    if (!session || id.isEmpty())
        return;
    const QPointer<Session> open(session);
    whenReady(session->job(id), context, [workspace, open, use = std::move(use)](const Result<JobDetail> &detail) {
        if (!detail)
            workspace->notify({Notice::Kind::Error, detail.error().text(), {}});
        else if (detail->fullSize.contains("script"))
            workspace->notify({Notice::Kind::Error,
                               QCoreApplication::translate(
                                   "ym::JobActions", "This script is too large to be copied into the editor."),
                               {}});
        else if (open && open == workspace->session())
            use(detail->job);
    });
}

} // namespace ym
