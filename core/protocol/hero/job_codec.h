// A job's hash ↔ Job and JobSummary (PROTOCOLS 1+2, the table). Strict in what is written, tolerant in what is read: a
// bad value becomes its default and a sentence in Job::problems, never a failure (RELIABILITY D1–D15).
#pragma once

#include "core/job/job.h"
#include "core/store/reply.h"

#include <QList>

#include <span>

namespace ym::hero {

/// Everything that a record says. `id` is the key's suffix.
Job readJob(const QByteArray &id, QList<ByteField> fields);

/// What a run needs of a record that is written in our own words, from the values that resources/lua/hero/claim.lua
/// reads; those that it left out at the end are absent. The job as it is now: running, one attempt further.
Job readClaimed(const QByteArray &id, std::span<const Reply> values);

/// The fields that a summary needs, for HMGET; never the script, the output or another big one.
const QList<QByteArray> &summaryFields();
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
