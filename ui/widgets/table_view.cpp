#include "ui/widgets/table_view.h"

#include "ui/theme.h"
#include "ui/ui_settings.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>

namespace ym {

namespace {

constexpr auto rememberDelay = std::chrono::milliseconds(500);
constexpr int mostCopiedRows = 100'000;

} // namespace

TableView::TableView(QByteArray name, UiSettings *settings, QWidget *parent)
    : QTableView(parent)
    , m_name(std::move(name))
    , m_settings(settings)
{
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(ScrollPerPixel);
    setFrameShape(NoFrame);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(space::rowHeight);
    verticalHeader()->setMinimumSectionSize(space::rowHeight);
    QHeaderView *const header = horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsMovable(true);
    header->setMinimumSectionSize(48);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::customContextMenuRequested, this, &TableView::showHeaderMenu);
    m_remember.setSingleShot(true);
    m_remember.setInterval(rememberDelay);
    connect(&m_remember, &QTimer::timeout, this, &TableView::remember);
    const auto later = [this] {
        if (!m_isArranging && model())
            m_remember.start();
    };
    connect(header, &QHeaderView::sectionResized, this, later);
    connect(header, &QHeaderView::sectionMoved, this, later);
    connect(header, &QHeaderView::sortIndicatorChanged, this, later);
    connect(this, &QTableView::activated, this, [this](const QModelIndex &index) { Q_EMIT rowActivated(index.row()); });
}

TableView::~TableView()
{
    if (m_remember.isActive())
        remember();
}

QByteArray TableView::layoutName() const
{
    return m_name + "/header" + QByteArray::number(horizontalHeader()->count());
}

void TableView::show(QAbstractItemModel *model)
{
    if (m_remember.isActive()) {
        m_remember.stop();
        remember();
    }
    m_isArranging = true;
    QItemSelectionModel *const before = selectionModel();
    setModel(model);
    if (before != selectionModel())
        delete before;
    if (model) {
        const QByteArray state = m_settings ? m_settings->layout(layoutName()) : QByteArray();
        if (state.isEmpty() || !horizontalHeader()->restoreState(state))
            arrange();
        horizontalHeader()->setMinimumSectionSize(48);
        connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
                [this](const QModelIndex &current) { Q_EMIT currentRowChanged(current.row()); });
        connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &TableView::selectionMoved);
    }
    m_isArranging = false;
}

void TableView::remember()
{
    if (m_settings && model())
        m_settings->setLayout(layoutName(), horizontalHeader()->saveState());
}

void TableView::showHeaderMenu(const QPoint &position)
{
    if (!model())
        return;
    auto *const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QHeaderView *const header = horizontalHeader();
    const bool onlyOneLeft = header->count() - header->hiddenSectionCount() <= 1;
    for (int section = 0; section < header->count(); ++section) {
        QAction *const choice = menu->addAction(model()->headerData(section, Qt::Horizontal).toString());
        choice->setCheckable(true);
        choice->setChecked(!header->isSectionHidden(section));
        choice->setEnabled(!choice->isChecked() || !onlyOneLeft);
        connect(choice, &QAction::toggled, this, [this, section](bool on) {
            setColumnHidden(section, !on);
            m_remember.start();
        });
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Reset columns")), &QAction::triggered, this, [this] {
        for (int section = 0; section < horizontalHeader()->count(); ++section) {
            setColumnHidden(section, false);
            horizontalHeader()->moveSection(horizontalHeader()->visualIndex(section), section);
        }
        arrange();
        m_remember.start();
    });
    menu->popup(header->mapToGlobal(position));
}

void TableView::copySelection() const
{
    if (!selectionModel())
        return;
    QStringList lines;
    const QModelIndexList rows = selectionModel()->selectedRows();
    for (const QModelIndex &row : rows.mid(0, mostCopiedRows)) {
        QStringList cells;
        for (int visual = 0; visual < horizontalHeader()->count(); ++visual) {
            const int section = horizontalHeader()->logicalIndex(visual);
            if (!isColumnHidden(section))
                cells.append(row.siblingAtColumn(section).data().toString());
        }
        lines.append(cells.join(u'\t'));
    }
    if (!lines.isEmpty())
        QApplication::clipboard()->setText(lines.join(u'\n'));
}

void TableView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
        return;
    }
    QTableView::keyPressEvent(event);
}

} // namespace ym
