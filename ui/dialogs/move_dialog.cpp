#include "ui/dialogs/move_dialog.h"

#include "core/base/counted.h"
#include "ui/dialogs/compose/route_box.h"
#include "ui/dialogs/compose/target_fields.h"
#include "ui/dialogs/parts/form_field.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace ym {

MoveDialog::MoveDialog(Session *session, qsizetype jobCount, QWidget *parent)
    : FittingDialog(parent)
    , m_fields(new TargetFields(session->capabilities(), this))
    , m_route(new RouteBox(session, this))
    , m_status(dimLabel({}, this))
{
    setModal(false);
    const QString title = counted(jobCount, tr("Move 1 job"), tr("Move %1 jobs"));
    setWindowTitle(tr("%1 · %2").arg(title, session->profile().name));
    setMinimumWidth(460);
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(18, 16, 18, 14);
    column->setSpacing(10);
    column->addWidget(headingLabel(jobCount == 1 ? tr("Where it shall run") : tr("Where they shall run"), this));
    column->addWidget(m_fields);
    column->addWidget(m_route);
    QLabel *const hint = dimLabel(tr("A job that a worker takes before it is moved stays where it is."), this);
    hint->setWordWrap(true);
    column->addWidget(hint);
    column->addStretch();
    auto *const buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_move = buttons->addButton(title, QDialogButtonBox::AcceptRole);
    m_move->setObjectName(QStringLiteral("move"));
    m_move->setDefault(true);
    auto *const bottom = new QHBoxLayout;
    bottom->addWidget(m_status, 1);
    bottom->addWidget(buttons);
    column->addLayout(bottom);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT chosen(target());
        accept();
    });
    connect(m_fields, &TargetFields::edited, this, &MoveDialog::validate);
    connect(m_route, &RouteBox::startWorkerWanted, this, [this] { Q_EMIT startWorkerWanted(target()); });
    validate();
}

void MoveDialog::setInterpreters(const QList<InterpreterStatus> &interpreters)
{
    m_fields->setInterpreters(interpreters);
}

void MoveDialog::setPresence(PresenceIndex *presence)
{
    m_fields->setPresence(presence);
}

void MoveDialog::setTarget(const Target &target)
{
    m_fields->setTarget(target);
    m_fields->focusType();
    validate();
}

Target MoveDialog::target() const
{
    return m_fields->target();
}

void MoveDialog::validate()
{
    Job draft;
    draft.target = target();
    draft.script = QByteArrayLiteral("-"); // only the target is looked at
    const QList<FieldProblem> problems = validateDraft(draft);
    for (const char *field : {"type", "group", "instance", "priority", "worker"})
        m_fields->setProblem(field, {});
    if (!problems.isEmpty())
        m_fields->setProblem(problems.first().field, problems.first().message);
    if (problems.isEmpty())
        m_route->setTarget(draft.target);
    else
        m_route->setUndecided(tr("Shown when the target is complete."));
    m_status->setText(problems.isEmpty() ? QString() : problems.first().message);
    m_move->setEnabled(problems.isEmpty());
}

} // namespace ym
