// A script that is tried out here: its live output, how it ends, and what it took.
#pragma once

#include "core/engine/session.h"
#include "models/output_buffer.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace ym {

class LineView;
class ProgressStrip;
class TextLabel;
class UiSettings;

/// One run at a time; a new one ends the one before. GUI thread.
class TrialPanel final : public QWidget {
    Q_OBJECT
public:
    static constexpr int toolHeight = 36; ///< of the row that says how it went

    TrialPanel(Connections *connections, UiSettings *settings, QWidget *parent = nullptr);
    ~TrialPanel() override;

    /// Starts the job's script, contained; no store hears of it. `limitsOnly` as in RunGrant.
    void run(Job job, bool limitsOnly);
    void stop();
    bool isRunning() const { return bool(m_run); }

    /// Of the last run that ended.
    const std::optional<Execution> &execution() const { return m_execution; }
    const Job &job() const { return m_job; }
    OutputBuffer *output() const { return m_output; }
    LineView *view() const { return m_view; }

Q_SIGNALS:
    void runningChanged(bool isRunning);
    void ended(const ym::Execution &execution);

private:
    QWidget *makeTools();
    void take(const std::vector<OutputChunk> &chunks);
    void finish(const Execution &execution);
    void showState();

    Connections *m_connections;
    std::unique_ptr<LocalRun> m_run;
    Job m_job;
    std::optional<Execution> m_execution;
    OutputBuffer *m_output;
    QLabel *m_dot;
    TextLabel *m_state;
    TextLabel *m_facts;
    QToolButton *m_stop;
    ProgressStrip *m_progress;
    LineView *m_view;
};

} // namespace ym
