#include "ui/detail/output_tab.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "ui/connection_models.h"
#include "ui/detail/cut_bar.h"
#include "ui/detail/log_follower.h"
#include "ui/theme.h"
#include "ui/ui_settings.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/line_view.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/tool_row.h"

#include <QApplication>
#include <QClipboard>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace ym {

OutputTab::OutputTab(UiSettings *settings, QWidget *parent)
    : DetailTab(parent)
    , m_settings(settings)
    , m_status(new TextLabel(TextLabel::Kind::Secondary, this))
    , m_follow(iconButton("follow", tr("Follow the end"), this))
    , m_wrap(iconButton("wrap", tr("Wrap long lines"), this))
    , m_cutOutput(new CutBar(this))
    , m_cutError(new CutBar(this))
    , m_view(new LineView(this))
    , m_elsewhere(new EmptyState(this))
    , m_log(new LogLines(this))
    , m_follower(new LogFollower(m_log, this))
    , m_stack(new QStackedLayout)
{
    m_view->setObjectName(QStringLiteral("outputView"));
    m_status->setObjectName(QStringLiteral("outputStatus"));
    m_view->setAccessibleName(tr("Output"));
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeTools());
    layout->addWidget(m_cutOutput);
    layout->addWidget(m_cutError);
    layout->addLayout(m_stack, 1);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_elsewhere);
    connect(m_follower, &LogFollower::opened, this, &OutputTab::showStatus);
    connect(m_follower, &LogFollower::failed, this, [this] {
        m_isLogMissing = true;
        showStatus();
    });
    for (CutBar *const bar : {m_cutOutput, m_cutError}) {
        connect(bar, &CutBar::failed, this, &OutputTab::failed);
        connect(bar, &CutBar::loaded, this, [this](const QByteArray &id, const QByteArray &field, const QByteArray &bytes) {
            if (id != m_job.id || !models())
                return;
            m_whole.insert(field, bytes);
            load();
        });
    }
}

QWidget *OutputTab::makeTools()
{
    auto *const bar = new QWidget(this);
    auto *const row = toolRow();
    row->setContentsMargins(space::large, 2, space::small, 2);
    bar->setLayout(row);
    m_follow->setObjectName(QStringLiteral("follow"));
    m_follow->setCheckable(true);
    m_follow->setChecked(m_settings->followsOutput());
    m_wrap->setObjectName(QStringLiteral("wrap"));
    m_wrap->setCheckable(true);
    m_wrap->setChecked(m_settings->wrapsOutput());
    m_view->setFollowing(m_follow->isChecked());
    m_view->setWrapping(m_wrap->isChecked());
    connect(m_follow, &QToolButton::toggled, this, [this](bool on) {
        m_settings->setFollowsOutput(on);
        m_view->setFollowing(on);
    });
    connect(m_wrap, &QToolButton::toggled, this, [this](bool on) {
        m_settings->setWrapsOutput(on);
        m_view->setWrapping(on);
    });
    QToolButton *const copy = iconButton("copy", tr("Copy all output"), bar);
    connect(copy, &QToolButton::clicked, this, &OutputTab::copyAll);
    row->addWidget(m_status, 1);
    for (QToolButton *const button : {m_follow, m_wrap, copy})
        row->addWidget(button);
    return bar;
}

void OutputTab::setModels(ConnectionModels *models)
{
    if (DetailTab::models())
        DetailTab::models()->output->disconnect(this);
    DetailTab::setModels(models);
    m_follower->clear();
    m_view->showLines(models ? models->output : nullptr);
    if (!models)
        return;
    connect(models->output, &OutputBuffer::linesAppended, this, [this] {
        m_isLive = m_isLive || m_job.state == JobState::Running;
        showStatus();
    });
    connect(models->output, &OutputBuffer::restarted, this, &OutputTab::showStatus);
}

void OutputTab::show(const JobDetail &detail)
{
    const Job &job = detail.job;
    const bool isOther = job.id != m_job.id || job.attempt != m_job.attempt;
    const bool hasChanged =
        isOther || job.output != m_job.output || job.error != m_job.error || job.state != m_job.state;
    if (isOther && models()->output->jobId() != job.id)
        models()->output->follow(job.id);
    m_isLogMissing = m_isLogMissing && !isOther;
    if (isOther)
        m_isLive = models()->output->lineCount() > 0 && models()->output->attempt() == job.attempt;
    m_job = job;
    if (isTerminal(job.state) && m_isLive)
        models()->output->finish();
    if (hasChanged && isTerminal(job.state) && !m_isLive) {
        m_whole.clear();
        load();
        offerWhole(m_cutOutput, "output", job.output, detail);
        offerWhole(m_cutError, "error", job.error, detail);
    }
    showStatus();
}

void OutputTab::load()
{
    models()->output->load(m_job.id, m_job.attempt, m_whole.value("output", m_job.output), m_whole.value("error", m_job.error));
}

void OutputTab::offerWhole(CutBar *bar, const char *field, const QByteArray &shown, const JobDetail &detail)
{
    const auto cut = detail.fullSize.constFind(field);
    if (cut == detail.fullSize.cend())
        bar->withdraw();
    else
        bar->offer(models()->session(), detail.job.id, field, shown.size(), *cut);
}

void OutputTab::showStatus()
{
    if (!models() || m_job.id.isEmpty()) {
        m_status->setText({});
        m_stack->setCurrentWidget(m_view);
        return;
    }
    showPlace();
    const OutputBuffer *const output = models()->output;
    const qint64 lines = output->lineCount();
    const QString amount = counted(lines, tr("1 line"), tr("%1 lines"));
    if (isElsewhere())
        m_status->setText(elsewhereText());
    else if (m_job.state == JobState::Running)
        m_status->setText(lines > 0 ? tr("Running · %1").arg(amount) : tr("Running · nothing written yet"));
    else if (!isTerminal(m_job.state))
        m_status->setText(tr("Not started yet"));
    else
        m_status->setText(lines > 0 ? amount : tr("Nothing was written"));
}

/// Only what runs in this window is seen while it writes; the store gets it at the end.
bool OutputTab::isElsewhere() const
{
    return m_job.state == JobState::Running && models()->output->lineCount() == 0
        && !models()->localWorkers->hasWorker(m_job.claimedBy);
}

void OutputTab::showPlace()
{
    const bool isLog = isElsewhere() && m_log->isOpen();
    TextLines *const wanted = isLog ? static_cast<TextLines *>(m_log) : models()->output;
    if (m_view->lines() != wanted)
        m_view->showLines(wanted);
    if (isElsewhere() && isVisible())
        followLog();
    else if (!isElsewhere() && m_log->isOpen())
        m_follower->clear();
    if (isElsewhere() && !isLog && m_isLogMissing)
        showElsewhere();
    else
        m_stack->setCurrentWidget(m_view);
}

/// The log has what every attempt wrote; which one a line is of, it does not say.
QString OutputTab::elsewhereText() const
{
    if (!m_log->isOpen())
        return tr("Running elsewhere");
    return m_job.attempt > 1 ? tr("Running elsewhere · its log on this computer, with what earlier attempts wrote")
                             : tr("Running elsewhere · its log on this computer");
}

void OutputTab::followLog()
{
    m_follower->follow(models()->session(), m_job.id);
}

void OutputTab::showElsewhere()
{
    const QString worker = m_job.claimedBy.isEmpty() ? tr("A worker") : shownText(m_job.claimedBy, Lines::Flatten, 80);
    m_elsewhere->show(
        {"workers",
         tr("It runs in another program"),
         tr("%1 has this job, and this computer has no log of it. Its output comes here when it is over.").arg(worker),
         {},
         {}});
    m_stack->setCurrentWidget(m_elsewhere);
}

void OutputTab::showEvent(QShowEvent *event)
{
    DetailTab::showEvent(event);
    if (models() && !m_job.id.isEmpty())
        showStatus();
}

void OutputTab::hideEvent(QHideEvent *event)
{
    DetailTab::hideEvent(event);
    m_follower->stop();
}

void OutputTab::copyAll()
{
    if (m_view->lines() == m_log) {
        m_view->selectAll();
        return m_view->copy();
    }
    if (models())
        QApplication::clipboard()->setText(models()->output->allText());
}

void OutputTab::clear()
{
    m_job = {};
    m_isLive = false;
    m_whole.clear();
    m_cutOutput->withdraw();
    m_cutError->withdraw();
    m_follower->clear();
    if (models())
        models()->output->follow({});
    showStatus();
}

} // namespace ym
