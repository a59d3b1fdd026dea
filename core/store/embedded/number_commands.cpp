// Commands on strings as numbers.
#include "core/store/embedded/call.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/numbers.h"

#include <cmath>
#include <limits>

namespace ym::embedded {

namespace {

/// In place of what the key has; its life goes on.
void storeNumber(Call &c, QByteArray number, TextForm form)
{
    Entry *entry = c.keys.find(c.arg(1));
    if (entry)
        entry->value = std::move(number);
    else
        entry = &c.keys.put(c.arg(1), std::move(number));
    entry->form = form;
}

Reply addTo(Call &c, qint64 by)
{
    const QByteArray &key = c.arg(1);
    Entry *entry = c.keys.getStringEntry(key);
    qint64 value = 0;
    if (entry) {
        const auto current = readInteger(std::get<QByteArray>(entry->value));
        if (!current)
            throw CommandError(errors::notInteger);
        value = *current;
    }
    if (__builtin_add_overflow(value, by, &value))
        throw CommandError("ERR increment or decrement would overflow");
    storeNumber(c, QByteArray::number(value), TextForm::Plain);
    c.changed(key, "incrby");
    return Reply::number(value);
}

Reply incr(Call &c)
{
    return addTo(c, 1);
}

Reply decr(Call &c)
{
    return addTo(c, -1);
}

Reply incrby(Call &c)
{
    return addTo(c, c.integer(2));
}

Reply decrby(Call &c)
{
    const qint64 by = c.integer(2);
    if (by == std::numeric_limits<qint64>::min())
        throw CommandError("ERR decrement would overflow");
    return addTo(c, -by);
}

Reply incrbyfloat(Call &c)
{
    const QByteArray &key = c.arg(1);
    const QByteArray *text = c.keys.getString(key);
    const auto current = readLongDouble(text ? *text : QByteArray("0"));
    const auto by = readLongDouble(c.arg(2));
    if (!current || !by)
        throw CommandError(errors::notFloat);
    const long double value = *current + *by;
    if (std::isnan(value) || std::isinf(value))
        throw CommandError("ERR increment would produce NaN or Infinity");
    const QByteArray written = writeLongDouble(value);
    storeNumber(c, written, TextForm::Text);
    c.changed(key, "incrbyfloat");
    c.logAs({"SET", key, written, "KEEPTTL"});
    return Reply::bulk(written);
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"incr", 2, Write, incr, 1, 1, 1},
    {"decr", 2, Write, decr, 1, 1, 1},
    {"incrby", 3, Write, incrby, 1, 1, 1},
    {"decrby", 3, Write, decrby, 1, 1, 1},
    {"incrbyfloat", 3, Write, incrbyfloat, 1, 1, 1},
};

} // namespace

std::span<const CommandSpec> numberCommands()
{
    return rows;
}

} // namespace ym::embedded
