// Commands on the lifetime of keys.
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/expiry.h"

#include <limits>

namespace ym::embedded {

qint64 expiryTime(const Call &call, qint64 value, ExpiryForm form, const char *command)
{
    const auto fail = [command] {
        throw CommandError(QByteArray("ERR invalid expire time in '") + command + "' command");
    };
    if (value <= 0)
        fail();
    if (form.unit == ExpiryUnit::Seconds && __builtin_mul_overflow(value, qint64(1000), &value))
        fail();
    if (form.base == ExpiryBase::Now && __builtin_add_overflow(value, call.keys.now(), &value))
        fail();
    return value;
}

std::optional<ExpiryForm> expiryOption(const QByteArray &option)
{
    struct Row {
        const char *name;
        ExpiryForm form;
    };
    static constexpr Row rows[] = {
        {"EX", {ExpiryUnit::Seconds, ExpiryBase::Now}},
        {"PX", {ExpiryUnit::Milliseconds, ExpiryBase::Now}},
        {"EXAT", {ExpiryUnit::Seconds, ExpiryBase::Epoch}},
        {"PXAT", {ExpiryUnit::Milliseconds, ExpiryBase::Epoch}},
    };
    for (const Row &row : rows) {
        if (qstricmp(option.constData(), row.name) == 0)
            return row.form;
    }
    return std::nullopt;
}

namespace {

/// EXPIRE takes zero and negative times, which end the key at once.
qint64 deadlineOf(const Call &c, ExpiryForm form, const char *command)
{
    qint64 value = c.integer(2);
    const auto fail = [command] {
        throw CommandError(QByteArray("ERR invalid expire time in '") + command + "' command");
    };
    if (form.unit == ExpiryUnit::Seconds && __builtin_mul_overflow(value, qint64(1000), &value))
        fail();
    if (form.base == ExpiryBase::Now && __builtin_add_overflow(value, c.keys.now(), &value))
        fail();
    return value;
}

struct Conditions {
    bool ifNone = false;
    bool ifAny = false;
    bool ifLater = false;
    bool ifEarlier = false;

    bool allow(qint64 current, qint64 wanted) const
    {
        const qint64 now = current < 0 ? std::numeric_limits<qint64>::max() : current;
        return !(ifNone && current >= 0) && !(ifAny && current < 0) && !(ifLater && (current < 0 || wanted <= now))
            && !(ifEarlier && current >= 0 && wanted >= now);
    }
};

Conditions readConditions(const Call &c)
{
    Conditions conditions;
    for (qsizetype i = 3; i < c.argc(); ++i) {
        if (c.isOption(i, "NX"))
            conditions.ifNone = true;
        else if (c.isOption(i, "XX"))
            conditions.ifAny = true;
        else if (c.isOption(i, "GT"))
            conditions.ifLater = true;
        else if (c.isOption(i, "LT"))
            conditions.ifEarlier = true;
        else
            throw CommandError(QByteArray("ERR Unsupported option ") + c.arg(i).constData()); // up to a zero byte
    }
    if (conditions.ifNone && (conditions.ifAny || conditions.ifLater || conditions.ifEarlier))
        throw CommandError("ERR NX and XX, GT or LT options at the same time are not compatible");
    if (conditions.ifLater && conditions.ifEarlier)
        throw CommandError("ERR GT and LT options at the same time are not compatible");
    return conditions;
}

Reply setExpiry(Call &c, ExpiryForm form, const char *command)
{
    const QByteArray &key = c.arg(1);
    const Conditions conditions = readConditions(c);
    const qint64 at = deadlineOf(c, form, command);
    const Entry *entry = c.keys.find(key);
    if (!entry || !conditions.allow(entry->expireAt, at))
        return Reply::number(0);
    if (at <= c.keys.now()) {
        c.keys.remove(key);
        c.changed(key, "del");
        c.logAs({"DEL", key});
        return Reply::number(1);
    }
    c.keys.setExpiry(key, at);
    c.changed(key, "expire");
    c.logAs({"PEXPIREAT", key, QByteArray::number(at)});
    return Reply::number(1);
}

Reply expire(Call &c)
{
    return setExpiry(c, {ExpiryUnit::Seconds, ExpiryBase::Now}, "expire");
}

Reply pexpire(Call &c)
{
    return setExpiry(c, {ExpiryUnit::Milliseconds, ExpiryBase::Now}, "pexpire");
}

Reply expireat(Call &c)
{
    return setExpiry(c, {ExpiryUnit::Seconds, ExpiryBase::Epoch}, "expireat");
}

Reply pexpireat(Call &c)
{
    return setExpiry(c, {ExpiryUnit::Milliseconds, ExpiryBase::Epoch}, "pexpireat");
}

/// The end of the key in ms since 1970; -2 = no such key, -1 = it does not end.
qint64 endOf(Call &c)
{
    const Entry *entry = c.keys.find(c.arg(1));
    return entry ? entry->expireAt : -2;
}

Reply ttl(Call &c)
{
    const qint64 end = endOf(c);
    return Reply::number(end < 0 ? end : (end - c.keys.now() + 500) / 1000);
}

Reply pttl(Call &c)
{
    const qint64 end = endOf(c);
    return Reply::number(end < 0 ? end : end - c.keys.now());
}

Reply expiretime(Call &c)
{
    const qint64 end = endOf(c);
    return Reply::number(end < 0 ? end : (end + 500) / 1000);
}

Reply pexpiretime(Call &c)
{
    return Reply::number(endOf(c));
}

Reply persist(Call &c)
{
    if (endOf(c) < 0)
        return Reply::number(0);
    c.keys.setExpiry(c.arg(1), -1);
    c.changed(c.arg(1), "persist");
    return Reply::number(1);
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"expire", -3, Write, expire, 1, 1, 1},
    {"pexpire", -3, Write, pexpire, 1, 1, 1},
    {"expireat", -3, Write, expireat, 1, 1, 1},
    {"pexpireat", -3, Write, pexpireat, 1, 1, 1},
    {"ttl", 2, ReadOnly, ttl, 1, 1, 1},
    {"pttl", 2, ReadOnly, pttl, 1, 1, 1},
    {"expiretime", 2, ReadOnly, expiretime, 1, 1, 1},
    {"pexpiretime", 2, ReadOnly, pexpiretime, 1, 1, 1},
    {"persist", 2, Write, persist, 1, 1, 1},
};

} // namespace

std::span<const CommandSpec> expiryCommands()
{
    return rows;
}

} // namespace ym::embedded
