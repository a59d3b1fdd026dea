#include "models/local_worker_model.h"

#include "core/base/text.h"
#include "models/cell_text.h"
#include "models/keyed_rows.h"

#include <QLocale>

namespace ym {

namespace {

struct Row {
    LocalWorkerInfo info;
    std::array<QString, LocalWorkerModel::ColumnCount> texts; ///< what data() hands out

    bool operator==(const Row &) const = default;
};

struct RowTraits {
    static quint32 key(const Row &row) { return row.info.handle; }
    static bool before(const Row &a, const Row &b) { return a.info.handle < b.info.handle; }
};

constexpr TextTableModel::Heading headings[LocalWorkerModel::ColumnCount] = {
    {QT_TRANSLATE_NOOP("ym::LocalWorkerModel", "Types")},    {QT_TRANSLATE_NOOP("ym::LocalWorkerModel", "Group")},
    {QT_TRANSLATE_NOOP("ym::LocalWorkerModel", "Instance")}, {QT_TRANSLATE_NOOP("ym::LocalWorkerModel", "State")},
    {QT_TRANSLATE_NOOP("ym::LocalWorkerModel", "Running")},  {QT_TRANSLATE_NOOP("ym::LocalWorkerModel", "Done")},
    {QT_TRANSLATE_NOOP("ym::LocalWorkerModel", "Trouble")},
};

QString stateText(LocalWorkerInfo::State state)
{
    switch (state) {
    case LocalWorkerInfo::State::Starting:
        return LocalWorkerModel::tr("Starting");
    case LocalWorkerInfo::State::Running:
        return LocalWorkerModel::tr("Running");
    case LocalWorkerInfo::State::Quiet:
        return LocalWorkerModel::tr("Quiet");
    case LocalWorkerInfo::State::Stopping:
        return LocalWorkerModel::tr("Stopping");
    case LocalWorkerInfo::State::Stopped:
        return LocalWorkerModel::tr("Stopped");
    }
    return {};
}

Row madeRow(const LocalWorkerInfo &info)
{
    Row row{info, {}};
    row.texts[LocalWorkerModel::Types] = shownText(info.types.join(", "), Lines::Flatten, longestCell);
    row.texts[LocalWorkerModel::Group] = shownText(info.group, Lines::Flatten, longestCell);
    row.texts[LocalWorkerModel::Instance] = shownText(info.instance, Lines::Flatten, longestCell);
    row.texts[LocalWorkerModel::Condition] = stateText(info.state);
    row.texts[LocalWorkerModel::Running] = LocalWorkerModel::tr("%1 / %2").arg(info.busy.size()).arg(info.slotCount);
    row.texts[LocalWorkerModel::Done] = QLocale().toString(info.doneCount);
    row.texts[LocalWorkerModel::Trouble] = shownText(info.trouble.toUtf8(), Lines::Flatten, longestCell);
    return row;
}

QVariant sortValue(const Row &row, int column)
{
    switch (column) {
    case LocalWorkerModel::Condition:
        return int(row.info.state);
    case LocalWorkerModel::Running:
        return int(row.info.busy.size());
    case LocalWorkerModel::Done:
        return row.info.doneCount;
    }
    return row.texts[size_t(column)];
}

} // namespace

struct LocalWorkerModel::Private {
    KeyedRows<Row, RowTraits> rows;
};

LocalWorkerModel::LocalWorkerModel(QObject *parent)
    : TextTableModel(headings, parent)
    , d(new Private)
{
}

LocalWorkerModel::~LocalWorkerModel() = default;

void LocalWorkerModel::apply(const ChangeSet &changes)
{
    if (!changes.localWorkers)
        return;
    std::vector<Row> fresh;
    fresh.reserve(size_t(changes.localWorkers->size()));
    for (const LocalWorkerInfo &worker : *changes.localWorkers)
        fresh.push_back(madeRow(worker));
    d->rows.merge(this, std::move(fresh));
}

void LocalWorkerModel::clear()
{
    d->rows.merge(this, {});
}

quint32 LocalWorkerModel::handleAt(int row) const
{
    return workerAt(row).handle;
}

int LocalWorkerModel::rowOf(quint32 handle) const
{
    return d->rows.indexOf(handle);
}

LocalWorkerInfo LocalWorkerModel::workerAt(int row) const
{
    return d->rows.contains(row) ? d->rows.at(row).info : LocalWorkerInfo();
}

bool LocalWorkerModel::hasWorker(const QByteArray &name) const
{
    return std::any_of(d->rows.begin(), d->rows.end(), [&name](const Row &row) {
        const QByteArray place = ':' + row.info.group + ':' + row.info.instance;
        const QList<QByteArray> &types = row.info.types;
        return std::any_of(types.begin(), types.end(), [&](const QByteArray &type) { return type + place == name; });
    });
}

int LocalWorkerModel::liveCount() const
{
    return int(std::count_if(d->rows.begin(), d->rows.end(),
                             [](const Row &row) { return row.info.state != LocalWorkerInfo::State::Stopped; }));
}

int LocalWorkerModel::count() const
{
    return d->rows.count();
}

const QString &LocalWorkerModel::cellText(int row, int column) const
{
    return d->rows.at(row).texts[size_t(column)];
}

QString LocalWorkerModel::cellTip(int row, int column) const
{
    const Row &worker = d->rows.at(row);
    return column == Running ? shownText(worker.info.busy.join('\n'), Lines::Keep) : worker.texts[size_t(column)];
}

QVariant LocalWorkerModel::cellData(int number, int column, int role) const
{
    const Row &row = d->rows.at(number);
    switch (role) {
    case HandleRole:
        return row.info.handle;
    case StateRole:
        return int(row.info.state);
    case BusyRole:
        return QVariant::fromValue(row.info.busy);
    case TroubleRole:
        return row.texts[Trouble];
    case SortRole:
        return sortValue(row, column);
    }
    return {};
}

} // namespace ym
