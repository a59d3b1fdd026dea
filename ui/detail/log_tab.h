// A job's log file, whole and of any size, followed while it grows.
#pragma once

#include "models/log_lines.h"
#include "ui/detail/detail_tab.h"
#include "ui/widgets/empty_state.h"

class QStackedLayout;
class QToolButton;

namespace ym {

class LineView;
class LogFollower;
class LogSearchBar;
class TextLabel;

/// Follows it while it is on screen. GUI thread.
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
    void follow();
    void showWhyNot(const Error &why);
    void showExtent();

    Job m_job;
    LogLines *m_lines;
    LogFollower *m_follower;
    TextLabel *m_status;
    QToolButton *m_follow;
    LineView *m_view;
    LogSearchBar *m_search;
    EmptyState *m_empty;
    QStackedLayout *m_stack;
};

} // namespace ym
