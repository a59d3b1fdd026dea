// Keeps what a job wrote, within a cap: the head and the tail, and a line that says what is missing between.
#pragma once

#include <QByteArray>

namespace ym {

/// One stream of one run. Memory stays below head + 1.5 × tail however much is written.
class OutputCapture {
public:
    /// Sizes in bytes (RELIABILITY 7.3: head 1 MiB, 8 MiB in all).
    OutputCapture(qint64 head, qint64 tail);

    void append(const QByteArray &bytes);

    /// Of everything that was written, also what was left out.
    qint64 total() const { return m_total; }
    /// What is kept; never cut inside a UTF-8 character.
    QByteArray text() const;

private:
    qint64 m_headLimit;
    qint64 m_tailLimit;
    qint64 m_total = 0;
    QByteArray m_head;
    QByteArray m_tail;
};

} // namespace ym
