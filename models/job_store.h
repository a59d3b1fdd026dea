// The rows of the job table, packed: 56 bytes a job, found by id, readable from other threads while frozen.
#pragma once

#include "core/job/job.h"
#include "models/index_table.h"
#include "models/intern_pool.h"
#include "models/job_column.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace ym {

inline size_t qHash(const Target &target, size_t seed)
{
    return qHashMulti(seed, target.type, target.group, target.instance, target.legacyWorker, target.priority);
}

/// What few jobs have, so that the others pay nothing for it.
struct JobExtras {
    QByteArray status; ///< the text of an unknown state, the reason of a loss
    JobAccess access; ///< what it asks for beyond the defaults

    bool operator==(const JobExtras &) const = default;
};

inline size_t qHash(const JobExtras &extras, size_t seed)
{
    return qHashMulti(seed, extras.status, extras.access.network, extras.access.readable, extras.access.writable);
}

/// One job. Texts are indexes into pools; a whole target is one of them, because targets repeat.
struct PackedJob {
    static constexpr qint64 noTime = std::numeric_limits<qint64>::min();

    std::array<quint64, 2> id; ///< a lower-case UUID; with hasOtherId: {0, index of the id}
    qint64 created = noTime; ///< ms since the epoch
    qint64 updated = noTime;
    quint32 target = 0;
    quint32 caller = 0;
    quint32 context = 0;
    quint32 worker = 0;
    quint32 extras = 0;
    quint16 attempt = 0; ///< at most 65535
    quint8 state : 4 = 0;
    quint8 isInvalid : 1 = 0;
    quint8 hasOtherId : 1 = 0;
    quint8 isLive : 1 = 0;
    quint8 generation = 0; ///< of the listing that saw it last
};
static_assert(sizeof(PackedJob) == 56);

/// What other threads read: a copy of it stays as it is while the store is frozen. Slots are numbers of rows.
class JobRows {
public:
    static constexpr quint32 chunkSize = 4096;
    using Chunk = std::array<PackedJob, chunkSize>;

    /// One past the highest slot; some below may be free (not isLive).
    quint32 slotEnd() const { return m_end; }
    const PackedJob &at(quint32 slot) const { return (*m_chunks[slot / chunkSize])[slot % chunkSize]; }
    QByteArray id(const PackedJob &job) const;
    QByteArray id(quint32 slot) const { return id(at(slot)); }
    JobSummary summary(quint32 slot) const;
    const QByteArray &text(quint32 index) const { return m_texts->at(index); }
    const Target &target(quint32 index) const { return m_targets->at(index); }
    const JobExtras &extras(quint32 index) const { return m_extras->at(index); }
    const InternValues<QByteArray> &texts() const { return *m_texts; }
    const InternValues<Target> &targets() const { return *m_targets; }
    const InternValues<JobExtras> &allExtras() const { return *m_extras; }

    /// Gets lists of its own, so that the store may grow while this copy is read.
    void detach();

protected:
    std::vector<std::shared_ptr<Chunk>> m_chunks;
    std::shared_ptr<const InternValues<QByteArray>> m_texts;
    std::shared_ptr<const InternValues<Target>> m_targets;
    std::shared_ptr<const InternValues<JobExtras>> m_extras;
    quint32 m_end = 0;
};

/// Writes the 36 characters of a UUID.
void formatUuid(const std::array<quint64, 2> &id, char *out);
/// Only the lower-case form with dashes; everything else is kept as text.
std::optional<std::array<quint64, 2>> parseUuid(QByteArrayView text);

/// Bits of the columns whose content differs.
using JobColumns = quint32;
constexpr JobColumns bit(JobColumn column)
{
    return 1u << int(column);
}

/// The store itself. GUI thread.
class JobStore : public JobRows {
public:
    static constexpr quint32 none = IndexTable::none;

    JobStore();

    quint32 find(const QByteArray &id) const;
    /// The id must be new.
    quint32 insert(const JobSummary &job, quint8 generation);
    /// Takes over everything but the id; returns what changed, for the table.
    JobColumns update(quint32 slot, const JobSummary &job);
    void setGeneration(quint32 slot, quint8 generation);
    void remove(quint32 slot);
    /// Not while frozen.
    void clear();

    quint32 count() const { return m_count; }

    /// A copy for another thread. Until the matching thaw() no slot is used again, and chunks are copied before they
    /// are written to. Calls nest.
    JobRows freeze();
    void thaw();
    bool isFrozen() const { return m_frozen > 0; }

    /// Rows and the index by id, without the texts.
    qint64 bytesUsed() const;
    qint64 textBytesUsed() const;

private:
    using Texts = InternPool<QByteArray>;
    using Targets = InternPool<Target>;
    using Extras = InternPool<JobExtras>;

    PackedJob &writable(quint32 slot);
    quint32 newSlot();
    size_t hashOf(const PackedJob &job) const;
    void fill(PackedJob &row, const JobSummary &job);
    void releaseTexts(const PackedJob &row);

    std::shared_ptr<Texts> m_textPool;
    std::shared_ptr<Targets> m_targetPool;
    std::shared_ptr<Extras> m_extrasPool;
    IndexTable m_ids;
    std::vector<quint32> m_free;
    std::vector<quint32> m_limbo;
    std::vector<quint32> m_chunkEpochs; ///< when each chunk became ours alone
    quint32 m_epoch = 0;
    quint32 m_count = 0;
    int m_frozen = 0;
    size_t m_seed;
};

} // namespace ym
