// Which family of queue keys a job goes to, for a protocol that has two (PROTOCOLS, Which family a job goes to).
#pragma once

#include <QByteArray>

#include <array>
#include <optional>

namespace ym {

enum class KeyMode : quint8 {
    Auto, ///< canonical where a worker of the type is present or no legacy queue fits, else legacy; always one list
    Canonical,
    Legacy,
    Dual, ///< both: a job may run twice when workers of both kinds listen (RELIABILITY HC1)
};
/// Stable words for files and the command line, in the order of the enumeration.
inline constexpr std::array keyModeNames{"auto", "canonical", "legacy", "dual"};

/// Which of the three older work queues the legacy family means on a connection.
enum class LegacyQueue : quint8 {
    Worker, ///< one for each worker id, in a namespace of its own
    Type, ///< one for each type
    Actor, ///< one for each worker id, beside the jobs
};
inline constexpr std::array legacyQueueNames{"worker", "type", "actor"};

struct KeyChoice {
    KeyMode mode = KeyMode::Auto;
    LegacyQueue legacy = LegacyQueue::Worker;
    bool operator==(const KeyChoice &) const = default;
};

inline const char *keyModeName(KeyMode mode)
{
    return keyModeNames.at(size_t(mode));
}
inline const char *legacyQueueName(LegacyQueue queue)
{
    return legacyQueueNames.at(size_t(queue));
}

/// The inverse of keyModeName().
inline std::optional<KeyMode> keyModeFromName(const QByteArray &name)
{
    for (size_t i = 0; i < keyModeNames.size(); ++i) {
        if (name == keyModeNames[i])
            return KeyMode(i);
    }
    return std::nullopt;
}
inline std::optional<LegacyQueue> legacyQueueFromName(const QByteArray &name)
{
    for (size_t i = 0; i < legacyQueueNames.size(); ++i) {
        if (name == legacyQueueNames[i])
            return LegacyQueue(i);
    }
    return std::nullopt;
}

} // namespace ym
