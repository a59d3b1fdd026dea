#include "ui/widgets/about_box.h"

#include "ui/theme.h"
#include "ui/widgets/text_label.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace ym {

AboutBox::AboutBox(QWidget *parent)
    : QDialog(parent)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("About Yardmaster"));
    auto *const icon = new QLabel(this);
    icon->setPixmap(applicationIcon().pixmap(64, 64));
    auto *const texts = new QVBoxLayout;
    texts->setSpacing(space::tiny);
    texts->addWidget(new TextLabel(tr("Yardmaster"), TextLabel::Kind::Title, this));
    texts->addWidget(new TextLabel(tr("Version %1, Qt %2").arg(QStringLiteral(YM_VERSION), QLatin1String(qVersion())),
                                   TextLabel::Kind::Secondary, this));
    texts->addSpacing(space::small);
    texts->addWidget(new TextLabel(tr("A workbench for job queues, with a worker and a store of its own."),
                                   TextLabel::Kind::Body, this));
    texts->addWidget(new TextLabel(tr("Free software under the GNU General Public License, version 3 or later."),
                                   TextLabel::Kind::Secondary, this));
    auto *const top = new QHBoxLayout;
    top->setSpacing(space::large);
    top->addWidget(icon, 0, Qt::AlignTop);
    top->addLayout(texts, 1);
    auto *const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::huge, space::huge, space::huge, space::large);
    layout->setSpacing(space::large);
    layout->addLayout(top);
    layout->addWidget(buttons);
    layout->setSizeConstraint(QLayout::SetFixedSize);
}

} // namespace ym
