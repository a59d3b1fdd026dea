#include "ui/detail/attempts_tab.h"

#include "models/attempt_model.h"
#include "ui/theme.h"
#include "ui/widgets/line_view.h"
#include "ui/widgets/shape_splitter.h"
#include "ui/widgets/table_delegate.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/text_label.h"

#include <QHeaderView>
#include <QLocale>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace ym {

namespace {

bool isOfNumbers(int column)
{
    return column >= AttemptModel::Duration;
}

class AttemptDelegate final : public TableDelegate {
public:
    using TableDelegate::TableDelegate;

protected:
    Cell cell(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        Cell content = plainCell(option, index);
        if (isOfNumbers(index.column()))
            content.alignment = Qt::AlignRight;
        if (index.column() == AttemptModel::Result)
            content.dot = signalColour(index.data(AttemptModel::FailedRole).toBool() ? Signal::Bad : Signal::Good,
                                       option.palette);
        else
            content.colour = secondary(option);
        return content;
    }
};

class AttemptTable final : public TableView {
public:
    using TableView::TableView;

protected:
    void arrange() override
    {
        static constexpr int widths[AttemptModel::ColumnCount] = {68, 176, 120, 96, 76, 80, 80};
        for (int column = 0; column < AttemptModel::ColumnCount; ++column)
            horizontalHeader()->resizeSection(column, widths[column]);
        horizontalHeader()->setSectionResizeMode(AttemptModel::Result, QHeaderView::Stretch);
        // Why a run failed must be readable in the narrow pane beside the jobs, too.
        for (const int column : {AttemptModel::Worker, AttemptModel::Containment, AttemptModel::Memory})
            horizontalHeader()->setSectionHidden(column, true);
    }
    bool isRightAligned(int section) const override { return isOfNumbers(section); }
};

} // namespace

AttemptsTab::AttemptsTab(UiSettings *settings, QWidget *parent)
    : DetailTab(parent)
    , m_model(new AttemptModel(this))
    , m_table(new AttemptTable("attempts", settings, this))
    , m_title(new TextLabel(TextLabel::Kind::Secondary, this))
    , m_text(new LineView(this))
    , m_empty(new TextLabel(tr("No run of this job is over yet."), TextLabel::Kind::Secondary, this))
    , m_stack(new QStackedLayout(this))
{
    m_table->setObjectName(QStringLiteral("attemptTable"));
    m_table->setAccessibleName(tr("Attempts"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setItemDelegate(new AttemptDelegate(m_table));
    m_table->show(m_model);
    m_title->setObjectName(QStringLiteral("attemptTitle"));
    m_text->setObjectName(QStringLiteral("attemptText"));
    m_text->setAccessibleName(tr("Output of the attempt"));
    m_text->setFollowing(false);
    m_empty->setObjectName(QStringLiteral("noAttempts"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    auto *const below = new QWidget(this);
    auto *const column = new QVBoxLayout(below);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_title->setContentsMargins(space::large, space::small, space::large, space::tiny);
    column->addWidget(m_title);
    column->addWidget(m_text, 1);
    auto *const splitter = new ShapeSplitter(this);
    splitter->addWidget(m_table);
    splitter->addWidget(below);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(splitter);
    connect(m_table, &TableView::currentRowChanged, this, &AttemptsTab::showRun);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &AttemptsTab::showRun);
}

void AttemptsTab::show(const JobDetail &detail)
{
    if (detail.job.id != m_id)
        m_model->setRuns({});
    m_id = detail.job.id;
    m_model->setRuns(detail.job.runs);
    m_stack->setCurrentIndex(m_model->rowCount() > 0 ? 1 : 0);
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0)
        m_table->selectRow(0);
    showRun();
}

void AttemptsTab::clear()
{
    m_id.clear();
    m_model->setRuns({});
    m_stack->setCurrentIndex(0);
    showRun();
}

void AttemptsTab::showRun()
{
    const PastRun *const run = m_model->runAt(m_table->currentIndex().row());
    const QByteArray text = run ? run->output + (run->error.isEmpty() ? QByteArray() : '\n' + run->error) : QByteArray();
    m_title->setText(!run             ? QString()
                         : text.isEmpty() ? tr("Attempt %1 has written nothing.").arg(QLocale().toString(run->attempt))
                                          : tr("The end of what attempt %1 has written").arg(QLocale().toString(run->attempt)));
    m_text->setOutput(text.startsWith('\n') ? text.mid(1) : text);
}

} // namespace ym
