#include "ui/widgets/shape_splitter.h"

namespace ym {

namespace {

constexpr int roomForBoth = 720;

} // namespace

ShapeSplitter::ShapeSplitter(QWidget *parent)
    : QSplitter(Qt::Vertical, parent)
{
    setChildrenCollapsible(false);
}

void ShapeSplitter::resizeEvent(QResizeEvent *event)
{
    const bool isWide = width() >= roomForBoth && width() > height();
    const Qt::Orientation wanted = isWide ? Qt::Horizontal : Qt::Vertical;
    if (wanted != orientation())
        setOrientation(wanted);
    QSplitter::resizeEvent(event);
}

} // namespace ym
