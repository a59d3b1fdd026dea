// What a job writes: live while it runs, from the store afterwards.
#pragma once

#include "ui/detail/detail_tab.h"

class QStackedLayout;
class QToolButton;

namespace ym {

class CutBar;
class EmptyState;
class LineView;
class TextLabel;
class UiSettings;

/// Standard error is told apart by its colour. GUI thread.
class OutputTab final : public DetailTab {
    Q_OBJECT
public:
    OutputTab(UiSettings *settings, QWidget *parent = nullptr);

    QByteArray name() const override { return "output"; }
    void setModels(ConnectionModels *models) override;
    void show(const JobDetail &detail) override;
    void clear() override;

    LineView *view() const { return m_view; }

private:
    QWidget *makeTools();
    void load();
    void offerWhole(CutBar *bar, const char *field, const QByteArray &shown, const JobDetail &detail);
    void showStatus();
    bool isElsewhere() const;
    void showPlace();
    void copyAll();

    UiSettings *m_settings;
    TextLabel *m_status;
    QToolButton *m_follow;
    QToolButton *m_wrap;
    CutBar *m_cutOutput;
    CutBar *m_cutError;
    LineView *m_view;
    EmptyState *m_elsewhere; ///< instead of the view while another program has the job
    QStackedLayout *m_stack;
    Job m_job;
    QHash<QByteArray, QByteArray> m_whole; ///< fields that were loaded behind what the store shows of them
    bool m_isLive = false; ///< lines came while it ran: they are richer than what the store keeps
};

} // namespace ym
