#include "ui/palette/command_palette.h"

#include "ui/actions/action_registry.h"
#include "ui/palette/palette_model.h"
#include "ui/theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr int widest = 620;
constexpr int rowHeight = 34;
constexpr int mostRows = 10;

/// An icon, the text with the found letters in the accent colour, the category, the key.
class PaletteDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QRect row = option.rect.adjusted(space::tiny, 1, -space::tiny, -1);
        if (option.state.testFlag(QStyle::State_Selected)) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(option.palette.color(QPalette::Active, QPalette::Highlight));
            painter->drawRoundedRect(row, 5, 5);
        }
        QRect area = row.adjusted(space::medium, 0, -space::medium, 0);
        const QColor quiet = secondaryColour(option.palette);
        if (const QByteArray name = index.data(PaletteModel::IconNameRole).toByteArray(); !name.isEmpty()) {
            const QPixmap icon = tintedIcon(name, quiet, space::iconSize, painter->device()->devicePixelRatio());
            painter->drawPixmap(area.left(), area.center().y() - space::iconSize / 2 + 1, icon);
        }
        area.setLeft(area.left() + space::iconSize + space::medium);
        const QString reason = index.data(PaletteModel::ReasonRole).toString();
        const QString keys = index.data(PaletteModel::KeysRole).toString();
        const QString side =
            reason.isEmpty() ? (keys.isEmpty() ? index.data(PaletteModel::CategoryRole).toString() : keys) : reason;
        painter->setPen(quiet);
        painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, side);
        area.setRight(area.right() - option.fontMetrics.horizontalAdvance(side) - space::medium);
        paintText(painter, area, option, index, !reason.isEmpty());
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {widest, rowHeight}; }

private:
    static void paintText(QPainter *painter, const QRect &area, const QStyleOptionViewItem &option,
                          const QModelIndex &index, bool isOff)
    {
        const QString text = option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, area.width());
        const auto positions = index.data(PaletteModel::PositionsRole).value<QList<int>>();
        const QColor usual = option.palette.color(isOff ? QPalette::Disabled : QPalette::Active, QPalette::Text);
        QTextLayout layout(text, option.font);
        QList<QTextLayout::FormatRange> formats;
        for (const int position : positions) {
            if (isOff || position >= text.size())
                continue;
            QTextCharFormat found;
            found.setForeground(accentColour(option.palette));
            found.setFontWeight(QFont::Bold);
            formats.append({position, 1, found});
        }
        layout.setFormats(formats);
        layout.beginLayout();
        QTextLine line = layout.createLine();
        layout.endLayout();
        painter->setPen(usual);
        layout.draw(painter, QPointF(area.left(), area.top() + (area.height() - line.height()) / 2.0));
    }
};

} // namespace

CommandPalette::CommandPalette(Workspace *workspace, ActionRegistry *registry, QWidget *window)
    : QFrame(window)
    , m_model(new PaletteModel(workspace, registry, this))
    , m_line(new QLineEdit(this))
    , m_list(new QListView(this))
{
    setObjectName(QStringLiteral("commandPalette"));
    m_line->setObjectName(QStringLiteral("paletteLine"));
    m_line->setPlaceholderText(tr("Type what you want to do, or a job's id"));
    m_line->setAccessibleName(tr("Command palette"));
    m_line->setFrame(false);
    m_line->setProperty("bare", true);
    m_line->addAction(themeIcon("search"), QLineEdit::LeadingPosition);
    m_line->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new PaletteDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->viewport()->setAutoFillBackground(false);
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::tiny, space::small, space::tiny, space::small);
    layout->setSpacing(space::tiny);
    layout->addWidget(m_line);
    layout->addWidget(m_list);
    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::search);
    connect(m_model, &PaletteModel::jobsFound, this, [this] {
        m_list->setCurrentIndex(m_model->index(0));
        fitList();
    });
    connect(m_list, &QListView::clicked, this, &CommandPalette::run);
    window->installEventFilter(this);
    hide();
}

void CommandPalette::open()
{
    m_before = window()->focusWidget();
    m_line->clear();
    search();
    place();
    show();
    raise();
    m_line->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::search()
{
    m_model->setQuery(m_line->text());
    m_list->setCurrentIndex(m_model->index(0));
    fitList();
}

void CommandPalette::fitList()
{
    m_list->setFixedHeight(std::clamp(m_model->rowCount(), 1, mostRows) * rowHeight);
    place();
}

void CommandPalette::place()
{
    const QSize room = parentWidget()->size();
    setFixedWidth(std::min(widest, room.width() - 2 * space::huge));
    layout()->activate();
    adjustSize();
    QFrame::move((room.width() - width()) / 2, std::max(room.height() / 10, 48));
}

void CommandPalette::move(int by)
{
    const int rows = m_model->rowCount();
    if (rows > 0)
        m_list->setCurrentIndex(m_model->index((m_list->currentIndex().row() + by + rows) % rows));
}

/// Closed first: what is done may open something else that wants the focus.
void CommandPalette::run()
{
    const int row = m_list->currentIndex().row();
    if (m_model->index(row).data(PaletteModel::ReasonRole).toString().isEmpty()) {
        finish();
        m_model->run(row);
    }
}

void CommandPalette::finish()
{
    if (!isVisible())
        return;
    hide();
    if (m_before)
        m_before->setFocus();
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == parent() && event->type() == QEvent::Resize && isVisible())
        place();
    if (watched != m_line)
        return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent *>(event)->reason() != Qt::PopupFocusReason) {
        hide();
        return false;
    }
    if (event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    const int page = mostRows - 1;
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Down:
        move(1);
        return true;
    case Qt::Key_Up:
        move(-1);
        return true;
    case Qt::Key_PageDown:
        move(std::min(page, m_model->rowCount() - 1 - m_list->currentIndex().row()));
        return true;
    case Qt::Key_PageUp:
        move(-std::min(page, m_list->currentIndex().row()));
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        run();
        return true;
    case Qt::Key_Escape:
        finish();
        return true;
    default:
        return false;
    }
}

void CommandPalette::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(borderColour(palette()));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

} // namespace ym
