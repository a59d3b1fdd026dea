// Created → started → finished, with the time between them.
#pragma once

#include "core/job/job.h"

#include <QWidget>

namespace ym {

/// Painted, not laid out: three stations and the durations on the lines between them. GUI thread.
class TimelineStrip final : public QWidget {
    Q_OBJECT
public:
    explicit TimelineStrip(QWidget *parent = nullptr);

    void show(const Job &job, Timestamp now);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Station {
        QString title;
        QString when;
        bool isReached = false;
    };
    struct Leg {
        QString duration;
        bool isDone = false;
    };
    QList<Station> m_stations;
    QList<Leg> m_legs;
    JobState m_state = JobState::Unknown;
};

} // namespace ym
