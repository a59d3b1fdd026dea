#include "ui/trial/trial_panel.h"

#include "core/base/text.h"
#include "core/job/end_text.h"
#include "ui/theme.h"
#include "ui/trial/run_facts.h"
#include "ui/ui_settings.h"
#include "ui/widgets/line_view.h"
#include "ui/widgets/progress_strip.h"
#include "ui/widgets/state_dot.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/tool_row.h"

#include <QLabel>
#include <QVBoxLayout>

namespace ym {

TrialPanel::TrialPanel(Connections *connections, UiSettings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connections(connections)
    , m_output(new OutputBuffer(this))
    , m_progress(new ProgressStrip(this))
    , m_view(new LineView(this))
{
    setObjectName(QStringLiteral("trialPanel"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_view->setObjectName(QStringLiteral("trialOutput"));
    m_view->setAccessibleName(tr("Output of the run here"));
    m_view->showLines(m_output);
    m_view->setWrapping(settings->wrapsOutput());
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeTools());
    column->addWidget(m_progress);
    column->addWidget(m_view, 1);
    connect(m_output, &OutputBuffer::progressChanged, this, &TrialPanel::showState);
    showState();
}

TrialPanel::~TrialPanel() = default;

QWidget *TrialPanel::makeTools()
{
    auto *const bar = new QWidget(this);
    auto *const row = toolRow();
    row->setContentsMargins(space::large, 2, space::small, 2);
    bar->setLayout(row);
    bar->setFixedHeight(toolHeight);
    m_dot = new QLabel(bar);
    m_state = new TextLabel(TextLabel::Kind::Body, bar);
    m_state->setObjectName(QStringLiteral("trialState"));
    m_facts = new TextLabel(TextLabel::Kind::Secondary, bar);
    m_facts->setObjectName(QStringLiteral("trialFacts"));
    m_facts->setElided(true);
    m_stop = iconButton("stop", tr("Stop the run here"), bar);
    m_stop->setObjectName(QStringLiteral("trialStop"));
    row->addWidget(m_dot);
    row->addWidget(m_state);
    row->addWidget(m_facts, 1);
    row->addWidget(m_stop);
    connect(m_stop, &QToolButton::clicked, this, &TrialPanel::stop);
    return bar;
}

void TrialPanel::run(Job job, bool limitsOnly)
{
    job.id = newJobId(); // not that of the draft: no store knows of this run
    job.attempt = 1;
    m_job = job;
    m_execution.reset();
    m_output->follow(job.id);
    m_run = m_connections->runHere(std::move(job), limitsOnly);
    connect(m_run.get(), &LocalRun::wrote, this, &TrialPanel::take);
    connect(m_run.get(), &LocalRun::ended, this, &TrialPanel::finish);
    showState();
    Q_EMIT runningChanged(true);
}

void TrialPanel::stop()
{
    if (m_run)
        m_run->stop();
}

void TrialPanel::take(const std::vector<OutputChunk> &chunks)
{
    for (const OutputChunk &chunk : chunks)
        m_output->append(chunk);
}

void TrialPanel::finish(const Execution &execution)
{
    m_run.release()->deleteLater(); // it is this object that is calling us
    m_execution = execution;
    m_output->finish();
    // What the run itself did not write: that it could not be started, or was killed.
    const bool hasFailed = execution.fate == Execution::Fate::Failed;
    const QByteArray said = hasFailed ? addedText(execution) : endText(m_job, execution).toUtf8();
    if (!said.isEmpty())
        m_output->append({m_job.id, m_job.attempt, OutputChunk::Stream::Err, said + '\n'});
    showState();
    Q_EMIT runningChanged(false);
    Q_EMIT ended(execution);
}

void TrialPanel::showState()
{
    m_stop->setEnabled(isRunning());
    m_progress->show(isRunning() ? m_output->progress() : JobProgress());
    JobState state = JobState::Unknown;
    if (m_execution) {
        const RunFacts facts = factsOf(*m_execution);
        state = stateOf(facts.outcome);
        m_state->setText(outcomeText(facts.outcome));
        m_facts->setText(factsText(facts));
        m_facts->setToolTip(tr("Contained: %1").arg(shownText(facts.containment)).toHtmlEscaped());
    } else {
        state = isRunning() ? JobState::Running : JobState::Unknown;
        m_state->setText(isRunning() ? tr("Running here") : tr("Not run yet"));
        m_facts->setText(isRunning() ? tr("contained, and no store hears of it") : QString());
    }
    m_dot->setPixmap(stateDot(stateColour(state, palette()), devicePixelRatioF()));
}

} // namespace ym
