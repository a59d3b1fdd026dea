// The id of a job as a link.
#pragma once

#include <QByteArray>

class QPushButton;
class QWidget;

namespace ym {

/// Its clicked() is for who made it. Ids of other programs may be anything: they are escaped and cut.
QPushButton *makeJobLink(const QByteArray &id, QWidget *parent);

} // namespace ym
