// The sentence that is shown after an action on several jobs.
#pragma once

#include "core/engine/session.h"
#include "ui/workspace.h"

#include <QPointer>

namespace ym {

/// "Removed 12 jobs; 1 was already gone; 2 failed." with the failures behind Details. `unchanged` is used when there are
/// such jobs.
Notice bulkNotice(const QString &done, const QString &unchanged, const Result<BulkResult> &result);

/// The same of a removal, with a button that takes it back: what was removed last over this connection comes again.
Notice removalNotice(const QString &done, const QString &unchanged, const Result<BulkResult> &result,
                     Workspace *workspace, QPointer<Session> session);
/// Of jobs that a store lost while they ran here, with a button that brings them back when they were kept.
Notice lossNotice(int count, bool areKept, Workspace *workspace, QPointer<Session> session);
/// Brings back what was removed last over this connection, and tells how it went.
void restoreRemoved(Workspace *workspace, QPointer<Session> session);

/// The first ids of many, one a line, for a question.
QString sampleOfIds(const QList<QByteArray> &ids);

} // namespace ym
