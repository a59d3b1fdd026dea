// Single values of a job record, read with tolerance and checked ranges (PROTOCOLS 1+2, "we also read").
// Each returns nothing for a value that cannot be read; the caller takes the default and notes the problem.
#pragma once

#include "core/job/job.h"

#include <chrono>
#include <optional>

namespace ym::hero {

/// Decimal seconds, `30s`, or a JSON Duration `{"secs":…,"nanos":…}`; 0 … ten years, parts of a second round up.
std::optional<std::chrono::seconds> readTimeout(const QByteArray &text);
/// A plain decimal number in the range.
std::optional<int> readCount(const QByteArray &text, int least, int most);
/// true / false / 1 / 0 in any case.
std::optional<bool> readBool(const QByteArray &text);
/// The state of a status word in any case; nothing when the word is unknown. White space is not forgiven: the worker
/// that reads this status next would not forgive it either.
std::optional<JobState> readStatus(const QByteArray &text);
/// A JSON array of ids or a comma list; empty text and `null` are an empty list.
std::optional<QList<QByteArray>> readIds(const QByteArray &text);

/// A JSON object of texts; empty text and `null` are none. `dropped` counts the members that no environment can carry.
struct Environment {
    QList<ByteField> variables;
    int dropped = 0;
};
std::optional<Environment> readEnvironment(const QByteArray &text);

/// The inverse of readIds() and readEnvironment(), as JSON.
QByteArray writeIds(const QList<QByteArray> &ids);
QByteArray writeEnvironment(const QList<ByteField> &variables);
/// The status word of a state that this protocol can store; empty for others.
QByteArray statusWord(JobState state);

} // namespace ym::hero
