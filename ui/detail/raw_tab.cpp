#include "ui/detail/raw_tab.h"

#include "models/job_fields_model.h"
#include "ui/connection_models.h"
#include "ui/detail/cut_bar.h"
#include "ui/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/line_view.h"
#include "ui/widgets/shape_splitter.h"
#include "ui/widgets/table_delegate.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/text_label.h"

#include <QFrame>
#include <QHeaderView>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace ym {

namespace {

class RawDelegate final : public TableDelegate {
public:
    using TableDelegate::TableDelegate;

protected:
    Cell cell(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        Cell content = plainCell(option, index);
        content.isMono = index.column() != JobFieldsModel::Size;
        if (index.column() != JobFieldsModel::Value)
            content.colour = secondary(option);
        return content;
    }
};

class RawTable final : public TableView {
public:
    using TableView::TableView;

protected:
    void arrange() override
    {
        horizontalHeader()->resizeSection(JobFieldsModel::Name, 144);
        horizontalHeader()->setSectionResizeMode(JobFieldsModel::Value, QHeaderView::Stretch);
        horizontalHeader()->resizeSection(JobFieldsModel::Size, 88);
    }
    bool isRightAligned(int section) const override { return section == JobFieldsModel::Size; }
};

} // namespace

RawTab::RawTab(UiSettings *settings, QWidget *parent)
    : DetailTab(parent)
    , m_model(new JobFieldsModel(this))
    , m_table(new RawTable("raw", settings, this))
    , m_cut(new CutBar(this))
    , m_secret(new QFrame(this))
    , m_value(new LineView(this))
    , m_empty(new EmptyState(this))
    , m_stack(new QStackedLayout(this))
{
    m_table->setObjectName(QStringLiteral("rawTable"));
    m_table->setAccessibleName(tr("Stored fields"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setItemDelegate(new RawDelegate(m_table));
    m_table->show(m_model);
    m_value->setObjectName(QStringLiteral("rawValue"));
    m_value->setAccessibleName(tr("Value"));
    m_value->setFollowing(false);
    makeSecretBar();
    auto *const below = new QWidget(this);
    auto *const column = new QVBoxLayout(below);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_secret);
    column->addWidget(m_cut);
    column->addWidget(m_value, 1);
    auto *const splitter = new ShapeSplitter(this);
    splitter->addWidget(m_table);
    splitter->addWidget(below);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    m_stack->addWidget(splitter);
    m_stack->addWidget(m_empty);
    m_empty->show({"details", tr("No fields"), tr("This job's record has no fields: only its id is known."), {}, {}});
    connect(m_table, &TableView::currentRowChanged, this, &RawTab::showValue);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &RawTab::showValue);
    connect(m_cut, &CutBar::failed, this, &RawTab::failed);
    connect(m_cut, &CutBar::loaded, m_model, &JobFieldsModel::setWhole);
}

/// The value shows that there is a secret; a click shows the secret itself.
void RawTab::makeSecretBar()
{
    m_secret->setObjectName(QStringLiteral("secretBar"));
    m_secret->setAutoFillBackground(true);
    m_secret->setBackgroundRole(QPalette::AlternateBase);
    m_secretText = new TextLabel(TextLabel::Kind::Secondary, m_secret);
    m_secretText->setElided(true);
    m_reveal = new QPushButton(m_secret);
    m_reveal->setObjectName(QStringLiteral("revealSecret"));
    m_reveal->setProperty("compact", true);
    auto *const row = new QHBoxLayout(m_secret);
    row->setContentsMargins(space::large, space::tiny, space::large, space::tiny);
    row->addWidget(m_secretText, 1);
    row->addWidget(m_reveal);
    m_secret->hide();
    connect(m_reveal, &QPushButton::clicked, this,
            [this] { m_model->reveal(m_field, !m_table->currentIndex().data(JobFieldsModel::RevealedRole).toBool()); });
}

void RawTab::show(const JobDetail &detail)
{
    m_model->setJob(detail);
    m_stack->setCurrentIndex(m_model->rowCount() > 0 ? 0 : 1);
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0)
        m_table->selectRow(0);
    showValue();
}

void RawTab::clear()
{
    m_model->clear();
    m_stack->setCurrentIndex(0);
    showValue();
}

void RawTab::showValue()
{
    const QModelIndex row = m_table->currentIndex();
    const QByteArray field = row.data(JobFieldsModel::NameRole).toByteArray();
    const QByteArray bytes = row.data(JobFieldsModel::BytesRole).toByteArray();
    if (models() && row.data(JobFieldsModel::CutRole).toBool())
        m_cut->offer(models()->session(), m_model->jobId(), field, bytes.size(),
                     row.data(JobFieldsModel::FullSizeRole).toLongLong());
    else
        m_cut->withdraw();
    const bool isRevealed = row.data(JobFieldsModel::RevealedRole).toBool();
    m_secretText->setText(isRevealed ? tr("Secrets are shown.")
                                     : tr("What looks secret is hidden, also when it is copied."));
    m_reveal->setText(isRevealed ? tr("Hide") : tr("Reveal"));
    m_secret->setVisible(row.data(JobFieldsModel::SecretRole).toBool());
    if (field == m_field && bytes == m_bytes)
        return;
    m_field = field;
    m_bytes = bytes;
    m_value->setBytes(bytes);
}

} // namespace ym
