#include "core/worker/secret_mask.h"

#include <algorithm>
#include <cstring>

namespace ym {

namespace {

constexpr qsizetype shortestSecret = 4;

} // namespace

QList<QByteArray> secretValues(const Job &job)
{
    QList<QByteArray> values;
    for (const auto &[name, value] : job.env) {
        if (namesSecret(name) && value.size() >= shortestSecret && !values.contains(value))
            values.append(value);
    }
    return values;
}

SecretMask::SecretMask(QList<QByteArray> secrets)
    : m_secrets(std::move(secrets))
{
    std::sort(m_secrets.begin(), m_secrets.end(), [](const auto &a, const auto &b) { return a.size() > b.size(); });
    for (const QByteArray &secret : std::as_const(m_secrets))
        m_firstBytes[uchar(secret[0])] = true;
}

QByteArray SecretMask::feed(const QByteArray &bytes)
{
    if (m_secrets.isEmpty())
        return bytes;
    m_pending += bytes;
    return take(End::Open);
}

QByteArray SecretMask::flush()
{
    return take(End::Final);
}

QByteArray SecretMask::take(End end)
{
    QByteArray clean;
    qsizetype at = 0;
    while (at < m_pending.size()) {
        const bool candidate = m_firstBytes[uchar(m_pending[at])];
        if (candidate && end == End::Open && mayBegin(at))
            break;
        const qsizetype length = candidate ? lengthAt(at) : 0;
        if (length > 0)
            clean += replacement;
        else
            clean += m_pending[at];
        at += std::max<qsizetype>(length, 1);
    }
    m_pending.remove(0, at);
    return clean;
}

/// True when everything from here on is the beginning of a secret whose end is still to come.
bool SecretMask::mayBegin(qsizetype at) const
{
    const qsizetype rest = m_pending.size() - at;
    return std::any_of(m_secrets.begin(), m_secrets.end(), [&](const QByteArray &secret) {
        return rest < secret.size() && std::memcmp(secret.constData(), m_pending.constData() + at, size_t(rest)) == 0;
    });
}

/// Length of the longest secret that stands here; 0 when there is none.
qsizetype SecretMask::lengthAt(qsizetype at) const
{
    const qsizetype rest = m_pending.size() - at;
    for (const QByteArray &secret : m_secrets) {
        const auto size = size_t(secret.size());
        if (secret.size() <= rest && std::memcmp(secret.constData(), m_pending.constData() + at, size) == 0)
            return secret.size();
    }
    return 0;
}

} // namespace ym
