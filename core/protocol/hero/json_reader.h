// JSON that others wrote, read without trust: size and depth limits, no exception leaves.
#pragma once

#include "core/job/job.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace ym::hero {

inline constexpr int jsonDepthLimit = 128; ///< RELIABILITY 8, JSON
inline constexpr qsizetype jsonSizeLimit = 8 * 1024 * 1024;

/// The value; nothing when the text is no JSON, too large or too deep.
std::optional<nlohmann::json> parseJson(const QByteArray &text, qsizetype sizeLimit = jsonSizeLimit);

/// The members of a JSON object in their order: names and texts of strings, numbers and booleans. A repeated name keeps
/// its last value. Members of other kinds are counted in `skipped`. Nothing when it is no object.
struct FlatObject {
    QList<ByteField> members;
    int skipped = 0;
};
std::optional<FlatObject> parseFlatObject(const QByteArray &text);

/// A text member; empty when it is missing or no text.
QByteArray textMember(const nlohmann::json &object, const char *name);
/// An integer member in the range, or the default.
qint64 integerMember(const nlohmann::json &object, const char *name, qint64 least, qint64 most, qint64 otherwise);
/// The texts of an array member, at most `limit` of them.
QList<QByteArray> textsMember(const nlohmann::json &object, const char *name, qsizetype limit = 10'000);

} // namespace ym::hero
