#include "core/worker/slot_plan.h"

namespace ym {

SlotPlan::SlotPlan(int places)
    : m_places(places)
{
}

SlotPlan::Wish SlotPlan::next(Monotonic now) const
{
    const int free = m_places - m_busy;
    if (free <= 0)
        return {0, Milliseconds{-1}};
    if (!m_laneTaken)
        return {m_lastWasSerial ? 1 : free, {}};
    if (m_lastWasSerial && now < m_lookAgain)
        return {0, m_lookAgain - now};
    return {1, {}};
}

bool SlotPlan::hasPlace(bool concurrent) const
{
    return m_busy < m_places && (concurrent || !m_laneTaken);
}

void SlotPlan::started(bool concurrent, Monotonic now)
{
    ++m_busy;
    m_lastWasSerial = !concurrent;
    if (concurrent)
        return;
    m_laneTaken = true;
    m_lookAgain = now + probeEvery;
}

void SlotPlan::ended(bool concurrent)
{
    --m_busy;
    if (!concurrent)
        m_laneTaken = false;
}

void SlotPlan::refused(Monotonic now)
{
    m_lastWasSerial = true;
    m_lookAgain = now + probeEvery;
}

} // namespace ym
