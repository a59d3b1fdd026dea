// Commands on strings as bytes.
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/expiry.h"
#include "core/store/embedded/string_limits.h"

#include <algorithm>

namespace ym::embedded {

namespace {

std::optional<QByteArray> copyOf(const QByteArray *text)
{
    return text ? std::optional(*text) : std::nullopt;
}

Reply get(Call &c)
{
    return bulkOrNil(copyOf(c.keys.getString(c.arg(1))));
}

struct SetOptions {
    bool onlyNew = false;
    bool onlyExisting = false;
    bool returnOld = false;
    bool keepExpiry = false;
    bool persist = false;
    std::optional<ExpiryForm> form;
    qsizetype expiryArgument = 0;

    bool hasExpiry() const { return form || keepExpiry || persist; }
};

/// Reads the options of SET from `from` on.
SetOptions readSetOptions(const Call &c, qsizetype from)
{
    SetOptions options;
    for (qsizetype i = from; i < c.argc(); ++i) {
        const auto form = expiryOption(c.arg(i));
        if (c.isOption(i, "NX") && !options.onlyExisting)
            options.onlyNew = true;
        else if (c.isOption(i, "XX") && !options.onlyNew)
            options.onlyExisting = true;
        else if (c.isOption(i, "GET"))
            options.returnOld = true;
        else if (c.isOption(i, "KEEPTTL") && !options.form)
            options.keepExpiry = true;
        else if (form && !options.hasExpiry() && i + 1 < c.argc()) {
            options.form = form;
            options.expiryArgument = ++i;
        } else
            throw CommandError(errors::syntax);
    }
    return options;
}

qint64 readExpiry(const Call &c, const SetOptions &options, const char *command)
{
    if (!options.form)
        return -1;
    return expiryTime(c, c.integer(options.expiryArgument), *options.form, command);
}

/// Stores a string and logs it as a SET that means the same at any time.
void store(Call &c, const QByteArray &key, const QByteArray &value, qint64 expireAt)
{
    c.keys.put(key, value);
    c.changed(key, "set");
    QList<QByteArray> log{"SET", key, value};
    if (expireAt >= 0) {
        c.keys.setExpiry(key, expireAt);
        c.notify("expire", key);
        log << "PXAT" << QByteArray::number(expireAt);
    }
    c.logAs(log);
}

/// Changes the bytes of a string and leaves its expiry alone; makes the key when there is none.
void overwrite(Call &c, const QByteArray &key, QByteArray value)
{
    Entry *entry = c.keys.getStringEntry(key);
    if (entry)
        entry->value = std::move(value);
    else
        entry = &c.keys.put(key, std::move(value));
    entry->form = TextForm::Raw;
}

Reply set(Call &c)
{
    const SetOptions options = readSetOptions(c, 3);
    const qint64 expireAt = readExpiry(c, options, "set");
    const QByteArray &key = c.arg(1);
    Reply answer = okReply();
    if (options.returnOld)
        answer = bulkOrNil(copyOf(c.keys.getString(key)));
    const bool exists = c.keys.contains(key);
    if ((options.onlyNew && exists) || (options.onlyExisting && !exists))
        return options.returnOld ? answer : Reply::nil();
    if (!options.keepExpiry || !exists) {
        store(c, key, c.arg(2), expireAt);
        return answer;
    }
    const qint64 kept = c.keys.find(key)->expireAt;
    c.keys.put(key, c.arg(2));
    c.keys.setExpiry(key, kept);
    c.changed(key, "set");
    c.logAs({"SET", key, c.arg(2), "KEEPTTL"});
    return answer;
}

Reply setnx(Call &c)
{
    if (c.keys.contains(c.arg(1)))
        return Reply::number(0);
    store(c, c.arg(1), c.arg(2), -1);
    return Reply::number(1);
}

Reply setWithExpiry(Call &c, ExpiryUnit unit, const char *command)
{
    const qint64 expireAt = expiryTime(c, c.integer(2), {unit, ExpiryBase::Now}, command);
    store(c, c.arg(1), c.arg(3), expireAt);
    return okReply();
}

Reply setex(Call &c)
{
    return setWithExpiry(c, ExpiryUnit::Seconds, "setex");
}

Reply psetex(Call &c)
{
    return setWithExpiry(c, ExpiryUnit::Milliseconds, "psetex");
}

Reply getset(Call &c)
{
    Reply old = get(c);
    store(c, c.arg(1), c.arg(2), -1);
    return old;
}

Reply getdel(Call &c)
{
    Reply old = get(c);
    if (c.keys.remove(c.arg(1))) {
        c.changed(c.arg(1), "del");
        c.logAs({"DEL", c.arg(1)});
    }
    return old;
}

SetOptions readGetexOptions(const Call &c)
{
    SetOptions options;
    for (qsizetype i = 2; i < c.argc(); ++i) {
        const auto form = expiryOption(c.arg(i));
        if (c.isOption(i, "PERSIST") && !options.hasExpiry())
            options.persist = true;
        else if (form && !options.hasExpiry() && i + 1 < c.argc()) {
            options.form = form;
            options.expiryArgument = ++i;
        } else
            throw CommandError(errors::syntax);
    }
    return options;
}

Reply getex(Call &c)
{
    const SetOptions options = readGetexOptions(c);
    const QByteArray &key = c.arg(1);
    Reply value = get(c);
    if (value.isNil())
        return value;
    const qint64 expireAt = readExpiry(c, options, "getex");
    if (options.form && expireAt <= c.keys.now()) {
        c.keys.remove(key);
        c.changed(key, "del");
        c.logAs({"DEL", key});
    } else if (options.form) {
        c.keys.setExpiry(key, expireAt);
        c.changed(key, "expire");
        c.logAs({"PEXPIREAT", key, QByteArray::number(expireAt)});
    } else if (options.persist && c.keys.find(key)->expireAt >= 0) {
        c.keys.setExpiry(key, -1);
        c.changed(key, "persist");
        c.logAs({"PERSIST", key});
    }
    return value;
}

Reply mget(Call &c)
{
    std::vector<Reply> values;
    for (qsizetype i = 1; i < c.argc(); ++i) {
        const Entry *entry = c.keys.find(c.arg(i));
        const auto *text = entry ? std::get_if<QByteArray>(&entry->value) : nullptr;
        values.push_back(bulkOrNil(copyOf(text)));
    }
    return Reply::array(std::move(values));
}

void storeAll(Call &c)
{
    for (qsizetype i = 1; i < c.argc(); i += 2) {
        c.keys.put(c.arg(i), c.arg(i + 1));
        c.changed(c.arg(i), "set");
    }
}

void checkPairs(const Call &c, const char *command)
{
    if (c.argc() % 2 == 0)
        throw CommandError(QByteArray("ERR wrong number of arguments for '") + command + "' command");
}

Reply mset(Call &c)
{
    checkPairs(c, "mset");
    storeAll(c);
    return okReply();
}

Reply msetnx(Call &c)
{
    checkPairs(c, "msetnx");
    for (qsizetype i = 1; i < c.argc(); i += 2) {
        if (c.keys.contains(c.arg(i)))
            return Reply::number(0);
    }
    storeAll(c);
    return Reply::number(1);
}

Reply append(Call &c)
{
    Entry *entry = c.keys.getStringEntry(c.arg(1));
    qsizetype size = c.arg(2).size();
    if (entry) {
        auto &text = std::get<QByteArray>(entry->value);
        size += text.size();
        checkStringSize(size);
        text.append(c.arg(2));
        entry->form = TextForm::Raw;
    } else {
        c.keys.put(c.arg(1), c.arg(2));
    }
    c.changed(c.arg(1), "append");
    return Reply::number(size);
}

Reply strlen(Call &c)
{
    const QByteArray *text = c.keys.getString(c.arg(1));
    return Reply::number(text ? text->size() : 0);
}

Reply getrange(Call &c)
{
    qint64 from = c.integer(2);
    qint64 to = c.integer(3);
    const QByteArray *text = c.keys.getString(c.arg(1));
    if (!text || (from < 0 && to < 0 && from > to))
        return Reply::bulk({});
    const qint64 size = text->size();
    from = std::max<qint64>(0, from < 0 ? from + size : from);
    to = std::min(size - 1, std::max<qint64>(0, to < 0 ? to + size : to));
    if (from > to || size == 0)
        return Reply::bulk({});
    return Reply::bulk(text->mid(from, to - from + 1));
}

Reply setrange(Call &c)
{
    const qint64 offset = c.integer(2);
    if (offset < 0)
        throw CommandError("ERR offset is out of range");
    const QByteArray &key = c.arg(1);
    const QByteArray &part = c.arg(3);
    const QByteArray *existing = c.keys.getString(key);
    if (part.isEmpty())
        return Reply::number(existing ? existing->size() : 0);
    if (offset > maxStringSize)
        checkStringSize(offset);
    checkStringSize(offset + part.size());
    QByteArray text = existing ? *existing : QByteArray();
    if (text.size() < offset + part.size())
        text.append(offset + part.size() - text.size(), '\0');
    std::copy(part.begin(), part.end(), text.begin() + offset);
    const qsizetype size = text.size();
    overwrite(c, key, std::move(text));
    c.changed(key, "setrange");
    return Reply::number(size);
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"get", 2, ReadOnly, get, 1, 1, 1},         {"set", -3, Write, set, 1, 1, 1},
    {"setnx", 3, Write, setnx, 1, 1, 1},        {"setex", 4, Write, setex, 1, 1, 1},
    {"psetex", 4, Write, psetex, 1, 1, 1},      {"getset", 3, Write, getset, 1, 1, 1},
    {"getdel", 2, Write, getdel, 1, 1, 1},      {"getex", -2, Write, getex, 1, 1, 1},
    {"mget", -2, ReadOnly, mget, 1, -1, 1},     {"mset", -3, Write, mset, 1, -1, 2},
    {"msetnx", -3, Write, msetnx, 1, -1, 2},    {"append", 3, Write, append, 1, 1, 1},
    {"strlen", 2, ReadOnly, strlen, 1, 1, 1},   {"getrange", 4, ReadOnly, getrange, 1, 1, 1},
    {"substr", 4, ReadOnly, getrange, 1, 1, 1}, {"setrange", 4, Write, setrange, 1, 1, 1},
};

} // namespace

std::span<const CommandSpec> stringCommands()
{
    return rows;
}

} // namespace ym::embedded
