#include "ui/dialogs/audit_dialog.h"

#include "core/base/counted.h"
#include "core/base/when_ready.h"
#include "models/audit_model.h"
#include "ui/theme.h"
#include "ui/widgets/table_delegate.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/text_label.h"

#include <QEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr qsizetype mostEntries = 20'000;

class AuditDelegate final : public TableDelegate {
public:
    using TableDelegate::TableDelegate;

protected:
    Cell cell(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        Cell content = plainCell(option, index);
        const int column = index.column();
        content.isMono = column == AuditModel::Job || column == AuditModel::Script;
        if (column >= AuditModel::Duration && column <= AuditModel::Memory)
            content.alignment = Qt::AlignRight;
        if (column == AuditModel::Result)
            content.dot = signalColour(index.data(AuditModel::FailedRole).toBool() ? Signal::Bad : Signal::Good,
                                       option.palette);
        else if (column != AuditModel::Job)
            content.colour = secondary(option);
        return content;
    }
};

class AuditTable final : public TableView {
public:
    using TableView::TableView;

protected:
    void arrange() override
    {
        static constexpr int widths[AuditModel::ColumnCount] = {152, 84, 48, 72, 176, 116, 200, 136, 88, 72, 72, 72, 128};
        for (int column = 0; column < AuditModel::ColumnCount; ++column)
            horizontalHeader()->resizeSection(column, widths[column]);
        horizontalHeader()->setSectionResizeMode(AuditModel::Result, QHeaderView::Stretch);
        for (const int column : {AuditModel::Limits, AuditModel::Worker})
            horizontalHeader()->setSectionHidden(column, true);
    }
    bool isRightAligned(int section) const override
    {
        return section >= AuditModel::Duration && section <= AuditModel::Memory;
    }
};

} // namespace

AuditDialog::AuditDialog(const QString &path, UiSettings *settings, QWidget *parent)
    : QDialog(parent, Qt::Window)
    , m_path(path)
    , m_model(new AuditModel(this))
    , m_filter(new QLineEdit(this))
    , m_table(new AuditTable("audit", settings, this))
    , m_status(new TextLabel(TextLabel::Kind::Secondary, this))
{
    setModal(false);
    setObjectName(QStringLiteral("auditDialog"));
    setWindowTitle(tr("Executed on this computer"));
    m_filter->setObjectName(QStringLiteral("auditFilter"));
    m_filter->setAccessibleName(tr("Search"));
    m_filter->setPlaceholderText(tr("Search: a job, a script's SHA-256, failed, SIGKILL, a worker, a day"));
    m_filter->setClearButtonEnabled(true);
    auto *const again = new QPushButton(tr("&Read again"), this);
    again->setObjectName(QStringLiteral("readAgain"));
    again->setAutoDefault(false);
    m_table->setObjectName(QStringLiteral("auditTable"));
    m_table->setAccessibleName(tr("Runs"));
    m_table->setItemDelegate(new AuditDelegate(m_table));
    m_table->show(m_model);
    m_status->setObjectName(QStringLiteral("auditStatus"));
    auto *const top = new QHBoxLayout;
    top->setContentsMargins(space::large, space::medium, space::large, space::small);
    top->setSpacing(space::small);
    top->addWidget(m_filter, 1);
    top->addWidget(again);
    auto *const bottom = new QHBoxLayout;
    bottom->setContentsMargins(space::large, space::small, space::large, space::medium);
    bottom->addWidget(m_status, 1);
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(m_table, 1);
    column->addLayout(bottom);
    resize(1220, 660);
    connect(m_filter, &QLineEdit::textChanged, m_model, &AuditModel::setFilter);
    connect(m_model, &QAbstractItemModel::modelReset, this, &AuditDialog::showCount);
    connect(again, &QPushButton::clicked, this, &AuditDialog::read);
    m_filter->setFocus();
    read();
}

void AuditDialog::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow())
        read();
}

void AuditDialog::read()
{
    if (m_isReading)
        return;
    m_isReading = true;
    whenReady(readAuditLog(m_path, mostEntries), this,
              [this](const Result<QList<AuditEntry>> &entries) { take(entries); });
}

void AuditDialog::take(const Result<QList<AuditEntry>> &entries)
{
    m_isReading = false;
    m_trouble = entries ? QString() : entries.error().text();
    if (entries)
        m_model->setEntries(*entries);
    showCount();
}

void AuditDialog::showCount()
{
    if (!m_trouble.isEmpty())
        return m_status->setText(m_trouble);
    const qsizetype all = m_model->entryCount();
    const int found = m_model->rowCount();
    if (all == 0)
        m_status->setText(tr("Nothing was executed here yet."));
    else if (found == all)
        m_status->setText(counted(all, tr("1 run"), tr("%1 runs, newest first")));
    else
        m_status->setText(tr("%1 of %2").arg(QLocale().toString(found), counted(all, tr("1 run"), tr("%1 runs"))));
}

} // namespace ym
