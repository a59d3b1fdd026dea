#include "core/store/embedded/glob.h"

#include <QByteArray>

#include <utility>

namespace ym::embedded {

namespace {

/// Matches one character against the class whose text starts after `[`; moves `p` to its closing bracket, or to the
/// last character when there is none.
bool matchesClass(QByteArrayView pattern, qsizetype &p, uchar c)
{
    bool isNegated = false;
    if (p < pattern.size() && pattern[p] == '^') {
        isNegated = true;
        ++p;
    }
    bool isMatch = false;
    while (true) {
        if (p + 1 < pattern.size() && pattern[p] == '\\') {
            ++p;
            isMatch |= uchar(pattern[p]) == c;
        } else if (p >= pattern.size()) {
            --p;
            break;
        } else if (pattern[p] == ']') {
            break;
        } else if (p + 2 < pattern.size() && pattern[p + 1] == '-') {
            uchar low = uchar(pattern[p]);
            uchar high = uchar(pattern[p + 2]);
            if (low > high)
                std::swap(low, high);
            p += 2;
            isMatch |= c >= low && c <= high;
        } else {
            isMatch |= uchar(pattern[p]) == c;
        }
        ++p;
    }
    return isNegated ? !isMatch : isMatch;
}

/// `giveUp` is set when a star has tried every place in vain: no earlier star can do better.
bool matches(QByteArrayView pattern, QByteArrayView text, bool &giveUp)
{
    qsizetype p = 0;
    qsizetype t = 0;
    while (p < pattern.size() && t < text.size()) {
        switch (pattern[p]) {
        case '*': {
            while (p + 1 < pattern.size() && pattern[p + 1] == '*')
                ++p;
            if (p + 1 == pattern.size())
                return true;
            for (; t < text.size(); ++t) {
                if (matches(pattern.sliced(p + 1), text.sliced(t), giveUp))
                    return true;
                if (giveUp)
                    return false;
            }
            giveUp = true;
            return false;
        }
        case '?':
            break;
        case '[':
            ++p;
            if (!matchesClass(pattern, p, uchar(text[t])))
                return false;
            break;
        case '\\':
            if (p + 1 < pattern.size())
                ++p;
            [[fallthrough]];
        default:
            if (pattern[p] != text[t])
                return false;
        }
        ++p;
        ++t;
    }
    if (t == text.size() && t > 0) { // an empty text matches nothing but an empty pattern, as in Redis
        while (p < pattern.size() && pattern[p] == '*')
            ++p;
    }
    return p >= pattern.size() && t == text.size();
}

} // namespace

bool matchesGlob(QByteArrayView pattern, QByteArrayView text)
{
    bool giveUp = false;
    return matches(pattern, text, giveUp);
}

bool matchesGlobIgnoringCase(const QByteArray &pattern, const QByteArray &text)
{
    return matchesGlob(pattern.toLower(), text.toLower());
}

} // namespace ym::embedded
