// The ids of a stream's entries.
#pragma once

#include <QByteArray>

#include <compare>
#include <limits>
#include <optional>

namespace ym::embedded {

/// Milliseconds and a number within the millisecond: "1700000000000-0".
struct StreamId {
    quint64 ms = 0;
    quint64 sequence = 0;

    auto operator<=>(const StreamId &) const = default;

    static constexpr StreamId greatest()
    {
        return {std::numeric_limits<quint64>::max(), std::numeric_limits<quint64>::max()};
    }
    /// The neighbours; nothing beyond the ends.
    std::optional<StreamId> next() const;
    std::optional<StreamId> previous() const;
    QByteArray text() const;

    /// "ms" or "ms-sequence"; `missing` stands for a sequence that is not there. Nothing when it is no id.
    static std::optional<StreamId> read(const QByteArray &text, quint64 missing);
};

} // namespace ym::embedded
