// The sentence that is shown after an action on several jobs.
#pragma once

#include "core/engine/session.h"
#include "ui/workspace.h"

#include <QPointer>

namespace ym {

/// "Removed 12 jobs; 1 was already gone; 2 failed." with the failures behind Details. `unchanged` is used when there are
/// such jobs.
Notice bulkNotice(const QString &done, const QString &unchanged, const Result<BulkResult> &result);

/// Why not all was done; nothing when all was, or when it was cancelled.
Error firstTrouble(const Result<BulkResult> &result);

/// The same of a removal, with a button that takes it back, and nothing else.
Notice removalNotice(const QString &done, const QString &unchanged, const Result<BulkResult> &result,
                     Workspace *workspace, QPointer<Session> session);
/// Of jobs that a store lost while they ran here, with a button that brings them back; `removal` is empty when they
/// could not be kept.
Notice lossNotice(int count, const QString &removal, Workspace *workspace, QPointer<Session> session);
/// Brings back what this removal over this connection took away, or the newest one when it is empty; tells how it went.
void restoreRemoved(Workspace *workspace, QPointer<Session> session, const QString &removal);

/// The first ids of many, one a line, for a question.
QString sampleOfIds(const QList<QByteArray> &ids);

} // namespace ym
