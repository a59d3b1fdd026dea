// How the cells of the job table look.
#pragma once

#include "ui/widgets/table_delegate.h"

namespace ym {

/// The state as a coloured dot and its word, ids in the code font, side information quiet. GUI thread.
class JobDelegate final : public TableDelegate {
    Q_OBJECT
public:
    using TableDelegate::TableDelegate;

protected:
    Cell cell(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void paintExtra(QPainter *painter, const QRect &area, const QStyleOptionViewItem &option,
                    const QModelIndex &index) const override;
};

} // namespace ym
