// Words that scripts say again and again.
#pragma once

#include <QByteArray>

#include <array>
#include <cstring>

namespace ym::embedded {

/// Keeps the last short words that the interpreter handed over, by where it keeps them: verbs, fields and keys come
/// many times, and each time new bytes would have to be made for them. An interpreter may reuse a place, so the text
/// decides.
class WordCache {
public:
    QByteArray word(const char *bytes, size_t size)
    {
        if (size > longest)
            return {bytes, qsizetype(size)};
        QByteArray &kept = m_words[placeOf(bytes)];
        if (size_t(kept.size()) != size || std::memcmp(kept.constData(), bytes, size) != 0)
            kept = QByteArray(bytes, qsizetype(size));
        return kept;
    }

private:
    static constexpr size_t longest = 64;
    static constexpr size_t places = 512;

    static size_t placeOf(const char *bytes)
    {
        const auto address = reinterpret_cast<quintptr>(bytes);
        return ((address >> 4) ^ (address >> 13)) % places;
    }

    std::array<QByteArray, places> m_words;
};

} // namespace ym::embedded
