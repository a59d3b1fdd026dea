#include "ui/widgets/progress_strip.h"

#include "models/cell_text.h"
#include "ui/theme.h"

#include <QPainter>

namespace ym {

namespace {

constexpr int barHeight = 6;
constexpr int barWidth = 160;

} // namespace

ProgressStrip::ProgressStrip(QWidget *parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("progressStrip"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    hide();
}

void ProgressStrip::show(const JobProgress &progress)
{
    m_progress = progress;
    setVisible(progress.isKnown());
    setAccessibleName(progress.isKnown() ? progressText(progress) : QString());
    update();
}

QSize ProgressStrip::sizeHint() const
{
    return {200, fontMetrics().height() + space::small};
}

void ProgressStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const QRectF track(space::large, (height() - barHeight) / 2.0, barWidth, barHeight);
    painter.setBrush(borderColour(palette()));
    painter.drawRoundedRect(track, barHeight / 2.0, barHeight / 2.0);
    QRectF filled = track;
    filled.setWidth(track.width() * double(m_progress.done) / double(std::max<qint64>(1, m_progress.total)));
    painter.setBrush(stateColour(JobState::Running, palette()));
    painter.drawRoundedRect(filled, barHeight / 2.0, barHeight / 2.0);
    const QRect area = rect().adjusted(space::large + barWidth + space::medium, 0, -space::medium, 0);
    const QString text = tr("%1 %").arg(m_progress.percent()) + QStringLiteral(" · ") + progressText(m_progress);
    painter.setPen(secondaryColour(palette()));
    painter.drawText(area, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     fontMetrics().elidedText(text, Qt::ElideRight, area.width()));
}

} // namespace ym
