// How late the event loop of a window comes round.
#pragma once

#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QTimer>

#include <algorithm>
#include <vector>

namespace ym::test {

/// Notes how late the event loop of the window comes round. Time in which the thread could have run and others had the
/// processors is not counted: it says how busy the machine is.
class HeartBeat {
public:
    HeartBeat()
        : m_schedule(QStringLiteral("/proc/thread-self/schedstat"))
    {
        m_schedule.open(QIODevice::ReadOnly | QIODevice::Unbuffered);
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
            const qint64 waited = waitedNs();
            m_gaps.push_back(std::max<qint64>(0, m_since.nsecsElapsed() - (waited - m_waited)) / 1'000'000);
            m_since.restart();
            m_waited = waited;
        });
        m_timer.start(1);
        m_waited = waitedNs();
        m_since.start();
    }
    /// The 99th percentile of the time between two rounds, in ms.
    qint64 p99()
    {
        m_timer.stop();
        std::sort(m_gaps.begin(), m_gaps.end());
        return m_gaps.empty() ? 0 : m_gaps[m_gaps.size() * 99 / 100];
    }
    /// Lets the event loop come round, so that what the test does next is a gap of its own.
    void round()
    {
        QEventLoop loop;
        QObject::connect(&m_timer, &QTimer::timeout, &loop, &QEventLoop::quit);
        loop.exec();
    }
    qint64 worst() const { return m_gaps.empty() ? 0 : *std::max_element(m_gaps.begin(), m_gaps.end()); }

private:
    /// How long this thread has stood in the queue for a processor so far; 0 where the kernel does not say.
    qint64 waitedNs()
    {
        m_schedule.seek(0);
        return m_schedule.read(100).split(' ').value(1).toLongLong();
    }

    QTimer m_timer;
    QFile m_schedule;
    QElapsedTimer m_since;
    qint64 m_waited = 0;
    std::vector<qint64> m_gaps;
};

} // namespace ym::test
