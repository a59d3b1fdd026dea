#include "models/attached_client_model.h"

#include "core/base/relative_time.h"
#include "core/base/text.h"
#include "models/cell_text.h"
#include "models/keyed_rows.h"

#include <array>

namespace ym {

namespace {

struct Row {
    qint64 id = 0;
    bool isBlocked = false;
    std::array<QString, AttachedClientModel::ColumnCount> texts; ///< what data() hands out

    bool operator==(const Row &) const = default;
};

struct RowTraits {
    static qint64 key(const Row &row) { return row.id; }
    static bool before(const Row &a, const Row &b) { return a.id < b.id; }
};

constexpr TextTableModel::Heading headings[AttachedClientModel::ColumnCount] = {
    {QT_TRANSLATE_NOOP("ym::AttachedClientModel", "Name")},         {QT_TRANSLATE_NOOP("ym::AttachedClientModel", "Through")},
    {QT_TRANSLATE_NOOP("ym::AttachedClientModel", "Age")},          {QT_TRANSLATE_NOOP("ym::AttachedClientModel", "Idle")},
    {QT_TRANSLATE_NOOP("ym::AttachedClientModel", "Last command")}, {QT_TRANSLATE_NOOP("ym::AttachedClientModel", "State")},
};

QString stateText(const AttachedClient &client)
{
    if (client.isBlocked)
        return AttachedClientModel::tr("Waiting");
    if (client.channelCount > 0)
        return AttachedClientModel::tr("Listening to %1").arg(client.channelCount);
    return AttachedClientModel::tr("Ready");
}

Row madeRow(const AttachedClient &client)
{
    Row row{client.id, client.isBlocked, {}};
    row.texts[AttachedClientModel::Name] = client.name.isEmpty() ? AttachedClientModel::tr("Client %1").arg(client.id)
                                                                 : shownText(client.name, Lines::Flatten, longestCell);
    row.texts[AttachedClientModel::Address] = client.address.isEmpty()
        ? AttachedClientModel::tr("Unix socket")
        : shownText(client.address, Lines::Flatten, longestCell);
    row.texts[AttachedClientModel::Age] = durationText(std::chrono::seconds{client.age});
    row.texts[AttachedClientModel::Idle] = durationText(std::chrono::seconds{client.idle});
    row.texts[AttachedClientModel::LastCommand] =
        client.lastCommand.isEmpty() ? QStringLiteral("–") : shownText(client.lastCommand.toUpper(), Lines::Flatten, longestCell);
    row.texts[AttachedClientModel::Condition] = stateText(client);
    return row;
}

} // namespace

struct AttachedClientModel::Private {
    KeyedRows<Row, RowTraits> rows;
};

AttachedClientModel::AttachedClientModel(QObject *parent)
    : TextTableModel(headings, parent)
    , d(std::make_unique<Private>())
{
}

AttachedClientModel::~AttachedClientModel() = default;

void AttachedClientModel::setClients(const QList<AttachedClient> &clients)
{
    std::vector<Row> fresh;
    fresh.reserve(size_t(clients.size()));
    for (const AttachedClient &client : clients)
        fresh.push_back(madeRow(client));
    d->rows.merge(this, std::move(fresh));
}

qint64 AttachedClientModel::idAt(int row) const
{
    return d->rows.contains(row) ? d->rows.at(row).id : 0;
}

int AttachedClientModel::count() const
{
    return d->rows.count();
}

const QString &AttachedClientModel::cellText(int row, int column) const
{
    return d->rows.at(row).texts[size_t(column)];
}

QVariant AttachedClientModel::cellData(int number, int, int role) const
{
    const Row &row = d->rows.at(number);
    switch (role) {
    case IdRole:
        return row.id;
    case BlockedRole:
        return row.isBlocked;
    }
    return {};
}

} // namespace ym
