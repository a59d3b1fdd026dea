#include "ui/dialogs/connection/address_form.h"

#include "ui/dialogs/parts/form_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QScopedValueRollback>
#include <QSpinBox>

namespace ym {

namespace {

using Kind = StoreAddress::Kind;

const QList<Kind> kindOrder{Kind::Embedded, Kind::Tcp, Kind::Tls, Kind::Unix, Kind::Memory};
const QList<Kind> servers{Kind::Tcp, Kind::Tls};
const QList<Kind> redises{Kind::Tcp, Kind::Tls, Kind::Unix};

QString fileProblem(const QString &path)
{
    if (path.isEmpty())
        return {};
    const QFileInfo info(path);
    if (!info.isFile())
        return AddressForm::tr("There is no such file.");
    return info.isReadable() ? QString() : AddressForm::tr("This file cannot be read.");
}

} // namespace

AddressForm::AddressForm(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(10);
    m_grid->setVerticalSpacing(10);
    m_grid->setColumnStretch(0, 3);
    m_grid->setColumnStretch(1, 1);
    m_grid->setColumnStretch(2, 1);
    makeFields();
    connect(m_url, &QLineEdit::textEdited, this, &AddressForm::readUrl);
    connect(m_url, &QLineEdit::editingFinished, this, &AddressForm::tidyUrl);
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        showKind();
        fieldEdited();
    });
    connect(m_host, &QLineEdit::textEdited, this, &AddressForm::splitHost);
    connect(m_password, &QLineEdit::textEdited, this, [this] {
        m_passwordTouched = true;
        Q_EMIT edited();
    });
    for (QLineEdit *line : {m_host, m_user, m_serverName})
        connect(line, &QLineEdit::textChanged, this, &AddressForm::fieldEdited);
    for (FileLine *line : {m_folder, m_path, m_ca, m_certificate, m_key})
        connect(line, &FileLine::edited, this, &AddressForm::fieldEdited);
    for (QSpinBox *box : {m_port, m_database})
        connect(box, &QSpinBox::valueChanged, this, &AddressForm::fieldEdited);
    connect(m_insecure, &QCheckBox::toggled, this, &AddressForm::fieldEdited);
    showKind();
    tidyUrl();
}

QLineEdit *AddressForm::makeLine(const char *name, const QString &placeholder)
{
    auto *const line = new QLineEdit(this);
    line->setObjectName(QLatin1String(name));
    line->setPlaceholderText(placeholder);
    line->setMaxLength(4000);
    return line;
}

void AddressForm::addRow(const QByteArray &name, const QString &label, QWidget *editor, Kinds kinds, int row,
                         int column, int span)
{
    auto *const field = new FormField(label, editor, this);
    m_grid->addWidget(field, row, column, 1, span, Qt::AlignTop);
    m_rows.append({name, Row{field, std::move(kinds)}});
}

void AddressForm::makeFields()
{
    m_kind = new QComboBox(this);
    m_kind->setObjectName(QStringLiteral("kind"));
    m_kind->addItems({tr("Folder on this computer"), tr("Redis"), tr("Redis over TLS"), tr("Redis on a unix socket"),
                      tr("Memory only, gone at the end")});
    m_url = makeLine("url", tr("redis://user@host:6379/0"));
    m_folder = new FileLine("folder", FileLine::Wants::Folder, this);
    m_path = new FileLine("path", FileLine::Wants::File, this);
    m_path->line()->setPlaceholderText(QStringLiteral("/run/redis/redis.sock"));
    m_host = makeLine("host", tr("localhost"));
    m_port = new QSpinBox(this);
    m_port->setObjectName(QStringLiteral("port"));
    m_port->setRange(1, 65535);
    m_port->setValue(StoreAddress{}.port);
    m_port->setGroupSeparatorShown(false);
    m_database = new QSpinBox(this);
    m_database->setObjectName(QStringLiteral("database"));
    m_database->setRange(0, 65535);
    m_user = makeLine("user", tr("default"));
    m_password = makeLine("password", {});
    m_password->setEchoMode(QLineEdit::Password);
    m_ca = new FileLine("ca", FileLine::Wants::File, this);
    m_ca->line()->setPlaceholderText(tr("those of the system"));
    m_certificate = new FileLine("certificate", FileLine::Wants::File, this);
    m_key = new FileLine("key", FileLine::Wants::File, this);
    m_serverName = makeLine("serverName", tr("as the host"));
    m_insecure = new QCheckBox(tr("Do not check the server's certificate"), this);
    m_insecure->setObjectName(QStringLiteral("insecure"));

    addRow("kind", tr("&Kind"), m_kind, kindOrder, 0, 0, 3);
    addRow("url", tr("A&ddress"), m_url, kindOrder, 1, 0, 3);
    addRow("folder", tr("&Folder"), m_folder, {Kind::Embedded}, 2, 0, 3);
    addRow("path", tr("&Socket"), m_path, {Kind::Unix}, 2, 0, 2);
    addRow("host", tr("&Host"), m_host, servers, 2, 0, 1);
    addRow("port", tr("&Port"), m_port, servers, 2, 1, 1);
    addRow("database", tr("Data&base"), m_database, redises, 2, 2, 1);
    addRow("user", tr("&User"), m_user, redises, 3, 0, 1);
    addRow("password", tr("Pass&word"), m_password, redises, 3, 1, 2);
    addRow("ca", tr("Certificate &authorities"), m_ca, {Kind::Tls}, 4, 0, 1);
    addRow("serverName", tr("Server name to expect"), m_serverName, {Kind::Tls}, 4, 1, 2);
    addRow("certificate", tr("Client &certificate"), m_certificate, {Kind::Tls}, 5, 0, 1);
    addRow("key", tr("Client k&ey"), m_key, {Kind::Tls}, 5, 1, 2);
    addRow("insecure", {}, m_insecure, {Kind::Tls}, 6, 0, 3);
}

StoreAddress::Kind AddressForm::kind() const
{
    return kindOrder.value(m_kind->currentIndex(), Kind::Embedded);
}

void AddressForm::setKind(StoreAddress::Kind kind)
{
    m_kind->setCurrentIndex(int(kindOrder.indexOf(kind)));
    showKind();
}

void AddressForm::showKind()
{
    for (const auto &[name, row] : m_rows)
        row.field->setVisible(row.kinds.contains(kind()));
}

StoreAddress AddressForm::address() const
{
    StoreAddress address;
    address.kind = kind();
    const bool server = servers.contains(address.kind);
    const bool tls = address.kind == Kind::Tls;
    if (address.kind == Kind::Embedded)
        address.folder = m_folder->path();
    if (address.kind == Kind::Unix)
        address.path = m_path->path();
    if (server) {
        address.host = m_host->text().trimmed();
        address.port = quint16(m_port->value());
    }
    if (redises.contains(address.kind)) {
        address.database = m_database->value();
        address.user = m_user->text().trimmed();
    }
    if (tls) {
        address.caFile = m_ca->path();
        address.certificateFile = m_certificate->path();
        address.keyFile = m_key->path();
        address.serverName = m_serverName->text().trimmed();
        address.insecureTls = m_insecure->isChecked();
    }
    return address;
}

void AddressForm::setAddress(const StoreAddress &address)
{
    const QScopedValueRollback following(m_following, true);
    setKind(address.kind);
    m_folder->setPath(address.folder);
    m_path->setPath(address.path);
    m_host->setText(address.host);
    m_port->setValue(address.port);
    m_database->setValue(address.database);
    m_user->setText(address.user);
    m_ca->setPath(address.caFile);
    m_certificate->setPath(address.certificateFile);
    m_key->setPath(address.keyFile);
    m_serverName->setText(address.serverName);
    m_insecure->setChecked(address.insecureTls);
    if (!address.password.isEmpty()) {
        m_password->setText(address.password);
        m_passwordTouched = true;
    }
    if (!m_url->hasFocus())
        tidyUrl();
}

std::optional<QString> AddressForm::password() const
{
    const bool used = redises.contains(kind());
    return m_passwordTouched && used ? std::optional(m_password->text()) : std::nullopt;
}

void AddressForm::setPasswordKept(bool kept, const QString &remark)
{
    m_passwordTouched = false;
    m_password->clear();
    m_password->setPlaceholderText(kept ? tr("unchanged") : tr("none"));
    for (const auto &[name, row] : m_rows) {
        if (name == "password")
            row.field->setHint(remark);
    }
}

void AddressForm::setFixed(bool fixed)
{
    setDisabled(fixed);
}

/// Follows the URL while it is typed; a paste is tidied at once, so that a password does not stay in sight.
void AddressForm::readUrl(const QString &text)
{
    const Result<StoreAddress> read = parseStoreAddress(text);
    m_urlProblem = read ? QString() : read.error().text();
    m_touched = true;
    if (read) {
        setAddress(*read);
        if (!read->password.isEmpty() && text.contains(u'@'))
            tidyUrl();
    }
    Q_EMIT edited();
}

void AddressForm::tidyUrl()
{
    if (!m_urlProblem.isEmpty())
        return;
    const StoreAddress now = address();
    const bool empty =
        (servers.contains(now.kind) && now.host.isEmpty()) || (now.kind == Kind::Unix && now.path.isEmpty());
    m_url->setText(empty ? QString() : toUrl(now));
}

/// "host:6380" and a whole URL in the host field go to where they belong.
void AddressForm::splitHost(const QString &text)
{
    if (text.contains(QStringLiteral("://"))) {
        const Result<StoreAddress> read = parseStoreAddress(text);
        if (read)
            setAddress(*read);
        return;
    }
    const qsizetype colon = text.indexOf(u':');
    const bool onePort = colon > 0 && text.indexOf(u':', colon + 1) < 0 && colon + 1 < text.size();
    bool number = false;
    const int port = onePort ? text.mid(colon + 1).toInt(&number) : 0;
    if (!number || port < 1000 || port > 65535) // fewer digits: it is still being typed
        return;
    m_port->setValue(port);
    m_host->setText(text.left(colon));
}

void AddressForm::fieldEdited()
{
    if (m_following)
        return;
    m_urlProblem.clear();
    m_touched = true;
    tidyUrl();
    Q_EMIT edited();
}

QString AddressForm::problemOf(const QByteArray &name) const
{
    const StoreAddress now = address();
    if (name == "url")
        return m_urlProblem;
    if (name == "folder" && isEnabled() && !QFileInfo(now.folder).isAbsolute())
        return tr("Choose a folder; its whole path is needed.");
    if (name == "path" && !QFileInfo(now.path).isAbsolute())
        return tr("Write the whole path of the socket.");
    if (name == "path" || name == "host") {
        StoreAddress bare;
        bare.kind = now.kind;
        bare.host = now.host;
        bare.path = now.path;
        const Result<StoreAddress> read = parseStoreAddress(toUrl(bare));
        const bool same = read && read->host == now.host && read->path == now.path;
        if (same)
            return {};
        return read ? tr("The port and the database have fields of their own.") : read.error().message;
    }
    if (name == "ca")
        return fileProblem(now.caFile);
    if (name == "certificate" || name == "key") {
        const QString path = name == "key" ? now.keyFile : now.certificateFile;
        const bool alone = now.certificateFile.isEmpty() != now.keyFile.isEmpty() && path.isEmpty();
        return alone ? tr("The certificate and its key go together.") : fileProblem(path);
    }
    if (name == "insecure" && now.insecureTls)
        return tr("Anybody on the way can read and change everything.");
    return {};
}

QString AddressForm::check()
{
    QString first;
    for (const auto &[name, row] : m_rows) {
        const QString problem = row.kinds.contains(kind()) ? problemOf(name) : QString();
        row.field->setProblem(m_touched || name == "insecure" ? problem : QString()); // an empty form is not scolded
        if (first.isEmpty() && name != "insecure")
            first = problem;
    }
    return first;
}

void AddressForm::focusFirst()
{
    m_kind->setFocus();
}

} // namespace ym
