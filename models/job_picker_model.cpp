#include "models/job_picker_model.h"

#include "core/base/text.h"
#include "models/cell_text.h"
#include "models/job_cells.h"
#include "models/job_table_model.h"
#include "models/keyed_rows.h"

#include <QFutureWatcher>
#include <QPointer>

namespace ym {

namespace {

struct Row {
    JobSummary job;
    QString title;
    QString detail;

    bool operator==(const Row &) const = default;
};

struct RowTraits {
    static QByteArray key(const Row &row) { return row.job.id; }
    /// Newest first.
    static bool before(const Row &a, const Row &b)
    {
        return a.job.createdAt != b.job.createdAt ? a.job.createdAt > b.job.createdAt : a.job.id < b.job.id;
    }
};

Row madeRow(const JobSummary &job)
{
    QStringList parts;
    for (const QByteArray &part : {job.target.type, targetText(job.target), job.callerId}) {
        if (!part.isEmpty())
            parts.append(shownText(part, Lines::Flatten, 64));
    }
    return {job, shownText(job.id, Lines::Flatten, 64), parts.join(QStringLiteral(" · "))};
}

/// What cannot be parsed is looked for as it stands, word by word.
JobFilter filterOf(const QString &query)
{
    if (auto parsed = JobFilter::parse(query))
        return *parsed;
    QString words = query;
    words.remove(u'"');
    QStringList quoted;
    for (const QString &word : words.simplified().split(u' ', Qt::SkipEmptyParts))
        quoted.append(u'"' + word + u'"');
    return JobFilter::parse(quoted.join(u' ')).value_or(JobFilter());
}

} // namespace

struct JobPickerModel::Private {
    Private(JobTableModel *theJobs, int most)
        : jobs(theJobs)
        , limit(most)
    {
    }

    QPointer<JobTableModel> jobs;
    int limit;
    QString query;
    QList<QByteArray> excluded;
    KeyedRows<Row, RowTraits> rows;
    QFutureWatcher<QList<JobSummary>> watcher;
    bool isSearching = false;
};

JobPickerModel::JobPickerModel(JobTableModel *jobs, int limit, QObject *parent)
    : QAbstractListModel(parent)
    , d(new Private(jobs, limit))
{
    connect(&d->watcher, &QFutureWatcherBase::finished, this, &JobPickerModel::takeAnswer);
    connect(jobs, &JobTableModel::applied, this, &JobPickerModel::takeNews);
    refresh();
}

JobPickerModel::~JobPickerModel() = default;

void JobPickerModel::setQuery(const QString &query)
{
    if (query == d->query)
        return;
    d->query = query;
    refresh();
}

QString JobPickerModel::query() const
{
    return d->query;
}

void JobPickerModel::setExcluded(const QList<QByteArray> &ids)
{
    if (ids == d->excluded)
        return;
    d->excluded = ids;
    refresh();
}

void JobPickerModel::refresh()
{
    if (!d->jobs)
        return;
    d->isSearching = true;
    // Another future in the watcher: an answer to an older query is not heard any more.
    d->watcher.setFuture(d->jobs->find(filterOf(d->query), d->limit + int(d->excluded.size())));
}

bool JobPickerModel::isSearching() const
{
    return d->isSearching;
}

void JobPickerModel::takeAnswer()
{
    d->isSearching = false;
    std::vector<Row> fresh;
    const QList<JobSummary> answer = d->watcher.result();
    for (const JobSummary &job : answer) {
        if (int(fresh.size()) < d->limit && !d->excluded.contains(job.id))
            fresh.push_back(madeRow(job));
    }
    d->rows.merge(this, std::move(fresh));
    Q_EMIT found();
}

/// Keeps the found rows fresh without searching again.
void JobPickerModel::takeNews()
{
    std::vector<Row> fresh;
    for (const Row &row : d->rows) {
        if (const auto job = d->jobs->summary(row.job.id))
            fresh.push_back(madeRow(*job));
    }
    d->rows.merge(this, std::move(fresh));
}

QByteArray JobPickerModel::idAt(int row) const
{
    return summaryAt(row).id;
}

JobSummary JobPickerModel::summaryAt(int row) const
{
    return d->rows.contains(row) ? d->rows.at(row).job : JobSummary();
}

int JobPickerModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : d->rows.count();
}

QVariant JobPickerModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row &row = d->rows.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return row.title;
    case Qt::ToolTipRole:
        return plainToolTip(jobStateText(row.job), row.detail);
    case Qt::AccessibleTextRole:
        return tr("%1, %2, %3").arg(shortId(row.job.id), jobStateText(row.job), row.detail);
    case IdRole:
        return row.job.id;
    case StateRole:
        return int(row.job.state);
    case DetailRole:
        return row.detail;
    }
    return {};
}

} // namespace ym
