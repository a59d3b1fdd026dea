#include "core/store/embedded/endpoint/poller.h"

#include <algorithm>

#include <unistd.h>

namespace ym::embedded {

Poller::Poller(QObject *parent)
    : QObject(parent)
    , m_epoll(::epoll_create1(EPOLL_CLOEXEC))
{
    if (m_epoll < 0)
        return;
    m_notifier = new QSocketNotifier(m_epoll, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &Poller::collect);
}

Poller::~Poller()
{
    delete m_notifier;
    if (m_epoll >= 0)
        ::close(m_epoll);
}

bool Poller::add(int descriptor, quint32 events, quint64 tag)
{
    epoll_event event{events, {.u64 = tag}};
    return ::epoll_ctl(m_epoll, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void Poller::change(int descriptor, quint32 events, quint64 tag)
{
    epoll_event event{events, {.u64 = tag}};
    ::epoll_ctl(m_epoll, EPOLL_CTL_MOD, descriptor, &event);
}

void Poller::remove(int descriptor)
{
    ::epoll_ctl(m_epoll, EPOLL_CTL_DEL, descriptor, nullptr);
}

int Poller::take(std::span<epoll_event> room)
{
    return std::max(0, ::epoll_wait(m_epoll, room.data(), int(room.size()), 0));
}

void Poller::collect()
{
    epoll_event events[256];
    const int count = take(events);
    if (count > 0)
        Q_EMIT ready(std::span<const epoll_event>(events, size_t(count)));
}

} // namespace ym::embedded
