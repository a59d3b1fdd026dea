#include "ui/widgets/table_view.h"

#include "ui/theme.h"
#include "ui/ui_settings.h"
#include "ui/widgets/table_delegate.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>

namespace ym {

namespace {

constexpr auto rememberDelay = std::chrono::milliseconds(500);
constexpr int mostCopiedRows = 100'000;

} // namespace

/// A header whose headings stand where the cells of their column stand.
class TableView::Header final : public QHeaderView {
public:
    explicit Header(TableView *table)
        : QHeaderView(Qt::Horizontal, table)
        , m_table(table)
    {
        setSectionsClickable(true);
        setHighlightSections(false);
        setSectionsMovable(true);
        setMinimumSectionSize(48);
        setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        setContextMenuPolicy(Qt::CustomContextMenu);
    }

    /// The view looks at the height only. The usual hint measures every heading, in a bold font that nobody sees.
    QSize sizeHint() const override { return {minimumSectionSize(), height}; }

protected:
    void paintSection(QPainter *painter, const QRect &rect, int section) const override
    {
        painter->fillRect(rect, palette().color(QPalette::Base));
        painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, borderColour(palette()));
        const bool isSorted = isSortIndicatorShown() && sortIndicatorSection() == section;
        const QRect area = TableDelegate::contentArea(rect, m_table, section);
        const bool isAtRight = m_table->isRightAligned(section);
        const int forArrow = isSorted ? arrowSize + space::tiny : 0;
        const QString title = fontMetrics().elidedText(model()->headerData(section, Qt::Horizontal).toString(),
                                                       Qt::ElideRight, area.width() - forArrow);
        painter->setPen(isSorted ? palette().color(QPalette::Text) : secondaryColour(palette()));
        painter->drawText(area, int((isAtRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter), title);
        if (!isSorted)
            return;
        const int words = fontMetrics().horizontalAdvance(title);
        paintArrow(painter, isAtRight ? area.right() - words - forArrow : area.left() + words + space::tiny,
                   rect.center().y());
    }

private:
    static constexpr int height = 32;
    static constexpr int arrowSize = 8;

    /// Down for descending: the greatest or newest is at the top.
    void paintArrow(QPainter *painter, int left, int middle) const
    {
        const int tip = sortIndicatorOrder() == Qt::DescendingOrder ? 3 : -2;
        const int ground = sortIndicatorOrder() == Qt::DescendingOrder ? -1 : 2;
        const QPointF corners[] = {QPointF(left, middle + ground), QPointF(left + arrowSize, middle + ground),
                                   QPointF(left + arrowSize / 2.0, middle + tip)};
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(secondaryColour(palette()));
        painter->drawPolygon(corners, 3);
        painter->restore();
    }

    TableView *m_table;
};

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
    auto *const header = new Header(this);
    setHorizontalHeader(header);
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

/// At the end Qt puts the last row to the bottom, and half of the first one under the heading.
void TableView::scrollContentsBy(int dx, int dy)
{
    QTableView::scrollContentsBy(dx, dy);
    const int before = verticalHeader()->offset();
    verticalHeader()->setOffsetToSectionPosition(verticalScrollBar()->value());
    if (verticalHeader()->offset() != before)
        viewport()->update();
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
