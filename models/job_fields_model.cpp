#include "models/job_fields_model.h"

#include "core/base/text.h"
#include "core/job/secret_text.h"
#include "models/cell_text.h"
#include "models/keyed_rows.h"

#include <QSet>

namespace ym {

namespace {

enum class Secrecy : quint8 { None, Hidden, Revealed };

struct Row {
    QByteArray name;
    QByteArray bytes;
    QByteArray shown; ///< the bytes, without their secrets unless these are revealed
    Secrecy secrecy = Secrecy::None;
    qint64 fullSize = 0;
    std::array<QString, JobFieldsModel::ColumnCount> texts; ///< what data() hands out

    bool isCut() const { return bytes.size() < fullSize; }
    bool operator==(const Row &) const = default;
};

struct RowTraits {
    static QByteArray key(const Row &row) { return row.name; }
    static bool before(const Row &a, const Row &b) { return a.name < b.name; }
};

constexpr TextTableModel::Heading headings[JobFieldsModel::ColumnCount] = {
    {QT_TRANSLATE_NOOP("ym::JobFieldsModel", "Field")},
    {QT_TRANSLATE_NOOP("ym::JobFieldsModel", "Value")},
    {QT_TRANSLATE_NOOP("ym::JobFieldsModel", "Size")},
};

/// Only the bytes that can reach the preview are decoded: values may have megabytes.
QString previewOf(const QByteArray &bytes)
{
    const QString text =
        shownText(bytes.left(JobFieldsModel::previewLength * 4), Lines::Flatten, JobFieldsModel::previewLength);
    const bool isShort =
        text.size() <= JobFieldsModel::previewLength && bytes.size() > JobFieldsModel::previewLength * 4;
    return isShort ? text + u'…' : text;
}

QByteArray cleanValue(const QByteArray &name, const QByteArray &bytes)
{
    return namesSecret(name) && !bytes.isEmpty() ? QByteArray(hiddenSecret) : withoutSecrets(bytes);
}

Row madeRow(const QByteArray &name, const QByteArray &bytes, qint64 fullSize, bool isRevealed)
{
    Row row{name, bytes, cleanValue(name, bytes), Secrecy::None, std::max<qint64>(fullSize, bytes.size()), {}};
    if (row.shown != bytes)
        row.secrecy = isRevealed ? Secrecy::Revealed : Secrecy::Hidden;
    if (isRevealed)
        row.shown = bytes;
    row.texts = {shownText(name, Lines::Flatten, longestCell), previewOf(row.shown), sizeText(row.fullSize)};
    return row;
}

} // namespace

struct JobFieldsModel::Private {
    QByteArray jobId;
    QSet<QByteArray> revealed; ///< fields of this job
    KeyedRows<Row, RowTraits> rows;

    /// True when `row` was loaded whole and the store's (cut) value is still its beginning.
    bool isStillWhole(int row, const QByteArray &cut, qint64 fullSize) const
    {
        const Row &known = rows.at(row);
        return !known.isCut() && known.fullSize == fullSize && known.bytes.startsWith(cut);
    }
};

JobFieldsModel::JobFieldsModel(QObject *parent)
    : TextTableModel(headings, parent)
    , d(new Private)
{
}

JobFieldsModel::~JobFieldsModel() = default;

void JobFieldsModel::setJob(const JobDetail &detail)
{
    const bool isSameJob = detail.job.id == d->jobId;
    if (!isSameJob)
        d->revealed.clear();
    d->jobId = detail.job.id;
    std::vector<Row> fresh;
    fresh.reserve(size_t(detail.job.raw.size()));
    for (const auto &[name, bytes] : detail.job.raw) {
        const qint64 fullSize = detail.fullSize.value(name, bytes.size());
        const int known = isSameJob ? d->rows.indexOf(name) : -1;
        const bool keeps = known >= 0 && d->isStillWhole(known, bytes, fullSize);
        fresh.push_back(keeps ? d->rows.at(known) : madeRow(name, bytes, fullSize, d->revealed.contains(name)));
    }
    d->rows.merge(this, std::move(fresh));
}

void JobFieldsModel::setWhole(const QByteArray &jobId, const QByteArray &field, const QByteArray &bytes)
{
    const int row = jobId == d->jobId ? d->rows.indexOf(field) : -1;
    if (row < 0)
        return;
    d->rows.at(row) = madeRow(field, bytes, bytes.size(), d->revealed.contains(field));
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

void JobFieldsModel::reveal(const QByteArray &field, bool on)
{
    const int row = d->rows.indexOf(field);
    if (row < 0)
        return;
    if (on)
        d->revealed.insert(field);
    else
        d->revealed.remove(field);
    const Row before = d->rows.at(row);
    d->rows.at(row) = madeRow(field, before.bytes, before.fullSize, on);
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

void JobFieldsModel::clear()
{
    d->jobId.clear();
    d->revealed.clear();
    d->rows.merge(this, {});
}

QByteArray JobFieldsModel::jobId() const
{
    return d->jobId;
}

QByteArray JobFieldsModel::nameAt(int row) const
{
    return d->rows.contains(row) ? d->rows.at(row).name : QByteArray();
}

int JobFieldsModel::rowOf(const QByteArray &name) const
{
    return d->rows.indexOf(name);
}

int JobFieldsModel::count() const
{
    return d->rows.count();
}

const QString &JobFieldsModel::cellText(int row, int column) const
{
    return d->rows.at(row).texts[size_t(column)];
}

QVariant JobFieldsModel::cellData(int number, int column, int role) const
{
    const Row &row = d->rows.at(number);
    switch (role) {
    case Qt::TextAlignmentRole:
        return int((column == Size ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case NameRole:
        return row.name;
    case BytesRole:
        return row.shown;
    case CutRole:
        return row.isCut();
    case FullSizeRole:
        return row.fullSize;
    case SecretRole:
        return row.secrecy != Secrecy::None;
    case RevealedRole:
        return row.secrecy == Secrecy::Revealed;
    case SortRole:
        return column == Size ? QVariant(row.fullSize) : QVariant(row.texts[size_t(column)]);
    }
    return {};
}

} // namespace ym
