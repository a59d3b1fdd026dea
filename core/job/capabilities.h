// What a protocol can do, as data: the window asks `can(…)`, never which protocol it is.
#pragma once

#include <QByteArray>
#include <QFlags>
#include <QList>
#include <QString>

namespace ym {

enum class Capability : quint32 {
    Submit = 1u << 0,
    Stop = 1u << 1,
    Remove = 1u << 2,
    Retry = 1u << 3,
    Prerequisites = 1u << 4,
    Priority = 1u << 5,
    Schedule = 1u << 6,
    Environment = 1u << 7,
    LogFile = 1u << 8,
    Presence = 1u << 9,
    Reply = 1u << 10,
    Progress = 1u << 11,
    KeyModes = 1u << 12, ///< two families of queue keys: Target::keys and KeyChoice mean something
};
Q_DECLARE_FLAGS(CapabilityFlags, Capability)
Q_DECLARE_OPERATORS_FOR_FLAGS(CapabilityFlags)

/// One part of a target, in the order in which a form shows them.
struct TargetField {
    QByteArray name;  ///< "type", "group", "instance"
    QString label;    ///< for people, translated
    QString hint;     ///< what to type there
    bool required = false;
};

struct Capabilities {
    CapabilityFlags flags;
    QList<TargetField> targetFields;

    bool can(Capability what) const { return flags.testFlag(what); }
};

} // namespace ym
