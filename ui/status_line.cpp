#include "ui/status_line.h"

#include "core/base/counted.h"
#include "core/base/relative_time.h"
#include "core/base/text.h"
#include "ui/connection_models.h"
#include "ui/prompts.h"
#include "ui/theme.h"
#include "ui/widgets/text_label.h"
#include "ui/workspace.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

namespace ym {

namespace {

struct PhaseLook {
    Signal signal;
    QString text;
};

PhaseLook lookOf(const ConnectionState &state, const Profile &profile)
{
    const QString name = shownText(profile.name.toUtf8(), Lines::Flatten, 60);
    const QString server = shownText(state.server.toUtf8(), Lines::Flatten, 120);
    const QString trouble = shownText(state.trouble.text().toUtf8(), Lines::Flatten, 200);
    switch (state.phase) {
    case ConnectionState::Phase::Closed:
        return {Signal::Off, StatusLine::tr("%1 is closed").arg(name)};
    case ConnectionState::Phase::Connecting:
        return {Signal::Busy, StatusLine::tr("Connecting to %1…").arg(name)};
    case ConnectionState::Phase::Ready:
        return {Signal::Good,
                (server.isEmpty() ? StatusLine::tr("Connected to %1").arg(name) : server)
                    + (profile.readOnly ? StatusLine::tr(" · read-only") : QString())};
    case ConnectionState::Phase::Waiting: {
        const qint64 seconds = (state.retryInMs + 999) / 1000;
        return {Signal::Warning,
                seconds > 0 ? StatusLine::tr("%1 Next try in %2 s.").arg(trouble, QString::number(seconds)) : trouble};
    }
    case ConnectionState::Phase::Refused:
        return {Signal::Bad, trouble};
    }
    return {Signal::Off, {}};
}

QPixmap dot(const QColor &colour, qreal scale)
{
    QPixmap image(QSize(10, 10) * scale);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawEllipse(1, 1, 8, 8);
    return image;
}

} // namespace

StatusLine::StatusLine(Workspace *workspace, QWidget *parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_dot(new QLabel(this))
    , m_phase(new TextLabel(TextLabel::Kind::Body, this))
    , m_retry(new QPushButton(tr("Retry now"), this))
    , m_warnings(new QToolButton(this))
    , m_containment(new TextLabel(TextLabel::Kind::Secondary, this))
    , m_bulk(new TextLabel(TextLabel::Kind::Body, this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_selected(new TextLabel(TextLabel::Kind::Secondary, this))
    , m_rows(new TextLabel(TextLabel::Kind::Secondary, this))
    , m_progress(new QProgressBar(this))
    , m_rate(new TextLabel(TextLabel::Kind::Secondary, this))
    , m_age(new TextLabel(TextLabel::Kind::Secondary, this))
{
    m_phase->setObjectName(QStringLiteral("phase"));
    m_phase->setElided(true);
    m_retry->setObjectName(QStringLiteral("retryNow"));
    m_retry->setProperty("compact", true);
    m_containment->setObjectName(QStringLiteral("containment"));
    m_bulk->setObjectName(QStringLiteral("bulkProgress"));
    m_cancel->setObjectName(QStringLiteral("cancelBulk"));
    m_cancel->setProperty("compact", true);
    m_cancel->setToolTip(tr("Begin nothing more; what was done stays done"));
    m_rows->setObjectName(QStringLiteral("rowsShown"));
    m_warnings->setObjectName(QStringLiteral("warnings"));
    m_warnings->setAutoRaise(true);
    m_warnings->setProperty("compact", true);
    m_warnings->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_progress->setObjectName(QStringLiteral("listing"));
    m_progress->setFixedSize(96, 6);
    m_progress->setTextVisible(false);
    m_rate->setToolTip(tr("Commands that this window sends to the server"));
    m_age->setToolTip(tr("Age of the oldest fact that is shown"));
    connect(m_retry, &QPushButton::clicked, this, [this] { m_workspace->session()->retryNow(); });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (Session *const session = m_workspace->session())
            session->cancelBulk();
    });
    connect(m_warnings, &QToolButton::clicked, this, &StatusLine::tellWarnings);

    auto *const layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::large, 0, space::large, 0);
    layout->setSpacing(space::large);
    auto *const phase = new QHBoxLayout;
    phase->setSpacing(space::small);
    phase->addWidget(m_dot);
    phase->addWidget(m_phase, 1);
    layout->addLayout(phase, 1);
    for (QWidget *const part :
         {static_cast<QWidget *>(m_retry), static_cast<QWidget *>(m_warnings), static_cast<QWidget *>(m_containment),
          static_cast<QWidget *>(m_bulk), static_cast<QWidget *>(m_cancel), static_cast<QWidget *>(m_selected),
          static_cast<QWidget *>(m_rows), static_cast<QWidget *>(m_progress), static_cast<QWidget *>(m_rate),
          static_cast<QWidget *>(m_age)})
        layout->addWidget(part);
    setFixedHeight(lineHeight);
    m_tick.setInterval(std::chrono::seconds(1));
    connect(&m_tick, &QTimer::timeout, this, &StatusLine::refresh);
    m_tick.start();
    connect(workspace, &Workspace::stateChanged, this, &StatusLine::refresh);
    connect(workspace, &Workspace::currentChanged, this, &StatusLine::followCounts);
    connect(workspace, &Workspace::selectionChanged, this, &StatusLine::showRows);
    connect(workspace, &Workspace::pageChanged, this, &StatusLine::showRows);
    followCounts();
    refresh();
}

void StatusLine::followCounts()
{
    showBulk(0, 0);
    disconnect(m_bulkNews);
    const ConnectionModels *const models = m_workspace->current();
    if (!models)
        return;
    connect(models->jobs, &JobTableModel::countsChanged, this, &StatusLine::showRows, Qt::UniqueConnection);
    m_bulkNews = connect(models->session(), &Session::bulkProgressed, this, &StatusLine::showBulk);
}

QString StatusLine::phaseText() const
{
    return m_phase->text();
}

QString StatusLine::rowsText() const
{
    return m_rows->text();
}

void StatusLine::refresh()
{
    showPhase();
    showWarnings();
    showContainment();
    showRows();
}

void StatusLine::showPhase()
{
    const Session *const session = m_workspace->session();
    const ConnectionState state = session ? session->state() : ConnectionState();
    const PhaseLook look =
        session ? lookOf(state, session->profile()) : PhaseLook{Signal::Off, tr("No connection is open")};
    m_dot->setPixmap(dot(signalColour(look.signal, palette()), devicePixelRatioF()));
    m_phase->setText(look.text);
    m_phase->setToolTip(look.text.toHtmlEscaped());
    m_retry->setVisible(state.phase == ConnectionState::Phase::Waiting
                        || state.phase == ConnectionState::Phase::Refused);
    const bool isReady = state.phase == ConnectionState::Phase::Ready;
    m_rate->setText(tr("%1 commands/s")
                        .arg(QLocale().toString(state.commandsPerSecond, 'f', state.commandsPerSecond < 10 ? 1 : 0)));
    m_rate->setVisible(isReady);
    const bool isFresh = state.pictureAgeMs >= 0 && state.pictureAgeMs < 1500;
    m_age->setText(isFresh ? tr("live") : tr("%1 old").arg(durationText(Milliseconds(state.pictureAgeMs)).trimmed()));
    m_age->setVisible(state.pictureAgeMs >= 0);
}

void StatusLine::showWarnings()
{
    const Session *const session = m_workspace->session();
    const QStringList warnings = session ? session->state().warnings : QStringList();
    m_warnings->setVisible(!warnings.isEmpty());
    m_warnings->setIcon(
        QIcon(tintedIcon("warning", signalColour(Signal::Warning, palette()), space::iconSize, devicePixelRatioF())));
    m_warnings->setText(counted(warnings.size(), tr("1 warning"), tr("%1 warnings")));
    m_warnings->setToolTip(QStringLiteral("<p style=\"white-space:pre-wrap\">%1</p>")
                               .arg(warnings.join(u'\n').left(2048).toHtmlEscaped()));
}

/// In short; the reason why it is not better stands behind the colon and in the tip.
void StatusLine::showContainment()
{
    const Session *const session = m_workspace->session();
    const QString text = session ? session->state().containment : QString();
    m_containment->setVisible(!text.isEmpty());
    m_containment->setText(tr("Jobs %1").arg(text.section(u':', 0, 0)));
    m_containment->setToolTip(QStringLiteral("<p>%1</p>").arg(text.left(1024).toHtmlEscaped()));
}

void StatusLine::tellWarnings()
{
    if (const Session *const session = m_workspace->session())
        Prompts::instance().tell(
            window(), {tr("Warnings about this server"), session->state().warnings.join(QStringLiteral("\n\n")), {}});
}

/// Only an action that takes a moment is shown: the first news comes after a tenth of a second.
void StatusLine::showBulk(qint64 done, qint64 total)
{
    m_bulk->setText(tr("%1 of %2 done").arg(QLocale().toString(done), QLocale().toString(total)));
    m_bulk->setVisible(total > 0);
    m_cancel->setVisible(total > 0);
}

void StatusLine::showRows()
{
    const ConnectionModels *const models = m_workspace->current();
    const bool isJobs = models && m_workspace->page() == PageId::Jobs;
    const QLocale locale;
    const qint64 total = models ? models->jobs->totalCount() : 0;
    const qint64 shown = models ? models->jobs->shownCount() : 0;
    const QString all = counted(total, tr("1 job"), tr("%1 jobs"));
    m_rows->setText(shown == total ? all : tr("%1 of %2").arg(locale.toString(shown), all));
    m_rows->setVisible(isJobs && total > 0);
    const qint64 selected = isJobs ? m_workspace->selectedCount() : 0;
    m_selected->setText(tr("%1 selected").arg(locale.toString(selected)));
    m_selected->setVisible(selected > 1);
    const JobTableModel::Listing listing = models ? models->jobs->listing() : JobTableModel::Listing{0, 0, true};
    const bool isRead = models && models->isReady() && models->session()->state().unread.jobs.message.isEmpty();
    m_progress->setVisible(isRead && !listing.complete);
    m_progress->setRange(0, listing.known > 0 ? int(std::min<qint64>(listing.known, 1'000'000'000)) : 0);
    m_progress->setValue(int(std::min<qint64>(listing.listed, 1'000'000'000)));
    m_progress->setToolTip(tr("Reading the list of jobs"));
}

} // namespace ym
