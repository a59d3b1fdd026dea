// The job at a glance: its way through time, what went wrong, its fields, whom it waits for, its environment.
#pragma once

#include "ui/detail/detail_tab.h"

#include <QTimer>

namespace ym {

class CutBar;
class FieldGrid;
class LineView;
class StandingRow;
class TextLabel;
class TimelineStrip;

/// GUI thread.
class OverviewTab final : public DetailTab {
    Q_OBJECT
public:
    explicit OverviewTab(QWidget *parent = nullptr);

    QByteArray name() const override { return "overview"; }
    void show(const JobDetail &detail) override;
    void clear() override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void showError(const JobDetail &detail);
    void fitError();
    void showEnvironment(const Job &job);
    void tick();

    Job m_job;
    QWidget *m_content;
    TimelineStrip *m_timeline;
    StandingRow *m_standing;
    TextLabel *m_problems;
    TextLabel *m_errorTitle;
    TextLabel *m_early; ///< instead of the error where that is but the protocol's word
    LineView *m_error;
    CutBar *m_errorCut;
    QByteArray m_shownError; ///< as it was read; more of it may have been loaded since
    FieldGrid *m_fields;
    TextLabel *m_envTitle;
    FieldGrid *m_env;
    QTimer m_tick;
};

} // namespace ym
