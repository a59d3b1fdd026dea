#include "app/cli/job_lookup.h"

#include "app/cli/exit_code.h"
#include "app/cli/words.h"

#include "core/base/text.h"

namespace ym::cli {

QCoro::Task<Inspector::Detail> wholeJob(Inspector *inspector, QByteArray id, qint64 preview)
{
    try {
        Inspector::Detail detail = co_await inspector->job(id, preview);
        co_return detail;
    } catch (const StoreError &e) {
        if (e.kind() != ErrorKind::NotFound)
            throw;
    }
    throw StoreError(ErrorKind::NotFound,
                     tr("There is no job %1 in this store.").arg(shownText(id, Lines::Flatten, 60)),
                     tr("See yardmaster list, or choose another --store."));
}

int exitCodeOf(const Job &job)
{
    if (job.state == JobState::Finished)
        return ExitOk;
    return job.error == "timeout" ? ExitTimeout : ExitFailed; // PROTOCOLS, Hero timeout
}

} // namespace ym::cli
