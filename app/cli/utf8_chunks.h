// Cuts a byte stream at character boundaries.
#pragma once

#include <QByteArray>

namespace ym::cli {

/// Keeps the start of a character whose rest has not come yet. Bytes that are no UTF-8 pass as they are.
class Utf8Chunks {
public:
    /// What can be given on now.
    QByteArray take(const QByteArray &bytes);
    /// What is still kept; at the end of the stream.
    QByteArray rest() { return std::exchange(m_kept, {}); }

private:
    QByteArray m_kept;
};

} // namespace ym::cli
