// What `yardmaster export` says while it works.
#pragma once

#include "app/cli/console.h"

#include "core/base/clock.h"
#include "core/store/transfer/transfer.h"

namespace ym::cli {

/// Prints the plan, the progress and the end: remarks for a person, with --json one object a line. Names the first keys
/// of each fate for a person, all of them in JSON.
class TransferDiary {
public:
    TransferDiary(Console *console, Clock *clock, QString from, QString to)
        : m_console(console)
        , m_clock(clock)
        , m_from(std::move(from))
        , m_to(std::move(to))
    {
    }

    /// "look", "copy" or "verify" begins, of about `keys` keys; 0 = unknown.
    void begin(const char *step, qint64 keys);
    transfer::TransferListener listener();
    /// Whether keys that only the target has are news: not when it had keys of its own before.
    void nameExtraKeys(bool on) { m_namesExtra = on; }

    void plan(const transfer::Tally &tally);
    /// `outcome` is "planned", "refused", "copied" or "incomplete"; `verified` is missing when nothing was compared.
    void end(const char *outcome, const transfer::Tally &copied, const std::optional<transfer::Tally> &verified);

private:
    void onProgress(const transfer::Tally &tally);
    void onKey(const QByteArray &key, transfer::KeyType type, transfer::Fate fate);

    Console *m_console;
    Clock *m_clock;
    QString m_from;
    QString m_to;
    const char *m_step = "look";
    qint64 m_expected = 0;
    bool m_namesExtra = false;
    Monotonic m_lastProgress{0};
    std::array<int, transfer::fateCount> m_named{};
};

} // namespace ym::cli
