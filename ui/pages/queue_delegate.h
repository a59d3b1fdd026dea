// How the cells of the queue table look, with the little curve of the depth.
#pragma once

#include "ui/widgets/table_delegate.h"

namespace ym {

/// GUI thread.
class QueueDelegate final : public TableDelegate {
    Q_OBJECT
public:
    using TableDelegate::TableDelegate;

protected:
    Cell cell(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void paintExtra(QPainter *painter, const QRect &area, const QStyleOptionViewItem &option,
                    const QModelIndex &index) const override;
};

} // namespace ym
