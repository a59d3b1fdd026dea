#include "core/worker/output_capture.h"

namespace ym {

namespace {

bool isContinuation(char c)
{
    return (uchar(c) & 0xc0) == 0x80;
}

/// Bytes at the end that begin a character whose rest is not there; 0…3.
qsizetype unfinishedAtEnd(const QByteArray &bytes)
{
    for (qsizetype back = 1; back <= 3 && back <= bytes.size(); ++back) {
        const auto c = uchar(bytes[bytes.size() - back]);
        if (isContinuation(char(c)))
            continue;
        const int length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
        return length > back ? back : 0;
    }
    return 0;
}

qsizetype unfinishedAtStart(const QByteArray &bytes)
{
    qsizetype count = 0;
    while (count < 3 && count < bytes.size() && isContinuation(bytes[count]))
        ++count;
    return count;
}

} // namespace

OutputCapture::OutputCapture(qint64 head, qint64 tail)
    : m_headLimit(head)
    , m_tailLimit(tail)
{
}

void OutputCapture::append(const QByteArray &bytes)
{
    m_total += bytes.size();
    const qint64 forHead = std::min<qint64>(bytes.size(), m_headLimit - m_head.size());
    m_head.append(bytes.constData(), forHead);
    m_tail.append(bytes.constData() + forHead, bytes.size() - forHead);
    // Trimmed only when half a tail too long, so that every byte is moved at most twice.
    if (m_tail.size() > m_tailLimit + m_tailLimit / 2)
        m_tail.remove(0, m_tail.size() - m_tailLimit);
}

QByteArray OutputCapture::text() const
{
    if (m_total <= m_headLimit + m_tailLimit)
        return m_head + m_tail;
    QByteArray head = m_head;
    head.chop(unfinishedAtEnd(head));
    QByteArray tail = m_tail.right(m_tailLimit);
    tail.remove(0, unfinishedAtStart(tail));
    const qint64 missing = m_total - head.size() - tail.size();
    return head + "\n[… " + QByteArray::number(missing) + " bytes left out …]\n" + tail;
}

} // namespace ym
