#include "core/store/embedded/list_operations.h"

namespace ym::embedded {

ListEnd readListEnd(const Call &call, qsizetype index)
{
    if (call.isOption(index, "LEFT"))
        return ListEnd::Left;
    if (call.isOption(index, "RIGHT"))
        return ListEnd::Right;
    throw CommandError(errors::syntax);
}

const char *listEndName(ListEnd end)
{
    return end == ListEnd::Left ? "LEFT" : "RIGHT";
}

QByteArray popOne(Call &call, const QByteArray &key, ListEnd end)
{
    ListValue *list = call.keys.get<ListValue>(key);
    QByteArray value = list->pop(end);
    call.changed(key, end == ListEnd::Left ? "lpop" : "rpop");
    call.removeIfEmpty(key, list->size());
    return value;
}

Reply moveElement(Call &call, const ListMove &move)
{
    ListValue *source = call.keys.get<ListValue>(move.from);
    if (!source)
        return Reply::nil();
    call.keys.get<ListValue>(move.to); // of another type: refuse before anything is taken
    const QByteArray value = source->pop(move.fromEnd);
    call.keys.obtain<ListValue>(move.to).push(move.toEnd, value);
    call.changed(move.to, move.toEnd == ListEnd::Left ? "lpush" : "rpush");
    call.changed(move.from, move.fromEnd == ListEnd::Left ? "lpop" : "rpop");
    call.removeIfEmpty(move.from, source->size());
    return Reply::bulk(value);
}

Reply popMany(Call &call, const QByteArray &key, ListEnd end, qint64 count)
{
    ListValue *list = call.keys.get<ListValue>(key);
    const qint64 taken = std::min<qint64>(count, list->size());
    std::vector<Reply> values;
    values.reserve(size_t(taken));
    for (qint64 i = 0; i < taken; ++i)
        values.push_back(Reply::bulk(list->pop(end)));
    call.changed(key, end == ListEnd::Left ? "lpop" : "rpop");
    call.removeIfEmpty(key, list->size());
    return Reply::array({Reply::bulk(key), Reply::array(std::move(values))});
}

} // namespace ym::embedded
