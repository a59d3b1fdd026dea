// How the cells of the two worker tables look.
#pragma once

#include "ui/widgets/table_delegate.h"

namespace ym {

/// Live workers: state as a dot and a word, late heartbeats in colour. GUI thread.
class WorkerDelegate final : public TableDelegate {
    Q_OBJECT
public:
    using TableDelegate::TableDelegate;

protected:
    Cell cell(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

/// Workers of this application. GUI thread.
class LocalWorkerDelegate final : public TableDelegate {
    Q_OBJECT
public:
    using TableDelegate::TableDelegate;

protected:
    Cell cell(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace ym
