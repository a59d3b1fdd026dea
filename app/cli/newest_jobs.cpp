#include "app/cli/newest_jobs.h"

#include <QDataStream>
#include <QIODevice>
#include <QtEndian>

#include <algorithm>
#include <limits>

namespace ym::cli {

namespace {

constexpr qsizetype chunkBytes = 1 << 20;
constexpr qint64 noTime = std::numeric_limits<qint64>::min();
constexpr size_t slack = 256; ///< so that a small limit is not cut at every second job

qint64 packed(const std::optional<Timestamp> &when)
{
    return when ? qint64(when->time_since_epoch().count()) : noTime;
}

std::optional<Timestamp> unpacked(qint64 ms)
{
    return ms == noTime ? std::nullopt : std::optional(Timestamp(Milliseconds(ms)));
}

} // namespace

void NewestJobs::add(const JobSummary &job)
{
    ++m_seen;
    pack(job);
    if (m_limit > 0 && m_rows.size() >= 2 * m_limit + slack)
        cut();
}

void NewestJobs::arrange()
{
    cut();
}

void NewestJobs::pack(const JobSummary &job)
{
    if (m_chunks.empty() || m_chunks.back().size() >= chunkBytes) {
        m_chunks.emplace_back();
        m_chunks.back().reserve(chunkBytes + chunkBytes / 16);
    }
    QByteArray &chunk = m_chunks.back();
    m_rows.push_back({packed(job.createdAt), quint32(m_chunks.size() - 1), quint32(chunk.size())});
    QDataStream out(&chunk, QIODevice::WriteOnly | QIODevice::Append);
    out << job.id << quint8(job.state) << job.invalid << qint32(job.attempt) << packed(job.updatedAt) << job.statusText
        << job.target.type << job.target.group << job.target.instance << job.target.legacyWorker << job.callerId
        << job.contextId << job.claimedBy;
    out << job.progress.isKnown() << !job.access.isEmpty();
    if (job.progress.isKnown())
        out << job.progress.done << job.progress.total << job.progress.text;
    if (!job.access.isEmpty())
        out << job.access.network << job.access.readable << job.access.writable;
}

JobSummary NewestJobs::at(size_t place) const
{
    const Row &row = m_rows.at(place);
    const QByteArray &chunk = m_chunks[row.chunk];
    QDataStream in(QByteArray::fromRawData(chunk.constData() + row.offset, chunk.size() - qsizetype(row.offset)));
    JobSummary job;
    quint8 state = 0;
    qint32 attempt = 0;
    qint64 updated = 0;
    bool hasProgress = false;
    bool hasAccess = false;
    in >> job.id >> state >> job.invalid >> attempt >> updated >> job.statusText >> job.target.type >> job.target.group
        >> job.target.instance >> job.target.legacyWorker >> job.callerId >> job.contextId >> job.claimedBy;
    in >> hasProgress >> hasAccess;
    if (hasProgress)
        in >> job.progress.done >> job.progress.total >> job.progress.text;
    if (hasAccess)
        in >> job.access.network >> job.access.readable >> job.access.writable;
    job.state = JobState(state);
    job.attempt = attempt;
    job.createdAt = unpacked(row.created);
    job.updatedAt = unpacked(updated);
    return job;
}

/// The id is the first thing of a packed job: its length in four bytes, then its bytes. Of a null one the length is -1.
QByteArray NewestJobs::idOf(const Row &row) const
{
    const char *const start = m_chunks[row.chunk].constData() + row.offset;
    const auto length = qFromBigEndian<qint32>(start);
    return QByteArray::fromRawData(start + sizeof length, std::max(length, 0));
}

void NewestJobs::cut()
{
    std::sort(m_rows.begin(), m_rows.end(), [this](const Row &a, const Row &b) {
        return a.created != b.created ? a.created > b.created : idOf(a) < idOf(b);
    });
    const auto end = std::unique(m_rows.begin(), m_rows.end(),
                                 [this](const Row &a, const Row &b) { return idOf(a) == idOf(b); });
    m_seen -= size_t(m_rows.end() - end);
    m_rows.erase(end, m_rows.end());
    if (m_limit == 0 || m_rows.size() <= m_limit)
        return;
    // What is left over is packed anew: the chunks are full of what is not wanted any more.
    NewestJobs kept(m_limit);
    for (size_t place = 0; place < m_limit; ++place)
        kept.pack(at(place));
    m_rows = std::move(kept.m_rows);
    m_chunks = std::move(kept.m_chunks);
}

} // namespace ym::cli
