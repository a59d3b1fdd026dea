#include "ui/trial/run_locally_dialog.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/job/secret_text.h"
#include "models/line_diff.h"
#include "ui/dialogs/parts/form_field.h"
#include "ui/theme.h"
#include "ui/trial/run_facts.h"
#include "ui/trial/trial_panel.h"
#include "ui/ui_settings.h"
#include "ui/widgets/line_view.h"
#include "ui/widgets/state_dot.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/tool_row.h"

#include <QAction>
#include <QCheckBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabBar>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr auto geometryName = "runLocally/geometry";
enum Tab { Beside, Differences };

/// What a run wrote, as far as it is known: its output, then its error.
QByteArray writtenBy(const Job &job)
{
    const bool needsBreak = !job.output.isEmpty() && !job.output.endsWith('\n') && !job.error.isEmpty();
    return job.output + (needsBreak ? "\n" : "") + job.error;
}

} // namespace

RunLocallyDialog::RunLocallyDialog(Connections *connections, UiSettings *settings, JobDetail detail, bool limitsOnly,
                                   QWidget *parent)
    : QDialog(parent, Qt::Window)
    , m_settings(settings)
    , m_detail(std::move(detail))
    , m_limitsOnly(limitsOnly)
    , m_original(new OutputBuffer(this))
    , m_difference(new FixedLines(this))
    , m_panel(new TrialPanel(connections, settings, this))
{
    setObjectName(QStringLiteral("runLocallyDialog"));
    setWindowTitle(tr("Run %1 locally").arg(shownText(m_detail.job.id.left(8))));
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeQuestions());
    column->addWidget(makeComparison(), 1);
    auto *const again = new QAction(this);
    again->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)});
    addAction(again);
    connect(again, &QAction::triggered, this, &RunLocallyDialog::run);
    connect(m_panel, &TrialPanel::ended, this, &RunLocallyDialog::showEnd);
    connect(m_panel, &TrialPanel::runningChanged, this, &RunLocallyDialog::showFacts);
    m_original->load(m_detail.job.id, m_detail.job.attempt, m_detail.job.output, m_detail.job.error);
    resize(1120, 680);
    restoreGeometry(settings->layout(geometryName));
    showFacts();
}

RunLocallyDialog::~RunLocallyDialog()
{
    m_settings->setLayout(geometryName, saveGeometry());
}

/// What must be said or asked before it runs, and the button.
QWidget *RunLocallyDialog::makeQuestions()
{
    auto *const box = new QWidget(this);
    auto *const form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(space::medium);
    for (const auto &[name, value] : m_detail.job.env) {
        if (!namesSecret(name))
            continue;
        auto *const line = new QLineEdit(box);
        line->setObjectName(QStringLiteral("secret-") + QString::fromUtf8(name));
        line->setEchoMode(QLineEdit::Password);
        line->setPlaceholderText(tr("not copied: type the value to use here, or leave it empty"));
        form->addRow(plainLabel(shownText(name, Lines::Flatten, 40), box), line);
        m_secrets.append({name, line});
    }
    if (!m_detail.job.access.isEmpty()) {
        m_access = new QCheckBox(tr("Give it what it asks for: %1").arg(accessText(m_detail.job.access)), box);
        m_access->setObjectName(QStringLiteral("giveAccess"));
        form->addRow(m_access);
    }
    m_verdict = new TextLabel(TextLabel::Kind::Body, box);
    m_verdict->setObjectName(QStringLiteral("verdict"));
    m_verdict->setWordWrap(true);
    m_run = new QPushButton(tr("&Run locally"), box);
    m_run->setObjectName(QStringLiteral("runNow"));
    m_run->setProperty("primary", true);
    m_run->setToolTip(tr("Ctrl+Enter"));
    connect(m_run, &QPushButton::clicked, this, &RunLocallyDialog::run);
    auto *const row = new QHBoxLayout;
    row->setSpacing(space::medium);
    row->addWidget(m_verdict, 1);
    row->addWidget(m_run);
    auto *const column = new QVBoxLayout(box);
    column->setContentsMargins(space::large, space::medium, space::large, space::medium);
    column->setSpacing(space::small);
    column->addLayout(form);
    column->addLayout(row);
    return box;
}

QWidget *RunLocallyDialog::makeOriginal()
{
    auto *const side = new QWidget(this);
    side->setAutoFillBackground(true);
    side->setBackgroundRole(QPalette::Base);
    const RunFacts facts = factsOf(m_detail.job);
    auto *const dot = new QLabel(side);
    const JobState state = isTerminal(m_detail.job.state) ? stateOf(facts.outcome) : m_detail.job.state;
    dot->setPixmap(stateDot(stateColour(state, palette()), devicePixelRatioF()));
    auto *const title = new TextLabel(TextLabel::Kind::Body, side);
    title->setObjectName(QStringLiteral("originalState"));
    title->setText(tr("Where it ran: %1").arg(isTerminal(m_detail.job.state) ? outcomeText(facts.outcome) : stateWord(m_detail.job.state)));
    auto *const told = new TextLabel(TextLabel::Kind::Secondary, side);
    told->setObjectName(QStringLiteral("originalFacts"));
    told->setElided(true);
    told->setText(factsText(facts));
    auto *const row = toolRow();
    row->setContentsMargins(space::large, 2, space::small, 2);
    row->addWidget(dot);
    row->addWidget(title);
    row->addWidget(told, 1);
    auto *const bar = new QWidget(side);
    bar->setLayout(row);
    bar->setFixedHeight(TrialPanel::toolHeight);
    auto *const view = new LineView(side);
    view->setObjectName(QStringLiteral("originalOutput"));
    view->setAccessibleName(tr("Output of the original run"));
    view->setFollowing(false);
    view->showLines(m_original);
    view->setWrapping(m_settings->wrapsOutput());
    auto *const column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(view, 1);
    return side;
}

QWidget *RunLocallyDialog::makeComparison()
{
    auto *const box = new QWidget(this);
    m_tabs = new QTabBar(box);
    m_tabs->setObjectName(QStringLiteral("comparisonTabs"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->addTab(tr("Side by side"));
    m_tabs->addTab(tr("Differences"));
    m_tabs->setTabEnabled(Differences, false);
    auto *const splitter = new QSplitter(Qt::Horizontal, box);
    splitter->addWidget(makeOriginal());
    splitter->addWidget(m_panel);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({500, 500});
    m_beside = splitter;
    m_changes = new LineView(box);
    m_changes->setObjectName(QStringLiteral("differences"));
    m_changes->setAccessibleName(tr("Differences of the two outputs"));
    m_changes->setFollowing(false);
    m_changes->showLines(m_difference);
    m_changes->hide();
    auto *const tabs = new QHBoxLayout;
    tabs->setContentsMargins(space::small, 0, 0, 0);
    tabs->addWidget(m_tabs, 1);
    auto *const column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(tabs);
    column->addWidget(m_beside, 1);
    column->addWidget(m_changes, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &RunLocallyDialog::showTab);
    return box;
}

void RunLocallyDialog::showTab(int index)
{
    m_beside->setVisible(index == Beside);
    m_changes->setVisible(index == Differences);
}

Job RunLocallyDialog::jobToRun() const
{
    Job job;
    job.target.type = m_detail.job.target.type;
    job.script = m_detail.job.script;
    job.timeout = m_detail.job.timeout;
    job.callerId = m_detail.job.callerId;
    job.contextId = m_detail.job.contextId;
    if (m_access && m_access->isChecked())
        job.access = m_detail.job.access;
    for (const auto &[name, value] : m_detail.job.env) {
        if (!namesSecret(name))
            job.env.append({name, value});
    }
    for (const auto &[name, line] : m_secrets) {
        if (!line->text().isEmpty())
            job.env.append({name, line->text().toUtf8()});
    }
    return job;
}

void RunLocallyDialog::run()
{
    m_tabs->setCurrentIndex(Beside);
    m_tabs->setTabEnabled(Differences, false);
    m_panel->run(jobToRun(), m_limitsOnly);
    showFacts();
}

void RunLocallyDialog::showEnd(const Execution &execution)
{
    const bool needsBreak = !execution.output.isEmpty() && !execution.output.endsWith('\n');
    LineDiff diff = compareLines(writtenBy(m_detail.job),
                                 execution.output + (needsBreak && !execution.error.isEmpty() ? "\n" : "") + execution.error);
    const QString amount = diff.isSame()
        ? tr("The outputs are the same.")
        : tr("The outputs differ: %1 only here, %2 only there.")
              .arg(counted(diff.added, tr("1 line"), tr("%1 lines")), counted(diff.removed, tr("1 line"), tr("%1 lines")));
    QStringList remarks{amount};
    if (diff.isCut || !m_detail.fullSize.isEmpty())
        remarks.append(tr("Only their beginnings were compared."));
    if (diff.isRough)
        remarks.append(tr("They differ too much to be matched line by line."));
    m_difference->setLines(std::move(diff.lines));
    m_tabs->setTabEnabled(Differences, true);
    showFacts();
    m_verdict->setText(remarks.join(u' '));
}

void RunLocallyDialog::showFacts()
{
    m_run->setText(m_panel->isRunning() || m_panel->execution() ? tr("&Run again") : tr("&Run locally"));
    if (m_panel->isRunning())
        m_verdict->setText(tr("Running here. The job in its store stays as it is."));
    else if (!m_panel->execution())
        m_verdict->setText(tr("Runs this job's script on this computer, contained. The job in its store stays as it is."));
}

} // namespace ym
