#include "core/store/redis/command_encoder.h"

#include <charconv>
#include <cstring>

namespace ym {

namespace {

constexpr qsizetype headerRoom = 24; // marker, 19 digits, line ends

char *writeHeader(char *at, char marker, qsizetype count)
{
    *at++ = marker;
    at = std::to_chars(at, at + headerRoom, count).ptr;
    *at++ = '\r';
    *at++ = '\n';
    return at;
}

} // namespace

void appendCommand(QByteArray &out, const Command &command)
{
    qsizetype room = headerRoom;
    for (const QByteArray &argument : command.args)
        room += headerRoom + argument.size();
    const qsizetype start = out.size();
    if (out.capacity() < start + room)
        out.reserve(std::max(start + room, 2 * out.capacity()));
    out.resize(start + room);
    char *at = writeHeader(out.data() + start, '*', command.args.size());
    for (const QByteArray &argument : command.args) {
        at = writeHeader(at, '$', argument.size());
        std::memcpy(at, argument.constData(), size_t(argument.size()));
        at += argument.size();
        *at++ = '\r';
        *at++ = '\n';
    }
    out.resize(at - out.constData());
}

} // namespace ym
