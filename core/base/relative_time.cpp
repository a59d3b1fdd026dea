#include "core/base/relative_time.h"

#include <QCoreApplication>
#include <QDateTime>

namespace ym {

namespace {

struct Unit {
    qint64 ms;
    const char *text;
};

constexpr Unit units[] = {{86'400'000, QT_TRANSLATE_NOOP("ym::RelativeTime", "%1 d")},
                          {3'600'000, QT_TRANSLATE_NOOP("ym::RelativeTime", "%1 h")},
                          {60'000, QT_TRANSLATE_NOOP("ym::RelativeTime", "%1 min")},
                          {0, QT_TRANSLATE_NOOP("ym::RelativeTime", "%1 s")}};
constexpr qint64 longestAgo = 100LL * 86'400'000;

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::RelativeTime", text);
}

QString counted(qint64 ms)
{
    for (const Unit &unit : units) {
        if (ms >= unit.ms)
            return tr(unit.text).arg(ms / std::max<qint64>(unit.ms, 1000), 2, 10, QChar(u'\u2007'));
    }
    return {};
}

QDateTime toDateTime(Timestamp when)
{
    return QDateTime::fromMSecsSinceEpoch(when.time_since_epoch().count(), Qt::UTC);
}

} // namespace

QString agoText(Timestamp when, Timestamp now)
{
    const qint64 ms = (now - when).count();
    if (ms >= longestAgo || ms <= -longestAgo)
        return toDateTime(when).toString(QStringLiteral("yyyy-MM-dd"));
    if (ms < -1000)
        return tr("in %1").arg(counted(-ms));
    return tr("%1 ago").arg(counted(std::max<qint64>(ms, 0)));
}

QString durationText(Milliseconds duration)
{
    return counted(std::max<qint64>(duration.count(), 0));
}

QString exactTimeText(Timestamp when)
{
    return toDateTime(when).toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz t"));
}

} // namespace ym
