#include "models/queue_model.h"

#include "core/base/relative_time.h"
#include "core/base/text.h"
#include "models/cell_text.h"
#include "models/keyed_rows.h"
#include "models/queue_history.h"

#include <QLocale>

namespace ym {

namespace {

struct Row {
    QueueInfo info;
    QueueHistory history;
    std::array<QString, QueueModel::ColumnCount> texts; ///< what data() hands out: no cell is worked out while painting

    bool operator==(const Row &) const = default;
};

/// Work queues of both families stand together.
int rankOf(QueueKind kind)
{
    return kind == QueueKind::Work ? -2 : kind == QueueKind::Legacy ? -1 : int(kind);
}

struct RowTraits {
    static QByteArray key(const Row &row) { return row.info.key; }

    static auto place(const Row &row)
    {
        const Target &t = row.info.target;
        using Bytes = const QByteArray &;
        return std::tuple<int, Bytes, Bytes, Bytes, int, Bytes>(rankOf(row.info.kind), t.type, t.group, t.instance,
                                                                t.priority, row.info.key);
    }
    static bool before(const Row &a, const Row &b) { return place(a) < place(b); }
};

QString kindText(QueueKind kind)
{
    switch (kind) {
    case QueueKind::Work:
        return QueueModel::tr("Work");
    case QueueKind::Control:
        return QueueModel::tr("Stop requests");
    case QueueKind::Delayed:
        return QueueModel::tr("Delayed");
    case QueueKind::Dead:
        return QueueModel::tr("Dead");
    case QueueKind::Reply:
        return QueueModel::tr("Reply");
    case QueueKind::Legacy:
        return QueueModel::tr("Work (legacy)");
    }
    return {};
}

/// A rate that would be shown as 0.0 is none.
constexpr double leastRate = 0.05;

QString rateNumber(double perSecond)
{
    return QLocale().toString(perSecond, 'f', perSecond < 100 ? 1 : 0);
}

QString rateText(double perSecond)
{
    return perSecond >= leastRate ? QueueModel::tr("≥ %1/s").arg(rateNumber(perSecond)) : QString();
}

QString trendText(double net)
{
    if (qAbs(net) < leastRate)
        return {};
    const QString number = rateNumber(qAbs(net));
    return net > 0 ? QueueModel::tr("+%1/s").arg(number) : QueueModel::tr("−%1/s").arg(number);
}

bool isWork(const QueueInfo &queue)
{
    return queue.kind == QueueKind::Work || queue.kind == QueueKind::Legacy;
}

bool lacksListener(const QueueInfo &queue)
{
    return queue.kind == QueueKind::Work && queue.depth > 0 && queue.listeners == 0 && !queue.invalid;
}

QString hint(const QueueInfo &queue)
{
    if (queue.invalid)
        return QueueModel::tr(
            "This key is not a queue: it holds another type. Nothing can be pushed to it or taken from it.");
    if (lacksListener(queue))
        return QueueModel::tr("Nobody serves this queue. Start a worker for it.");
    if (queue.kind == QueueKind::Legacy && queue.listeners == 0)
        return QueueModel::tr("Workers of legacy queues do not register: whether one serves it cannot be seen.");
    if (queue.kind == QueueKind::Dead && queue.depth > 0)
        return QueueModel::tr("These jobs were given up. Look at them and retry or remove them.");
    return {};
}

QString instanceText(const Target &target)
{
    return shownText(target.legacyWorker.isEmpty() ? target.instance : target.legacyWorker, Lines::Flatten,
                     longestCell);
}

QString priorityText(const QueueInfo &queue)
{
    return isWork(queue) && queue.target.priority != 1 ? QString::number(queue.target.priority) : QString();
}

constexpr TextTableModel::Heading headings[QueueModel::ColumnCount] = {
    {QT_TRANSLATE_NOOP("ym::QueueModel", "Kind"), QT_TRANSLATE_NOOP("ym::QueueModel", "What the queue is for")},
    {QT_TRANSLATE_NOOP("ym::QueueModel", "Type"), QT_TRANSLATE_NOOP("ym::QueueModel", "Type of script it carries")},
    {QT_TRANSLATE_NOOP("ym::QueueModel", "Group"),
     QT_TRANSLATE_NOOP("ym::QueueModel", "Group it is meant for; empty: any")},
    {QT_TRANSLATE_NOOP("ym::QueueModel", "Instance"),
     QT_TRANSLATE_NOOP("ym::QueueModel", "Worker it is meant for; empty: any")},
    {QT_TRANSLATE_NOOP("ym::QueueModel", "Priority"), QT_TRANSLATE_NOOP("ym::QueueModel", "0 is served first, 2 last")},
    {QT_TRANSLATE_NOOP("ym::QueueModel", "Depth"), QT_TRANSLATE_NOOP("ym::QueueModel", "Entries in the queue")},
    {QT_TRANSLATE_NOOP("ym::QueueModel", "Trend"), QT_TRANSLATE_NOOP("ym::QueueModel", "How fast it grows or shrinks")},
    {QT_TRANSLATE_NOOP("ym::QueueModel", "In"),
     QT_TRANSLATE_NOOP("ym::QueueModel", "Arrivals, at least: what came and went between two looks is not seen")},
    {QT_TRANSLATE_NOOP("ym::QueueModel", "Out"),
     QT_TRANSLATE_NOOP("ym::QueueModel", "Departures, at least: what came and went between two looks is not seen")},
    {QT_TRANSLATE_NOOP("ym::QueueModel", "Oldest"), QT_TRANSLATE_NOOP("ym::QueueModel", "Age of the oldest entry")},
    {QT_TRANSLATE_NOOP("ym::QueueModel", "Listeners"),
     QT_TRANSLATE_NOOP("ym::QueueModel", "Live workers that serve it")},
    {QT_TRANSLATE_NOOP("ym::QueueModel", "Order"), QT_TRANSLATE_NOOP("ym::QueueModel", "Which end is served next")},
    {QT_TRANSLATE_NOOP("ym::QueueModel", "Next"), QT_TRANSLATE_NOOP("ym::QueueModel", "The job that is served next")},
    {QT_TRANSLATE_NOOP("ym::QueueModel", "Key"), QT_TRANSLATE_NOOP("ym::QueueModel", "The exact key")},
};

void makeTexts(Row &row, Timestamp now)
{
    const QueueInfo &info = row.info;
    auto &texts = row.texts;
    texts[QueueModel::Kind] = kindText(info.kind);
    texts[QueueModel::Type] = shownText(info.target.type, Lines::Flatten, longestCell);
    texts[QueueModel::Group] = shownText(info.target.group, Lines::Flatten, longestCell);
    texts[QueueModel::Instance] = instanceText(info.target);
    texts[QueueModel::Priority] = priorityText(info);
    texts[QueueModel::Depth] = info.invalid ? QueueModel::tr("not a queue") : QLocale().toString(info.depth);
    texts[QueueModel::Trend] = trendText(row.history.arrivals() - row.history.departures());
    texts[QueueModel::In] = rateText(row.history.arrivals());
    texts[QueueModel::Out] = rateText(row.history.departures());
    texts[QueueModel::Oldest] = info.oldest ? agoText(*info.oldest, now) : QString();
    const bool isUnknown = info.kind == QueueKind::Legacy && info.listeners == 0;
    texts[QueueModel::Listeners] = isUnknown ? QueueModel::tr("unknown")
        : isWork(info)                       ? QString::number(info.listeners)
                                             : QString();
    texts[QueueModel::Order] =
        info.order == ServingOrder::Fifo ? QueueModel::tr("oldest first") : QueueModel::tr("newest first");
    texts[QueueModel::NextJob] = shortId(info.nextJob);
    texts[QueueModel::Key] = shownText(info.key, Lines::Flatten, longestCell);
}

QVariant sortValue(const Row &row, int column)
{
    switch (column) {
    case QueueModel::Kind:
        return rankOf(row.info.kind);
    case QueueModel::Priority:
        return row.info.target.priority;
    case QueueModel::Depth:
        return row.info.depth;
    case QueueModel::Trend:
        return row.history.arrivals() - row.history.departures();
    case QueueModel::In:
        return row.history.arrivals();
    case QueueModel::Out:
        return row.history.departures();
    case QueueModel::Oldest:
        return row.info.oldest ? qint64(row.info.oldest->time_since_epoch().count()) : 0;
    case QueueModel::Listeners:
        return row.info.listeners;
    }
    return row.texts[size_t(column)];
}

bool isNumber(int column)
{
    return column == QueueModel::Priority || (column >= QueueModel::Depth && column <= QueueModel::Listeners);
}

/// What a tooltip adds to the cell: the whole value, the exact time, or what is wrong.
QString toolTip(const Row &row, int column)
{
    const QString problem = hint(row.info);
    if ((column == QueueModel::Listeners || column == QueueModel::Depth) && !problem.isEmpty())
        return problem;
    if (column == QueueModel::Order && isWork(row.info))
        return row.info.observed ? QueueModel::tr("Seen at work: this end lost jobs.")
                                 : QueueModel::tr("By who listens; it has not been seen at work yet.");
    if (column == QueueModel::Oldest && row.info.oldest)
        return exactTimeText(*row.info.oldest);
    if (column == QueueModel::NextJob)
        return shownText(row.info.nextJob);
    return row.texts[size_t(column)];
}

} // namespace

struct QueueModel::Private {
    const Clock *clock;
    KeyedRows<Row, RowTraits> rows;
};

QueueModel::QueueModel(const Clock *clock, QObject *parent)
    : TextTableModel(headings, parent)
    , d(new Private{clock, {}})
{
}

QueueModel::~QueueModel() = default;

void QueueModel::apply(const ChangeSet &changes)
{
    if (!changes.queues)
        return;
    std::vector<Row> fresh;
    fresh.reserve(size_t(changes.queues->size()));
    for (const QueueInfo &queue : *changes.queues) {
        const int old = d->rows.indexOf(queue.key);
        Row row{queue, old < 0 ? QueueHistory() : d->rows.at(old).history, {}};
        row.history.add(queue.depth, d->clock->monotonic());
        makeTexts(row, d->clock->now());
        fresh.push_back(std::move(row));
    }
    d->rows.merge(this, std::move(fresh));
}

void QueueModel::clear()
{
    d->rows.merge(this, {});
}

void QueueModel::tick()
{
    if (d->rows.count() == 0)
        return;
    for (int number = 0; number < d->rows.count(); ++number) {
        Row &row = d->rows.at(number);
        row.history.add(row.info.depth, d->clock->monotonic()); // no news: as deep as before
        makeTexts(row, d->clock->now());
    }
    Q_EMIT dataChanged(index(0, Trend), index(d->rows.count() - 1, Oldest));
}

QByteArray QueueModel::keyAt(int row) const
{
    return queueAt(row).key;
}

int QueueModel::rowOf(const QByteArray &key) const
{
    return d->rows.indexOf(key);
}

QueueInfo QueueModel::queueAt(int row) const
{
    return d->rows.contains(row) ? d->rows.at(row).info : QueueInfo();
}

qint64 QueueModel::totalDepth() const
{
    qint64 depth = 0;
    for (const Row &row : d->rows)
        depth += isWork(row.info) ? row.info.depth : 0;
    return depth;
}

int QueueModel::count() const
{
    return d->rows.count();
}

const QString &QueueModel::cellText(int row, int column) const
{
    return d->rows.at(row).texts[size_t(column)];
}

QString QueueModel::cellTip(int row, int column) const
{
    return toolTip(d->rows.at(row), column);
}

QVariant QueueModel::cellData(int number, int column, int role) const
{
    const Row &row = d->rows.at(number);
    switch (role) {
    case Qt::TextAlignmentRole:
        return int((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case KeyRole:
        return row.info.key;
    case KindRole:
        return int(row.info.kind);
    case DepthRole:
        return row.info.depth;
    case HistoryRole:
        return QVariant::fromValue(row.history.samples());
    case NoListenerRole:
        return lacksListener(row.info);
    case NextJobRole:
        return row.info.nextJob;
    case SortRole:
        return sortValue(row, column);
    case HintRole:
        return hint(row.info);
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
