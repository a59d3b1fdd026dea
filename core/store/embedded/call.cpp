#include "core/store/embedded/call.h"

#include "core/store/embedded/executor.h"
#include "core/store/embedded/numbers.h"

namespace ym::embedded {

qint64 Call::integer(qsizetype index, const char *error) const
{
    const auto value = readInteger(args[index]);
    if (!value)
        throw CommandError(error);
    return *value;
}

int Call::smallInteger(qsizetype index, const char *error) const
{
    const qint64 value = integer(index, error ? error : errors::notInteger);
    if (value != qint32(value))
        throw CommandError(error ? error : errors::notSmallInteger);
    return int(value);
}

double Call::number(qsizetype index, const char *error) const
{
    const auto value = readDouble(args[index]);
    if (!value)
        throw CommandError(error);
    return *value;
}

void Call::changed(const QByteArray &key, const char *event)
{
    changedIn(keys, key, event);
}

void Call::changedIn(Keyspace &database, const QByteArray &key, const char *event)
{
    ++m_changes;
    database.touch(key);
    executor.publishEvent(database.index(), event, key);
}

void Call::notify(const char *event, const QByteArray &key)
{
    executor.publishEvent(keys.index(), event, key);
}

void Call::removeIfEmpty(const QByteArray &key, qsizetype size)
{
    if (size > 0)
        return;
    keys.remove(key);
    executor.publishEvent(keys.index(), "del", key);
}

Reply Call::block(Waiting waiting, Reply otherwise)
{
    if (!client.mayBlock || client.isInTransaction)
        return otherwise;
    if (client.longestWait >= 0) {
        const qint64 latest = executor.clock().monotonic().count() + client.longestWait;
        waiting.deadline = waiting.deadline < 0 ? latest : std::min(waiting.deadline, latest);
    }
    waiting.database = keys.index();
    client.waiting = std::move(waiting);
    m_isBlocked = true;
    return {};
}

Reply okReply()
{
    static const QByteArray ok("OK");
    return Reply::status(ok);
}

Reply bulkOrNil(const std::optional<QByteArray> &value)
{
    return value ? Reply::bulk(*value) : Reply::nil();
}

Reply bulkArray(const QList<QByteArray> &values)
{
    std::vector<Reply> elements;
    elements.reserve(size_t(values.size()));
    for (const QByteArray &value : values)
        elements.push_back(Reply::bulk(value));
    return Reply::array(std::move(elements));
}

} // namespace ym::embedded
