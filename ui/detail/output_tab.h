// What a job writes: live while it runs, from the store afterwards.
#pragma once

#include "ui/detail/detail_tab.h"

class QStackedLayout;
class QToolButton;

namespace ym {

class CutBar;
class EmptyState;
class LineView;
class LogFollower;
class LogLines;
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

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *makeTools();
    void load();
    void offerWhole(CutBar *bar, const char *field, const QByteArray &shown, const JobDetail &detail);
    void showStatus();
    bool isElsewhere() const;
    void showPlace();
    void followLog();
    void showElsewhere();
    QString elsewhereText() const;
    void copyAll();

    UiSettings *m_settings;
    TextLabel *m_status;
    QToolButton *m_follow;
    QToolButton *m_wrap;
    CutBar *m_cutOutput;
    CutBar *m_cutError;
    LineView *m_view;
    EmptyState *m_elsewhere; ///< instead of the view while another program has the job, and there is no log here
    LogLines *m_log; ///< what another program that runs it has written so far, where this computer has its log
    LogFollower *m_follower;
    QStackedLayout *m_stack;
    Job m_job;
    QHash<QByteArray, QByteArray> m_whole; ///< fields that were loaded behind what the store shows of them
    bool m_isLogMissing = false;
    bool m_isLive = false; ///< lines came while it ran: they are richer than what the store keeps
};

} // namespace ym
