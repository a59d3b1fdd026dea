// Paints the cells of our tables: one line of plain text, an optional dot before it, a hairline below.
#pragma once

#include <QStyledItemDelegate>

#include <optional>

namespace ym {

/// Subclasses say what a cell looks like; nothing is laid out, so that a screen of rows costs a few ms. GUI thread.
class TableDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    struct Cell {
        QString text; ///< one line; cut where there is no room
        QColor colour; ///< of the text
        std::optional<QColor> dot; ///< before the text
        bool isMono = false;
        Qt::Alignment alignment = Qt::AlignLeft;
        int tail = 0; ///< px at the right that the text leaves to paintExtra
    };

    explicit TableDelegate(QObject *parent = nullptr);

    /// A cell or heading without its padding; the padding is wider at the edges of the table.
    static QRect contentArea(const QRect &cell, const QWidget *view, int column);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    /// The tooltip as plain text, cut to 2 KiB (RELIABILITY 8, Rich text).
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                   const QModelIndex &index) override;

protected:
    virtual Cell cell(const QStyleOptionViewItem &option, const QModelIndex &index) const;
    /// Anything besides the text, in the area inside the padding. Called with the painter in its usual state.
    virtual void paintExtra(QPainter *painter, const QRect &area, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const;

    QColor textColour(const QStyleOptionViewItem &option) const;
    QColor secondary(const QStyleOptionViewItem &option) const;
    Cell plainCell(const QStyleOptionViewItem &option, const QModelIndex &index) const;

private:
    void paintGround(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const;

    const QFont &mono() const;

    mutable std::optional<QFont> m_mono; ///< found when the first row needs it: fonts are costly to load
};

} // namespace ym
