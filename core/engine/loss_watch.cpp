#include "core/engine/loss_watch.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>

namespace ym {

using namespace std::chrono_literals;

namespace {

constexpr qsizetype mostNews = 3;
constexpr Milliseconds uptimeError = 1s; ///< uptime is the difference of whole seconds

/// The job's sentence and the connection's; %1 is the time of day.
struct CauseRow {
    LossCause cause;
    const char *ofJob;
    const char *ofServer;
};
constexpr std::array<CauseRow, 7> causeRows{{
    {LossCause::Restart,
     QT_TRANSLATE_NOOP("ym::LossWatch", "The server was started again at %1 and did not bring it back."),
     QT_TRANSLATE_NOOP("ym::LossWatch",
                       "%1: the server was started again. Jobs that it did not bring back are shown as lost.")},
    {LossCause::Failover,
     QT_TRANSLATE_NOOP("ym::LossWatch", "Another server took over at %1 (a failover) and had not received it."),
     QT_TRANSLATE_NOOP("ym::LossWatch",
                       "%1: a replica took over (a failover). Jobs that it had not received are shown as lost.")},
    {LossCause::OtherServer,
     QT_TRANSLATE_NOOP("ym::LossWatch", "Since %1 another server answers at this address and does not have it."),
     QT_TRANSLATE_NOOP("ym::LossWatch",
                       "%1: another server answers at this address. Jobs that it does not have are shown as lost.")},
    {LossCause::Resync,
     QT_TRANSLATE_NOOP("ym::LossWatch", "The server took over another server's data at %1, and it is not among them."),
     QT_TRANSLATE_NOOP(
         "ym::LossWatch",
         "%1: the server became a replica and took over other data. Jobs that are not among them are shown as lost.")},
    {LossCause::Flush,
     QT_TRANSLATE_NOOP("ym::LossWatch", "Somebody emptied the database (FLUSHALL or FLUSHDB) before %1."),
     QT_TRANSLATE_NOOP("ym::LossWatch",
                       "%1: somebody emptied a database of this server (FLUSHALL or FLUSHDB). Jobs that were in it are "
                       "shown as lost.")},
    {LossCause::Eviction,
     QT_TRANSLATE_NOOP("ym::LossWatch", "The server's memory was full and it deleted keys (eviction) before %1."),
     QT_TRANSLATE_NOOP(
         "ym::LossWatch",
         "%1: the server's memory is full and it deletes keys (eviction). Set maxmemory-policy to noeviction.")},
    {LossCause::Expiry,
     QT_TRANSLATE_NOOP("ym::LossWatch", "Its key had a time to live, which was over before %1 (it expired)."), nullptr},
}};

QString textOf(LossCause cause, const char *CauseRow::*which)
{
    const auto row = std::find_if(causeRows.begin(), causeRows.end(), [cause](const CauseRow &r) { return r.cause == cause; });
    if (row == causeRows.end() || !((*row).*which))
        return {};
    const QString time = QTime::currentTime().toString(QStringLiteral("HH:mm:ss"));
    return QCoreApplication::translate("ym::LossWatch", (*row).*which).arg(time);
}

bool isServerChange(LossCause cause)
{
    return cause == LossCause::Restart || cause == LossCause::Failover || cause == LossCause::OtherServer
        || cause == LossCause::Resync;
}

/// The number behind `name` in a line of commandstats, "cmdstat_del:calls=12,usec=…".
quint64 callsIn(const QByteArray &value)
{
    const QByteArray first = value.left(value.indexOf(','));
    return first.startsWith("calls=") ? first.mid(6).toULongLong() : 0;
}

bool isOneOf(const QByteArray &name, std::initializer_list<const char *> names)
{
    return std::any_of(names.begin(), names.end(), [&name](const char *other) { return name == other; });
}

} // namespace

ServerTrace readTrace(const QByteArray &info, Monotonic now)
{
    ServerTrace trace;
    trace.seenAt = trace.startedAt = now;
    for (const QByteArray &line : info.split('\n')) {
        const qsizetype colon = line.indexOf(':');
        if (colon <= 0 || line.size() > 1000)
            continue;
        const QByteArray name = line.left(colon);
        const QByteArray value = line.mid(colon + 1).trimmed();
        if (name == "run_id")
            trace.runId = value;
        else if (name == "master_replid")
            trace.replId = value;
        else if (name == "master_replid2")
            trace.formerReplId = value;
        else if (name == "role")
            trace.isReplica = value == "slave";
        else if (name == "uptime_in_seconds")
            trace.startedAt = now - std::chrono::seconds{value.toLongLong()};
        else if (name == "evicted_keys")
            trace.evicted = value.toULongLong();
        else if (name == "expired_keys")
            trace.expired = value.toULongLong();
        else if (isOneOf(name, {"cmdstat_flushall", "cmdstat_flushdb"}))
            trace.flushes += callsIn(value);
        else if (isOneOf(name, {"cmdstat_del", "cmdstat_unlink", "cmdstat_getdel", "cmdstat_rename", "cmdstat_renamenx",
                                "cmdstat_move", "cmdstat_migrate", "cmdstat_swapdb"}))
            trace.deletions += callsIn(value);
    }
    return trace;
}

LossCause causeOfLoss(const ServerTrace &before, const ServerTrace &after)
{
    if (!before.isKnown() || !after.isKnown())
        return LossCause::None;
    if (before.runId != after.runId) {
        // One that ran already while the former was still there is not the former started again.
        const bool isOlder = after.startedAt + uptimeError < before.seenAt;
        if (!isOlder)
            return LossCause::Restart;
        return after.formerReplId == before.replId || after.replId == before.replId ? LossCause::Failover
                                                                                      : LossCause::OtherServer;
    }
    if (before.replId != after.replId && after.isReplica)
        return LossCause::Resync;
    if (after.flushes > before.flushes)
        return LossCause::Flush;
    if (after.evicted > before.evicted)
        return LossCause::Eviction;
    // Keys expire all the time; it explains a job only when nobody deleted anything.
    if (after.expired > before.expired && after.deletions == before.deletions)
        return LossCause::Expiry;
    return LossCause::None;
}

QCoro::Task<void> LossWatch::ask()
{
    std::vector<Command> sections;
    for (const char *section : {"server", "replication", "stats", "commandstats"}) // several in one INFO need Redis 7
        sections.push_back(cmd("INFO", section));
    const std::vector<Reply> answers = co_await m_store->pipeline(sections);
    QByteArray info;
    for (const Reply &answer : answers)
        info += answer.type == Reply::Type::Bulk ? answer.string : QByteArray();
    const ServerTrace before = std::exchange(m_now, readTrace(info, m_clock->monotonic()));
    const LossCause cause = causeOfLoss(before, m_now);
    if (isServerChange(cause))
        m_change = textOf(cause, &CauseRow::ofJob).toUtf8();
    if (cause != LossCause::None)
        tell(cause);
}

void LossWatch::tell(LossCause cause)
{
    const QString text = textOf(cause, &CauseRow::ofServer);
    if (text.isEmpty())
        return;
    if (!m_news.isEmpty() && m_news.last().first == cause)
        m_news.removeLast(); // it goes on: the newest time is enough
    m_news.append({cause, text});
    if (m_news.size() > mostNews)
        m_news.removeFirst();
}

QStringList LossWatch::news() const
{
    QStringList texts;
    for (const auto &[cause, text] : m_news)
        texts.append(text);
    return texts;
}

QCoro::Task<void> LossWatch::beginListing()
{
    co_await ask();
    m_atThisListing = m_now;
}

QCoro::Task<QByteArray> LossWatch::whyGone()
{
    const ServerTrace before = m_now;
    co_await ask();
    if (!m_change.isEmpty())
        co_return QByteArray(m_change);
    co_return textOf(causeOfLoss(before, m_now), &CauseRow::ofJob).toUtf8();
}

QCoro::Task<QByteArray> LossWatch::endListing()
{
    co_await ask();
    const ServerTrace before = std::exchange(m_atLastListing, m_atThisListing);
    QByteArray change = std::exchange(m_change, {});
    if (!change.isEmpty())
        co_return change;
    co_return textOf(causeOfLoss(before, m_now), &CauseRow::ofJob).toUtf8();
}

} // namespace ym
