#include "ui/actions/bulk_notice.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/base/when_ready.h"

#include <QCoreApplication>
#include <QLocale>

namespace ym {

namespace {

constexpr qsizetype sampleSize = 12;
constexpr qsizetype mostFailures = 1'000;

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::JobActions", text);
}

/// `untried`: what became of jobs for which the store was not there, with %1 for how many.
Notice noticeOf(const QString &done, const QString &unchanged, const QString &untried, const Result<BulkResult> &result)
{
    if (!result)
        return {Notice::Kind::Error, result.error().text(), {}};
    Notice notice;
    notice.kind = result->isWhole() ? Notice::Kind::Done : Notice::Kind::Warning;
    QStringList parts{done};
    if (result->unchanged > 0)
        parts.append(unchanged);
    if (result->skipped > 0)
        parts.append(tr("cancelled before %1").arg(QLocale().toString(result->skipped)));
    if (result->untried > 0)
        parts.append(untried.arg(QLocale().toString(result->untried)));
    if (!result->failed.isEmpty())
        parts.append(tr("%1 failed").arg(QLocale().toString(result->failed.size())));
    notice.text = parts.join(QStringLiteral("; ")) + u'.';
    QStringList details;
    if (result->untried > 0)
        details.append(result->whyUntried.text());
    for (const auto &[id, error] : result->failed.mid(0, mostFailures))
        details.append(shownText(id, Lines::Flatten, 80) + QStringLiteral("  ") + error.text());
    notice.details = details.join(u'\n');
    return notice;
}

} // namespace

Notice bulkNotice(const QString &done, const QString &unchanged, const Result<BulkResult> &result)
{
    return noticeOf(done, unchanged, tr("%1 not tried"), result);
}

Error firstTrouble(const Result<BulkResult> &result)
{
    if (!result)
        return result.error();
    return result->untried > 0 || result->failed.isEmpty() ? result->whyUntried : result->failed.first().second;
}

Notice removalNotice(const QString &done, const QString &unchanged, const Result<BulkResult> &result,
                     Workspace *workspace, QPointer<Session> session)
{
    Notice notice = noticeOf(done, unchanged, tr("%1 not removed"), result);
    if (result && result->done > 0 && !result->removal.isEmpty()) {
        notice.offer = tr("Undo");
        notice.take = [workspace, session, removal = result->removal] { restoreRemoved(workspace, session, removal); };
    }
    return notice;
}

Notice lossNotice(int count, const QString &removal, Workspace *workspace, QPointer<Session> session)
{
    const QString where = shownText(session->profile().name.toUtf8());
    const QString what =
        counted(count, tr("%2 lost 1 job while it ran here"), tr("%2 lost %1 jobs while they ran here"));
    Notice notice;
    notice.kind = Notice::Kind::Warning;
    notice.text = QString(what).replace(QStringLiteral("%2"), where) + QStringLiteral(": ");
    if (removal.isEmpty()) {
        notice.text += tr("their records are gone and could not be kept here.");
        return notice;
    }
    notice.text += tr("the records are kept, and Job › Undo removal brings them back.");
    notice.offer = tr("Bring back");
    notice.take = [workspace, session, removal] { restoreRemoved(workspace, session, removal); };
    return notice;
}

void restoreRemoved(Workspace *workspace, QPointer<Session> session, const QString &removal)
{
    if (!session)
        return;
    workspace->withdrawOffers(); // a second time they would bring back what was removed before
    whenReady(session->restoreRemoved(removal), workspace, [workspace](const Result<BulkResult> &result) {
        const BulkResult told = result.value_or(BulkResult());
        workspace->notify(bulkNotice(counted(told.done, tr("Brought back 1 job"), tr("Brought back %1 jobs")),
                                     counted(told.unchanged, tr("1 is there again"), tr("%1 are there again")),
                                     result));
    });
}

QString sampleOfIds(const QList<QByteArray> &ids)
{
    QStringList lines;
    for (const QByteArray &id : ids.mid(0, sampleSize))
        lines.append(shownText(id, Lines::Flatten, 80));
    if (ids.size() > sampleSize)
        lines.append(tr("… and %1 more").arg(QLocale().toString(ids.size() - sampleSize)));
    return lines.join(u'\n');
}

} // namespace ym
