#include "ui/widgets/job_link.h"

#include "core/base/text.h"
#include "ui/theme.h"

#include <QCoreApplication>
#include <QPushButton>

namespace ym {

QPushButton *makeJobLink(const QByteArray &id, QWidget *parent)
{
    auto *const link = new QPushButton(parent);
    link->setObjectName(QStringLiteral("jobLink"));
    link->setText(shownText(id, Lines::Flatten, 80).replace(u'&', QStringLiteral("&&")));
    link->setFont(monoFont());
    link->setProperty("link", true);
    link->setCursor(Qt::PointingHandCursor);
    link->setToolTip(QCoreApplication::translate("ym::JobLink", "Show this job"));
    return link;
}

} // namespace ym
