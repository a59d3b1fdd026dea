#include "models/job_cells.h"

#include "core/base/relative_time.h"
#include "core/base/text.h"
#include "models/cell_text.h"
#include "models/job_filter.h"

#include <QCoreApplication>

namespace ym {

namespace {

struct Heading {
    const char *title;
    const char *tip;
};

constexpr std::array<Heading, jobColumnCount> headings{{
    {QT_TRANSLATE_NOOP("ym::JobCells", "State"), QT_TRANSLATE_NOOP("ym::JobCells", "Where the job is in its life")},
    {QT_TRANSLATE_NOOP("ym::JobCells", "Id"), QT_TRANSLATE_NOOP("ym::JobCells", "The beginning of the job's id")},
    {QT_TRANSLATE_NOOP("ym::JobCells", "Type"), QT_TRANSLATE_NOOP("ym::JobCells", "Type of script")},
    {QT_TRANSLATE_NOOP("ym::JobCells", "Target"),
     QT_TRANSLATE_NOOP("ym::JobCells", "Group and instance it is meant for; empty: any")},
    {QT_TRANSLATE_NOOP("ym::JobCells", "Priority"), QT_TRANSLATE_NOOP("ym::JobCells", "0 is served first, 2 last")},
    {QT_TRANSLATE_NOOP("ym::JobCells", "Caller"), QT_TRANSLATE_NOOP("ym::JobCells", "Who submitted it")},
    {QT_TRANSLATE_NOOP("ym::JobCells", "Context"), QT_TRANSLATE_NOOP("ym::JobCells", "What it was submitted for")},
    {QT_TRANSLATE_NOOP("ym::JobCells", "Worker"), QT_TRANSLATE_NOOP("ym::JobCells", "The worker that claimed it")},
    {QT_TRANSLATE_NOOP("ym::JobCells", "Attempt"),
     QT_TRANSLATE_NOOP("ym::JobCells", "How many times a worker has started it")},
    {QT_TRANSLATE_NOOP("ym::JobCells", "Created"), QT_TRANSLATE_NOOP("ym::JobCells", "When it was submitted")},
    {QT_TRANSLATE_NOOP("ym::JobCells", "Updated"), QT_TRANSLATE_NOOP("ym::JobCells", "When its record changed last")},
    {QT_TRANSLATE_NOOP("ym::JobCells", "Access"),
     QT_TRANSLATE_NOOP("ym::JobCells", "What it asks for beyond its own folder: the network, folders of this machine")},
}};

constexpr std::array<const char *, jobStateCount> stateTexts{
    QT_TRANSLATE_NOOP("ym::JobCells", "Unknown"),   QT_TRANSLATE_NOOP("ym::JobCells", "Waiting"),
    QT_TRANSLATE_NOOP("ym::JobCells", "Scheduled"), QT_TRANSLATE_NOOP("ym::JobCells", "Queued"),
    QT_TRANSLATE_NOOP("ym::JobCells", "Running"),   QT_TRANSLATE_NOOP("ym::JobCells", "Finished"),
    QT_TRANSLATE_NOOP("ym::JobCells", "Failed"),    QT_TRANSLATE_NOOP("ym::JobCells", "Dead"),
    QT_TRANSLATE_NOOP("ym::JobCells", "Lost"),
};

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::JobCells", text);
}

QString cell(const QByteArray &bytes)
{
    return shownText(bytes, Lines::Flatten, longestCell);
}

std::array<QString, jobColumnCount> makeTexts(const JobSummary &job, Timestamp now)
{
    return {jobStateText(job),
            shortId(job.id),
            cell(job.target.type),
            cell(targetText(job.target)),
            QString::number(job.target.priority),
            cell(job.callerId),
            cell(job.contextId),
            cell(job.claimedBy),
            job.attempt > 0 ? QString::number(job.attempt) : QString(),
            job.createdAt ? agoText(*job.createdAt, now) : QString(),
            job.updatedAt ? agoText(*job.updatedAt, now) : QString(),
            cell(accessText(job.access).toUtf8())};
}

} // namespace

QString jobColumnTitle(JobColumn column)
{
    return tr(headings[size_t(column)].title);
}

QString jobColumnTip(JobColumn column)
{
    return tr(headings[size_t(column)].tip);
}

QString jobStateText(const JobSummary &job)
{
    if (job.invalid)
        return tr("Unreadable");
    const QString state = tr(stateTexts[size_t(job.state)]);
    if (job.state != JobState::Unknown || job.statusText.isEmpty())
        return state;
    return tr("%1 (%2)").arg(state, shownText(job.statusText, Lines::Flatten, 64));
}

const QString &JobCells::text(const JobRows &rows, int row, quint32 slot, JobColumn column, Timestamp now) const
{
    m_lines.resize(lineCount);
    Line &line = m_lines[size_t(row) % lineCount];
    if (line.slot != slot || line.stamp != m_stamp)
        line = {slot, m_stamp, makeTexts(rows.summary(slot), now)};
    return line.texts[size_t(column)];
}

QString JobCells::wholeText(const JobSummary &job, JobColumn column)
{
    switch (column) {
    case JobColumn::State:
        return job.state == JobState::Lost ? tr("Lost: %1").arg(shownText(job.statusText)) : jobStateText(job);
    case JobColumn::Id:
        return shownText(job.id);
    case JobColumn::Type:
        return shownText(job.target.type);
    case JobColumn::Target:
        return shownText(targetText(job.target));
    case JobColumn::Priority:
        return QString::number(job.target.priority);
    case JobColumn::Caller:
        return shownText(job.callerId);
    case JobColumn::Context:
        return shownText(job.contextId);
    case JobColumn::Worker:
        return shownText(job.claimedBy);
    case JobColumn::Attempt:
        return job.attempt > 0 ? QString::number(job.attempt) : QString();
    case JobColumn::Created:
        return job.createdAt ? exactTimeText(*job.createdAt) : QString();
    case JobColumn::Updated:
        return job.updatedAt ? exactTimeText(*job.updatedAt) : QString();
    case JobColumn::Access:
        return shownText(accessText(job.access).toUtf8());
    }
    return {};
}

QString JobCells::toolTip(const JobSummary &job, JobColumn column)
{
    const QString tip = plainToolTip(jobColumnTitle(column), wholeText(job, column));
    if (column != JobColumn::Type || job.access.isEmpty())
        return tip;
    const QString access = plainToolTip(jobColumnTitle(JobColumn::Access), wholeText(job, JobColumn::Access));
    return tip.isEmpty() ? access : tip + QStringLiteral("\n\n") + access;
}

QString JobCells::accessibleText(const JobSummary &job, JobColumn column, Timestamp now)
{
    if (column == JobColumn::Type && !job.access.isEmpty())
        return tr("%1: %2; asks for: %3")
            .arg(jobColumnTitle(column), wholeText(job, column).left(longestCell),
                 wholeText(job, JobColumn::Access).left(longestCell));
    const bool isTime = column == JobColumn::Created || column == JobColumn::Updated;
    QString text = isTime ? makeTexts(job, now)[size_t(column)] : wholeText(job, column).left(longestCell);
    text.remove(QChar(u'\u2007'));
    return tr("%1: %2").arg(jobColumnTitle(column), text.isEmpty() ? tr("none") : text);
}

} // namespace ym
