#include "ui/dialogs/compose/compose_form.h"

#include "core/engine/session.h"
#include "ui/dialogs/compose/environment_table.h"
#include "ui/dialogs/compose/prerequisites_picker.h"
#include "ui/dialogs/compose/schedule_field.h"
#include "ui/dialogs/compose/target_fields.h"
#include "ui/dialogs/parts/access_fields.h"
#include "ui/dialogs/parts/form_field.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr int preferredWidth = 380;
constexpr int longestTimeout = 86400; // validateDraft's range, with room below for what it refuses
constexpr int mostRetries = 1000;

} // namespace

ComposeForm::ComposeForm(Session *session, QWidget *parent)
    : QScrollArea(parent)
    , m_capabilities(session->capabilities())
{
    auto *const page = new QWidget(this);
    m_column = new QVBoxLayout(page);
    m_column->setContentsMargins(2, 2, 12, 2);
    m_column->setSpacing(10);
    m_target = new TargetFields(m_capabilities, page);
    m_column->addWidget(m_target);
    makeRunFields();
    m_environment = new EnvironmentTable(page);
    if (m_capabilities.can(Capability::Environment))
        addField("env", tr("&Environment"), m_environment);
    m_environment->setVisible(m_capabilities.can(Capability::Environment));
    makeAccessFields();
    m_prerequisites = new PrerequisitesPicker(session, page);
    if (m_capabilities.can(Capability::Prerequisites))
        addField("prerequisites", tr("Run &after"), m_prerequisites);
    m_prerequisites->setVisible(m_capabilities.can(Capability::Prerequisites));
    makeOriginFields();
    m_column->addStretch();
    setWidget(page);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);

    connect(m_target, &TargetFields::edited, this, &ComposeForm::edited);
    connect(m_target, &TargetFields::typeEdited, this, &ComposeForm::typeEdited);
    connect(m_timeout, &QSpinBox::valueChanged, this, &ComposeForm::edited);
    connect(m_retries, &QSpinBox::valueChanged, this, &ComposeForm::edited);
    connect(m_concurrent, &QCheckBox::toggled, this, &ComposeForm::edited);
    connect(m_schedule, &ScheduleField::edited, this, &ComposeForm::edited);
    connect(m_environment, &EnvironmentTable::edited, this, &ComposeForm::edited);
    connect(m_access, &AccessFields::edited, this, &ComposeForm::edited);
    connect(m_prerequisites, &PrerequisitesPicker::edited, this, &ComposeForm::edited);
    connect(m_prerequisites, &PrerequisitesPicker::concernChanged, this, &ComposeForm::concernChanged);
    for (QLineEdit *line : {m_logPath, m_caller, m_context})
        connect(line, &QLineEdit::textChanged, this, &ComposeForm::edited);
}

void ComposeForm::makeRunFields()
{
    QWidget *const page = m_column->parentWidget();
    m_timeout = new QSpinBox(page);
    m_timeout->setObjectName(QStringLiteral("timeout"));
    m_timeout->setRange(0, longestTimeout);
    m_timeout->setSuffix(tr(" s"));
    m_timeout->setSpecialValueText(tr("none"));
    m_timeout->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    m_timeout->setValue(300);
    m_retries = new QSpinBox(page);
    m_retries->setObjectName(QStringLiteral("retries"));
    m_retries->setRange(0, mostRetries);
    m_retries->setSpecialValueText(tr("none"));
    auto *const row = new QHBoxLayout;
    row->setSpacing(10);
    for (const auto &[name, label, editor] :
         {std::tuple{"timeout", tr("Time&out"), m_timeout}, std::tuple{"retries", tr("&Retries"), m_retries}}) {
        auto *const field = new FormField(label, editor, page);
        m_fields.insert(name, field);
        row->addWidget(field, 1, Qt::AlignTop);
    }
    m_column->addLayout(row);
    m_concurrent = new QCheckBox(tr("May run &beside other jobs of its worker"), page);
    m_concurrent->setObjectName(QStringLiteral("concurrent"));
    m_column->addWidget(m_concurrent);
    m_schedule = new ScheduleField(page);
    m_schedule->setVisible(m_capabilities.can(Capability::Schedule));
    m_column->addWidget(m_schedule);
}

/// Whoever owns the worker decides; what is asked for must be seen by both.
void ComposeForm::makeAccessFields()
{
    m_access = new AccessFields(m_column->parentWidget());
    addField("access", tr("May reach, beside its own folder"), m_access);
    m_fields.value("access")->setHint(tr("Only a worker that grants it runs the job then."));
}

void ComposeForm::makeOriginFields()
{
    m_logPath = makeLine("logPath", tr("none"));
    if (m_capabilities.can(Capability::LogFile)) {
        addField("log_path", tr("Log &file"), m_logPath);
        m_fields.value("log_path")->setHint(tr("Relative to the worker's log folder."));
    }
    m_logPath->setVisible(m_capabilities.can(Capability::LogFile));
    m_caller = makeLine("caller", tr("your name"));
    m_context = makeLine("context", tr("none"));
    addField("caller_id", tr("&Caller"), m_caller);
    addField("context_id", tr("Conte&xt"), m_context);
}

QLineEdit *ComposeForm::makeLine(const char *name, const QString &placeholder)
{
    auto *const line = new QLineEdit(m_column->parentWidget());
    line->setObjectName(QLatin1String(name));
    line->setPlaceholderText(placeholder);
    line->setMaxLength(2000);
    return line;
}

void ComposeForm::addField(const QByteArray &name, const QString &label, QWidget *editor)
{
    auto *const field = new FormField(label, editor, m_column->parentWidget());
    m_fields.insert(name, field);
    m_column->addWidget(field);
}

void ComposeForm::setInterpreters(const QList<InterpreterStatus> &interpreters)
{
    m_target->setInterpreters(interpreters);
}

void ComposeForm::setSources(JobTableModel *jobs, PresenceIndex *presence)
{
    m_prerequisites->setJobs(jobs);
    m_target->setPresence(presence);
}

Job ComposeForm::job() const
{
    Job job;
    job.target = m_target->target();
    job.timeout = std::chrono::seconds(m_timeout->value());
    job.retries = m_retries->value();
    job.concurrent = m_concurrent->isChecked();
    job.notBefore = m_schedule->time();
    job.env = m_environment->variables();
    job.access = m_access->access();
    job.prerequisites = m_prerequisites->ids();
    job.logPath = m_logPath->text().trimmed().toUtf8();
    job.callerId = m_caller->text().trimmed().toUtf8();
    job.contextId = m_context->text().trimmed().toUtf8();
    return job;
}

void ComposeForm::setJob(const Job &job)
{
    m_target->setTarget(job.target);
    m_timeout->setValue(int(std::clamp<qint64>(job.timeout.count(), 0, longestTimeout)));
    m_retries->setValue(job.retries);
    m_concurrent->setChecked(job.concurrent);
    m_schedule->setTime(job.notBefore);
    m_environment->setVariables(job.env);
    m_access->setAccess(job.access);
    m_prerequisites->setIds(job.prerequisites);
    m_logPath->setText(QString::fromUtf8(job.logPath));
    m_caller->setText(QString::fromUtf8(job.callerId));
    m_context->setText(QString::fromUtf8(job.contextId));
    Q_EMIT edited();
}

void ComposeForm::setType(const QByteArray &type)
{
    Target target = m_target->target();
    target.type = type;
    m_target->setTarget(target);
}

void ComposeForm::focusType()
{
    m_target->focusType();
}

void ComposeForm::showProblems(const QList<FieldProblem> &problems)
{
    m_problems = problems;
    const auto problemOf = [&problems](const QByteArray &field) {
        for (const FieldProblem &problem : problems) {
            if (problem.field == field)
                return problem.message;
        }
        return QString();
    };
    for (auto field = m_fields.cbegin(); field != m_fields.cend(); ++field)
        field.value()->setProblem(problemOf(field.key()));
    m_fields.value("access")->setProblem(m_access->problem());
    for (const char *name : {"type", "group", "instance", "priority", "worker"})
        m_target->setProblem(name, problemOf(name));
    if (FormField *const prerequisites = m_fields.value("prerequisites");
        prerequisites && prerequisites->problem().isEmpty())
        prerequisites->setHint(m_prerequisites->concern());
}

bool ComposeForm::goToProblem()
{
    for (const FieldProblem &problem : m_problems) {
        FormField *const field = m_fields.value(problem.field);
        if (field)
            field->editor()->setFocus();
        else if (QWidget *const part = m_target->findChild<QWidget *>(QString::fromLatin1(problem.field)))
            part->setFocus();
        else
            continue;
        ensureWidgetVisible(focusWidget() ? focusWidget() : widget());
        return true;
    }
    return false;
}

QString ComposeForm::accessProblem() const
{
    return m_access->problem();
}

QString ComposeForm::concern() const
{
    return m_prerequisites->concern();
}

QSize ComposeForm::sizeHint() const
{
    return QSize(preferredWidth, 560);
}

} // namespace ym
