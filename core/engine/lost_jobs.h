// Jobs whose records a server lost while they ran here.
#pragma once

#include "core/engine/removal_journal.h"

namespace ym {

struct LostJobs {
    QList<QByteArray> ids;
    RemovalJournal::Entry kept; ///< of all of them, or of nobody's removal when they could not be kept

    bool areKept() const { return !ids.isEmpty() && kept.count == ids.size(); }
};

/// Which of these lost claims' jobs are in the store no more: whoever ran them may be the last that knows them, so
/// their records go into the journal (RELIABILITY F23). None when the store does not answer. Core thread; everything
/// must outlive the coroutine.
QCoro::Task<LostJobs> keepLost(Producer *producer, Inspector *inspector, RemovalJournal *journal,
                               std::vector<Claim> claims);

} // namespace ym
