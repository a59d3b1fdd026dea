#include "core/store/embedded/value_copy.h"

#include "core/store/embedded/numbers.h"

namespace ym::embedded {

namespace {

constexpr qsizetype embeddedText = 44; ///< up to here Redis keeps text in the object itself

Value copyOf(const QByteArray &text)
{
    return text;
}

Value copyOf(const std::unique_ptr<ListValue> &list)
{
    auto copy = std::make_unique<ListValue>();
    list->walk(ListEnd::Left, [&](qsizetype, QByteArrayView value) {
        copy->push(ListEnd::Right, value);
        return true;
    });
    return copy;
}

Value copyOf(const std::unique_ptr<HashValue> &hash)
{
    auto copy = std::make_unique<HashValue>();
    if (!hash->isPacked())
        copy->unpack();
    hash->forEach([&](QByteArrayView field, QByteArrayView value) { copy->set(field, value.toByteArray()); });
    return copy;
}

Value copyOf(const std::unique_ptr<SetValue> &set)
{
    auto copy = std::make_unique<SetValue>();
    if (!set->isIntegers())
        copy->toTable();
    set->forEach([&](const QByteArray &member) { copy->add(member); });
    return copy;
}

Value copyOf(const std::unique_ptr<SortedSetValue> &set)
{
    auto copy = std::make_unique<SortedSetValue>();
    if (!set->isPacked())
        copy->unpack();
    for (const ScoredMember &each : set->slice(0, set->size()))
        copy->set(each.member, each.score);
    return copy;
}

Value copyOf(const std::unique_ptr<StreamValue> &stream)
{
    return std::make_unique<StreamValue>(*stream);
}

} // namespace

Value copyValue(const Value &value)
{
    return std::visit([](const auto &held) { return copyOf(held); }, value);
}

const char *encodingOf(const Entry &entry)
{
    const Value &value = entry.value;
    switch (typeOf(value)) {
    case ValueType::String: {
        const QByteArray &text = std::get<QByteArray>(value);
        if (entry.form == TextForm::Plain && readInteger(text))
            return "int";
        return entry.form != TextForm::Raw && text.size() <= embeddedText ? "embstr" : "raw";
    }
    case ValueType::List:
        return "quicklist";
    case ValueType::Hash:
        return std::get<std::unique_ptr<HashValue>>(value)->isPacked() ? "listpack" : "hashtable";
    case ValueType::Set:
        return std::get<std::unique_ptr<SetValue>>(value)->isIntegers() ? "intset" : "hashtable";
    case ValueType::SortedSet:
        return std::get<std::unique_ptr<SortedSetValue>>(value)->isPacked() ? "listpack" : "skiplist";
    case ValueType::Stream:
        return "stream";
    }
    return "";
}

qsizetype memoryOf(const Value &value)
{
    if (const auto *text = std::get_if<QByteArray>(&value))
        return text->capacity() + qsizetype(sizeof(QByteArray) + 16);
    return std::visit(
        [](const auto &held) -> qsizetype {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, QByteArray>)
                return 0;
            else
                return held->memoryUsage() + qsizetype(sizeof *held);
        },
        value);
}

} // namespace ym::embedded
