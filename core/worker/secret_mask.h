// Replaces secrets in a stream of bytes, also where a chunk ends in the middle of one.
#pragma once

#include "core/job/job.h"
#include "core/job/secret_text.h"

#include <array>

namespace ym {

/// The values of variables whose names say that they are secret and that are at least four bytes long: masking shorter
/// ones would make a log unreadable and hide nothing.
QList<QByteArray> secretValues(const Job &job);

/// One stream. What may be the beginning of a secret is held back until the next bytes, or the end, decide.
class SecretMask {
public:
    static constexpr const char *replacement = hiddenSecret;

    explicit SecretMask(QList<QByteArray> secrets);

    QByteArray feed(const QByteArray &bytes);
    /// The rest, at the end of the stream.
    QByteArray flush();

private:
    enum class End : quint8 { Open, Final };
    QByteArray take(End end);
    bool mayBegin(qsizetype at) const;
    qsizetype lengthAt(qsizetype at) const;

    QList<QByteArray> m_secrets; ///< longest first
    std::array<bool, 256> m_firstBytes{};
    QByteArray m_pending;
};

} // namespace ym
