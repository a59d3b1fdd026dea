#include "core/protocol/hero/field_readers.h"

#include "core/protocol/hero/json_reader.h"

#include <array>

namespace ym::hero {

namespace {

constexpr qint64 tenYears = 10LL * 366 * 86400;
constexpr qsizetype statusLimit = 64;

struct StatusRow {
    const char *word;
    JobState state;
};
constexpr std::array statusRows{
    StatusRow{"dispatched", JobState::Queued}, StatusRow{"waiting_for_prerequisites", JobState::Waiting},
    StatusRow{"started", JobState::Running},   StatusRow{"error", JobState::Failed},
    StatusRow{"finished", JobState::Finished},
};

/// Digits only: QByteArray::toLongLong would also take signs, spaces and a leading plus.
std::optional<qint64> readDigits(const QByteArray &text)
{
    if (text.isEmpty() || text.size() > 18)
        return std::nullopt;
    qint64 value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9')
            return std::nullopt;
        value = value * 10 + (c - '0');
    }
    return value;
}

std::optional<qint64> readDuration(const QByteArray &text)
{
    const auto json = parseJson(text, 1024);
    if (!json || !json->is_object())
        return std::nullopt;
    const qint64 seconds = integerMember(*json, "secs", 0, tenYears, -1);
    const qint64 nanos = integerMember(*json, "nanos", 0, 999'999'999, 0);
    return seconds < 0 ? std::nullopt : std::optional(seconds + (nanos > 0 ? 1 : 0));
}

bool isVariableName(const QByteArray &name)
{
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.isEmpty() && isLetter(name[0])
        && std::all_of(name.begin(), name.end(), [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
}

QList<QByteArray> withoutRepetitions(const QList<QByteArray> &ids)
{
    QList<QByteArray> list;
    QSet<QByteArray> seen;
    for (const QByteArray &id : ids) {
        if (id.isEmpty() || seen.contains(id))
            continue;
        seen.insert(id);
        list.append(id);
    }
    return list;
}

std::string text(const QByteArray &bytes)
{
    return bytes.toStdString();
}

QByteArray dump(const nlohmann::ordered_json &value)
{
    return QByteArray::fromStdString(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

} // namespace

std::optional<std::chrono::seconds> readTimeout(const QByteArray &value)
{
    QByteArray digits = value.trimmed();
    std::optional<qint64> seconds;
    if (digits.startsWith('{')) {
        seconds = readDuration(digits);
    } else {
        if (digits.endsWith('s'))
            digits.chop(1);
        seconds = readDigits(digits);
    }
    if (!seconds || *seconds > tenYears)
        return std::nullopt;
    return std::chrono::seconds{*seconds};
}

std::optional<int> readCount(const QByteArray &value, int least, int most)
{
    const std::optional<qint64> number = readDigits(value.trimmed());
    return number && *number >= least && *number <= most ? std::optional(int(*number)) : std::nullopt;
}

std::optional<bool> readBool(const QByteArray &value)
{
    const QByteArray lower = value.left(8).toLower();
    if (lower == "true" || lower == "1")
        return true;
    if (lower == "false" || lower == "0")
        return false;
    return std::nullopt;
}

std::optional<JobState> readStatus(const QByteArray &value)
{
    if (value.size() > statusLimit)
        return std::nullopt;
    const QByteArray lower = value.toLower();
    for (const StatusRow &row : statusRows) {
        if (lower == row.word)
            return row.state;
    }
    return std::nullopt;
}

std::optional<QList<QByteArray>> readIds(const QByteArray &value)
{
    const QByteArray trimmed = value.trimmed();
    if (trimmed.isEmpty() || trimmed == "[]" || trimmed == "null")
        return QList<QByteArray>{};
    if (trimmed.startsWith('{') || trimmed.startsWith('"'))
        return std::nullopt;
    QList<QByteArray> ids;
    if (!trimmed.startsWith('[')) {
        for (const QByteArray &part : trimmed.split(','))
            ids.append(part.trimmed());
        return withoutRepetitions(ids);
    }
    const auto json = parseJson(trimmed);
    if (!json)
        return std::nullopt;
    for (const auto &element : *json) {
        if (element.is_string())
            ids.append(QByteArray::fromStdString(element.get_ref<const std::string &>()));
        else if (element.is_number_unsigned())
            ids.append(QByteArray::number(element.get<quint64>()));
        else
            return std::nullopt;
    }
    return withoutRepetitions(ids);
}

std::optional<Environment> readEnvironment(const QByteArray &value)
{
    const QByteArray trimmed = value.trimmed();
    if (trimmed.isEmpty() || trimmed == "{}" || trimmed == "null")
        return Environment{};
    const auto object = parseFlatObject(trimmed);
    if (!object)
        return std::nullopt;
    Environment environment;
    environment.dropped = object->skipped;
    for (const ByteField &member : object->members) {
        if (isVariableName(member.first) && !member.second.contains('\0'))
            environment.variables.append(member);
        else
            ++environment.dropped;
    }
    return environment;
}

QByteArray writeIds(const QList<QByteArray> &ids)
{
    if (ids.isEmpty())
        return "[]";
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    for (const QByteArray &id : ids)
        array.push_back(text(id));
    return dump(array);
}

QByteArray writeEnvironment(const QList<ByteField> &variables)
{
    if (variables.isEmpty())
        return "{}";
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (const auto &[name, value] : variables)
        object.emplace(text(name), text(value));
    return dump(object);
}

QByteArray statusWord(JobState state)
{
    for (const StatusRow &row : statusRows) {
        if (row.state == state)
            return row.word;
    }
    return {};
}

} // namespace ym::hero
