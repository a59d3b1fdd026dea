// How long output takes from its writing to its reader: lines that say when they were written.
#pragma once

#include <QByteArray>
#include <QString>

#include <algorithm>
#include <chrono>
#include <vector>

namespace ym::test {

/// Writes `count` lines "at NANOSECONDS" of the machine's monotonic clock, 7 to 60 ms apart, so that no reader's rhythm
/// is met by chance.
inline QByteArray stampedLines(int count)
{
    return "import sys, time\n"
           "for i in range(" + QByteArray::number(count) + "):\n"
           "    print('at', time.clock_gettime_ns(time.CLOCK_MONOTONIC), flush=True)\n"
           "    time.sleep(0.007 + (i * 7919 % 54) / 1000)\n";
}

/// The ages of such lines at the moment they were read, in ms.
class StampedAges {
public:
    /// Takes the whole lines of what came; a rest waits for its end.
    void read(const QByteArray &bytes)
    {
        m_rest += bytes;
        for (qsizetype feed = m_rest.indexOf('\n'); feed >= 0; feed = m_rest.indexOf('\n')) {
            readLine(m_rest.left(feed));
            m_rest.remove(0, feed + 1);
        }
    }
    void readLine(const QByteArray &line)
    {
        if (line.startsWith("at "))
            m_ages.push_back(double(now() - line.mid(3).toLongLong()) / 1e6);
    }

    size_t count() const { return m_ages.size(); }
    double percentile(double share) const
    {
        std::vector<double> sorted = m_ages;
        std::sort(sorted.begin(), sorted.end());
        return sorted.empty() ? -1 : sorted[size_t(double(sorted.size() - 1) * share)];
    }
    QString report() const
    {
        return QStringLiteral("%1 lines, p50 %2 ms, p90 %3 ms, p99 %4 ms")
            .arg(count())
            .arg(percentile(0.5), 0, 'f', 1)
            .arg(percentile(0.9), 0, 'f', 1)
            .arg(percentile(0.99), 0, 'f', 1);
    }

private:
    static qint64 now()
    {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }

    QByteArray m_rest;
    std::vector<double> m_ages;
};

} // namespace ym::test
