#include "core/protocol/lease_grace.h"

#include "core/store/store.h"

namespace ym {

namespace {

constexpr int mostInARow = 4;

Milliseconds wallAhead(const Clock &clock)
{
    return std::chrono::duration_cast<Milliseconds>(clock.now().time_since_epoch()) - clock.monotonic();
}

} // namespace

LeaseGrace::LeaseGrace(Store *store, Clock *clock, Milliseconds lease, QObject *parent)
    : QObject(parent)
    , m_store(store)
    , m_clock(clock)
    , m_lease(lease)
    , m_awakeAt(clock->monotonic())
    , m_ahead(wallAhead(*clock))
{
    connect(store, &Store::statusChanged, this, &LeaseGrace::onStatus);
    onStatus();
}

bool LeaseGrace::isOn()
{
    const Milliseconds before = std::exchange(m_ahead, wallAhead(*m_clock));
    if (m_ahead - before >= m_lease / 2)
        begin();
    return m_awaySince || m_clock->monotonic() < m_until;
}

LeaseGrace::Question LeaseGrace::ask()
{
    const Monotonic now = m_clock->monotonic();
    const bool stoodStill = now - std::exchange(m_awakeAt, now) >= m_lease / 2;
    if (stoodStill && m_inARow < mostInARow) {
        ++m_inARow;
        begin();
    }
    if (isOn())
        return {now, 0};
    m_inARow = 0;
    if (!m_seen)
        return {now, std::nullopt};
    return {now, m_seen->ms + qint64((now - m_seen->asked + m_lease / 2).count())};
}

void LeaseGrace::answered(Question question, qint64 ms)
{
    m_seen.reset(); // after each grace every time counts once, so that slow answers put nothing off for ever
    if (question.latest == 0)
        return;
    if (question.latest && ms > *question.latest)
        return begin();
    m_seen = Seen{ms, question.asked};
}

void LeaseGrace::onStatus()
{
    const Monotonic now = m_clock->monotonic();
    if (m_store->status().phase != StoreStatus::Phase::Ready) {
        m_awaySince = m_awaySince.value_or(now);
        return;
    }
    if (m_awaySince && now - *m_awaySince >= m_lease / 2)
        begin();
    m_awaySince.reset();
}

void LeaseGrace::begin()
{
    m_until = m_clock->monotonic() + m_lease;
}

} // namespace ym
