#include "models/job_sort.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace ym {

namespace {

/// Below this a comparison sort is quicker than counting digits.
constexpr size_t fewSlots = 256;

uchar folded(char c)
{
    return c >= 'A' && c <= 'Z' ? uchar(c + 32) : uchar(c);
}

template <typename T> int threeWay(const T &a, const T &b)
{
    return a < b ? -1 : b < a ? 1 : 0;
}

/// ASCII letters without case; texts that differ only in case are told apart by their bytes.
int compareTexts(const QByteArray &a, const QByteArray &b)
{
    const qsizetype common = std::min(a.size(), b.size());
    const char *left = a.constData();
    const char *right = b.constData();
    for (qsizetype i = 0; i < common; ++i) {
        if (const int order = int(folded(left[i])) - int(folded(right[i])))
            return order;
    }
    if (a.size() != b.size())
        return threeWay(a.size(), b.size());
    return threeWay(a, b);
}

int compareTargets(const Target &a, const Target &b, JobColumn column)
{
    if (column == JobColumn::Type)
        return compareTexts(a.type, b.type);
    if (column == JobColumn::Priority)
        return threeWay(a.priority, b.priority);
    if (const int order = compareTexts(a.group, b.group))
        return order;
    if (const int order = compareTexts(a.instance, b.instance))
        return order;
    return compareTexts(a.legacyWorker, b.legacyWorker);
}

int compareIds(const JobRows &rows, const PackedJob &a, const PackedJob &b)
{
    if (a.hasOtherId != b.hasOtherId)
        return a.hasOtherId ? 1 : -1;
    return a.hasOtherId ? compareTexts(rows.text(quint32(a.id[1])), rows.text(quint32(b.id[1]))) : threeWay(a.id, b.id);
}

quint32 textIndex(const PackedJob &job, JobColumn column)
{
    if (column == JobColumn::Caller)
        return job.caller;
    return column == JobColumn::Context ? job.context : job.worker;
}

QByteArray wishes(const JobRows &rows, quint32 extras)
{
    return accessText(rows.extras(extras).access).toUtf8();
}

int compare(const JobRows &rows, const PackedJob &a, const PackedJob &b, JobColumn column)
{
    switch (column) {
    case JobColumn::State:
        return threeWay(int(a.state), int(b.state));
    case JobColumn::Id:
        return compareIds(rows, a, b);
    case JobColumn::Type:
    case JobColumn::Target:
    case JobColumn::Priority:
        return a.target == b.target ? 0 : compareTargets(rows.target(a.target), rows.target(b.target), column);
    case JobColumn::Caller:
    case JobColumn::Context:
    case JobColumn::Worker: {
        const quint32 left = textIndex(a, column);
        const quint32 right = textIndex(b, column);
        return left == right ? 0 : compareTexts(rows.text(left), rows.text(right));
    }
    case JobColumn::Attempt:
        return threeWay(a.attempt, b.attempt);
    case JobColumn::Created:
        return threeWay(a.created, b.created);
    case JobColumn::Updated:
        return threeWay(a.updated, b.updated);
    case JobColumn::Access:
        return a.extras == b.extras ? 0 : compareTexts(wishes(rows, a.extras), wishes(rows, b.extras));
    }
    return 0;
}

/// The distinct indexes that `slots` use, by marking.
template <typename IndexOf>
std::vector<quint32> usedIndexes(const std::vector<quint32> &slotList, quint32 count, IndexOf indexOf)
{
    std::vector<bool> isUsed(count);
    for (const quint32 slot : slotList)
        isUsed[indexOf(slot)] = true;
    std::vector<quint32> used;
    for (quint32 i = 0; i < count; ++i) {
        if (isUsed[i])
            used.push_back(i);
    }
    return used;
}

using Ranks = std::vector<quint32>;

/// Ranks of targets in one column; targets that are equal there share a rank.
Ranks targetRanks(const JobRows &rows, const std::vector<quint32> &slotList, JobColumn column)
{
    std::vector<quint32> used =
        usedIndexes(slotList, rows.targets().count(), [&](quint32 s) { return rows.at(s).target; });
    const auto order = [&](quint32 a, quint32 b) { return compareTargets(rows.target(a), rows.target(b), column); };
    std::sort(used.begin(), used.end(), [&](quint32 a, quint32 b) { return order(a, b) < 0; });
    Ranks ranks(rows.targets().count());
    quint32 rank = 0;
    for (size_t i = 0; i < used.size(); ++i) {
        rank += i > 0 && order(used[i - 1], used[i]) != 0;
        ranks[used[i]] = rank;
    }
    return ranks;
}

/// How many leading characters all texts share, without case.
qsizetype commonLength(const JobRows &rows, const std::vector<quint32> &indexes)
{
    const QByteArray &first = rows.text(indexes.front());
    qsizetype common = first.size();
    for (const quint32 index : indexes) {
        const QByteArray &text = rows.text(index);
        common = std::min(common, text.size());
        for (qsizetype i = 0; i < common; ++i) {
            if (folded(text[i]) != folded(first[i]))
                common = i;
        }
    }
    return common;
}

/// Eight characters from `offset` on as a number that orders as they do.
quint64 prefixKey(const QByteArray &text, qsizetype offset)
{
    quint64 key = 0;
    for (qsizetype i = offset; i < offset + 8; ++i)
        key = (key << 8) | (i < text.size() ? folded(text[i]) : 0);
    return key;
}

/// Ranks of texts. A million distinct ones are compared by the eight characters after what all share, and only among
/// equals by the whole text.
Ranks textRanks(const JobRows &rows, const std::vector<quint32> &slotList, JobColumn column)
{
    std::vector<quint32> used =
        usedIndexes(slotList, rows.texts().count(), [&](quint32 s) { return textIndex(rows.at(s), column); });
    Ranks ranks(rows.texts().count());
    if (!used.empty() && used.front() == 0)
        used.erase(used.begin()); // the empty text: rank 0
    if (used.empty())
        return ranks;
    const qsizetype common = commonLength(rows, used);
    std::vector<std::pair<quint64, quint32>> keyed;
    keyed.reserve(used.size());
    for (const quint32 index : used)
        keyed.emplace_back(prefixKey(rows.text(index), common), index);
    std::sort(keyed.begin(), keyed.end(), [&](const auto &a, const auto &b) {
        return a.first != b.first ? a.first < b.first : compareTexts(rows.text(a.second), rows.text(b.second)) < 0;
    });
    quint32 rank = 0;
    for (const auto &[key, index] : keyed)
        ranks[index] = ++rank;
    return ranks;
}

/// Ranks of what jobs ask for; few differ.
Ranks accessRanks(const JobRows &rows)
{
    std::vector<std::pair<QByteArray, quint32>> texts;
    for (quint32 index = 0; index < rows.allExtras().count(); ++index)
        texts.emplace_back(wishes(rows, index), index);
    std::sort(texts.begin(), texts.end(),
              [](const auto &a, const auto &b) { return compareTexts(a.first, b.first) < 0; });
    Ranks ranks(texts.size());
    quint32 rank = 0;
    for (size_t i = 0; i < texts.size(); ++i) {
        rank += i > 0 && texts[i].first != texts[i - 1].first;
        ranks[texts[i].second] = rank;
    }
    return ranks;
}

struct Item {
    quint64 key;
    quint32 slot;
};

/// Stable, by counting digits of eleven bits; digits that are the same everywhere cost nothing.
void radixSort(std::vector<Item> &items, std::vector<Item> &spare, quint64 largest, const std::atomic_bool *cancelled)
{
    constexpr int bits = 11;
    constexpr size_t buckets = size_t(1) << bits;
    spare.resize(items.size());
    for (int shift = 0; shift < 64 && (largest >> shift) != 0; shift += bits) {
        if (cancelled && cancelled->load(std::memory_order_relaxed))
            return;
        std::array<size_t, buckets> starts{};
        for (const Item &item : items)
            ++starts[(item.key >> shift) & (buckets - 1)];
        if (std::find(starts.begin(), starts.end(), items.size()) != starts.end())
            continue;
        size_t next = 0;
        for (size_t &start : starts)
            next += std::exchange(start, next);
        for (const Item &item : items)
            spare[starts[(item.key >> shift) & (buckets - 1)]++] = item;
        items.swap(spare);
    }
}

/// One stable pass over all items by one 64-bit word.
template <typename WordOf>
void sortByWord(std::vector<Item> &items, std::vector<Item> &spare, Qt::SortOrder order,
                const std::atomic_bool *cancelled, WordOf wordOf)
{
    quint64 smallest = ~quint64(0);
    quint64 largest = 0;
    for (Item &item : items) {
        item.key = wordOf(item.slot);
        smallest = std::min(smallest, item.key);
        largest = std::max(largest, item.key);
    }
    if (smallest == largest)
        return;
    for (Item &item : items)
        item.key = order == Qt::AscendingOrder ? item.key - smallest : largest - item.key;
    radixSort(items, spare, largest - smallest, cancelled);
}

quint64 biased(qint64 value)
{
    return quint64(value) ^ (quint64(1) << 63);
}

/// Ids that are no UUID come behind those that are, by their text.
Ranks otherIdRanks(const JobRows &rows, const std::vector<quint32> &slotList)
{
    std::vector<quint32> others;
    for (const quint32 slot : slotList) {
        if (rows.at(slot).hasOtherId)
            others.push_back(quint32(rows.at(slot).id[1]));
    }
    std::sort(others.begin(), others.end(),
              [&](quint32 a, quint32 b) { return compareTexts(rows.text(a), rows.text(b)) < 0; });
    Ranks ranks(others.empty() ? 0 : rows.texts().count());
    for (size_t i = 0; i < others.size(); ++i)
        ranks[others[i]] = quint32(i);
    return ranks;
}

class Sorter {
public:
    Sorter(const JobRows &rows, const std::vector<quint32> &slotList, const std::atomic_bool *cancelled)
        : m_rows(rows)
        , m_slots(slotList)
        , m_cancelled(cancelled)
    {
        m_items.reserve(slotList.size());
        for (const quint32 slot : slotList)
            m_items.push_back({0, slot});
    }

    void sortBy(const SortKey &key)
    {
        const auto word = [&](auto wordOf) { sortByWord(m_items, m_spare, key.order, m_cancelled, wordOf); };
        switch (key.column) {
        case JobColumn::State:
            return word([&](quint32 s) { return quint64(m_rows.at(s).state); });
        case JobColumn::Id:
            return sortById(key.order);
        case JobColumn::Type:
        case JobColumn::Target:
        case JobColumn::Priority: {
            const Ranks ranks = targetRanks(m_rows, m_slots, key.column);
            return word([&](quint32 s) { return quint64(ranks[m_rows.at(s).target]); });
        }
        case JobColumn::Caller:
        case JobColumn::Context:
        case JobColumn::Worker: {
            const Ranks ranks = textRanks(m_rows, m_slots, key.column);
            return word([&](quint32 s) { return quint64(ranks[textIndex(m_rows.at(s), key.column)]); });
        }
        case JobColumn::Attempt:
            return word([&](quint32 s) { return quint64(m_rows.at(s).attempt); });
        case JobColumn::Created:
            return word([&](quint32 s) { return biased(m_rows.at(s).created); });
        case JobColumn::Updated:
            return word([&](quint32 s) { return biased(m_rows.at(s).updated); });
        case JobColumn::Access: {
            const Ranks ranks = accessRanks(m_rows);
            return word([&](quint32 s) { return quint64(ranks[m_rows.at(s).extras]); });
        }
        }
    }

    void takeResult(std::vector<quint32> &slotList) const
    {
        std::transform(m_items.begin(), m_items.end(), slotList.begin(), [](const Item &item) { return item.slot; });
    }

private:
    void sortById(Qt::SortOrder order)
    {
        const Ranks ranks = otherIdRanks(m_rows, m_slots);
        const auto low = [&](const PackedJob &job) { return job.hasOtherId ? ranks[quint32(job.id[1])] : job.id[1]; };
        sortByWord(m_items, m_spare, order, m_cancelled, [&](quint32 s) { return low(m_rows.at(s)); });
        sortByWord(m_items, m_spare, order, m_cancelled, [&](quint32 s) { return m_rows.at(s).id[0]; });
        sortByWord(m_items, m_spare, order, m_cancelled, [&](quint32 s) { return quint64(m_rows.at(s).hasOtherId); });
    }

    const JobRows &m_rows;
    const std::vector<quint32> &m_slots;
    const std::atomic_bool *m_cancelled;
    std::vector<Item> m_items;
    std::vector<Item> m_spare;
};

} // namespace

JobColumns columnsOf(const SortKeys &keys)
{
    JobColumns columns = 0;
    for (const SortKey &key : keys)
        columns |= bit(key.column);
    return columns;
}

bool JobBefore::operator()(quint32 a, quint32 b) const
{
    for (const SortKey &key : m_keys) {
        const int order = compare(m_rows, m_rows.at(a), m_rows.at(b), key.column);
        if (order != 0)
            return (order < 0) == (key.order == Qt::AscendingOrder);
    }
    return a < b;
}

void sortSlots(const JobRows &rows, const SortKeys &keys, std::vector<quint32> &slotList,
               const std::atomic_bool *cancelled)
{
    if (slotList.size() < fewSlots) {
        std::sort(slotList.begin(), slotList.end(), JobBefore(rows, keys));
        return;
    }
    if (!std::is_sorted(slotList.begin(), slotList.end()))
        std::sort(slotList.begin(), slotList.end());
    Sorter sorter(rows, slotList, cancelled);
    for (auto key = keys.rbegin(); key != keys.rend(); ++key)
        sorter.sortBy(*key);
    sorter.takeResult(slotList);
}

} // namespace ym
