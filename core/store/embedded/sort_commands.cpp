// SORT: a collection in order, also by what other keys say.
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"

#include <algorithm>
#include <cerrno>
#include <cmath>

namespace ym::embedded {

namespace {

struct SortRequest {
    bool isDescending = false;
    bool isAlpha = false;
    qint64 offset = 0;
    qint64 count = -1; ///< negative = all
    std::optional<QByteArray> by;
    QList<QByteArray> gets;
    std::optional<QByteArray> target;

    /// A pattern that names one key for all says that the order does not matter.
    bool isUnsorted() const { return by && !by->contains('*'); }
};

SortRequest readRequest(const Call &c, bool mayStore)
{
    SortRequest request;
    for (qsizetype i = 2; i < c.argc(); ++i) {
        const qsizetype more = c.argc() - 1 - i;
        if (c.isOption(i, "ASC")) {
            request.isDescending = false;
        } else if (c.isOption(i, "DESC")) {
            request.isDescending = true;
        } else if (c.isOption(i, "ALPHA")) {
            request.isAlpha = true;
        } else if (c.isOption(i, "LIMIT") && more >= 2) {
            request.offset = c.integer(i + 1);
            request.count = c.integer(i + 2);
            i += 2;
        } else if (mayStore && c.isOption(i, "STORE") && more >= 1) {
            request.target = c.arg(++i);
        } else if (c.isOption(i, "BY") && more >= 1) {
            request.by = c.arg(++i);
        } else if (c.isOption(i, "GET") && more >= 1) {
            request.gets.append(c.arg(++i));
        } else {
            throw CommandError(errors::syntax);
        }
    }
    return request;
}

/// What a pattern names for `element`: "#" the element, "key*" a string, "key*->field" a field of a hash.
std::optional<QByteArray> lookUp(Call &c, const QByteArray &pattern, const QByteArray &element)
{
    if (pattern == "#")
        return element;
    const qsizetype star = pattern.indexOf('*');
    if (star < 0)
        return std::nullopt;
    const qsizetype arrow = pattern.indexOf("->", star + 1);
    const bool hasField = arrow >= 0 && arrow + 2 < pattern.size();
    const QByteArray behind = hasField ? pattern.mid(star + 1, arrow - star - 1) : pattern.mid(star + 1);
    const Entry *entry = c.keys.find(pattern.left(star) + element + behind);
    if (!entry)
        return std::nullopt;
    if (!hasField) {
        const auto *text = std::get_if<QByteArray>(&entry->value);
        return text ? std::optional(*text) : std::nullopt;
    }
    const auto *hash = std::get_if<std::unique_ptr<HashValue>>(&entry->value);
    return hash ? (*hash)->get(pattern.mid(arrow + 2)) : std::nullopt;
}

QList<QByteArray> elementsOf(Call &c, const QByteArray &key)
{
    QList<QByteArray> elements;
    const Entry *entry = c.keys.find(key);
    if (!entry)
        return elements;
    switch (typeOf(entry->value)) {
    case ValueType::List:
        return c.keys.get<ListValue>(key)->range(0, c.keys.get<ListValue>(key)->size() - 1);
    case ValueType::Set:
        c.keys.get<SetValue>(key)->forEach([&](const QByteArray &member) { elements.append(member); });
        return elements;
    case ValueType::SortedSet:
        c.keys.get<SortedSetValue>(key)->unpack(); // as Redis does; OBJECT ENCODING tells
        for (const ScoredMember &each :
             c.keys.get<SortedSetValue>(key)->slice(0, c.keys.get<SortedSetValue>(key)->size()))
            elements.append(each.member);
        return elements;
    case ValueType::String:
    case ValueType::Hash:
    case ValueType::Stream:
        break;
    }
    throw CommandError(errors::wrongType);
}

struct Weighted {
    QByteArray element;
    std::optional<QByteArray> text; ///< with ALPHA
    double number = 0;
};

double numberOf(const QByteArray &text)
{
    char *end = nullptr;
    errno = 0;
    const double number = std::strtod(text.constData(), &end);
    if (*end != '\0' || errno == ERANGE || std::isnan(number))
        throw CommandError("ERR One or more scores can't be converted into double");
    return number;
}

std::vector<Weighted> weigh(Call &c, const SortRequest &request, const QList<QByteArray> &elements)
{
    std::vector<Weighted> all;
    all.reserve(size_t(elements.size()));
    for (const QByteArray &element : elements) {
        Weighted weighted{element, request.by ? lookUp(c, *request.by, element) : element};
        if (!request.isAlpha && weighted.text)
            weighted.number = numberOf(*weighted.text);
        all.push_back(std::move(weighted));
    }
    return all;
}

/// Below zero when `a` comes first. Text ends at its first zero byte unless the result is stored, as in Redis.
int compare(const SortRequest &request, const Weighted &a, const Weighted &b)
{
    if (!request.isAlpha) {
        if (a.number != b.number)
            return a.number < b.number ? -1 : 1;
        return a.element.compare(b.element);
    }
    if (!a.text || !b.text)
        return int(a.text.has_value()) - int(b.text.has_value());
    return request.target ? a.text->compare(*b.text) : qstrcmp(a.text->constData(), b.text->constData());
}

void sortElements(Call &c, const SortRequest &request, QList<QByteArray> &elements)
{
    std::vector<Weighted> all = weigh(c, request, elements);
    std::stable_sort(all.begin(), all.end(), [&](const Weighted &a, const Weighted &b) {
        const int order = compare(request, a, b);
        return request.isDescending ? order > 0 : order < 0;
    });
    for (size_t i = 0; i < all.size(); ++i)
        elements[qsizetype(i)] = std::move(all[i].element);
}

/// The part that LIMIT wants.
QList<QByteArray> limited(const QList<QByteArray> &elements, const SortRequest &request)
{
    const qint64 from = std::clamp<qint64>(request.offset, 0, elements.size());
    const qint64 rest = elements.size() - from;
    return elements.sliced(from, request.count < 0 ? rest : std::min<qint64>(request.count, rest));
}

void storeResult(Call &c, const QByteArray &target, const std::vector<Reply> &result)
{
    if (result.empty()) {
        if (c.keys.discard(target))
            c.changed(target, "del");
        return;
    }
    auto list = std::make_unique<ListValue>();
    for (const Reply &each : result)
        list->push(ListEnd::Right, each.string);
    c.keys.put(target, std::move(list));
    c.changed(target, "sortstore");
}

Reply sortKey(Call &c, bool mayStore)
{
    SortRequest request = readRequest(c, mayStore);
    QList<QByteArray> elements = elementsOf(c, c.arg(1));
    const Entry *entry = c.keys.find(c.arg(1));
    const bool isSet = entry && typeOf(entry->value) == ValueType::Set;
    // A set has no order of its own; one that is stored or seen by a script must not depend on chance.
    if (request.isUnsorted() && isSet && (request.target || c.executor.isInScript())) {
        request.isAlpha = true;
        request.by.reset();
    }
    if (!request.isUnsorted())
        sortElements(c, request, elements);
    else if (request.isDescending && !isSet)
        std::reverse(elements.begin(), elements.end());
    std::vector<Reply> result;
    for (const QByteArray &element : limited(elements, request)) {
        if (request.gets.isEmpty())
            result.push_back(Reply::bulk(element));
        for (const QByteArray &pattern : std::as_const(request.gets))
            result.push_back(bulkOrNil(lookUp(c, pattern, element)));
    }
    if (!request.target)
        return Reply::array(std::move(result));
    storeResult(c, *request.target, result);
    return Reply::number(qint64(result.size()));
}

Reply sort(Call &c)
{
    return sortKey(c, true);
}

Reply sortRo(Call &c)
{
    return sortKey(c, false);
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"sort", -2, Write, sort, 1, 1, 1},
    {"sort_ro", -2, ReadOnly, sortRo, 1, 1, 1},
};

} // namespace

std::span<const CommandSpec> sortCommands()
{
    return rows;
}

} // namespace ym::embedded
