#include "core/store/embedded/set_algebra.h"

#include <algorithm>

namespace ym::embedded {

namespace {

using Sets = std::vector<const SetValue *>;

void unite(const Sets &sets, SetValue &result)
{
    for (const SetValue *set : sets) {
        if (set)
            set->forEach([&](const QByteArray &member) { result.add(member); });
    }
}

void intersect(Sets sets, SetValue &result)
{
    if (std::find(sets.begin(), sets.end(), nullptr) != sets.end())
        return;
    std::sort(sets.begin(), sets.end(), [](const auto *a, const auto *b) { return a->size() < b->size(); });
    sets.front()->forEach([&](const QByteArray &member) {
        if (std::all_of(sets.begin() + 1, sets.end(), [&](const SetValue *set) { return set->contains(member); }))
            result.add(member);
    });
}

void subtract(const Sets &sets, SetValue &result)
{
    if (!sets.front())
        return;
    sets.front()->forEach([&](const QByteArray &member) {
        if (std::none_of(sets.begin() + 1, sets.end(),
                         [&](const SetValue *set) { return set && set->contains(member); }))
            result.add(member);
    });
}

} // namespace

std::unique_ptr<SetValue> combineSets(Call &call, const QList<QByteArray> &keys, SetOperation operation)
{
    Sets sets;
    for (const QByteArray &key : keys)
        sets.push_back(call.keys.get<SetValue>(key));
    auto result = std::make_unique<SetValue>();
    switch (operation) {
    case SetOperation::Intersection:
        intersect(std::move(sets), *result);
        break;
    case SetOperation::Union:
        unite(sets, *result);
        break;
    case SetOperation::Difference:
        subtract(sets, *result);
        break;
    }
    return result;
}

} // namespace ym::embedded
