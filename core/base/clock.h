// Time for the whole core: wall time, monotonic time and sleeping, so that tests can own all three.
#pragma once

#include <QByteArray>

#include <chrono>
#include <stop_token>

#include <QCoroTask>

namespace ym {

using Milliseconds = std::chrono::milliseconds;
/// Wall time in UTC, millisecond resolution.
using Timestamp = std::chrono::sys_time<Milliseconds>;
/// Monotonic time since an arbitrary start.
using Monotonic = std::chrono::duration<qint64, std::milli>;

/// Where all time comes from. Lives in one thread; the default one is `Clock::system()`.
class Clock {
public:
    virtual ~Clock() = default;

    virtual Timestamp now() const = 0;
    virtual Monotonic monotonic() const = 0;

    /// Waits for `duration` or until `stop` is requested, whichever is first. True when the time passed.
    virtual QCoro::Task<bool> sleep(Milliseconds duration, std::stop_token stop) = 0;

    /// The machine's own clock, usable from every thread.
    static Clock &system();
};

/// A clock that only moves when told to; for tests.
class ManualClock final : public Clock {
public:
    explicit ManualClock(Timestamp start = Timestamp{std::chrono::milliseconds{1'700'000'000'000}});
    ~ManualClock() override;

    Timestamp now() const override;
    Monotonic monotonic() const override;
    QCoro::Task<bool> sleep(Milliseconds duration, std::stop_token stop) override;

    /// Moves time forward and resumes, in order of their deadlines, the sleepers whose time has come.
    void advance(Milliseconds by);
    /// Moves only the wall clock, as a user who changes the system time does.
    void jumpWallClock(Milliseconds by);
    int sleeperCount() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// RFC 3339 in UTC with milliseconds and `Z` (PROTOCOLS, Hero: created_at): 2026-11-21T00:25:03.066Z.
QByteArray toRfc3339(Timestamp when);

/// Reads RFC 3339 with up to 9 fraction digits and any offset, or epoch seconds / milliseconds (PROTOCOLS, Hero).
/// Empty when the text is none of these or lies outside the years 1970–9999.
std::optional<Timestamp> parseTimestamp(const QByteArray &text);

} // namespace ym
