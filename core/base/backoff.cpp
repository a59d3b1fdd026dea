#include "core/base/backoff.h"

#include <QRandomGenerator>

namespace ym {

Backoff::Backoff(Limits limits)
    : m_limits(limits)
{
}

Milliseconds Backoff::next()
{
    const int shift = std::min(m_tries++, 20);
    const qint64 ceiling = std::min<qint64>(m_limits.cap.count(), m_limits.base.count() << shift);
    return Milliseconds{QRandomGenerator::global()->bounded(qint64{0}, ceiling + 1)};
}

} // namespace ym
