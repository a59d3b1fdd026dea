#include "ui/dialogs/parts/access_fields.h"

#include "ui/prompts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace ym {

namespace {

enum Use { Reads, Changes };

} // namespace

AccessFields::AccessFields(QWidget *parent)
    : QWidget(parent)
    , m_network(new QCheckBox(tr("The network"), this))
    , m_column(new QVBoxLayout)
{
    m_network->setObjectName(QStringLiteral("accessNetwork"));
    auto *const add = new QPushButton(tr("Add a folder…"), this);
    add->setObjectName(QStringLiteral("addAccessFolder"));
    add->setAutoDefault(false);
    auto *const top = new QHBoxLayout;
    top->setSpacing(8);
    top->addWidget(m_network, 1);
    top->addWidget(add);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(6);
    auto *const all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(6);
    all->addLayout(top);
    all->addLayout(m_column);
    setFocusProxy(m_network);
    connect(m_network, &QCheckBox::toggled, this, &AccessFields::edited);
    connect(add, &QPushButton::clicked, this, &AccessFields::chooseFolder);
}

JobAccess AccessFields::access() const
{
    JobAccess access;
    access.network = m_network->isChecked();
    for (const Row &row : m_rows) {
        const QString path = row.path->text().trimmed();
        if (!path.isEmpty())
            (row.use->currentIndex() == Changes ? access.writable : access.readable).append(QDir::cleanPath(path));
    }
    return access;
}

void AccessFields::setAccess(const JobAccess &access)
{
    m_network->setChecked(access.network);
    while (!m_rows.isEmpty())
        removeRow(m_rows.constLast().widget);
    for (const QString &path : access.readable)
        addRow(path, false);
    for (const QString &path : access.writable)
        addRow(path, true);
}

QString AccessFields::problem() const
{
    for (const Row &row : m_rows) {
        const QString path = row.path->text().trimmed();
        if (path.isEmpty())
            return tr("Write the path of the folder, or take its line away.");
        if (!QDir::isAbsolutePath(path))
            return tr("Write the whole path, from / on.");
    }
    return {};
}

void AccessFields::addRow(const QString &path, bool isWritable)
{
    auto *const widget = new QWidget(this);
    auto *const line = new QLineEdit(path, widget);
    line->setObjectName(QStringLiteral("accessFolder"));
    line->setAccessibleName(tr("Folder"));
    line->setPlaceholderText(tr("/path/of/the/folder"));
    line->setMaxLength(4000);
    auto *const use = new QComboBox(widget);
    use->setObjectName(QStringLiteral("accessUse"));
    use->setAccessibleName(tr("What for"));
    use->addItems({tr("to read"), tr("to change")});
    use->setCurrentIndex(isWritable ? Changes : Reads);
    auto *const remove = new QToolButton(widget);
    remove->setObjectName(QStringLiteral("removeAccessFolder"));
    remove->setText(QStringLiteral("×"));
    remove->setAutoRaise(true);
    remove->setToolTip(tr("Take this folder away"));
    remove->setAccessibleName(tr("Take this folder away"));
    auto *const layout = new QHBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(line, 1);
    layout->addWidget(use);
    layout->addWidget(remove);
    m_column->addWidget(widget);
    m_rows.append({widget, line, use});
    connect(line, &QLineEdit::textChanged, this, &AccessFields::edited);
    connect(use, &QComboBox::currentIndexChanged, this, &AccessFields::edited);
    connect(remove, &QToolButton::clicked, this, [this, widget] { removeRow(widget); });
    Q_EMIT edited();
}

void AccessFields::removeRow(QWidget *widget)
{
    m_rows.removeIf([widget](const Row &row) { return row.widget == widget; });
    m_column->removeWidget(widget);
    widget->hide();
    widget->deleteLater(); // its own button may be calling
    Q_EMIT edited();
}

void AccessFields::chooseFolder()
{
    FileQuestion question{tr("A folder for the job"), QDir::homePath(), {}, true};
    Prompts::instance().openFile(this, question, [this](const QString &path) { addRow(path, false); });
}

} // namespace ym
