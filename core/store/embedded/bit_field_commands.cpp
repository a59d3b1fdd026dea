// BITFIELD: integers of any width inside strings.
#include "core/store/embedded/bits.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/numbers.h"

#include <limits>

namespace ym::embedded {

namespace {

enum class FieldAction : quint8 { Get, Set, Add };
enum class Overflow : quint8 { Wrap, Saturate, Fail };

__extension__ using Wide = __int128; ///< any sum of two fields fits

struct FieldType {
    bool isSigned = false;
    int bits = 0;

    Wide lowest() const { return isSigned ? -(Wide(1) << (bits - 1)) : Wide(0); }
    Wide highest() const { return (Wide(1) << (isSigned ? bits - 1 : bits)) - 1; }
};

struct FieldStep {
    FieldAction action;
    FieldType type;
    qint64 offset;
    qint64 value = 0;
    Overflow overflow = Overflow::Wrap;
};

FieldType readType(const QByteArray &text)
{
    const bool isSigned = text.startsWith('i');
    const qint64 bits = text.isEmpty() ? 0 : readInteger(text.sliced(1)).value_or(0);
    if ((!isSigned && !text.startsWith('u')) || bits < 1 || bits > (isSigned ? 64 : 63))
        throw CommandError("ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but "
                           "i64 is.");
    return {isSigned, int(bits)};
}

Overflow readOverflow(const Call &c, qsizetype index)
{
    constexpr std::pair<const char *, Overflow> names[] = {
        {"WRAP", Overflow::Wrap}, {"SAT", Overflow::Saturate}, {"FAIL", Overflow::Fail}};
    for (const auto &[name, overflow] : names) {
        if (c.isOption(index, name))
            return overflow;
    }
    throw CommandError("ERR Invalid OVERFLOW type specified");
}

FieldAction readAction(const Call &c, qsizetype index)
{
    const qsizetype more = c.argc() - 1 - index;
    if (c.isOption(index, "GET") && more >= 2)
        return FieldAction::Get;
    if (c.isOption(index, "SET") && more >= 3)
        return FieldAction::Set;
    if (c.isOption(index, "INCRBY") && more >= 3)
        return FieldAction::Add;
    throw CommandError(errors::syntax);
}

QList<FieldStep> readSteps(const Call &c)
{
    QList<FieldStep> steps;
    Overflow overflow = Overflow::Wrap;
    for (qsizetype i = 2; i < c.argc();) {
        if (c.isOption(i, "OVERFLOW") && i + 1 < c.argc()) {
            overflow = readOverflow(c, i + 1);
            i += 2;
            continue;
        }
        const FieldAction action = readAction(c, i);
        FieldStep step{action, readType(c.arg(i + 1)), 0};
        step.offset = readBitOffset(c, i + 2, step.type.bits);
        step.overflow = overflow;
        i += 3;
        if (action != FieldAction::Get)
            step.value = c.integer(i++);
        steps.append(step);
    }
    return steps;
}

Wide readField(QByteArrayView bytes, qint64 offset, FieldType type)
{
    quint64 raw = 0;
    for (int i = 0; i < type.bits; ++i)
        raw = (raw << 1) | quint64(bitAt(bytes, offset + i));
    const Wide value = raw;
    return type.isSigned && value > type.highest() ? value - (Wide(1) << type.bits) : value;
}

void writeField(QByteArray &bytes, qint64 offset, FieldType type, Wide value)
{
    for (int i = 0; i < type.bits; ++i)
        setBitAt(bytes, offset + i, (value >> (type.bits - 1 - i)) & 1);
}

/// The value as the field can hold it; nothing when it must not be written.
std::optional<Wide> fitted(Wide value, const FieldStep &step)
{
    const FieldType type = step.type;
    if (value >= type.lowest() && value <= type.highest())
        return value;
    if (step.overflow == Overflow::Fail)
        return std::nullopt;
    // Redis counts the distance in 64 bits: what is set too far below wraps around and is seen as too high.
    const bool isTooLow = value < type.lowest()
        && (step.action == FieldAction::Add || type.highest() - value <= std::numeric_limits<qint64>::max());
    if (step.overflow == Overflow::Saturate)
        return isTooLow ? type.lowest() : type.highest();
    const Wide wrapped = value & ((Wide(1) << type.bits) - 1);
    return wrapped > type.highest() ? wrapped - (Wide(1) << type.bits) : wrapped;
}

Reply write(QByteArray &text, const FieldStep &step, bool isLonger, bool &hasChanged)
{
    const Wide old = readField(text, step.offset, step.type);
    const Wide set = step.type.isSigned ? Wide(step.value) : Wide(quint64(step.value));
    const auto value = fitted(step.action == FieldAction::Add ? old + step.value : set, step);
    if (!value)
        return Reply::nil();
    writeField(text, step.offset, step.type, *value);
    hasChanged |= isLonger || *value != old;
    return Reply::number(qint64(step.action == FieldAction::Add ? *value : old));
}

Reply run(Call &c, const QList<FieldStep> &steps)
{
    const QByteArray &key = c.arg(1);
    qint64 highest = -1;
    for (const FieldStep &step : steps) {
        if (step.action != FieldAction::Get)
            highest = std::max(highest, step.offset + step.type.bits - 1);
    }
    bool isLonger = false;
    QByteArray *text = highest < 0 ? c.keys.getString(key) : &stringWithBit(c, key, highest, isLonger);
    bool hasChanged = false;
    std::vector<Reply> replies;
    for (const FieldStep &step : steps) {
        if (step.action == FieldAction::Get)
            replies.push_back(Reply::number(
                qint64(readField(text ? QByteArrayView(*text) : QByteArrayView(), step.offset, step.type))));
        else
            replies.push_back(write(*text, step, isLonger, hasChanged));
    }
    if (hasChanged)
        c.changed(key, "setbit");
    else if (isLonger) // nothing fitted: the room is there all the same, and nobody is told
        c.changedAll();
    return Reply::array(std::move(replies));
}

Reply bitfield(Call &c)
{
    return run(c, readSteps(c));
}

Reply bitfieldRo(Call &c)
{
    const QList<FieldStep> steps = readSteps(c);
    for (const FieldStep &step : steps) {
        if (step.action != FieldAction::Get)
            throw CommandError("ERR BITFIELD_RO only supports the GET subcommand");
    }
    return run(c, steps);
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"bitfield", -2, Write, bitfield, 1, 1, 1},
    {"bitfield_ro", -2, ReadOnly, bitfieldRo, 1, 1, 1},
};

} // namespace

std::span<const CommandSpec> bitFieldCommands()
{
    return rows;
}

} // namespace ym::embedded
