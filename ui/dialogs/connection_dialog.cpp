#include "ui/dialogs/connection_dialog.h"

#include "core/base/when_ready.h"
#include "core/engine/session.h"
#include "ui/dialogs/connection/address_form.h"
#include "ui/dialogs/connection/colour_picker.h"
#include "ui/dialogs/connection/key_choice_fields.h"
#include "ui/dialogs/parts/form_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr int longestName = 80;

/// A name for a connection that has none: the host, the socket's or the folder's last part.
QString suggestedName(const StoreAddress &address)
{
    switch (address.kind) {
    case StoreAddress::Kind::Embedded:
        return address.folder.section(u'/', -1, -1, QString::SectionSkipEmpty);
    case StoreAddress::Kind::Memory:
        return ConnectionDialog::tr("Memory");
    case StoreAddress::Kind::Tcp:
    case StoreAddress::Kind::Tls:
        return address.host;
    case StoreAddress::Kind::Unix:
        return address.path.section(u'/', -1, -1, QString::SectionSkipEmpty);
    }
    return {};
}

} // namespace

ConnectionDialog::ConnectionDialog(Connections *connections, QWidget *parent)
    : FittingDialog(parent)
    , m_connections(connections)
{
    setModal(false);
    makeForm();
    makeTestRow();
    auto *const buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_save = buttons->addButton(tr("&Save"), QDialogButtonBox::AcceptRole);
    m_save->setObjectName(QStringLiteral("save"));
    m_save->setDefault(true);
    m_reason = dimLabel({}, this);
    m_reason->setObjectName(QStringLiteral("reason"));
    auto *const bottom = new QHBoxLayout;
    bottom->addWidget(m_reason, 1);
    bottom->addWidget(buttons);
    static_cast<QVBoxLayout *>(layout())->addStretch();
    static_cast<QVBoxLayout *>(layout())->addLayout(bottom);
    connect(buttons, &QDialogButtonBox::accepted, this, &ConnectionDialog::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(connections, &QObject::destroyed, this, &ConnectionDialog::validate);
    setMinimumWidth(560);
}

ConnectionDialog::~ConnectionDialog() = default;

void ConnectionDialog::makeForm()
{
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(18, 16, 18, 14);
    column->setSpacing(10);
    m_name = new QLineEdit(this);
    m_name->setObjectName(QStringLiteral("name"));
    m_name->setMaxLength(longestName);
    m_nameField = new FormField(tr("&Name"), m_name, this);
    column->addWidget(m_nameField);
    m_address = new AddressForm(this);
    column->addWidget(m_address);

    m_order = new QComboBox(this);
    m_order->setObjectName(QStringLiteral("order"));
    m_order->addItems({tr("Oldest job first (FIFO)"), tr("Newest job first (LIFO)")});
    m_colour = new ColourPicker(this);
    auto *const look = new QHBoxLayout;
    look->setSpacing(10);
    look->addWidget(new FormField(tr("Local workers &take"), m_order, this), 1, Qt::AlignTop);
    look->addWidget(new FormField(tr("C&olour"), m_colour, this), 1, Qt::AlignTop);
    column->addLayout(look);
    m_keys = new KeyChoiceFields(this);
    column->addWidget(m_keys);
    connect(m_keys, &KeyChoiceFields::edited, this, &ConnectionDialog::validate);
    m_readOnly = new QCheckBox(tr("&Read-only: nothing can be changed through it"), this);
    m_readOnly->setObjectName(QStringLiteral("readOnly"));
    m_production = new QCheckBox(tr("Production: a red frame, and removing asks for the na&me"), this);
    m_production->setObjectName(QStringLiteral("production"));
    m_limitsOnly = new QCheckBox(tr("&Jobs that can only be limited may run here and see all files"), this);
    m_limitsOnly->setObjectName(QStringLiteral("limitsOnly"));
    m_limitsOnly->setToolTip(tr("You agreed to it when you started a worker. Untick it to take that back."));
    column->addWidget(m_readOnly);
    column->addWidget(m_production);
    column->addWidget(m_limitsOnly);

    connect(m_name, &QLineEdit::textEdited, this,
            [this](const QString &text) { m_nameTyped = !text.trimmed().isEmpty(); });
    connect(m_name, &QLineEdit::textChanged, this, &ConnectionDialog::validate);
    connect(m_address, &AddressForm::edited, this, [this] {
        endTest();
        m_result->hide();
        if (!m_nameTyped)
            m_name->setText(suggestedName(m_address->address()).left(longestName));
        validate();
    });
}

void ConnectionDialog::makeTestRow()
{
    m_test = new QPushButton(tr("Tes&t"), this);
    m_test->setObjectName(QStringLiteral("test"));
    m_test->setAutoDefault(false);
    m_cancelTest = new QPushButton(tr("Stop"), this);
    m_cancelTest->setObjectName(QStringLiteral("cancelTest"));
    m_cancelTest->setAutoDefault(false);
    m_busy = new QProgressBar(this);
    m_busy->setRange(0, 0);
    m_busy->setTextVisible(false);
    m_busy->setMaximumSize(90, 8);
    m_result = plainLabel({}, this);
    m_result->setObjectName(QStringLiteral("testResult"));
    m_result->setWordWrap(true);
    m_result->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *const row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_test, 0, Qt::AlignTop);
    row->addWidget(m_cancelTest, 0, Qt::AlignTop);
    row->addWidget(m_busy);
    row->addWidget(m_result, 100);
    row->addStretch(1);
    static_cast<QVBoxLayout *>(layout())->addLayout(row);
    connect(m_test, &QPushButton::clicked, this, &ConnectionDialog::startTest);
    connect(m_cancelTest, &QPushButton::clicked, this, [this] {
        endTest();
        m_result->hide();
    });
    m_result->hide();
    endTest();
}

QString ConnectionDialog::passwordRemark() const
{
    return m_connections && m_connections->keepsSecrets()
        ? QString()
        : tr("This desktop has no keychain: a password is kept until Yardmaster ends.");
}

void ConnectionDialog::create()
{
    setWindowTitle(tr("New connection"));
    m_edited = {};
    m_limitsOnly->hide();
    m_nameTyped = false;
    StoreAddress address;
    address.kind = StoreAddress::Kind::Tcp;
    m_address->setAddress(address);
    m_address->setPasswordKept(false, passwordRemark());
    m_address->setFixed(false);
    validate();
    open();
    m_address->focusFirst();
}

void ConnectionDialog::edit(const Profile &profile)
{
    setWindowTitle(tr("Connection %1").arg(profile.name.left(longestName)));
    m_edited = profile;
    m_nameTyped = true;
    m_name->setText(profile.name);
    m_address->setAddress(parseStoreAddress(profile.url).value_or(StoreAddress()));
    m_address->setPasswordKept(true, passwordRemark());
    m_address->setFixed(profile.id == QLatin1String(localProfileId));
    m_order->setCurrentIndex(int(profile.order));
    m_keys->setChoice(profile.keys);
    m_colour->setColour(profile.colour);
    m_readOnly->setChecked(profile.readOnly);
    m_production->setChecked(profile.production);
    m_limitsOnly->setChecked(profile.limitsOnly);
    m_limitsOnly->setVisible(profile.limitsOnly);
    validate();
    open();
    m_name->setFocus();
}

Profile ConnectionDialog::profile() const
{
    Profile profile = m_edited;
    profile.name = m_name->text().trimmed();
    profile.url = toUrl(m_address->address());
    profile.order = m_order->currentIndex() == 0 ? ServingOrder::Fifo : ServingOrder::Lifo;
    profile.keys = m_keys->choice();
    profile.colour = m_colour->colour();
    profile.readOnly = m_readOnly->isChecked();
    profile.production = m_production->isChecked();
    // Somebody agreed to run the scripts of that store, not of another one.
    const bool isSameStore = profile.url == toUrl(parseStoreAddress(m_edited.url).value_or(StoreAddress()));
    profile.limitsOnly = m_edited.limitsOnly && m_limitsOnly->isChecked() && isSameStore;
    return profile;
}

void ConnectionDialog::validate()
{
    const QString address = m_address->check();
    const bool named = !m_name->text().trimmed().isEmpty();
    QString reason = address;
    if (reason.isEmpty() && !named)
        reason = tr("Give the connection a name.");
    if (reason.isEmpty())
        reason = m_keys->problem();
    if (!m_connections)
        reason = tr("Yardmaster is ending.");
    m_reason->setText(reason);
    m_save->setEnabled(reason.isEmpty());
    m_test->setEnabled(address.isEmpty() && m_connections);
}

void ConnectionDialog::startTest()
{
    const quint64 number = ++m_testNumber;
    m_test->hide();
    m_cancelTest->show();
    m_busy->show();
    setTone(m_result, Tone::Dim);
    m_result->setText(tr("Connecting…"));
    m_result->show();
    const bool wasFocused = m_test->hasFocus() || !focusWidget();
    if (wasFocused)
        m_cancelTest->setFocus();
    const auto tested = m_connections->test(profile(), m_address->password());
    whenReady(tested, this, [this, number](const Result<QString> &result) {
        if (number == m_testNumber)
            showTest(result);
    });
}

void ConnectionDialog::endTest()
{
    ++m_testNumber;
    const bool wasFocused = m_cancelTest->hasFocus();
    m_test->show();
    if (wasFocused)
        m_test->setFocus();
    m_cancelTest->hide();
    m_busy->hide();
}

void ConnectionDialog::showTest(const Result<QString> &result)
{
    endTest();
    setTone(m_result, result ? Tone::Good : Tone::Problem);
    m_result->setText(result ? *result : result.error().text());
    m_result->show();
}

void ConnectionDialog::save()
{
    if (!m_connections || !m_save->isEnabled())
        return;
    const QString id = m_connections->save(profile(), m_address->password());
    accept();
    Q_EMIT saved(id);
}

void ConnectionDialog::done(int result)
{
    endTest();
    QDialog::done(result);
}

} // namespace ym
