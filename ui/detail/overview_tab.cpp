#include "ui/detail/overview_tab.h"

#include "core/base/counted.h"
#include "core/base/relative_time.h"
#include "core/base/text.h"
#include "core/job/end_text.h"
#include "core/job/secret_text.h"
#include "ui/connection_models.h"
#include "ui/detail/cut_bar.h"
#include "ui/detail/field_grid.h"
#include "ui/detail/standing_row.h"
#include "ui/detail/timeline_strip.h"
#include "ui/theme.h"
#include "ui/widgets/line_view.h"
#include "ui/widgets/text_label.h"

#include <QEvent>
#include <QScrollArea>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr qsizetype longestValue = 512;
constexpr int mostErrorRows = 10;
constexpr int errorFrame = 6;
constexpr qsizetype mostVariables = 200;

QString shown(const QByteArray &bytes)
{
    return shownText(bytes, Lines::Flatten, longestValue);
}

/// type → group → instance as far as the job says, with the priority when it is not the usual one.
QString targetPath(const Target &target)
{
    QStringList parts{shown(target.type)};
    for (const QByteArray &part : {target.group, target.instance, target.legacyWorker}) {
        if (!part.isEmpty())
            parts.append(shown(part));
    }
    const QString path = parts.join(QStringLiteral(" → "));
    return target.priority == 1 ? path : OverviewTab::tr("%1, priority %2").arg(path, QString::number(target.priority));
}

QString attemptText(const Job &job)
{
    if (job.attempt > 0)
        return OverviewTab::tr("%1 of %2")
            .arg(QString::number(job.attempt), QString::number(std::max(job.retries + 1, job.attempt)));
    if (job.retries <= 0)
        return OverviewTab::tr("not yet");
    return counted(job.retries, OverviewTab::tr("not yet, 1 retry allowed"),
                   OverviewTab::tr("not yet, %1 retries allowed"));
}

QString timeoutText(const Job &job)
{
    return job.timeout.count() == 0 ? OverviewTab::tr("none")
                                    : OverviewTab::tr("%1 s").arg(QLocale().toString(qint64(job.timeout.count())));
}

QString timeText(std::optional<Timestamp> when)
{
    return when ? exactTimeText(*when) : QString();
}

} // namespace

OverviewTab::OverviewTab(QWidget *parent)
    : DetailTab(parent)
    , m_content(new QWidget)
    , m_timeline(new TimelineStrip(m_content))
    , m_standing(new StandingRow(m_content))
    , m_problems(new TextLabel(TextLabel::Kind::Body, m_content))
    , m_errorTitle(new TextLabel(tr("Error"), TextLabel::Kind::Heading, m_content))
    , m_early(new TextLabel(TextLabel::Kind::Body, m_content))
    , m_error(new LineView(m_content))
    , m_errorCut(new CutBar(m_content))
    , m_fields(new FieldGrid(m_content))
    , m_envTitle(new TextLabel(tr("Environment"), TextLabel::Kind::Heading, m_content))
    , m_env(new FieldGrid(m_content))
{
    m_problems->setObjectName(QStringLiteral("problems"));
    m_problems->setWordWrap(true);
    m_error->setObjectName(QStringLiteral("errorText"));
    m_early->setObjectName(QStringLiteral("earlyEnd"));
    m_early->setWordWrap(true);
    m_error->setFollowing(false);
    m_error->setWrapping(true);
    m_error->viewport()->installEventFilter(this);
    m_error->setProperty("boxed", true);
    m_fields->setObjectName(QStringLiteral("fields"));
    auto *const column = new QVBoxLayout(m_content);
    column->setContentsMargins(space::large, space::medium, space::large, space::large);
    column->setSpacing(space::small);
    column->addWidget(m_timeline);
    column->addSpacing(space::tiny);
    column->addWidget(m_standing);
    column->addWidget(m_problems);
    column->addWidget(m_errorTitle);
    column->addWidget(m_early);
    column->addWidget(m_errorCut);
    column->addWidget(m_error);
    column->addSpacing(space::tiny);
    column->addWidget(m_fields);
    column->addSpacing(space::small);
    column->addWidget(m_envTitle);
    column->addWidget(m_env);
    column->addStretch();
    auto *const area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(m_content);
    area->viewport()->setBackgroundRole(QPalette::Base);
    m_content->setBackgroundRole(QPalette::Base);
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(area);
    for (FieldGrid *const grid : {m_fields, m_env})
        connect(grid, &FieldGrid::idClicked, this, &OverviewTab::jobWanted);
    connect(m_standing, &StandingRow::remedyWanted, this, &OverviewTab::remedyWanted);
    connect(m_errorCut, &CutBar::failed, this, &OverviewTab::failed);
    connect(m_errorCut, &CutBar::loaded, this, [this](const QByteArray &, const QByteArray &, const QByteArray &bytes) {
        m_error->setOutput(bytes);
        fitError();
    });
    m_tick.setInterval(std::chrono::seconds(1));
    connect(&m_tick, &QTimer::timeout, this, &OverviewTab::tick);
    clear();
}

void OverviewTab::tick()
{
    if (!isVisible() || !models())
        return;
    m_timeline->show(m_job, models()->clock()->now());
    m_standing->show(m_job, *models());
}

void OverviewTab::clear()
{
    m_job = {};
    m_shownError.clear();
    m_errorCut->withdraw();
    m_tick.stop();
    m_content->hide();
}

void OverviewTab::show(const JobDetail &detail)
{
    using Kind = FieldGrid::Field::Kind;
    const bool isOther = m_job.id != detail.job.id;
    m_job = detail.job;
    const Job &job = m_job;
    m_timeline->show(job, models()->clock()->now());
    if (isTerminal(job.state))
        m_tick.stop();
    else
        m_tick.start();
    m_problems->setText(shownText(job.problems.mid(0, 20).join(u'\n').toUtf8(), Lines::Keep, TextLabel::longest));
    m_problems->setVisible(!job.problems.isEmpty());
    if (isOther)
        m_shownError.clear();
    m_standing->show(job, *models());
    showError(detail);
    QList<FieldGrid::Field> fields{
        {tr("Target"), Kind::Text, targetPath(job.target), {}},
        {tr("Attempt"), Kind::Text, attemptText(job), {}},
        {tr("Timeout"), Kind::Text, timeoutText(job), {}},
        {tr("Concurrent"),
         Kind::Text,
         job.concurrent ? tr("yes, beside other jobs of its worker") : tr("no, one at a time"),
         {}},
    };
    const auto addText = [&fields](const QString &name, Kind kind, const QString &text) {
        if (!text.isEmpty())
            fields.append({name, kind, text, {}});
    };
    addText(tr("May reach"), Kind::Text, shown(accessText(job.access).toUtf8()));
    addText(tr("Contained"), Kind::Text, job.runs.isEmpty() ? QString() : shown(job.runs.constLast().containment));
    addText(tr("Status text"), Kind::Mono, shown(job.statusText));
    addText(tr("Worker"), Kind::Text, shown(job.claimedBy));
    addText(tr("Caller"), Kind::Text, shown(job.callerId));
    addText(tr("Context"), Kind::Text, shown(job.contextId));
    addText(tr("Log file"), Kind::Mono, shown(job.logPath));
    if (!job.prerequisites.isEmpty())
        fields.append({tr("Waits for"), Kind::Ids, {}, job.prerequisites});
    if (!job.dependents.isEmpty())
        fields.append({tr("Waited for by"), Kind::Ids, {}, job.dependents});
    addText(tr("Created"), Kind::Text, timeText(job.createdAt));
    addText(tr("Updated"), Kind::Text, timeText(job.updatedAt));
    addText(tr("Id"), Kind::Mono, shown(job.id));
    m_fields->show(fields);
    showEnvironment(job);
    m_content->show();
}

void OverviewTab::showError(const JobDetail &detail)
{
    const Job &job = detail.job;
    const QString early = endText(job);
    const bool hasError = early.isEmpty() && !job.error.isEmpty();
    m_errorTitle->setText(early.isEmpty() ? tr("Error") : tr("Ended early"));
    m_errorTitle->setVisible(hasError || !early.isEmpty());
    m_early->setText(early);
    m_early->setVisible(!early.isEmpty());
    m_error->setVisible(hasError);
    const auto cut = detail.fullSize.constFind("error");
    if (!hasError || cut == detail.fullSize.cend())
        m_errorCut->withdraw();
    if (!hasError || job.error == m_shownError)
        return;
    m_shownError = job.error;
    m_error->setOutput(job.error);
    fitError();
    if (cut != detail.fullSize.cend())
        m_errorCut->offer(models()->session(), job.id, "error", job.error.size(), *cut);
}

void OverviewTab::fitError()
{
    m_error->setFixedHeight(m_error->heightOfRows(mostErrorRows) + errorFrame);
}

bool OverviewTab::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_error->viewport() && event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &OverviewTab::fitError, Qt::QueuedConnection); // its lines are wrapped
    return DetailTab::eventFilter(watched, event);
}

void OverviewTab::showEnvironment(const Job &job)
{
    using Kind = FieldGrid::Field::Kind;
    QList<FieldGrid::Field> variables;
    for (const auto &[name, value] : job.env.mid(0, mostVariables))
        variables.append(
            {shownText(name, Lines::Flatten, 60), namesSecret(name) ? Kind::Secret : Kind::Mono, shown(value), {}});
    if (job.env.size() > mostVariables)
        variables.append({tr("…"), Kind::Text, tr("%1 more").arg(job.env.size() - mostVariables), {}});
    m_env->show(variables);
    m_env->setVisible(!variables.isEmpty());
    m_envTitle->setVisible(!variables.isEmpty());
}

} // namespace ym
