#include "ui/dialogs/parts/file_line.h"

#include "ui/prompts.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace ym {

FileLine::FileLine(const char *name, Wants wants, QWidget *parent)
    : QWidget(parent)
    , m_wants(wants)
    , m_line(new QLineEdit(this))
{
    setObjectName(QLatin1String(name) + QStringLiteral("Field"));
    m_line->setObjectName(QLatin1String(name));
    m_line->setMaxLength(4000);
    auto *const browse = new QPushButton(tr("Choose…"), this);
    browse->setAutoDefault(false);
    browse->setAccessibleName(tr("Choose a path"));
    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(m_line, 1);
    row->addWidget(browse);
    setFocusProxy(m_line);
    connect(m_line, &QLineEdit::textChanged, this, &FileLine::edited);
    connect(browse, &QPushButton::clicked, this, &FileLine::choose);
}

void FileLine::choose()
{
    const bool folder = m_wants == Wants::Folder;
    const FileQuestion question{folder ? tr("Choose a folder") : tr("Choose a file"), path(), tr("All files (*)"),
                                folder};
    Prompts::instance().openFile(this, question, [this](const QString &chosen) { setPath(chosen); });
}

} // namespace ym
