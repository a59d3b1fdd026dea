#include "core/store/transfer/transfer.h"

#include <QCoreApplication>

#include <algorithm>

namespace ym::transfer {

using namespace std::chrono_literals;

namespace {

constexpr Milliseconds patience = 60s; ///< for a server that was lost
constexpr Milliseconds betweenTries = 250ms;

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::Transfer", text);
}

Fate fateOf(Likeness likeness)
{
    switch (likeness) {
    case Likeness::Missing:
        return Fate::Missing;
    case Likeness::Equal:
        return Fate::Equal;
    case Likeness::Different:
        return Fate::Different;
    case Likeness::Gone:
        return Fate::Gone;
    }
    return Fate::Gone;
}

Fate fateOf(WriteOutcome outcome)
{
    switch (outcome) {
    case WriteOutcome::Written:
        return Fate::Copied;
    case WriteOutcome::Taken:
        return Fate::Different;
    case WriteOutcome::Gone:
        return Fate::Gone;
    }
    return Fate::Gone;
}

} // namespace

Transfer::Transfer(Parts parts)
    : m_parts(std::move(parts))
    , m_source(m_parts.from, m_parts.clock)
    , m_target(m_parts.to, m_parts.clock)
    , m_comparer(m_parts.to, m_parts.clock)
    , m_reverse(m_parts.from, m_parts.clock)
    , m_writer(m_parts.to, m_parts.clock)
{
}

QCoro::Task<Tally> Transfer::survey()
{
    co_return co_await run(Pass::Survey);
}

QCoro::Task<Tally> Transfer::copy(Collision collision)
{
    m_collision = collision;
    co_return co_await run(Pass::Copy);
}

QCoro::Task<Tally> Transfer::verify()
{
    Tally tally = co_await run(Pass::Verify);
    const Tally extra = co_await run(Pass::Extra);
    tally.byFate[size_t(Fate::Extra)] = extra.count(Fate::Extra);
    co_return tally;
}

QCoro::Task<Tally> Transfer::run(Pass pass)
{
    Tally tally;
    qint64 furthest = 0;
    Monotonic lastProgress = m_parts.clock->monotonic();
    KeyReader *const reader = pass == Pass::Extra ? &m_target : &m_source;
    reader->startAgain();
    bool goesOn = true;
    while (goesOn) {
        std::optional<Error> trouble;
        try {
            goesOn = co_await step(pass, &tally);
            if (tally.keys > std::exchange(furthest, std::max(furthest, tally.keys)))
                lastProgress = m_parts.clock->monotonic();
        } catch (const StoreError &e) {
            trouble = e.error();
        }
        if (!trouble)
            continue;
        co_await pauseAfter(*trouble, lastProgress);
        // A server that was started again numbers its keys anew: the cursor means nothing any more.
        reader->startAgain();
        tally = Tally{};
    }
    co_return tally;
}

QCoro::Task<void> Transfer::pauseAfter(Error trouble, Monotonic since)
{
    const bool isLoss = trouble.kind == ErrorKind::Unavailable || trouble.kind == ErrorKind::Timeout
        || trouble.kind == ErrorKind::Busy;
    if (!isLoss) // a full memory or a replica does not change by itself
        throw StoreError(trouble);
    if (m_parts.listener.onWaiting)
        m_parts.listener.onWaiting(trouble);
    const auto isReady = [](const Store *store) { return store->status().phase == StoreStatus::Phase::Ready; };
    bool mayTry = false;
    while (!mayTry) {
        if (m_parts.clock->monotonic() - since > patience)
            throw StoreError(trouble);
        const bool slept = co_await m_parts.clock->sleep(betweenTries, m_parts.stop);
        if (!slept)
            throw StoreError(ErrorKind::Cancelled, tr("Copying was interrupted."));
        mayTry = isReady(m_parts.from) && isReady(m_parts.to);
    }
}

/// One page; false after the last one.
QCoro::Task<bool> Transfer::step(Pass pass, Tally *tally)
{
    // Also lets the event loop turn: two stores in this process would never wait for anything.
    const bool slept = co_await m_parts.clock->sleep(0ms, m_parts.stop);
    if (!slept)
        throw StoreError(ErrorKind::Cancelled, tr("Copying was interrupted."));
    KeyReader *const reader = pass == Pass::Extra ? &m_target : &m_source;
    Page page;
    page.keys = co_await reader->nextPage();
    page.fates.assign(page.keys.size(), Fate::Missing);
    co_await judge(&page, pass);
    if (pass == Pass::Copy)
        co_await write(&page);
    add(page, pass, tally);
    if (m_parts.listener.onProgress)
        m_parts.listener.onProgress(*tally);
    co_return !reader->isAtEnd();
}

/// Sets the fates by looking at the other side.
QCoro::Task<void> Transfer::judge(Page *page, Pass pass)
{
    KeyComparer *const comparer = pass == Pass::Extra ? &m_reverse : &m_comparer;
    const std::vector<bool> present = co_await comparer->present(page->keys);
    for (size_t i = 0; i < present.size(); ++i) {
        if (pass == Pass::Extra)
            page->fates[i] = present[i] ? Fate::Equal : Fate::Extra;
        else if (page->keys[i].type == KeyType::Other)
            page->fates[i] = Fate::Unsupported;
        else if (present[i])
            page->fates[i] = Fate::Different; // until compared
        else if (const auto left = page->keys[i].lifeAt(m_parts.clock->monotonic()); left && *left <= lifeTolerance)
            page->fates[i] = pass == Pass::Verify ? Fate::Gone : Fate::Missing;
    }
    if (pass != Pass::Extra)
        co_await compare(page);
}

/// Compares what both have.
QCoro::Task<void> Transfer::compare(Page *page)
{
    std::vector<KeyInfo> small;
    std::vector<size_t> indices;
    for (size_t i = 0; i < page->keys.size(); ++i) {
        if (page->fates[i] != Fate::Different)
            continue;
        if (page->keys[i].isSmall()) {
            small.push_back(page->keys[i]);
            indices.push_back(i);
        } else {
            co_await compareLarge(page, i);
        }
    }
    std::vector<KeyContent> contents = co_await m_source.load(std::move(small));
    const std::vector<Likeness> answers = co_await m_comparer.compareAll(std::move(contents));
    for (size_t n = 0; n < answers.size(); ++n)
        page->fates[indices[n]] = fateOf(answers[n]);
}

QCoro::Task<void> Transfer::compareLarge(Page *page, size_t index)
{
    try {
        const Likeness likeness = co_await m_comparer.compareLarge(page->keys[index], &m_source);
        page->fates[index] = fateOf(likeness);
    } catch (const StoreError &e) {
        if (e.kind() != ErrorKind::WrongType) // it became another key while it was read
            throw;
        page->fates[index] = Fate::Different;
    }
}

QCoro::Task<void> Transfer::write(Page *page)
{
    std::vector<KeyInfo> small;
    std::vector<size_t> indices;
    const bool overwrites = m_collision == Collision::Overwrite;
    for (size_t i = 0; i < page->keys.size(); ++i) {
        const bool isWanted = page->fates[i] == Fate::Missing || (overwrites && page->fates[i] == Fate::Different);
        if (!isWanted)
            continue;
        if (page->keys[i].isSmall()) {
            small.push_back(page->keys[i]);
            indices.push_back(i);
        } else {
            co_await writeLarge(page, i);
        }
    }
    std::vector<KeyContent> contents = co_await m_source.load(std::move(small));
    const WriteMode mode = overwrites ? WriteMode::Replace : WriteMode::OnlyMissing;
    const std::vector<WriteOutcome> outcomes = co_await m_writer.writeAll(std::move(contents), mode);
    for (size_t n = 0; n < outcomes.size(); ++n)
        page->fates[indices[n]] = fateOf(outcomes[n]);
}

QCoro::Task<void> Transfer::writeLarge(Page *page, size_t index)
{
    const WriteMode mode = m_collision == Collision::Overwrite ? WriteMode::Replace : WriteMode::OnlyMissing;
    try {
        const WriteOutcome outcome = co_await m_writer.copyLarge(page->keys[index], &m_source, mode);
        page->fates[index] = fateOf(outcome);
    } catch (const StoreError &e) {
        if (e.kind() != ErrorKind::WrongType) // it became another key while it was read
            throw;
        page->fates[index] = Fate::Gone;
    }
}

void Transfer::add(const Page &page, Pass pass, Tally *tally) const
{
    for (size_t i = 0; i < page.keys.size(); ++i) {
        const KeyInfo &info = page.keys[i];
        const Fate fate = page.fates[i];
        ++tally->keys;
        tally->bytes += std::max<qint64>(info.bytes, 0);
        tally->expiring += info.life ? 1 : 0;
        ++tally->byType[size_t(info.type)];
        ++tally->byFate[size_t(fate)];
        const bool isNews = pass == Pass::Survey ? fate == Fate::Different || fate == Fate::Unsupported
            : pass == Pass::Verify               ? fate == Fate::Different || fate == Fate::Missing
                                                 : fate == Fate::Extra;
        if (isNews && m_parts.listener.onKey)
            m_parts.listener.onKey(info.key, info.type, fate);
    }
}

} // namespace ym::transfer
