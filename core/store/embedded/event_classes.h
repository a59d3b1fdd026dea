// Which keyspace notifications are sent: the letters of notify-keyspace-events.
#pragma once

#include <QByteArray>

#include <optional>

namespace ym::embedded {

class EventClasses {
public:
    /// Reads letters of "Ag$lshzxeKEtmdn"; nothing when there is another one.
    static std::optional<EventClasses> read(const QByteArray &letters);
    /// The letters in the order of Redis, `A` for all classes of it.
    QByteArray letters() const;

    bool hasKeyspaceChannels() const { return m_letters.contains('K'); }
    bool hasEventChannels() const { return m_letters.contains('E'); }
    bool contains(const char *event) const { return m_letters.contains(classOf(event)); }

    /// The letter of the class that an event belongs to.
    static char classOf(const char *event);

private:
    QByteArray m_letters; ///< without `A`
};

} // namespace ym::embedded
