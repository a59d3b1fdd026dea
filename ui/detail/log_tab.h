// The end of a job's log file, followed while it grows.
#pragma once

#include "ui/detail/detail_tab.h"
#include "ui/widgets/empty_state.h"

#include <QTimer>

class QStackedLayout;

namespace ym {

class LineView;
class TextLabel;

/// Asks once a second while it is on screen and the job is not over. GUI thread.
class LogTab final : public DetailTab {
    Q_OBJECT
public:
    explicit LogTab(QWidget *parent = nullptr);

    QByteArray name() const override { return "log"; }
    void show(const JobDetail &detail) override;
    void clear() override;

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void read();
    void take(const Result<LogSlice> &slice);

    Job m_job;
    qint64 m_end = -1; ///< offset after the last byte that is shown; -1 nothing yet
    bool m_isReading = false;
    QTimer m_poll;
    TextLabel *m_status;
    LineView *m_view;
    EmptyState *m_empty;
    QStackedLayout *m_stack;
};

} // namespace ym
