// Commands on single bits of strings.
#include "core/store/embedded/bits.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/numbers.h"
#include "core/store/embedded/string_limits.h"

#include <bit>

namespace ym::embedded {

qint64 readBitOffset(const Call &call, qsizetype index, int width)
{
    const QByteArray &text = call.arg(index);
    const bool isCounted = width > 0 && text.startsWith('#');
    const auto offset = readInteger(isCounted ? text.sliced(1) : text);
    qint64 bit = offset.value_or(-1);
    if (!offset || (isCounted && __builtin_mul_overflow(bit, qint64(width), &bit)) || bit < 0
        || bit / 8 >= maxStringSize)
        throw CommandError("ERR bit offset is not an integer or out of range");
    return bit;
}

QByteArray &stringWithBit(Call &call, const QByteArray &key, qint64 bit, bool &isLonger)
{
    const qint64 size = bit / 8 + 1;
    Entry *entry = call.keys.getStringEntry(key);
    isLonger = !entry || std::get<QByteArray>(entry->value).size() < size;
    if (!entry)
        entry = &call.keys.put(key, QByteArray());
    entry->form = TextForm::Raw;
    auto &text = std::get<QByteArray>(entry->value);
    if (isLonger)
        text.append(size - text.size(), '\0');
    return text;
}

namespace {

Reply setbit(Call &c)
{
    constexpr char notBit[] = "ERR bit is not an integer or out of range";
    const qint64 bit = readBitOffset(c, 2);
    const qint64 value = c.integer(3, notBit);
    if (value != 0 && value != 1)
        throw CommandError(notBit);
    bool isLonger = false;
    QByteArray &text = stringWithBit(c, c.arg(1), bit, isLonger);
    const bool old = bitAt(text, bit);
    if (isLonger || old != bool(value)) {
        setBitAt(text, bit, value);
        c.changed(c.arg(1), "setbit");
    }
    return Reply::number(old);
}

Reply getbit(Call &c)
{
    const qint64 bit = readBitOffset(c, 2);
    const QByteArray *text = c.keys.getString(c.arg(1));
    return Reply::number(text && bitAt(*text, bit));
}

bool readIsBits(const Call &c, qsizetype index)
{
    if (!c.isOption(index, "BIT") && !c.isOption(index, "BYTE"))
        throw CommandError(errors::syntax);
    return c.isOption(index, "BIT");
}

/// An interval of bits, both ends included; empty when `from` > `to`.
struct BitInterval {
    qint64 from;
    qint64 to;
};

/// Bounds from the front or, negative, from the back, in bits or bytes, as bits within the text.
BitInterval intervalOf(qint64 from, qint64 to, bool isBits, qint64 bytes)
{
    const qint64 size = isBits ? bytes * 8 : bytes;
    from = std::max<qint64>(0, from < 0 ? from + size : from);
    to = std::min(size - 1, std::max<qint64>(0, to < 0 ? to + size : to));
    if (from > to)
        return {0, -1};
    return isBits ? BitInterval{from, to} : BitInterval{from * 8, to * 8 + 7};
}

qint64 countBits(QByteArrayView bytes, BitInterval interval)
{
    qint64 count = 0;
    qint64 bit = interval.from;
    for (; bit <= interval.to && bit % 8 != 0; ++bit)
        count += bitAt(bytes, bit);
    for (; bit + 7 <= interval.to; bit += 8)
        count += std::popcount(uchar(bytes[bit / 8]));
    for (; bit <= interval.to; ++bit)
        count += bitAt(bytes, bit);
    return count;
}

Reply bitcount(Call &c)
{
    const QByteArray *text = c.keys.getString(c.arg(1));
    if (!text)
        return Reply::number(0);
    if (c.argc() == 2)
        return Reply::number(countBits(*text, {0, text->size() * 8 - 1}));
    if (c.argc() != 4 && c.argc() != 5)
        throw CommandError(errors::syntax);
    const qint64 from = c.integer(2);
    const qint64 to = c.integer(3);
    if (from < 0 && to < 0 && from > to)
        return Reply::number(0);
    const bool isBits = c.argc() == 5 && readIsBits(c, 4);
    return Reply::number(countBits(*text, intervalOf(from, to, isBits, text->size())));
}

/// The first bit of this value; -1 = none.
qint64 findBit(QByteArrayView bytes, BitInterval interval, bool value)
{
    const uchar without = value ? 0x00 : 0xff;
    for (qint64 bit = interval.from; bit <= interval.to;) {
        if (bit % 8 == 0 && bit + 7 <= interval.to && uchar(bytes[bit / 8]) == without)
            bit += 8;
        else if (bitAt(bytes, bit) == value)
            return bit;
        else
            ++bit;
    }
    return -1;
}

Reply bitpos(Call &c)
{
    const qint64 value = c.integer(2);
    if (value != 0 && value != 1)
        throw CommandError("ERR The bit argument must be 1 or 0.");
    const QByteArray *text = c.keys.getString(c.arg(1));
    if (!text)
        return Reply::number(value ? -1 : 0);
    if (c.argc() > 6)
        throw CommandError(errors::syntax);
    const qint64 from = c.argc() > 3 ? c.integer(3) : 0;
    const bool isBits = c.argc() == 6 && readIsBits(c, 5);
    const bool hasEnd = c.argc() > 4;
    const qint64 to = hasEnd ? c.integer(4) : text->size() - 1;
    const BitInterval interval = intervalOf(from, to, isBits, text->size());
    const qint64 found = findBit(*text, interval, value);
    // Without an end the text goes on with zeros.
    if (found < 0 && !value && !hasEnd && interval.from <= interval.to)
        return Reply::number(text->size() * 8);
    return Reply::number(found);
}

enum class BitOperation : quint8 { And, Or, Xor, Not };

BitOperation readOperation(const Call &c)
{
    constexpr std::pair<const char *, BitOperation> names[] = {
        {"AND", BitOperation::And}, {"OR", BitOperation::Or}, {"XOR", BitOperation::Xor}, {"NOT", BitOperation::Not}};
    for (const auto &[name, operation] : names) {
        if (c.isOption(1, name))
            return operation;
    }
    throw CommandError(errors::syntax);
}

uchar combine(BitOperation operation, uchar a, uchar b)
{
    switch (operation) {
    case BitOperation::And:
        return a & b;
    case BitOperation::Or:
        return a | b;
    case BitOperation::Xor:
        return a ^ b;
    case BitOperation::Not:
        return uchar(~a);
    }
    return 0;
}

/// Shorter texts go on with zeros.
QByteArray combined(BitOperation operation, const QList<QByteArray> &texts, qsizetype size)
{
    QByteArray result = texts.first();
    result.append(size - result.size(), '\0');
    char *bytes = result.data();
    if (operation == BitOperation::Not) {
        for (qsizetype i = 0; i < size; ++i)
            bytes[i] = char(combine(operation, uchar(bytes[i]), 0));
    }
    for (qsizetype t = 1; t < texts.size(); ++t) {
        for (qsizetype i = 0; i < size; ++i)
            bytes[i] = char(combine(operation, uchar(bytes[i]), i < texts[t].size() ? uchar(texts[t][i]) : 0));
    }
    return result;
}

Reply bitop(Call &c)
{
    const BitOperation operation = readOperation(c);
    if (operation == BitOperation::Not && c.argc() != 4)
        throw CommandError("ERR BITOP NOT must be called with a single source key.");
    QList<QByteArray> texts;
    qsizetype longest = 0;
    for (qsizetype i = 3; i < c.argc(); ++i) {
        const QByteArray *text = c.keys.getString(c.arg(i));
        texts.append(text ? *text : QByteArray());
        longest = std::max(longest, texts.last().size());
    }
    const QByteArray &target = c.arg(2);
    if (longest > 0) {
        c.keys.put(target, combined(operation, texts, longest)).form = TextForm::Raw;
        c.changed(target, "set");
    } else if (c.keys.discard(target)) {
        c.changed(target, "del");
    }
    return Reply::number(longest);
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"setbit", 4, Write, setbit, 1, 1, 1},         {"getbit", 3, ReadOnly, getbit, 1, 1, 1},
    {"bitcount", -2, ReadOnly, bitcount, 1, 1, 1}, {"bitpos", -3, ReadOnly, bitpos, 1, 1, 1},
    {"bitop", -4, Write, bitop, 2, -1, 1},
};

} // namespace

std::span<const CommandSpec> bitCommands()
{
    return rows;
}

} // namespace ym::embedded
