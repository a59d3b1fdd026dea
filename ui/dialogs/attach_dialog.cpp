#include "ui/dialogs/attach_dialog.h"

#include "core/base/text.h"
#include "core/base/when_ready.h"
#include "ui/dialogs/attach/client_list.h"
#include "ui/dialogs/attach/copy_line.h"
#include "ui/dialogs/attach/snippet_box.h"
#include "ui/dialogs/parts/form_field.h"
#include "ui/prompts.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace ym {

namespace {

using namespace std::chrono_literals;

constexpr auto lookInterval = 1s;
constexpr int leastPort = 1024;
constexpr int mostPort = 65535;

/// As many dots for every password: its length is nobody's business.
QString maskedUrl(quint16 port)
{
    return QStringLiteral("redis://:••••••••@127.0.0.1:%1").arg(port);
}

} // namespace

AttachDialog::AttachDialog(Connections *connections, Session *session, UiSettings *settings, QWidget *parent)
    : FittingDialog(parent)
    , m_connections(connections)
    , m_session(session)
    , m_profileId(session->profile().id)
    , m_guestNote(plainLabel({}, this))
    , m_clients(new ClientList(settings, this))
    , m_snippets(new SnippetBox(this))
{
    setModal(false);
    setWindowTitle(tr("Attach programs · %1").arg(shownText(session->profile().name.toUtf8(), Lines::Flatten, 80)));
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(18, 16, 18, 14);
    column->setSpacing(10);
    m_guestNote->setObjectName(QStringLiteral("guestNote"));
    m_guestNote->setWordWrap(true);
    column->addWidget(m_guestNote);
    makeSocketPart(column);
    makePortPart(column);
    column->addWidget(m_clients, 1);
    auto *const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_clients, &ClientList::disconnectWanted, this, &AttachDialog::disconnectClient);
    connect(session, &Session::attachChanged, this, &AttachDialog::look);
    connect(session, &Session::stateChanged, this, &AttachDialog::look);
    connect(&m_clock, &QTimer::timeout, this, &AttachDialog::look);
    setMinimumWidth(720);
    showState(AttachState{});
    readAccess();
    look();
}

void AttachDialog::makeSocketPart(QVBoxLayout *column)
{
    column->addWidget(headingLabel(tr("Unix socket"), this));
    column->addWidget(dimLabel(tr("For programs of your user on this computer, without a password. It is there while "
                                  "this workspace is open."),
                               this));
    m_socketUrl = new CopyLine(tr("URL of the unix socket"), this);
    m_socketUrl->setObjectName(QStringLiteral("socketUrl"));
    column->addWidget(m_socketUrl);
    column->addWidget(m_snippets);
    column->addSpacing(space::small);
}

void AttachDialog::makePortPart(QVBoxLayout *column)
{
    m_portSwitch = new QCheckBox(tr("&Port on this computer"), this);
    m_portSwitch->setObjectName(QStringLiteral("portSwitch"));
    QFont bold = m_portSwitch->font();
    bold.setBold(true);
    m_portSwitch->setFont(bold);
    m_port = new QSpinBox(this);
    m_port->setObjectName(QStringLiteral("port"));
    m_port->setRange(leastPort - 1, mostPort);
    m_port->setSpecialValueText(tr("any free one"));
    m_port->setAccessibleName(tr("Port number"));
    m_port->setKeyboardTracking(false);
    auto *const top = new QHBoxLayout;
    top->setSpacing(space::small);
    top->addWidget(m_portSwitch, 1);
    top->addWidget(plainLabel(tr("Number"), this));
    top->addWidget(m_port);
    column->addLayout(top);
    column->addWidget(dimLabel(tr("For programs that cannot use a unix socket or run as another user. Only 127.0.0.1 is "
                                  "listened on, and nobody comes in without the password."),
                               this));
    m_portUrl = new CopyLine(tr("URL of the port"), this);
    m_portUrl->setObjectName(QStringLiteral("portUrl"));
    m_renew = new QPushButton(tr("&New password…"), this);
    m_renew->setObjectName(QStringLiteral("renew"));
    m_renew->setAutoDefault(false);
    auto *const row = new QHBoxLayout;
    row->setSpacing(space::small);
    row->addWidget(m_portUrl, 1);
    row->addWidget(m_renew);
    column->addLayout(row);
    m_portNote = plainLabel({}, this);
    m_portNote->setObjectName(QStringLiteral("portNote"));
    m_portNote->setWordWrap(true);
    column->addWidget(m_portNote);
    column->addSpacing(space::small);
    connect(m_portSwitch, &QCheckBox::clicked, this, &AttachDialog::applyPort);
    connect(m_port, &QSpinBox::editingFinished, this, &AttachDialog::applyPort);
    connect(m_renew, &QPushButton::clicked, this, &AttachDialog::renewPassword);
}

void AttachDialog::showEvent(QShowEvent *event)
{
    FittingDialog::showEvent(event);
    m_clock.start(lookInterval);
}

void AttachDialog::hideEvent(QHideEvent *event)
{
    m_clock.stop();
    FittingDialog::hideEvent(event);
}

void AttachDialog::look()
{
    if (!m_session)
        return showState(AttachState{});
    whenReady(m_session->attachState(), this, [this](const Result<AttachState> &state) {
        showState(state.value_or(AttachState{}));
    });
}

void AttachDialog::readAccess()
{
    whenReady(m_connections->portAccess(m_profileId), this, [this](const Result<PortAccess> &access) {
        if (!access)
            return fail(access.error());
        m_access = *access;
        m_hasAccess = true;
        m_port->setValue(m_access.port == 0 ? m_port->minimum() : m_access.port);
        m_portSwitch->setChecked(m_access.isWanted);
        showPort();
    });
}

void AttachDialog::showState(const AttachState &state)
{
    m_state = state;
    const bool isElsewhere = state.host == AttachState::Host::Elsewhere;
    m_guestNote->setVisible(isElsewhere);
    if (isElsewhere)
        m_guestNote->setText(tr("Process %1 has this workspace open; this window uses it through the same socket. Its port "
                                "and its programs are shown there.")
                                 .arg(state.hostPid));
    showSocket();
    showPort();
    m_clients->setClients(state.clients);
    m_clients->setEmptyText(isElsewhere ? tr("Only the process that has the workspace knows them.")
                                        : tr("Nobody is attached. Copy a line from above into a terminal to try it."));
}

void AttachDialog::showSocket()
{
    m_snippets->setSocket(m_state.socket);
    if (!m_state.socket.isEmpty())
        return m_socketUrl->show(QStringLiteral("unix:") + m_state.socket, QStringLiteral("unix:") + m_state.socket);
    m_socketUrl->showNothing(!m_state.trouble.isEmpty()                    ? m_state.trouble
                                 : m_state.host == AttachState::Host::None ? tr("The workspace is not open.")
                                                                           : tr("There is none."));
}

void AttachDialog::showPort()
{
    const bool isHere = m_state.host == AttachState::Host::Here;
    const bool isOpen = isHere && m_state.port != 0 && m_hasAccess;
    m_portSwitch->setEnabled(isHere && m_hasAccess);
    m_port->setEnabled(isHere && m_hasAccess);
    m_renew->setEnabled(isHere && m_hasAccess);
    if (isOpen)
        m_portUrl->show(maskedUrl(m_state.port), portUrl(m_state.port, m_access.password));
    else
        m_portUrl->showNothing(m_state.host == AttachState::Host::Elsewhere
                                   ? tr("Only the process that has the workspace can open it.")
                                   : tr("The port is closed."));
    const QString trouble = m_failure.isEmpty() ? m_state.portTrouble : m_failure;
    setTone(m_portNote, Tone::Problem);
    m_portNote->setText(trouble);
    m_portNote->setVisible(!trouble.isEmpty());
}

void AttachDialog::applyPort()
{
    const auto port = quint16(m_port->value() == m_port->minimum() ? 0 : m_port->value());
    const bool isOn = m_portSwitch->isChecked();
    if (!m_hasAccess || (isOn == m_access.isWanted && port == m_access.port))
        return;
    m_access.isWanted = isOn;
    m_access.port = port;
    m_failure.clear();
    whenReady(m_connections->setPort(m_profileId, isOn, port), this, [this](const Result<quint16> &opened) {
        if (!opened)
            fail(opened.error());
        look();
    });
}

void AttachDialog::renewPassword()
{
    Question question;
    question.title = tr("Make a new password for the port?");
    question.text = tr("Programs that use the present one are disconnected and need the new URL.");
    question.answers = {tr("New password")};
    Prompts::instance().confirm(this, question, [this] {
        whenReady(m_connections->renewPortPassword(m_profileId), this, [this](const Result<QString> &password) {
            if (!password)
                return fail(password.error());
            m_access.password = *password;
            m_failure.clear();
            look();
        });
    });
}

void AttachDialog::disconnectClient(qint64 id)
{
    if (!m_session)
        return;
    whenReady(m_session->cutClient(id), this, [this](const Result<bool> &) { look(); });
}

void AttachDialog::fail(const Error &error)
{
    m_failure = error.text();
    showPort();
}

} // namespace ym
