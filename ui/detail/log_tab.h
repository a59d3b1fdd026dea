// A job's log file, whole and of any size, followed while it grows.
#pragma once

#include "models/log_lines.h"
#include "ui/detail/detail_tab.h"
#include "ui/widgets/empty_state.h"

#include <QTimer>

class QStackedLayout;
class QToolButton;

namespace ym {

class LineView;
class LogSearchBar;
class TextLabel;

/// Looks at the file ten times a second while it is on screen, and once a second whether its name means another file by
/// now. GUI thread.
class LogTab final : public DetailTab {
    Q_OBJECT
public:
    explicit LogTab(QWidget *parent = nullptr);

    QByteArray name() const override { return "log"; }
    void show(const JobDetail &detail) override;
    void clear() override;

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *makeTools();
    void look();
    void open();
    void take(const Result<OpenLog> &log);
    void showExtent();

    Job m_job;
    LogLines *m_lines;
    bool m_isOpening = false;
    int m_looks = 0;
    QTimer m_poll;
    TextLabel *m_status;
    QToolButton *m_follow;
    LineView *m_view;
    LogSearchBar *m_search;
    EmptyState *m_empty;
    QStackedLayout *m_stack;
};

} // namespace ym
