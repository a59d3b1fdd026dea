#include "ui/dialogs/attach/client_list.h"

#include "models/attached_client_model.h"
#include "ui/dialogs/parts/form_field.h"
#include "ui/theme.h"
#include "ui/widgets/table_delegate.h"
#include "ui/widgets/table_view.h"

#include <QHeaderView>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr int shownRows = 5;
constexpr int headerHeight = 32;

class ClientTable final : public TableView {
public:
    using TableView::TableView;

protected:
    void arrange() override
    {
        static constexpr int widths[AttachedClientModel::ColumnCount] = {160, 136, 72, 72, 120, 140};
        for (int column = 0; column < AttachedClientModel::ColumnCount; ++column)
            horizontalHeader()->resizeSection(column, widths[column]);
        horizontalHeader()->setSectionResizeMode(AttachedClientModel::Name, QHeaderView::Stretch);
    }
    bool isRightAligned(int section) const override
    {
        return section == AttachedClientModel::Age || section == AttachedClientModel::Idle;
    }
};

class ClientDelegate final : public TableDelegate {
public:
    using TableDelegate::TableDelegate;

protected:
    Cell cell(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        Cell content = plainCell(option, index);
        const int column = index.column();
        if (column == AttachedClientModel::Age || column == AttachedClientModel::Idle)
            content.alignment = Qt::AlignRight;
        content.isMono = column == AttachedClientModel::LastCommand;
        if (column != AttachedClientModel::Name && column != AttachedClientModel::Condition)
            content.colour = secondary(option);
        if (column == AttachedClientModel::Condition) {
            const bool isBlocked = index.data(AttachedClientModel::BlockedRole).toBool();
            content.dot = signalColour(isBlocked ? Signal::Busy : Signal::Good, option.palette);
        }
        return content;
    }
};

} // namespace

ClientList::ClientList(UiSettings *settings, QWidget *parent)
    : QWidget(parent)
    , m_model(new AttachedClientModel(this))
    , m_table(new ClientTable("attachedClients", settings, this))
    , m_heading(headingLabel({}, this))
    , m_empty(dimLabel({}, this))
    , m_disconnect(new QPushButton(tr("&Disconnect"), this))
    , m_stack(new QStackedLayout)
{
    m_table->setObjectName(QStringLiteral("clientTable"));
    m_table->setAccessibleName(tr("Attached programs"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setItemDelegate(new ClientDelegate(m_table));
    m_table->setFrameShape(QFrame::StyledPanel);
    m_table->setMinimumHeight(headerHeight + shownRows * space::rowHeight);
    m_table->show(m_model);
    m_heading->setObjectName(QStringLiteral("clientHeading"));
    m_empty->setObjectName(QStringLiteral("noClients"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(space::large);
    m_disconnect->setObjectName(QStringLiteral("disconnect"));
    m_disconnect->setAutoDefault(false);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_table);
    auto *const top = new QHBoxLayout;
    top->addWidget(m_heading, 1);
    top->addWidget(m_disconnect);
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::tiny);
    column->addLayout(top);
    column->addLayout(m_stack, 1);
    connect(m_table, &TableView::selectionMoved, this, &ClientList::refresh);
    connect(m_disconnect, &QPushButton::clicked, this, [this] { Q_EMIT disconnectWanted(chosen()); });
    refresh();
}

void ClientList::setClients(const QList<AttachedClient> &clients)
{
    m_model->setClients(clients);
    refresh();
}

void ClientList::setEmptyText(const QString &text)
{
    m_empty->setText(text);
}

qint64 ClientList::chosen() const
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? 0 : m_model->idAt(rows.constFirst().row());
}

void ClientList::refresh()
{
    const int count = m_model->rowCount();
    m_heading->setText(count == 0 ? tr("Attached programs") : tr("Attached programs (%1)").arg(count));
    m_stack->setCurrentIndex(count == 0 ? 0 : 1);
    m_disconnect->setEnabled(chosen() != 0);
    m_disconnect->setVisible(count > 0);
}

} // namespace ym
