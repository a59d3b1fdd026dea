#include "ui/dialogs/compose/schedule_field.h"

#include <QCheckBox>
#include <QDateTimeEdit>
#include <QHBoxLayout>
#include <QLocale>

namespace ym {

namespace {

constexpr qint64 usualDelay = 3600; // seconds; what is shown when the box is ticked

QDateTime usualTime()
{
    const QDateTime time = QDateTime::currentDateTime().addSecs(usualDelay);
    return time.addSecs(-time.time().second()).addMSecs(-time.time().msec());
}

} // namespace

ScheduleField::ScheduleField(QWidget *parent)
    : QWidget(parent)
    , m_later(new QCheckBox(tr("Hol&d until"), this))
    , m_time(new QDateTimeEdit(this))
{
    m_later->setObjectName(QStringLiteral("hold"));
    m_time->setObjectName(QStringLiteral("holdUntil"));
    m_time->setAccessibleName(tr("Hold until"));
    m_time->setCalendarPopup(true);
    m_time->setDisplayFormat(QLocale().dateTimeFormat(QLocale::ShortFormat));
    m_time->setEnabled(false);
    m_time->setDateTime(usualTime());
    m_time->setToolTip(
        tr("The time of this computer, whatever the clock of the server shows. A job that is due later than "
           "now waits in the delayed set."));
    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    row->addWidget(m_later);
    row->addWidget(m_time, 1);
    connect(m_later, &QCheckBox::toggled, this, [this](bool on) {
        m_time->setEnabled(on);
        if (on && m_time->dateTime() < QDateTime::currentDateTime())
            m_time->setDateTime(usualTime());
        Q_EMIT edited();
    });
    connect(m_time, &QDateTimeEdit::dateTimeChanged, this, &ScheduleField::edited);
}

std::optional<Timestamp> ScheduleField::time() const
{
    if (!m_later->isChecked())
        return std::nullopt;
    return Timestamp(Milliseconds(m_time->dateTime().toMSecsSinceEpoch()));
}

void ScheduleField::setTime(const std::optional<Timestamp> &time)
{
    m_time->setDateTime(time ? QDateTime::fromMSecsSinceEpoch(time->time_since_epoch().count()) : usualTime());
    m_later->setChecked(time.has_value());
}

} // namespace ym
