#include "core/worker/warm_pool.h"

#include <algorithm>

namespace ym {

namespace {

constexpr size_t mostIdle = 64; ///< as many as a worker has slots
constexpr int mostRuns = 1'000; ///< what piles up in a long life goes with it
constexpr std::chrono::seconds idleLife{60};

} // namespace

WarmPool::WarmPool()
{
    m_timer.setInterval(std::chrono::seconds{10});
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { endOld(); });
}

std::unique_ptr<Launch> WarmPool::take(const QByteArray &kind)
{
    // The one that was used last: its memory is in the caches, and the others grow old.
    std::erase_if(m_idle, [](const Idle &idle) { return !idle.launch->mayRunAgain(); });
    const auto found =
        std::find_if(m_idle.rbegin(), m_idle.rend(), [&kind](const Idle &idle) { return idle.kind == kind; });
    if (found == m_idle.rend())
        return nullptr;
    std::unique_ptr<Launch> launch = std::move(found->launch);
    m_idle.erase(std::next(found).base());
    return launch;
}

void WarmPool::giveBack(const QByteArray &kind, std::unique_ptr<Launch> launch)
{
    if (!launch->mayRunAgain() || launch->runCount() >= mostRuns || m_idle.size() >= mostIdle)
        return;
    m_idle.push_back({kind, std::move(launch), std::chrono::steady_clock::now()});
    if (!m_timer.isActive())
        m_timer.start();
}

void WarmPool::endOld()
{
    const auto limit = std::chrono::steady_clock::now() - idleLife;
    std::erase_if(m_idle, [limit](const Idle &idle) { return idle.since < limit || !idle.launch->mayRunAgain(); });
    if (m_idle.empty())
        m_timer.stop();
}

} // namespace ym
