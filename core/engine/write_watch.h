// Whether a server can still write down what it accepts.
#pragma once

#include "core/store/store.h"

namespace ym {

/// What INFO persistence says is wrong, in one sentence with what to do; empty when all is well (RELIABILITY F16, F17).
QString writeTrouble(const QByteArray &persistence);

/// Asks now and then. A server that answers something else, or refuses to, has no trouble. Core thread.
class WriteWatch {
public:
    WriteWatch(Store *store, Clock *clock)
        : m_store(store)
        , m_clock(clock)
    {
    }

    /// Asks when the last answer is some seconds old.
    QCoro::Task<void> look();
    const QString &trouble() const { return m_trouble; }

private:
    Store *m_store;
    Clock *m_clock;
    std::optional<Monotonic> m_askedAt;
    QString m_trouble;
};

} // namespace ym
