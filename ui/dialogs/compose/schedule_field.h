// When a job may run at the earliest.
#pragma once

#include "core/base/clock.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QDateTimeEdit;

namespace ym {

/// A box to tick and a time in the local zone, to the minute. GUI thread.
class ScheduleField final : public QWidget {
    Q_OBJECT
public:
    explicit ScheduleField(QWidget *parent = nullptr);

    /// Nothing: as soon as possible.
    std::optional<Timestamp> time() const;
    void setTime(const std::optional<Timestamp> &time);

Q_SIGNALS:
    void edited();

private:
    QCheckBox *m_later;
    QDateTimeEdit *m_time;
};

} // namespace ym
