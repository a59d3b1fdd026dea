#include "ui/detail/timeline_strip.h"

#include "core/base/relative_time.h"
#include "ui/theme.h"

#include <QDateTime>
#include <QLocale>
#include <QPainter>

namespace ym {

namespace {

constexpr int dotSize = 10;
constexpr int widest = 640;

QString clockText(std::optional<Timestamp> when)
{
    if (!when)
        return {};
    const QDateTime local = QDateTime::fromMSecsSinceEpoch(when->time_since_epoch().count());
    const bool isToday = local.date() == QDate::currentDate();
    return isToday ? local.toString(QStringLiteral("HH:mm:ss")) : local.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString between(std::optional<Timestamp> from, std::optional<Timestamp> to)
{
    if (!from || !to)
        return {};
    const Milliseconds span = *to - *from;
    if (span < Milliseconds(0))
        return {};
    if (span < std::chrono::seconds(10))
        return TimelineStrip::tr("%1 s").arg(QLocale().toString(double(span.count()) / 1000.0, 'f', 1));
    return durationText(span).trimmed();
}

QString lastTitle(JobState state)
{
    return isTerminal(state) ? stateWord(state) : TimelineStrip::tr("Finished");
}

} // namespace

TimelineStrip::TimelineStrip(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TimelineStrip::show(const Job &job, Timestamp now)
{
    m_state = job.state;
    const std::optional<Timestamp> end = job.finishedAt ? job.finishedAt
        : isTerminal(job.state)                         ? job.updatedAt
                                                        : std::nullopt;
    m_stations = {{tr("Created"), clockText(job.createdAt), job.createdAt.has_value()},
                  {tr("Started"), clockText(job.startedAt), job.startedAt.has_value()},
                  {lastTitle(job.state), clockText(end), isTerminal(job.state)}};
    const auto started = job.startedAt;
    const bool isRunning = job.state == JobState::Running;
    const std::optional<Timestamp> until = isRunning ? std::optional(now) : end;
    m_legs = {{between(job.createdAt,
                       started                     ? started
                           : isTerminal(job.state) ? end
                                                   : std::optional(now)),
               started.has_value()},
              {started ? between(started, until) : QString(), isTerminal(job.state) && started}};
    QStringList words;
    for (const Station &station : std::as_const(m_stations))
        words.append(station.title + u' ' + station.when);
    setAccessibleName(words.join(QStringLiteral(", ")));
    update();
}

QSize TimelineStrip::sizeHint() const
{
    return {360, 2 * fontMetrics().height() + dotSize + 2 * space::tiny + 2};
}

QSize TimelineStrip::minimumSizeHint() const
{
    return {240, sizeHint().height()};
}

void TimelineStrip::paintEvent(QPaintEvent *)
{
    if (m_stations.isEmpty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int line = fontMetrics().height();
    const double y = line + space::tiny + dotSize / 2.0;
    const int span = std::min(width(), widest);
    const double positions[] = {dotSize / 2.0, span * 0.42, span * 0.84};
    const QColor colour = stateColour(m_state, palette());
    for (int i = 0; i < m_legs.size(); ++i) {
        const bool isUnderWay = i == 1 && m_state == JobState::Running;
        painter.setPen(QPen(m_legs[i].isDone || isUnderWay ? colour : borderColour(palette()), 2,
                            isUnderWay ? Qt::DashLine : Qt::SolidLine, Qt::RoundCap));
        const double from = positions[i] + dotSize / 2.0 + 4;
        const double to = positions[i + 1] - dotSize / 2.0 - 4;
        painter.drawLine(QPointF(from, y), QPointF(to, y));
        painter.setPen(secondaryColour(palette()));
        painter.drawText(QRectF(from, y + dotSize / 2.0 + space::tiny, to - from, line), Qt::AlignHCenter,
                         m_legs[i].duration);
    }
    for (int i = 0; i < m_stations.size(); ++i) {
        const Station &station = m_stations[i];
        painter.setPen(QPen(station.isReached ? colour : borderColour(palette()), 2));
        painter.setBrush(station.isReached ? colour : palette().color(QPalette::Base));
        painter.drawEllipse(QPointF(positions[i], y), dotSize / 2.0 - 1, dotSize / 2.0 - 1);
        painter.setPen(palette().color(station.isReached ? QPalette::Text : QPalette::PlaceholderText));
        const double left = i == 0 ? 0 : positions[i] - 60;
        const auto side = i == 0 ? Qt::AlignLeft : Qt::AlignHCenter;
        painter.drawText(QRectF(left, 0, 120, line), side, station.title);
        painter.setPen(secondaryColour(palette()));
        painter.drawText(QRectF(left, y + dotSize / 2.0 + space::tiny, 120, line), side, station.when);
    }
}

} // namespace ym
