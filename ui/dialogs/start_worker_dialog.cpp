#include "ui/dialogs/start_worker_dialog.h"

#include "core/base/text.h"
#include "core/base/when_ready.h"
#include "core/engine/store_url.h"
#include "core/job/containment.h"
#include "ui/dialogs/parts/access_fields.h"
#include "ui/dialogs/parts/form_field.h"
#include "ui/ui_settings.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QSpinBox>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr int mostSlots = 64;
constexpr auto slotsName = "worker/slots";

QString limitsWord()
{
    return StartWorkerDialog::tr("limits only");
}

} // namespace

StartWorkerDialog::StartWorkerDialog(Session *session, UiSettings *settings, QWidget *parent)
    : FittingDialog(parent)
    , m_session(session)
    , m_settings(settings)
{
    setModal(false);
    setWindowTitle(tr("Start a local worker · %1").arg(session->profile().name));
    makeForm();
    connect(session, &Session::stateChanged, this, &StartWorkerDialog::validate);
    connect(session, &QObject::destroyed, this, &StartWorkerDialog::validate, Qt::QueuedConnection);
    setMinimumWidth(460);
    validate();
}

/// Everything but the embedded stores may hold scripts that somebody else wrote.
bool StartWorkerDialog::runsScriptsOfOthers() const
{
    if (!m_session)
        return true;
    const Result<StoreAddress> address = parseStoreAddress(m_session->profile().url);
    const bool own =
        address && (address->kind == StoreAddress::Kind::Embedded || address->kind == StoreAddress::Kind::Memory);
    return !own;
}

void StartWorkerDialog::makeForm()
{
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(18, 16, 18, 14);
    column->setSpacing(10);
    column->addWidget(headingLabel(tr("Scripts it runs"), this));
    m_typeArea = new QWidget(this);
    auto *const types = new QVBoxLayout(m_typeArea);
    types->setContentsMargins(0, 0, 0, 4);
    types->setSpacing(4);
    column->addWidget(m_typeArea);

    const auto part = new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[A-Za-z0-9_.-]{0,64}")), this);
    m_group = new QLineEdit(QString::fromUtf8(WorkerRequest().group), this);
    m_group->setObjectName(QStringLiteral("group"));
    m_group->setValidator(part);
    m_instance = new QLineEdit(this);
    m_instance->setObjectName(QStringLiteral("instance"));
    m_instance->setValidator(part);
    m_instance->setPlaceholderText(tr("a free one"));
    m_slots = new QSpinBox(this);
    m_slots->setObjectName(QStringLiteral("slots"));
    m_slots->setRange(1, mostSlots);
    m_slots->setValue(std::clamp(m_settings->text(slotsName).toInt(), 1, mostSlots));
    auto *const row = new QHBoxLayout;
    row->setSpacing(10);
    row->addWidget(new FormField(tr("&Group"), m_group, this), 2, Qt::AlignTop);
    row->addWidget(new FormField(tr("&Instance"), m_instance, this), 2, Qt::AlignTop);
    row->addWidget(new FormField(tr("&Jobs at once"), m_slots, this), 1, Qt::AlignTop);
    column->addLayout(row);
    m_workerId = new QLineEdit(this);
    m_workerId->setObjectName(QStringLiteral("workerId"));
    m_workerId->setValidator(part);
    m_workerId->setPlaceholderText(tr("none"));
    const bool hasLegacy =
        m_session->capabilities().can(Capability::KeyModes) && m_session->profile().keys.mode != KeyMode::Canonical;
    if (hasLegacy) {
        auto *const field = new FormField(tr("&Worker ID"), m_workerId, this);
        field->setHint(tr("As which it serves the legacy queues that are named after a worker."));
        column->addWidget(field);
    }
    m_workerId->setVisible(hasLegacy);
    m_access = new AccessFields(this);
    m_accessField = new FormField(tr("Its jobs may reach, if they ask for it"), m_access, this);
    column->addWidget(m_accessField);
    makeWarning();
    makeLimitsConsent();
    column->addStretch();

    m_status = dimLabel({}, this);
    m_status->setObjectName(QStringLiteral("status"));
    auto *const buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_start = buttons->addButton(tr("&Start"), QDialogButtonBox::AcceptRole);
    m_start->setObjectName(QStringLiteral("start"));
    m_start->setDefault(true);
    auto *const bottom = new QHBoxLayout;
    bottom->addWidget(m_status, 1);
    bottom->addWidget(buttons);
    column->addLayout(bottom);
    connect(buttons, &QDialogButtonBox::accepted, this, &StartWorkerDialog::start);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (QLineEdit *line : {m_group, m_instance})
        connect(line, &QLineEdit::textChanged, this, &StartWorkerDialog::validate);
    connect(m_access, &AccessFields::edited, this, &StartWorkerDialog::validate);
    connect(m_limitsWord, &QLineEdit::textChanged, this, &StartWorkerDialog::validate);
}

void StartWorkerDialog::makeWarning()
{
    if (!runsScriptsOfOthers())
        return;
    QLabel *const warning =
        plainLabel(tr("Scripts from this server will run on this computer, whoever wrote them."), this);
    warning->setWordWrap(true);
    warning->setObjectName(QStringLiteral("remoteWarning"));
    setTone(warning, Tone::Problem);
    m_consent = new QCheckBox(tr("I &trust everybody who can write to it"), this);
    m_consent->setObjectName(QStringLiteral("consent"));
    layout()->addWidget(warning);
    layout()->addWidget(m_consent);
    connect(m_consent, &QCheckBox::toggled, this, &StartWorkerDialog::validate);
}

void StartWorkerDialog::makeLimitsConsent()
{
    m_limitsArea = new QWidget(this);
    m_limitsText = plainLabel({}, m_limitsArea);
    m_limitsText->setWordWrap(true);
    m_limitsText->setObjectName(QStringLiteral("limitsWarning"));
    setTone(m_limitsText, Tone::Problem);
    m_limitsWord = new QLineEdit(m_limitsArea);
    m_limitsWord->setObjectName(QStringLiteral("limitsWord"));
    m_limitsWord->setMaxLength(40);
    auto *const column = new QVBoxLayout(m_limitsArea);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_limitsText);
    column->addWidget(new FormField(tr("T&ype “%1” to allow this for the connection").arg(limitsWord()), m_limitsWord,
                                    m_limitsArea));
    layout()->addWidget(m_limitsArea);
}

bool StartWorkerDialog::wantsLimitsConsent() const
{
    return m_session && !m_session->profile().limitsOnly
        && m_session->state().containment.startsWith(containmentText({ContainmentLevel::LimitsOnly, false, {}}));
}

void StartWorkerDialog::setInterpreters(const QList<InterpreterStatus> &interpreters)
{
    m_interpreters = interpreters;
    fillTypes();
}

void StartWorkerDialog::setTarget(const Target &target)
{
    m_wanted = target.type;
    if (!target.group.isEmpty())
        m_group->setText(QString::fromUtf8(target.group));
    m_instance->setText(QString::fromUtf8(target.instance));
    m_workerId->setText(QString::fromUtf8(target.legacyWorker));
    fillTypes();
}

void StartWorkerDialog::fillTypes()
{
    qDeleteAll(m_typeArea->findChildren<QWidget *>(Qt::FindDirectChildrenOnly));
    m_types.clear();
    for (const InterpreterStatus &status : m_interpreters) {
        const QByteArray type = status.interpreter.type;
        auto *const row = new QWidget(m_typeArea);
        auto *const box = new QCheckBox(shownText(type, Lines::Flatten, 64), row);
        box->setObjectName(QStringLiteral("type_") + QString::fromUtf8(type));
        box->setEnabled(status.found);
        box->setChecked(status.found && (m_wanted.isEmpty() ? type == "python" : type == m_wanted));
        QLabel *const detail = dimLabel(status.found ? status.path : status.detail, row);
        detail->setEnabled(status.found);
        auto *const line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(12);
        box->setMinimumWidth(110);
        line->addWidget(box);
        line->addWidget(detail, 1);
        m_typeArea->layout()->addWidget(row);
        connect(box, &QCheckBox::toggled, this, &StartWorkerDialog::validate);
        m_types.append({type, box});
    }
    validate();
}

WorkerRequest StartWorkerDialog::request() const
{
    WorkerRequest request;
    for (const auto &[type, box] : m_types) {
        if (box->isChecked())
            request.types.append(type);
    }
    request.group = m_group->text().trimmed().toUtf8();
    request.instance = m_instance->text().trimmed().toUtf8();
    request.slotCount = m_slots->value();
    request.legacyId = m_workerId->text().trimmed().toUtf8();
    request.access = m_access->access();
    return request;
}

QString StartWorkerDialog::problem() const
{
    if (!m_session)
        return tr("This connection was closed.");
    if (m_starting)
        return tr("Starting…");
    if (m_session->state().phase != ConnectionState::Phase::Ready)
        return tr("Not connected.");
    if (m_session->profile().readOnly)
        return tr("This connection is read-only; a worker writes results.");
    if (request().types.isEmpty())
        return tr("Choose at least one type.");
    if (request().group.isEmpty())
        return tr("Give a group; “default” will do.");
    if (m_consent && !m_consent->isChecked())
        return tr("Tick that you trust the scripts of this server.");
    if (!m_access->problem().isEmpty())
        return m_access->problem();
    if (wantsLimitsConsent() && m_limitsWord->text().trimmed().compare(limitsWord(), Qt::CaseInsensitive) != 0)
        return tr("Type “%1”, or install the package bubblewrap.").arg(limitsWord());
    return {};
}

void StartWorkerDialog::validate()
{
    m_accessField->setProblem(m_access->problem());
    m_limitsArea->setVisible(wantsLimitsConsent());
    if (wantsLimitsConsent())
        m_limitsText->setText(tr("Jobs cannot be kept away from your files and the network here: %1.")
                                  .arg(m_session->state().containment.section(QStringLiteral(": "), 1)));
    const QString reason = problem();
    m_start->setEnabled(reason.isEmpty());
    setTone(m_status, m_failure.isEmpty() ? Tone::Dim : Tone::Problem);
    m_status->setText(m_failure.isEmpty() ? reason : m_failure);
}

void StartWorkerDialog::start()
{
    m_failure.clear();
    validate();
    if (!m_start->isEnabled())
        return;
    if (wantsLimitsConsent()) {
        const WorkerRequest agreed = request();
        accept();
        Q_EMIT limitsAgreed(agreed);
        return;
    }
    m_starting = true;
    validate();
    m_settings->setText(slotsName, QString::number(m_slots->value()));
    whenReady(m_session->startWorker(request()), this, [this](const Result<quint32> &outcome) { conclude(outcome); });
}

void StartWorkerDialog::conclude(const Result<quint32> &outcome)
{
    m_starting = false;
    if (!outcome) {
        m_failure = outcome.error().text();
        return validate();
    }
    accept();
    Q_EMIT started(*outcome);
}

} // namespace ym
