// A job's hash ↔ Job and JobSummary (PROTOCOLS 1+2, the table). Strict in what is written, tolerant in what is read: a
// bad value becomes its default and a sentence in Job::problems, never a failure (RELIABILITY D1–D15).
#pragma once

#include "core/job/job.h"
#include "core/store/reply.h"

#include <QHash>
#include <QList>

#include <span>

namespace ym::hero {

/// Everything that a record says. `id` is the key's suffix. `cut` has the full sizes of those fields of which only the
/// beginning is here: what cannot be read of them is no fault of the record.
Job readJob(const QByteArray &id, QList<ByteField> fields, const QHash<QByteArray, qint64> &cut = {});

/// What a run needs of records that are written in our own words and have all but script and id in common, from the
/// values that resources/lua/hero/claim.lua tells; those that it left out at the end are absent.
class ClaimedReader {
public:
    explicit ClaimedReader(std::span<const Reply> common);
    /// The job as it is now: running, one attempt further.
    Job read(const QByteArray &id, const QByteArray &script) const;

private:
    QList<ByteField> m_fields; ///< by name, for a job with a problem: it has a sentence for everything that is wrong
    std::optional<Job> m_common; ///< when nothing of it is wrong
};

/// The fields that a summary needs, for HMGET; never the script, the output or another big one.
const QList<QByteArray> &summaryFields();
/// All fields that readJob() looks at, in every spelling, but those of past runs.
const QList<QByteArray> &jobFields();
/// A summary from the values of summaryFields() in their order; absent ones are empty.
JobSummary readSummary(const QByteArray &id, const QList<QByteArray> &values);
/// The summary of a key that holds no job record.
JobSummary invalidSummary(const QByteArray &id);

/// What a submit writes for a draft: without status, times and dependents, which the script sets.
struct DraftFields {
    QList<ByteField> written;
    QList<QByteArray> absent; ///< optional fields that this draft does not have
};
DraftFields writeDraft(const Job &draft);

} // namespace ym::hero
