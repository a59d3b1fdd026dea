// The table of jobs: columns, sorting, and telling the session which rows are on screen.
#pragma once

#include "ui/widgets/table_view.h"

namespace ym {

class ConnectionModels;

/// GUI thread.
class JobTable final : public TableView {
    Q_OBJECT
public:
    JobTable(UiSettings *settings, QWidget *parent);

    /// Null shows nothing.
    void showJobs(ConnectionModels *models);
    QByteArray currentId() const;
    /// In row order, at most `most`.
    QList<QByteArray> selectedIds(qsizetype most) const;
    qint64 selectedCount() const;
    /// Selects the row of this job and scrolls to it; false when it is not in the table.
    bool select(const QByteArray &id);

protected:
    void arrange() override;
    bool isRightAligned(int section) const override;
    void scrollContentsBy(int dx, int dy) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void tellVisibleRows();
    void tick();
    std::pair<int, int> visibleRows() const;

    ConnectionModels *m_models = nullptr;
    QTimer m_tell;
    QTimer m_tick;
};

} // namespace ym
