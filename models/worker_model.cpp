#include "models/worker_model.h"

#include "core/base/relative_time.h"
#include "core/base/text.h"
#include "models/cell_text.h"
#include "models/keyed_rows.h"

#include <QHash>

namespace ym {

namespace {

struct Row {
    WorkerInfo info;
    QHash<QByteArray, Timestamp> busySince; ///< when each running job was first seen here
    WorkerModel::State state = WorkerModel::State::Idle;
    bool isAhead = false; ///< its heartbeat lies in the future
    std::array<QString, WorkerModel::ColumnCount>
        texts; ///< what data() hands out: no cell is worked out while painting

    bool operator==(const Row &) const = default;
};

struct RowTraits {
    static QByteArray key(const Row &row) { return row.info.key; }

    static auto place(const Row &row)
    {
        const Target &t = row.info.target;
        return std::tie(t.type, t.group, t.instance, row.info.key);
    }
    static bool before(const Row &a, const Row &b) { return place(a) < place(b); }
};

constexpr TextTableModel::Heading headings[WorkerModel::ColumnCount] = {
    {QT_TRANSLATE_NOOP("ym::WorkerModel", "Type"), QT_TRANSLATE_NOOP("ym::WorkerModel", "Type of script it runs")},
    {QT_TRANSLATE_NOOP("ym::WorkerModel", "Group"), QT_TRANSLATE_NOOP("ym::WorkerModel", "Group it belongs to")},
    {QT_TRANSLATE_NOOP("ym::WorkerModel", "Instance"),
     QT_TRANSLATE_NOOP("ym::WorkerModel", "Its name within the group")},
    {QT_TRANSLATE_NOOP("ym::WorkerModel", "State"), QT_TRANSLATE_NOOP("ym::WorkerModel", "What it does now")},
    {QT_TRANSLATE_NOOP("ym::WorkerModel", "Heartbeat"), QT_TRANSLATE_NOOP("ym::WorkerModel", "When it was heard last")},
    {QT_TRANSLATE_NOOP("ym::WorkerModel", "Busy with"),
     QT_TRANSLATE_NOOP("ym::WorkerModel", "Jobs that run there now")},
    {QT_TRANSLATE_NOOP("ym::WorkerModel", "For"),
     QT_TRANSLATE_NOOP("ym::WorkerModel", "How long the longest of them has been seen running, at least")},
    {QT_TRANSLATE_NOOP("ym::WorkerModel", "Slots"),
     QT_TRANSLATE_NOOP("ym::WorkerModel", "Jobs now / at most at a time")},
    {QT_TRANSLATE_NOOP("ym::WorkerModel", "Host"), QT_TRANSLATE_NOOP("ym::WorkerModel", "Machine it runs on")},
    {QT_TRANSLATE_NOOP("ym::WorkerModel", "PID"), QT_TRANSLATE_NOOP("ym::WorkerModel", "Its process there")},
    {QT_TRANSLATE_NOOP("ym::WorkerModel", "Version"), QT_TRANSLATE_NOOP("ym::WorkerModel", "What it says it is")},
    {QT_TRANSLATE_NOOP("ym::WorkerModel", "Started"), QT_TRANSLATE_NOOP("ym::WorkerModel", "When it was started")},
};

/// A heartbeat from the future tells nothing (RELIABILITY 9, D20).
bool isAhead(const WorkerInfo &info, Timestamp now)
{
    return info.lastHeartbeat && *info.lastHeartbeat - now > workerSilentAfter;
}

WorkerModel::State stateOf(const WorkerInfo &info, Timestamp now)
{
    if (info.invalid)
        return WorkerModel::State::Unreadable;
    if (info.lastHeartbeat && (now - *info.lastHeartbeat > workerSilentAfter || isAhead(info, now)))
        return WorkerModel::State::Silent;
    if (info.quiet)
        return WorkerModel::State::Quiet;
    return info.busy.isEmpty() ? WorkerModel::State::Idle : WorkerModel::State::Busy;
}

QString stateText(WorkerModel::State state)
{
    switch (state) {
    case WorkerModel::State::Idle:
        return WorkerModel::tr("Idle");
    case WorkerModel::State::Busy:
        return WorkerModel::tr("Busy");
    case WorkerModel::State::Quiet:
        return WorkerModel::tr("Quiet");
    case WorkerModel::State::Silent:
        return WorkerModel::tr("Silent");
    case WorkerModel::State::Unreadable:
        return WorkerModel::tr("Unreadable");
    }
    return {};
}

QString hint(const Row &row)
{
    if (row.state == WorkerModel::State::Unreadable)
        return WorkerModel::tr("The presence of this worker cannot be read. Look at its key with a Redis client.");
    if (row.state == WorkerModel::State::Silent && row.isAhead)
        return WorkerModel::tr("Its last heartbeat lies in the future: its clock or that of this computer is wrong, and nobody can "
                               "tell whether it lives.");
    if (row.state == WorkerModel::State::Silent)
        return WorkerModel::tr("No heartbeat for more than 15 s. It may be dead, or its clock may be wrong.");
    if (row.info.ttlMs == -1)
        return WorkerModel::tr(
            "This presence never expires, so nobody can tell whether the worker lives. It is not one of ours.");
    return {};
}

std::optional<Timestamp> longestBusy(const Row &row)
{
    std::optional<Timestamp> first;
    for (const Timestamp since : row.busySince)
        first = first ? std::min(*first, since) : since;
    return first;
}

QString slotsText(const WorkerInfo &info)
{
    if (info.slotCount <= 0)
        return {};
    return WorkerModel::tr("%1 / %2").arg(info.busy.size()).arg(info.slotCount);
}

void makeTexts(Row &row, Timestamp now)
{
    const WorkerInfo &info = row.info;
    const auto since = longestBusy(row);
    auto &texts = row.texts;
    row.state = stateOf(info, now);
    row.isAhead = isAhead(info, now);
    texts[WorkerModel::Type] = shownText(info.target.type, Lines::Flatten, longestCell);
    texts[WorkerModel::Group] = shownText(info.target.group, Lines::Flatten, longestCell);
    texts[WorkerModel::Instance] = shownText(info.target.instance, Lines::Flatten, longestCell);
    texts[WorkerModel::Condition] = stateText(row.state);
    texts[WorkerModel::Heartbeat] = info.lastHeartbeat ? agoText(*info.lastHeartbeat, now) : QString();
    texts[WorkerModel::Busy] = shortIds(info.busy);
    texts[WorkerModel::Since] = since ? durationText(now - *since) : QString();
    texts[WorkerModel::Slots] = slotsText(info);
    texts[WorkerModel::Host] = shownText(info.hostname, Lines::Flatten, longestCell);
    texts[WorkerModel::Pid] = info.pid > 0 ? QString::number(info.pid) : QString();
    texts[WorkerModel::Version] = shownText(info.version, Lines::Flatten, longestCell);
    texts[WorkerModel::Started] = info.startedAt ? agoText(*info.startedAt, now) : QString();
}

qint64 toMs(const std::optional<Timestamp> &when)
{
    return when ? qint64(when->time_since_epoch().count()) : 0;
}

QVariant sortValue(const Row &row, int column)
{
    switch (column) {
    case WorkerModel::Condition:
        return int(row.state);
    case WorkerModel::Heartbeat:
        return toMs(row.info.lastHeartbeat);
    case WorkerModel::Busy:
        return int(row.info.busy.size());
    case WorkerModel::Since:
        return toMs(longestBusy(row));
    case WorkerModel::Slots:
        return row.info.slotCount;
    case WorkerModel::Pid:
        return row.info.pid;
    case WorkerModel::Started:
        return toMs(row.info.startedAt);
    }
    return row.texts[size_t(column)];
}

QString toolTip(const Row &row, int column)
{
    if (column == WorkerModel::Condition || column == WorkerModel::Heartbeat) {
        const QString problem = hint(row);
        if (!problem.isEmpty())
            return problem;
    }
    if (column == WorkerModel::Heartbeat && row.info.lastHeartbeat)
        return exactTimeText(*row.info.lastHeartbeat);
    if (column == WorkerModel::Started && row.info.startedAt)
        return exactTimeText(*row.info.startedAt);
    if (column == WorkerModel::Busy)
        return shownText(row.info.busy.join('\n'), Lines::Keep);
    return row.texts[size_t(column)];
}

bool isNumber(int column)
{
    return column == WorkerModel::Heartbeat || column == WorkerModel::Since || column == WorkerModel::Slots
        || column == WorkerModel::Pid || column == WorkerModel::Started;
}

} // namespace

struct WorkerModel::Private {
    const Clock *clock;
    KeyedRows<Row, RowTraits> rows;

    Row madeRow(const WorkerInfo &info) const
    {
        Row row;
        row.info = info;
        const int old = rows.indexOf(info.key);
        for (const QByteArray &id : info.busy) {
            const Timestamp now = clock->now();
            row.busySince.insert(id, old < 0 ? now : rows.at(old).busySince.value(id, now));
        }
        makeTexts(row, clock->now());
        return row;
    }
};

WorkerModel::WorkerModel(const Clock *clock, QObject *parent)
    : TextTableModel(headings, parent)
    , d(new Private{clock, {}})
{
}

WorkerModel::~WorkerModel() = default;

void WorkerModel::apply(const ChangeSet &changes)
{
    if (!changes.workers)
        return;
    std::vector<Row> fresh;
    fresh.reserve(size_t(changes.workers->size()));
    for (const WorkerInfo &worker : *changes.workers)
        fresh.push_back(d->madeRow(worker));
    d->rows.merge(this, std::move(fresh));
}

void WorkerModel::clear()
{
    d->rows.merge(this, {});
}

void WorkerModel::tick()
{
    if (d->rows.count() == 0)
        return;
    for (int row = 0; row < d->rows.count(); ++row)
        makeTexts(d->rows.at(row), d->clock->now());
    Q_EMIT dataChanged(index(0, Condition), index(d->rows.count() - 1, Started));
}

QByteArray WorkerModel::keyAt(int row) const
{
    return workerAt(row).key;
}

int WorkerModel::rowOf(const QByteArray &key) const
{
    return d->rows.indexOf(key);
}

WorkerInfo WorkerModel::workerAt(int row) const
{
    return d->rows.contains(row) ? d->rows.at(row).info : WorkerInfo();
}

int WorkerModel::busyCount() const
{
    int count = 0;
    for (const Row &row : d->rows)
        count += int(row.info.busy.size());
    return count;
}

int WorkerModel::count() const
{
    return d->rows.count();
}

const QString &WorkerModel::cellText(int row, int column) const
{
    return d->rows.at(row).texts[size_t(column)];
}

QString WorkerModel::cellTip(int row, int column) const
{
    return toolTip(d->rows.at(row), column);
}

QVariant WorkerModel::cellData(int number, int column, int role) const
{
    const Row &row = d->rows.at(number);
    switch (role) {
    case Qt::TextAlignmentRole:
        return int((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case KeyRole:
        return row.info.key;
    case StateRole:
        return int(row.state);
    case BusyRole:
        return QVariant::fromValue(row.info.busy);
    case LocalRole:
        return row.info.local;
    case HintRole:
        return hint(row);
    case SortRole:
        return sortValue(row, column);
    case TypeRole:
        return row.info.target.type;
    case GroupRole:
        return row.info.target.group;
    case InstanceRole:
        return row.info.target.instance;
    }
    return {};
}

} // namespace ym
