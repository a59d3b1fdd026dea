#include "core/store/embedded/endpoint/limit_settings.h"

#include "core/store/embedded/numbers.h"

#include <limits>

namespace ym::embedded {

namespace {

constexpr qint64 megabyte = 1024 * 1024;
constexpr qint64 mostClients = 100'000;

/// "64mb", "1g", "100": Redis's units, k = 1000 and kb = 1024.
std::optional<qint64> readMemory(const QByteArray &text)
{
    constexpr std::pair<const char *, qint64> units[] = {
        {"kb", 1024}, {"mb", megabyte}, {"gb", 1024 * megabyte}, {"k", 1000}, {"m", 1'000'000}, {"g", 1'000'000'000},
        {"b", 1},
    };
    const QByteArray lower = text.toLower();
    QByteArray digits = lower;
    qint64 unit = 1;
    for (const auto &[name, size] : units) {
        if (!lower.endsWith(name))
            continue;
        digits.chop(qsizetype(qstrlen(name)));
        unit = size;
        break;
    }
    const auto number = readInteger(digits);
    if (!number || *number < 0 || *number > std::numeric_limits<qint64>::max() / unit)
        return std::nullopt;
    return *number * unit;
}

QByteArray outOfRange(qint64 least, qint64 most)
{
    return "argument must be between " + QByteArray::number(least) + " and " + QByteArray::number(most) + " inclusive";
}

QByteArray changeNumber(const QByteArray &text, qint64 least, qint64 most, qint64 &to)
{
    const auto value = readInteger(text);
    if (!value)
        return "argument couldn't be parsed into an integer";
    if (*value < least || *value > most)
        return outOfRange(least, most);
    to = *value;
    return {};
}

QByteArray changeMemory(const QByteArray &text, qint64 least, qint64 &to)
{
    const auto value = readMemory(text);
    if (!value)
        return "argument must be a memory value";
    if (*value < least)
        return outOfRange(least, std::numeric_limits<qint64>::max());
    to = *value;
    return {};
}

QByteArray outputText(const char *kind, const OutputLimit &limit)
{
    return QByteArray(kind) + ' ' + QByteArray::number(limit.hard) + ' ' + QByteArray::number(limit.soft) + ' '
        + QByteArray::number(limit.softTime.count() / 1000);
}

/// `normal 256mb 64mb 60 pubsub 32mb 8mb 60`
QByteArray changeOutput(const QByteArray &text, EndpointLimits &limits)
{
    const QList<QByteArray> words = text.simplified().split(' ');
    if (words.size() % 4 != 0)
        return "Wrong number of arguments in buffer limit configuration.";
    EndpointLimits changed = limits;
    for (qsizetype i = 0; i < words.size(); i += 4) {
        const QByteArray kind = words[i].toLower();
        const auto hard = readMemory(words[i + 1]);
        const auto soft = readMemory(words[i + 2]);
        const auto seconds = readInteger(words[i + 3]);
        if (!hard || !soft || !seconds || *seconds < 0)
            return "Error in hard, soft or soft_seconds setting in buffer limit configuration.";
        const OutputLimit limit{*hard, *soft, Milliseconds{*seconds * 1000}};
        if (kind == "normal")
            changed.replies = limit;
        else if (kind == "pubsub")
            changed.messages = limit;
        else if (kind != "slave" && kind != "replica") // there are none
            return "Invalid client class specified in buffer limit configuration.";
    }
    limits = changed;
    return {};
}

} // namespace

SettingRows limitSettings(const EndpointLimits &limits)
{
    return {{"client-output-buffer-limit",
             outputText("normal", limits.replies) + " slave 0 0 0 " + outputText("pubsub", limits.messages)},
            {"client-query-buffer-limit", QByteArray::number(limits.request.request)},
            {"maxclients", QByteArray::number(limits.clients)},
            {"proto-max-bulk-len", QByteArray::number(limits.request.bulk)},
            {"timeout", QByteArray::number(limits.idle.count() / 1000)}};
}

QByteArray changeLimit(EndpointLimits &limits, const QByteArray &name, const QByteArray &value)
{
    if (name == "client-output-buffer-limit")
        return changeOutput(value, limits);
    if (name == "client-query-buffer-limit")
        return changeMemory(value, megabyte, limits.request.request);
    if (name == "proto-max-bulk-len")
        return changeMemory(value, megabyte, limits.request.bulk);
    qint64 number = 0;
    if (name == "maxclients") {
        const QByteArray error = changeNumber(value, 1, mostClients, number);
        limits.clients = error.isEmpty() ? int(number) : limits.clients;
        return error;
    }
    if (name == "timeout") {
        const QByteArray error = changeNumber(value, 0, std::numeric_limits<qint32>::max(), number);
        limits.idle = error.isEmpty() ? Milliseconds{number * 1000} : limits.idle;
        return error;
    }
    return "can't set immutable config";
}

} // namespace ym::embedded
