#include "ui/detail/detail_pane.h"

#include "core/base/text.h"
#include "core/base/when_ready.h"
#include "ui/actions/job_actions.h"
#include "ui/connection_models.h"
#include "ui/detail/attempts_tab.h"
#include "ui/detail/log_tab.h"
#include "ui/detail/output_tab.h"
#include "ui/detail/overview_tab.h"
#include "ui/detail/raw_tab.h"
#include "ui/detail/script_tab.h"
#include "ui/theme.h"
#include "ui/ui_settings.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/progress_strip.h"
#include "ui/widgets/state_dot.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/tool_row.h"
#include "ui/workspace.h"

#include <QKeyEvent>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace ym {

namespace {

struct TabKind {
    const char *title;
    DetailTab *(*make)(UiSettings *settings, QWidget *parent);
};

constexpr TabKind tabKinds[] = {
    {QT_TRANSLATE_NOOP("ym::DetailPane", "Overview"),
     [](UiSettings *, QWidget *parent) -> DetailTab * { return new OverviewTab(parent); }},
    {QT_TRANSLATE_NOOP("ym::DetailPane", "Script"),
     [](UiSettings *settings, QWidget *parent) -> DetailTab * { return new ScriptTab(settings, parent); }},
    {QT_TRANSLATE_NOOP("ym::DetailPane", "Output"),
     [](UiSettings *settings, QWidget *parent) -> DetailTab * { return new OutputTab(settings, parent); }},
    {QT_TRANSLATE_NOOP("ym::DetailPane", "Log"),
     [](UiSettings *, QWidget *parent) -> DetailTab * { return new LogTab(parent); }},
    {QT_TRANSLATE_NOOP("ym::DetailPane", "Raw"),
     [](UiSettings *settings, QWidget *parent) -> DetailTab * { return new RawTab(settings, parent); }},
    {QT_TRANSLATE_NOOP("ym::DetailPane", "Attempts"),
     [](UiSettings *settings, QWidget *parent) -> DetailTab * { return new AttemptsTab(settings, parent); }},
};

} // namespace

DetailPane::DetailPane(Workspace *workspace, JobActions *actions, QWidget *parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_actions(actions)
    , m_progress(new ProgressStrip(this))
    , m_bar(new QTabBar(this))
    , m_pages(new QStackedWidget(this))
    , m_empty(new EmptyState(m_pages))
{
    setObjectName(QStringLiteral("detailPane"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setMinimumSize(320, 200);
    m_bar->setObjectName(QStringLiteral("detailTabs"));
    m_bar->setDrawBase(false);
    m_bar->setExpanding(false);
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHeader());
    auto *const barRow = new QHBoxLayout;
    barRow->setContentsMargins(space::tiny, 0, 0, 0);
    barRow->addWidget(m_bar, 1);
    layout->addLayout(barRow);
    layout->addWidget(m_progress); // below the tabs: they stay where they are while one goes through the rows
    layout->addWidget(m_pages, 1);
    UiSettings *const settings = workspace->settings();
    for (const TabKind &kind : tabKinds)
        addTab(kind.make(settings, m_pages), tr(kind.title));
    m_pages->addWidget(m_empty);
    showTab(settings->detailTab());
    connect(m_bar, &QTabBar::currentChanged, this, [this, settings](int index) {
        m_pages->setCurrentWidget(m_tabs.at(index));
        settings->setDetailTab(m_tabs.at(index)->name());
    });
    connect(workspace, &Workspace::currentChanged, this, &DetailPane::showConnection);
    connect(workspace, &Workspace::jobChosen, this, &DetailPane::choose);
    connect(workspace, &Workspace::applied, this, &DetailPane::followNews);
    connect(workspace, &Workspace::stateChanged, this, &DetailPane::refreshButtons);
    connect(actions, &JobActions::watchedChanged, this, &DetailPane::refreshButtons);
    // Going through the rows shall not flicker: the old content stays until the new one is here, but not for long.
    m_stale.setSingleShot(true);
    m_stale.setInterval(std::chrono::milliseconds(250));
    connect(&m_stale, &QTimer::timeout, this, &DetailPane::clearTabs);
    showConnection();
}

QWidget *DetailPane::makeHeader()
{
    auto *const header = new QWidget(this);
    auto *const row = toolRow();
    row->setContentsMargins(space::large, space::small, space::small, space::tiny);
    header->setLayout(row);
    m_dot = new QLabel(header);
    m_state = new TextLabel(TextLabel::Kind::Heading, header);
    m_state->setObjectName(QStringLiteral("detailState"));
    m_shortId = new TextLabel(TextLabel::Kind::Mono, header);
    m_shortId->setObjectName(QStringLiteral("detailId"));
    m_type = new TextLabel(TextLabel::Kind::Secondary, header);
    m_type->setElided(true);
    QToolButton *const copy = makeVerbButton("copy", tr("Copy the id"), "detailCopy");
    m_stop = makeVerbButton("stop", tr("Stop this job"), "detailStop");
    m_retry = makeVerbButton("retry", tr("Retry this job"), "detailRetry");
    m_duplicate = makeVerbButton("duplicate", tr("Write a new job that starts as a copy"), "detailDuplicate");
    m_watch = makeVerbButton("watch", tr("Tell me when it ends"), "detailWatch");
    m_watch->setCheckable(true);
    m_remove = makeVerbButton("remove", tr("Remove this job"), "detailRemove");
    QToolButton *const close = makeVerbButton("close", tr("Close the details"), "detailClose");
    row->addWidget(m_dot);
    row->addSpacing(2);
    row->addWidget(m_state);
    row->addSpacing(space::tiny);
    row->addWidget(m_shortId);
    row->addWidget(copy);
    row->addWidget(m_type, 1);
    for (QToolButton *const button : {m_watch, m_duplicate, m_stop, m_retry, m_remove})
        row->addWidget(button);
    row->addSpacing(space::tiny);
    row->addWidget(close);
    connect(copy, &QToolButton::clicked, this, [this] { m_actions->copyIds({m_id}); });
    connect(m_stop, &QToolButton::clicked, this, [this] { m_actions->perform(JobVerb::Stop, {m_id}); });
    connect(m_retry, &QToolButton::clicked, this, [this] { m_actions->perform(JobVerb::Retry, {m_id}); });
    connect(m_remove, &QToolButton::clicked, this, [this] { m_actions->perform(JobVerb::Remove, {m_id}); });
    connect(m_duplicate, &QToolButton::clicked, this, [this] { m_actions->duplicate(m_id); });
    connect(m_watch, &QToolButton::clicked, this, [this](bool on) { m_actions->setWatched(m_id, on); });
    connect(close, &QToolButton::clicked, this, &DetailPane::closeWanted);
    return header;
}

QToolButton *DetailPane::makeVerbButton(const char *icon, const QString &tip, const char *name)
{
    QToolButton *const button = iconButton(icon, tip, this);
    button->setObjectName(QLatin1String(name));
    return button;
}

QStringList DetailPane::tabTitles()
{
    QStringList titles;
    for (const TabKind &kind : tabKinds)
        titles.append(tr(kind.title));
    return titles;
}

void DetailPane::addTab(DetailTab *tab, const QString &title)
{
    m_tabs.append(tab);
    m_pages->addWidget(tab);
    m_bar->addTab(title);
    m_bar->setTabToolTip(
        m_bar->count() - 1,
        QKeySequence(Qt::ALT | Qt::Key(Qt::Key_0 + m_bar->count())).toString(QKeySequence::NativeText));
    connect(tab, &DetailTab::jobWanted, m_workspace, &Workspace::openJob);
    connect(tab, &DetailTab::remedyWanted, this, &DetailPane::remedyWanted);
    connect(tab, &DetailTab::failed, this, [this](const Error &error) {
        m_workspace->notify({Notice::Kind::Error, error.text(), {}});
    });
}

DetailTab *DetailPane::tab(const QByteArray &name) const
{
    const auto found =
        std::find_if(m_tabs.begin(), m_tabs.end(), [&](const DetailTab *tab) { return tab->name() == name; });
    return found == m_tabs.end() ? nullptr : *found;
}

void DetailPane::showTab(const QByteArray &name)
{
    showTab(int(m_tabs.indexOf(tab(name))));
}

void DetailPane::showTab(int number)
{
    if (number >= 0 && number < m_tabs.size())
        m_bar->setCurrentIndex(number);
}

void DetailPane::focusTabs()
{
    m_bar->setFocus(Qt::ShortcutFocusReason);
}

void DetailPane::showConnection()
{
    ConnectionModels *const models = m_workspace->current();
    for (DetailTab *const tab : std::as_const(m_tabs)) {
        tab->clear();
        tab->setModels(models);
    }
    if (models) {
        connect(models->session(), &Session::focusedJobChanged, this, &DetailPane::read, Qt::UniqueConnection);
        connect(models->output, &OutputBuffer::progressChanged, this, &DetailPane::showProgress, Qt::UniqueConnection);
    }
    choose(m_workspace->chosenJob());
}

void DetailPane::choose(const QByteArray &id)
{
    m_id = id;
    m_readAgain = false;
    m_summary = {};
    m_stale.stop();
    if (id.isEmpty()) {
        clearTabs();
        return;
    }
    const auto known = m_workspace->current()->jobs->summary(id);
    m_wasListed = known.has_value();
    if (known)
        m_summary = *known;
    m_stale.start();
    m_summary.id = id;
    m_pages->setCurrentWidget(m_tabs.at(std::max(m_bar->currentIndex(), 0)));
    showHeader();
    read();
}

void DetailPane::clearTabs()
{
    for (DetailTab *const tab : std::as_const(m_tabs))
        tab->clear();
}

void DetailPane::read()
{
    Session *const session = m_workspace->session();
    if (m_id.isEmpty() || !session)
        return;
    if (m_isReading) {
        m_readAgain = true;
        return;
    }
    m_isReading = true;
    whenReady(session->job(m_id), this, [this, id = m_id](const Result<JobDetail> &detail) { take(id, detail); });
}

void DetailPane::take(const QByteArray &id, const Result<JobDetail> &detail)
{
    m_isReading = false;
    const bool isStale = id != m_id;
    const bool readAgain = std::exchange(m_readAgain, false);
    if (isStale || readAgain)
        read();
    if (isStale || !m_workspace->current())
        return;
    m_stale.stop();
    if (!detail) {
        const bool isGone = detail.error().kind == ErrorKind::NotFound;
        const QString why = isGone ? whyLost() : QString();
        const bool isLost = !why.isEmpty();
        m_empty->show({isGone && !isLost ? "remove" : "warning",
                       isLost       ? tr("This job is lost")
                           : isGone ? tr("This job is gone")
                                    : tr("This job cannot be read"),
                       isLost ? tr("%1 If it is still wanted, submit it again; Remove takes it out of this list.").arg(why)
                              : detail.error().text(),
                       {},
                       {}});
        m_pages->setCurrentWidget(m_empty);
        m_workspace->setChosenJobGone(isGone && !isLost);
        showHeader();
        return;
    }
    m_workspace->setChosenJobGone(false);
    m_summary.state = detail->job.state;
    m_summary.target = detail->job.target;
    m_summary.statusText = detail->job.statusText;
    m_summary.progress = detail->job.progress;
    showHeader();
    m_pages->setCurrentWidget(m_tabs.at(std::max(m_bar->currentIndex(), 0)));
    for (DetailTab *const tab : std::as_const(m_tabs))
        tab->show(*detail);
}

/// Why the table says that this job is lost; empty when it does not.
QString DetailPane::whyLost() const
{
    const auto known = m_workspace->current()->jobs->summary(m_id);
    return known && known->state == JobState::Lost ? shownText(known->statusText, Lines::Flatten, 400) : QString();
}

/// The table may know a change of state before the session says that the focused job changed.
void DetailPane::followNews(const ChangeSet &)
{
    if (m_id.isEmpty())
        return;
    const auto known = m_workspace->current()->jobs->summary(m_id);
    const bool hasGone = !known && m_wasListed;
    const bool isBack = known && m_workspace->isChosenJobGone();
    m_wasListed = known.has_value();
    if (hasGone || isBack)
        read();
    if (!known || (known->state == m_summary.state && known->updatedAt == m_summary.updatedAt))
        return;
    m_summary.updatedAt = known->updatedAt;
    read();
}

void DetailPane::showHeader()
{
    const bool isGone = m_workspace->isChosenJobGone();
    const JobState state = isGone ? JobState::Unknown : m_summary.state;
    m_dot->setPixmap(stateDot(stateColour(state, palette()), devicePixelRatioF()));
    const bool isOddState = state == JobState::Unknown && !m_summary.statusText.isEmpty();
    m_state->setText(isGone           ? tr("Gone")
                         : isOddState ? tr("Unknown (%1)").arg(shownText(m_summary.statusText, Lines::Flatten, 40))
                                      : stateWord(state));
    m_shortId->setText(shownText(m_id.left(8), Lines::Flatten, 16));
    m_shortId->setToolTip(shownText(m_id, Lines::Flatten, 200).toHtmlEscaped());
    m_type->setText(shownText(m_summary.target.type, Lines::Flatten, 60));
    showProgress();
    refreshButtons();
}

/// What a job of this computer writes is newer than what its record says.
void DetailPane::showProgress()
{
    const OutputBuffer *const output = m_workspace->current() ? m_workspace->current()->output : nullptr;
    const bool isRunning = m_summary.state == JobState::Running && !m_id.isEmpty() && !m_workspace->isChosenJobGone();
    const bool isLive = output && output->jobId() == m_id && output->progress().isKnown();
    m_progress->show(!isRunning ? JobProgress() : isLive ? output->progress() : m_summary.progress);
}

void DetailPane::refreshButtons()
{
    const bool isThere = !m_id.isEmpty() && !m_workspace->isChosenJobGone();
    const auto set = [this, isThere](QToolButton *button, JobVerb verb) {
        button->setEnabled(isThere && m_actions->whyNot(verb, {m_id}).isEmpty());
    };
    set(m_stop, JobVerb::Stop);
    set(m_retry, JobVerb::Retry);
    set(m_remove, JobVerb::Remove);
    m_watch->setChecked(m_actions->isWatched(m_id));
    m_watch->setEnabled(isThere && !isTerminal(m_summary.state));
    m_duplicate->setEnabled(isThere && !m_workspace->profile().readOnly);
}

void DetailPane::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        Q_EMIT closeWanted();
    else
        QWidget::keyPressEvent(event);
}

} // namespace ym
