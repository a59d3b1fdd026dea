#include "core/base/clock.h"

#include "core/base/completion.h"

#include <QDateTime>
#include <QTimer>

#include <algorithm>
#include <map>

namespace ym {

namespace {

class SystemClock final : public Clock {
public:
    Timestamp now() const override { return std::chrono::floor<Milliseconds>(std::chrono::system_clock::now()); }

    Monotonic monotonic() const override
    {
        return std::chrono::floor<Monotonic>(std::chrono::steady_clock::now().time_since_epoch());
    }

    QCoro::Task<bool> sleep(Milliseconds duration, std::stop_token stop) override
    {
        if (stop.stop_requested())
            co_return false;
        const Completion<bool> passed;
        QTimer timer;
        timer.setSingleShot(true);
        timer.setTimerType(duration < Milliseconds{2000} ? Qt::PreciseTimer : Qt::CoarseTimer);
        QObject::connect(&timer, &QTimer::timeout, &timer, [passed] { passed.resolve(true); });
        timer.start(duration);
        const std::stop_callback onStop(stop, [passed] { passed.resolve(false); });
        co_return co_await passed;
    }
};

constexpr qint64 lastMs = 253'402'300'799'999; // 9999-12-31T23:59:59.999Z

/// A number of two to four digits at `from`; -1 when one of them is no digit.
int digitsAt(const char *from, int count)
{
    int value = 0;
    for (int i = 0; i < count; ++i) {
        if (from[i] < '0' || from[i] > '9')
            return -1;
        value = value * 10 + (from[i] - '0');
    }
    return value;
}

/// The one form that we write, YYYY-MM-DDTHH:MM:SS.mmmZ; nothing for any other, and for a day that does not exist.
std::optional<qint64> readOurForm(const QByteArray &text)
{
    const char *at = text.constData();
    if (text.size() != 24 || at[4] != '-' || at[7] != '-' || at[10] != 'T' || at[13] != ':' || at[16] != ':'
        || at[19] != '.' || at[23] != 'Z')
        return std::nullopt;
    const int numbers[] = {digitsAt(at, 4),      digitsAt(at + 5, 2),  digitsAt(at + 8, 2), digitsAt(at + 11, 2),
                           digitsAt(at + 14, 2), digitsAt(at + 17, 2), digitsAt(at + 20, 3)};
    const auto [year, month, day, hour, minute, second, ms] = numbers;
    if (*std::min_element(std::begin(numbers), std::end(numbers)) < 0 || hour > 23 || minute > 59 || second > 59)
        return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(unsigned(month)),
                                           std::chrono::day(unsigned(day))};
    if (!date.ok())
        return std::nullopt;
    const qint64 days = std::chrono::sys_days(date).time_since_epoch().count();
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + ms;
}

std::optional<Timestamp> inRange(qint64 ms)
{
    if (ms < 0 || ms > lastMs)
        return std::nullopt;
    return Timestamp{Milliseconds{ms}};
}

} // namespace

Clock &Clock::system()
{
    static SystemClock clock;
    return clock;
}

struct ManualClock::Private {
    Timestamp wall;
    Monotonic steady{0};
    std::multimap<Monotonic, Completion<bool>> sleepers;
};

ManualClock::ManualClock(Timestamp start)
    : d(std::make_unique<Private>())
{
    d->wall = start;
}

ManualClock::~ManualClock() = default;

Timestamp ManualClock::now() const
{
    return d->wall;
}

Monotonic ManualClock::monotonic() const
{
    return d->steady;
}

QCoro::Task<bool> ManualClock::sleep(Milliseconds duration, std::stop_token stop)
{
    if (stop.stop_requested())
        co_return false;
    if (duration <= Milliseconds{0})
        co_return true;
    const Completion<bool> passed;
    d->sleepers.emplace(d->steady + duration, passed);
    const std::stop_callback onStop(stop, [passed] { passed.resolve(false); });
    co_return co_await passed;
}

void ManualClock::advance(Milliseconds by)
{
    const Monotonic until = d->steady + by;
    while (!d->sleepers.empty() && d->sleepers.begin()->first <= until) {
        const auto first = d->sleepers.begin();
        const Milliseconds step = first->first - d->steady;
        d->steady += step;
        d->wall += step;
        const Completion<bool> passed = first->second;
        d->sleepers.erase(first);
        passed.resolve(true);
    }
    d->wall += until - d->steady;
    d->steady = until;
}

void ManualClock::jumpWallClock(Milliseconds by)
{
    d->wall += by;
}

int ManualClock::sleeperCount() const
{
    return int(std::count_if(d->sleepers.begin(), d->sleepers.end(), [](const auto &s) { return !s.second.isDone(); }));
}

QByteArray toRfc3339(Timestamp when)
{
    return QDateTime::fromMSecsSinceEpoch(when.time_since_epoch().count(), Qt::UTC)
        .toString(Qt::ISODateWithMs)
        .toLatin1();
}

std::optional<Timestamp> parseTimestamp(const QByteArray &text)
{
    if (const auto ms = readOurForm(text))
        return inRange(*ms);
    const QByteArray trimmed = text.trimmed();
    if (trimmed.isEmpty() || trimmed.size() > 40)
        return std::nullopt;
    bool isNumber = false;
    const qint64 epoch = trimmed.toLongLong(&isNumber);
    if (isNumber)
        return inRange(epoch < 100'000'000'000 ? epoch * 1000 : epoch);
    QByteArray iso = trimmed;
    // Qt reads at most milliseconds: drop the digits behind them.
    if (const qsizetype dot = iso.indexOf('.'); dot > 0) {
        qsizetype end = dot + 1;
        while (end < iso.size() && iso[end] >= '0' && iso[end] <= '9')
            ++end;
        if (end - dot > 10)
            return std::nullopt;
        if (end - dot > 4)
            iso.remove(dot + 4, end - dot - 4);
    }
    if (iso.size() > 10 && iso[10] == ' ')
        iso[10] = 'T';
    QDateTime when = QDateTime::fromString(QString::fromLatin1(iso), Qt::ISODateWithMs);
    if (!when.isValid() || iso.size() < 19)
        return std::nullopt;
    if (when.timeSpec() == Qt::LocalTime)
        when.setTimeSpec(Qt::UTC); // no zone given: the protocols write UTC
    return inRange(when.toMSecsSinceEpoch());
}

} // namespace ym
