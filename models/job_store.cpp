#include "models/job_store.h"

#include <algorithm>
#include <utility>

namespace ym {

namespace {

/// Where the hexadecimal digits of a UUID stand, in bytes; the gaps are the dashes.
constexpr std::array<int, 16> bytePlaces{0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34};

/// The value of a lower-case hexadecimal digit, 255 for everything else.
constexpr auto hexValues = [] {
    std::array<quint8, 256> values{};
    values.fill(255);
    for (int i = 0; i < 10; ++i)
        values[size_t('0' + i)] = quint8(i);
    for (int i = 0; i < 6; ++i)
        values[size_t('a' + i)] = quint8(10 + i);
    return values;
}();

qint64 toMs(const std::optional<Timestamp> &when)
{
    return when ? qint64(when->time_since_epoch().count()) : PackedJob::noTime;
}

std::optional<Timestamp> fromMs(qint64 ms)
{
    return ms == PackedJob::noTime ? std::nullopt : std::optional(Timestamp{Milliseconds{ms}});
}

} // namespace

void formatUuid(const std::array<quint64, 2> &id, char *out)
{
    static constexpr char digits[] = "0123456789abcdef";
    out[8] = out[13] = out[18] = out[23] = '-';
    for (size_t i = 0; i < bytePlaces.size(); ++i) {
        const auto byte = quint8(id[i / 8] >> (56 - 8 * (i % 8)));
        out[bytePlaces[i]] = digits[byte >> 4];
        out[bytePlaces[i] + 1] = digits[byte & 15];
    }
}

std::optional<std::array<quint64, 2>> parseUuid(QByteArrayView text)
{
    if (text.size() != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-')
        return std::nullopt;
    std::array<quint64, 2> id{};
    quint8 bad = 0;
    for (size_t i = 0; i < bytePlaces.size(); ++i) {
        const quint8 high = hexValues[uchar(text[bytePlaces[i]])];
        const quint8 low = hexValues[uchar(text[bytePlaces[i] + 1])];
        bad |= high | low;
        id[i / 8] = (id[i / 8] << 8) | quint64(high << 4) | low;
    }
    return bad & 0xf0 ? std::nullopt : std::optional(id);
}

QByteArray JobRows::id(const PackedJob &job) const
{
    if (job.hasOtherId)
        return text(quint32(job.id[1]));
    QByteArray id(36, Qt::Uninitialized);
    formatUuid(job.id, id.data());
    return id;
}

JobSummary JobRows::summary(quint32 slot) const
{
    const PackedJob &row = at(slot);
    return {id(row),
            JobState(row.state),
            extras(row.extras).status,
            target(row.target),
            text(row.caller),
            text(row.context),
            text(row.worker),
            fromMs(row.created),
            fromMs(row.updated),
            int(row.attempt),
            bool(row.isInvalid),
            {},
            extras(row.extras).access};
}

void JobRows::detach()
{
    m_texts = std::make_shared<InternValues<QByteArray>>(*m_texts);
    m_targets = std::make_shared<InternValues<Target>>(*m_targets);
    m_extras = std::make_shared<InternValues<JobExtras>>(*m_extras);
}

JobStore::JobStore()
    : m_seed(QHashSeed::globalSeed())
{
    clear();
}

void JobStore::clear()
{
    m_chunks.clear();
    m_textPool = std::make_shared<Texts>();
    m_targetPool = std::make_shared<Targets>();
    m_extrasPool = std::make_shared<Extras>();
    m_texts = m_textPool;
    m_targets = m_targetPool;
    m_extras = m_extrasPool;
    m_ids.clear();
    m_free.clear();
    m_chunkEpochs.clear();
    m_end = 0;
    m_count = 0;
}

quint32 JobStore::find(const QByteArray &id) const
{
    if (const auto uuid = parseUuid(id)) {
        const size_t hash = qHashBits(uuid->data(), sizeof(*uuid), m_seed);
        return m_ids.find(hash, [&](quint32 slot) { return !at(slot).hasOtherId && at(slot).id == *uuid; });
    }
    const size_t hash = qHash(id, m_seed);
    return m_ids.find(hash, [&](quint32 slot) { return at(slot).hasOtherId && text(quint32(at(slot).id[1])) == id; });
}

size_t JobStore::hashOf(const PackedJob &job) const
{
    return job.hasOtherId ? qHash(text(quint32(job.id[1])), m_seed) : qHashBits(job.id.data(), sizeof(job.id), m_seed);
}

quint32 JobStore::insert(const JobSummary &job, quint8 generation)
{
    const quint32 slot = newSlot();
    PackedJob &row = writable(slot);
    row = {};
    const auto uuid = parseUuid(job.id);
    row.hasOtherId = !uuid;
    row.id = uuid ? *uuid : std::array<quint64, 2>{0, m_textPool->acquire(job.id)};
    row.isLive = 1;
    row.generation = generation;
    fill(row, job);
    m_ids.insert(hashOf(row), slot, [this](quint32 other) { return hashOf(at(other)); });
    ++m_count;
    return slot;
}

void JobStore::fill(PackedJob &row, const JobSummary &job)
{
    row.state = quint8(job.state) & 15;
    row.isInvalid = job.invalid;
    row.attempt = quint16(std::clamp(job.attempt, 0, 0xffff));
    row.created = toMs(job.createdAt);
    row.updated = toMs(job.updatedAt);
    row.target = m_targetPool->acquire(job.target);
    row.caller = m_textPool->acquire(job.callerId);
    row.context = m_textPool->acquire(job.contextId);
    row.worker = m_textPool->acquire(job.claimedBy);
    const bool hasText = job.state == JobState::Unknown || job.state == JobState::Lost;
    row.extras = m_extrasPool->acquire({hasText ? job.statusText : QByteArray(), job.access});
}

void JobStore::releaseTexts(const PackedJob &row)
{
    m_targetPool->release(row.target);
    for (const quint32 index : {row.caller, row.context, row.worker})
        m_textPool->release(index);
    m_extrasPool->release(row.extras);
}

JobColumns JobStore::update(quint32 slot, const JobSummary &job)
{
    const PackedJob old = at(slot);
    PackedJob fresh = old;
    fill(fresh, job);
    const bool hasOtherStatus = extras(old.extras).status != extras(fresh.extras).status;
    const bool hasOtherAccess = extras(old.extras).access != extras(fresh.extras).access;
    releaseTexts(old);
    JobColumns changed = 0;
    const auto note = [&](bool differs, JobColumn column) { changed |= differs ? bit(column) : 0; };
    note(old.state != fresh.state || hasOtherStatus || old.isInvalid != fresh.isInvalid, JobColumn::State);
    if (old.target != fresh.target)
        changed |= bit(JobColumn::Type) | bit(JobColumn::Target) | bit(JobColumn::Priority);
    note(old.caller != fresh.caller, JobColumn::Caller);
    note(old.context != fresh.context, JobColumn::Context);
    note(old.worker != fresh.worker, JobColumn::Worker);
    note(old.attempt != fresh.attempt, JobColumn::Attempt);
    note(old.created != fresh.created, JobColumn::Created);
    note(old.updated != fresh.updated, JobColumn::Updated);
    if (hasOtherAccess) // the type carries the mark
        changed |= bit(JobColumn::Access) | bit(JobColumn::Type);
    if (changed)
        writable(slot) = fresh;
    return changed;
}

void JobStore::setGeneration(quint32 slot, quint8 generation)
{
    if (at(slot).generation != generation)
        writable(slot).generation = generation;
}

void JobStore::remove(quint32 slot)
{
    PackedJob &row = writable(slot);
    m_ids.remove(hashOf(row), slot, [this](quint32 other) { return hashOf(at(other)); });
    releaseTexts(row);
    if (row.hasOtherId)
        m_textPool->release(quint32(row.id[1]));
    row = {};
    --m_count;
    (isFrozen() ? m_limbo : m_free).push_back(slot);
}

quint32 JobStore::newSlot()
{
    if (!m_free.empty()) {
        const quint32 slot = m_free.back();
        m_free.pop_back();
        return slot;
    }
    if (m_end % chunkSize == 0) {
        m_chunks.push_back(std::make_shared<Chunk>());
        m_chunkEpochs.push_back(m_epoch);
    }
    return m_end++;
}

PackedJob &JobStore::writable(quint32 slot)
{
    const size_t chunk = slot / chunkSize;
    if (isFrozen() && m_chunkEpochs[chunk] != m_epoch) {
        m_chunks[chunk] = std::make_shared<Chunk>(*m_chunks[chunk]);
        m_chunkEpochs[chunk] = m_epoch;
    }
    return (*m_chunks[chunk])[slot % chunkSize];
}

JobRows JobStore::freeze()
{
    ++m_frozen;
    ++m_epoch;
    m_textPool->freeze();
    m_targetPool->freeze();
    m_extrasPool->freeze();
    JobRows rows = *this;
    rows.detach();
    return rows;
}

void JobStore::thaw()
{
    if (--m_frozen > 0)
        return;
    m_textPool->thaw();
    m_targetPool->thaw();
    m_extrasPool->thaw();
    m_free.insert(m_free.end(), m_limbo.begin(), m_limbo.end());
    m_limbo.clear();
}

qint64 JobStore::bytesUsed() const
{
    const size_t rows = m_chunks.size() * sizeof(Chunk);
    const size_t lists = (m_free.capacity() + m_limbo.capacity() + m_chunkEpochs.capacity()) * sizeof(quint32);
    return qint64(rows + lists) + m_ids.bytesUsed();
}

qint64 JobStore::textBytesUsed() const
{
    qint64 bytes = m_textPool->bytesUsed() + m_targetPool->bytesUsed() + m_extrasPool->bytesUsed();
    for (quint32 i = 0; i < m_textPool->count(); ++i)
        bytes += m_textPool->at(i).capacity();
    return bytes;
}

} // namespace ym
