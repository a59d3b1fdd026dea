#include "models/job_table_model.h"

#include "core/base/text.h"
#include "models/cell_text.h"
#include "models/job_table_private.h"

#include <QSet>

#include <algorithm>

namespace ym {

namespace {

constexpr qsizetype mostWords = 200;
constexpr quint32 mostLooks = 200'000;

bool isNumber(JobColumn column)
{
    return column == JobColumn::Priority || column == JobColumn::Attempt || column == JobColumn::Created
        || column == JobColumn::Updated;
}

QVariant sortValue(const PackedJob &row, const JobRows &rows, JobColumn column)
{
    const auto time = [](qint64 ms) { return ms == PackedJob::noTime ? qint64(0) : ms; };
    switch (column) {
    case JobColumn::State:
        return int(row.state);
    case JobColumn::Priority:
        return rows.target(row.target).priority;
    case JobColumn::Attempt:
        return int(row.attempt);
    case JobColumn::Created:
        return time(row.created);
    case JobColumn::Updated:
        return time(row.updated);
    case JobColumn::Id:
        return QString::fromUtf8(rows.id(row));
    case JobColumn::Type:
        return QString::fromUtf8(rows.target(row.target).type);
    case JobColumn::Target:
        return QString::fromUtf8(targetText(rows.target(row.target)));
    case JobColumn::Caller:
        return QString::fromUtf8(rows.text(row.caller));
    case JobColumn::Context:
        return QString::fromUtf8(rows.text(row.context));
    case JobColumn::Worker:
        return QString::fromUtf8(rows.text(row.worker));
    case JobColumn::Access:
        return accessText(rows.extras(row.extras).access);
    }
    return {};
}

/// Collects distinct values up to a limit; `count` is one more than the highest index.
class Words {
public:
    explicit Words(quint32 count)
        : m_isKnown(count)
    {
    }

    void add(quint32 index, const QByteArray &text)
    {
        if (m_isKnown[index])
            return;
        m_isKnown[index] = true;
        if (!text.isEmpty() && m_words.size() < mostWords)
            m_words.insert(shownText(text, Lines::Flatten, longestCell));
    }

    QStringList sorted() const
    {
        QStringList words = m_words.values();
        words.sort();
        return words;
    }

private:
    std::vector<bool> m_isKnown;
    QSet<QString> m_words;
};

} // namespace

JobTableModel::Private::Private(JobTableModel *model, CapabilityFlags capabilities, const Clock *theClock)
    : q(model)
    , clock(theClock)
{
    sections.fill(-1);
    for (int i = 0; i < jobColumnCount; ++i) {
        const auto column = JobColumn(i);
        if (column == JobColumn::Priority && !capabilities.testFlag(Capability::Priority))
            continue;
        sections[size_t(i)] = int(columns.size());
        columns.push_back(column);
    }
    wanted.now = shown.now = clock->now();
}

JobTableModel::Private::~Private()
{
    if (cancelled)
        cancelled->store(true, std::memory_order_relaxed);
}

JobTableModel::JobTableModel(CapabilityFlags capabilities, const Clock *clock, QObject *parent)
    : QAbstractTableModel(parent)
    , d(std::make_unique<Private>(this, capabilities, clock))
{
    connect(&d->watcher, &QFutureWatcherBase::finished, this, [this] { d->finishArranging(); });
}

JobTableModel::~JobTableModel() = default;

void JobTableModel::clear()
{
    if (d->order.size() > 0) {
        beginRemoveRows({}, 0, d->order.size() - 1);
        d->order.clear();
        endRemoveRows();
    }
    if (d->cancelled)
        d->cancelled->store(true, std::memory_order_relaxed);
    d->store = std::make_shared<JobStore>();
    d->progress.clear();
    d->counts = {};
    d->listing = {};
    d->generation = 0;
    d->generationByte = 1;
    d->cells.invalidate();
    d->tellCounts();
}

int JobTableModel::sortSection() const
{
    return d->wanted.keys.empty() ? -1 : section(d->wanted.keys.front().column);
}

Qt::SortOrder JobTableModel::sortOrder() const
{
    return d->wanted.keys.empty() ? Qt::AscendingOrder : d->wanted.keys.front().order;
}

const JobFilter &JobTableModel::filter() const
{
    return d->wanted.filter;
}

bool JobTableModel::isArranging() const
{
    return d->isBusy;
}

JobTableModel::Column JobTableModel::columnAt(int section) const
{
    return d->columns.at(size_t(section));
}

int JobTableModel::section(Column column) const
{
    return d->sections[size_t(column)];
}

qint64 JobTableModel::totalCount() const
{
    return d->store->count();
}

qint64 JobTableModel::shownCount() const
{
    return d->order.size();
}

const JobTableModel::StateCounts &JobTableModel::stateCounts() const
{
    return d->counts;
}

JobTableModel::Listing JobTableModel::listing() const
{
    return d->listing;
}

QByteArray JobTableModel::idAt(int row) const
{
    return row >= 0 && row < d->order.size() ? d->store->id(d->order.at(row)) : QByteArray();
}

int JobTableModel::rowOf(const QByteArray &id) const
{
    const quint32 slot = d->store->find(id);
    return slot == JobStore::none ? -1 : d->order.rowOf(slot);
}

JobSummary JobTableModel::summaryAt(int row) const
{
    return row >= 0 && row < d->order.size() ? d->store->summary(d->order.at(row)) : JobSummary();
}

std::optional<JobSummary> JobTableModel::summary(const QByteArray &id) const
{
    const quint32 slot = d->store->find(id);
    return slot == JobStore::none ? std::nullopt : std::optional(d->store->summary(slot));
}

QList<QByteArray> JobTableModel::idsInRows(int first, int last) const
{
    first = std::max(first, 0);
    last = std::min(last, d->order.size() - 1);
    QList<QByteArray> ids;
    if (first > last)
        return ids;
    ids.reserve(last - first + 1);
    d->order.visit(first, last - first + 1, [&](quint32 slot) { ids.append(d->store->id(slot)); });
    return ids;
}

QList<QByteArray> JobTableModel::ids(const QItemSelection &selection) const
{
    std::vector<int> rows;
    for (const QItemSelectionRange &range : selection) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    QList<QByteArray> ids;
    ids.reserve(qsizetype(rows.size()));
    for (const Private::Range &range : Private::ranges(rows))
        ids.append(idsInRows(range.first, range.last));
    return ids;
}

QList<QByteArray> JobTableModel::shownIds() const
{
    return idsInRows(0, d->order.size() - 1);
}

FilterVocabulary JobTableModel::vocabulary() const
{
    const JobStore &store = *d->store;
    const quint32 texts = store.texts().count();
    Words types(store.targets().count()), groups(store.targets().count()), instances(store.targets().count());
    Words callers(texts), contexts(texts), workers(texts);
    for (quint32 slot = 0; slot < std::min(store.slotEnd(), mostLooks); ++slot) {
        const PackedJob &job = store.at(slot);
        const Target &target = store.target(job.target);
        types.add(job.target, target.type);
        groups.add(job.target, target.group);
        instances.add(job.target, target.instance);
        callers.add(job.caller, store.text(job.caller));
        contexts.add(job.context, store.text(job.context));
        workers.add(job.worker, store.text(job.worker));
    }
    QSet<QString> folders;
    for (quint32 i = 0; i < store.allExtras().count() && folders.size() < mostWords; ++i) {
        const JobAccess &access = store.allExtras().at(i).access;
        for (const QString &folder : access.readable + access.writable)
            folders.insert(folder);
    }
    QStringList sortedFolders = folders.values();
    sortedFolders.sort();
    return {types.sorted(), groups.sorted(), instances.sorted(), callers.sorted(), contexts.sorted(),
            workers.sorted(), sortedFolders};
}

qint64 JobTableModel::bytesUsed() const
{
    return d->store->bytesUsed() + d->order.bytesUsed();
}

qint64 JobTableModel::stringBytesUsed() const
{
    return d->store->textBytesUsed();
}

int JobTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : d->order.size();
}

int JobTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(d->columns.size());
}

QVariant JobTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= d->order.size() || index.column() >= int(d->columns.size()))
        return {};
    const Column column = d->columns[size_t(index.column())];
    const quint32 slot = d->order.at(index.row());
    const PackedJob &job = d->store->at(slot);
    switch (role) {
    case Qt::DisplayRole:
        return d->cells.text(*d->store, index.row(), slot, column, d->clock->now());
    case Qt::TextAlignmentRole:
        return int((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case StateRole:
        return int(job.state);
    case ProgressRole: {
        const auto said = d->progress.constFind(slot);
        return said == d->progress.cend() ? QVariant() : QVariant(said->percent());
    }
    case AccessRole: {
        const JobAccess &access = d->store->extras(job.extras).access;
        const bool asksForFolders = !access.readable.isEmpty() || !access.writable.isEmpty();
        return (access.network ? AsksForNetwork : 0) | (asksForFolders ? AsksForFolders : 0);
    }
    case IdRole:
        return d->store->id(job);
    case InvalidRole:
        return bool(job.isInvalid);
    case SortRole:
        return sortValue(job, *d->store, column);
    case CopyRole:
        return JobCells::wholeText(d->store->summary(slot), column);
    case Qt::ToolTipRole:
        if (column == Column::State && d->progress.contains(slot))
            return plainToolTip(jobColumnTitle(column), progressText(d->progress.value(slot)));
        return JobCells::toolTip(d->store->summary(slot), column);
    case Qt::AccessibleTextRole:
        if (column == Column::State && d->progress.contains(slot))
            return progressText(d->progress.value(slot));
        return JobCells::accessibleText(d->store->summary(slot), column, d->clock->now());
    }
    return {};
}

QVariant JobTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= int(d->columns.size()))
        return {};
    if (role == Qt::DisplayRole)
        return jobColumnTitle(d->columns[size_t(section)]);
    if (role == Qt::ToolTipRole)
        return jobColumnTip(d->columns[size_t(section)]);
    return {};
}

} // namespace ym
