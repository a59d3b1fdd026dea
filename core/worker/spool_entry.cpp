#include "core/worker/spool_entry.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QIODevice>

namespace ym {

namespace {

constexpr quint32 magic = 0x594d5332; // "YMS2"
constexpr auto streamVersion = QDataStream::Qt_6_4;
constexpr qsizetype digestSize = 32;

QByteArray digestOf(const QByteArray &bytes)
{
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256);
}

qint64 toMs(std::optional<Timestamp> when)
{
    return when ? qint64(when->time_since_epoch().count()) : -1;
}

std::optional<Timestamp> fromMs(qint64 ms)
{
    return ms < 0 ? std::nullopt : std::optional(Timestamp{Milliseconds{ms}});
}

QDataStream &operator<<(QDataStream &s, const Target &t)
{
    return s << t.type << t.group << t.instance << qint32(t.priority) << t.legacyWorker;
}

QDataStream &operator>>(QDataStream &s, Target &t)
{
    qint32 priority = 1;
    s >> t.type >> t.group >> t.instance >> priority >> t.legacyWorker;
    t.priority = priority;
    return s;
}

QDataStream &operator<<(QDataStream &s, const Job &j)
{
    return s << j.id << j.callerId << j.contextId << j.target << qint64(j.timeout.count()) << qint32(j.retries)
             << qint32(j.attempt) << j.concurrent << j.logPath << toMs(j.createdAt) << toMs(j.startedAt) << j.statusText
             << j.prerequisites << j.dependents << j.claimedBy;
}

QDataStream &operator>>(QDataStream &s, Job &j)
{
    qint64 timeout = 0;
    qint64 created = -1;
    qint64 started = -1;
    qint32 retries = 0;
    qint32 attempt = 0;
    s >> j.id >> j.callerId >> j.contextId >> j.target >> timeout >> retries >> attempt >> j.concurrent >> j.logPath
        >> created >> started >> j.statusText >> j.prerequisites >> j.dependents >> j.claimedBy;
    j.timeout = std::chrono::seconds{timeout};
    j.retries = retries;
    j.attempt = attempt;
    j.createdAt = fromMs(created);
    j.startedAt = fromMs(started);
    j.state = JobState::Running;
    return s;
}

QDataStream &operator<<(QDataStream &s, const Execution &e)
{
    return s << quint8(e.fate) << qint32(e.exitCode) << qint32(e.signal) << e.output << e.error << e.outputBytes
             << e.errorBytes << qint64(e.duration.count()) << qint64(e.cpuTime.count()) << e.maxRssKb
             << qint32(e.leftProcesses) << e.containment;
}

QDataStream &operator>>(QDataStream &s, Execution &e)
{
    quint8 fate = 0;
    qint32 exitCode = 0;
    qint32 signal = 0;
    qint64 duration = 0;
    qint64 cpu = 0;
    qint32 left = 0;
    s >> fate >> exitCode >> signal >> e.output >> e.error >> e.outputBytes >> e.errorBytes >> duration >> cpu
        >> e.maxRssKb >> left >> e.containment;
    if (fate > quint8(Execution::Fate::Abandoned))
        s.setStatus(QDataStream::ReadCorruptData);
    e.fate = Execution::Fate(fate);
    e.exitCode = exitCode;
    e.signal = signal;
    e.duration = Milliseconds{duration};
    e.cpuTime = Milliseconds{cpu};
    e.leftProcesses = left;
    return s;
}

} // namespace

QByteArray toBytes(const SpoolEntry &entry)
{
    QByteArray body;
    QDataStream stream(&body, QIODevice::WriteOnly);
    stream.setVersion(streamVersion);
    stream << magic << toMs(entry.until) << entry.claim.token << entry.claim.queue << entry.claim.worker
           << entry.claim.job << entry.execution;
    return digestOf(body) + body;
}

std::optional<SpoolEntry> spoolEntryFrom(const QByteArray &bytes)
{
    const QByteArray body = bytes.mid(digestSize);
    if (body.isEmpty() || bytes.left(digestSize) != digestOf(body))
        return std::nullopt;
    QDataStream stream(body);
    stream.setVersion(streamVersion);
    quint32 mark = 0;
    qint64 until = 0;
    SpoolEntry entry;
    stream >> mark >> until >> entry.claim.token >> entry.claim.queue >> entry.claim.worker >> entry.claim.job
        >> entry.execution;
    if (stream.status() != QDataStream::Ok || mark != magic || !stream.atEnd())
        return std::nullopt;
    entry.until = Timestamp{Milliseconds{until}};
    return entry;
}

} // namespace ym
