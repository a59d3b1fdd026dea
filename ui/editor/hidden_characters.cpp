#include "ui/editor/hidden_characters.h"

#include <QCoreApplication>

#include <limits>

namespace ym {

namespace {

struct Range {
    char32_t first, last;
};

/// Beyond ASCII: C1 controls, soft hyphen, Arabic letter mark, zero width and bidirectional marks, byte order mark,
/// tags.
constexpr Range hiddenRanges[]{{0x80, 0x9f},     {0xad, 0xad},      {0x61c, 0x61c},   {0x180e, 0x180e},
                               {0x200b, 0x200f}, {0x2028, 0x202e},  {0x2060, 0x2064}, {0x2066, 0x2069},
                               {0xfeff, 0xfeff}, {0xe0001, 0xe007f}};

bool isHidden(char32_t c)
{
    for (const Range &range : hiddenRanges) {
        if (c >= range.first && c <= range.last)
            return true;
    }
    return false;
}

/// The code point at `at` of a text with a lead byte there, and its length; a broken sequence counts as one byte.
std::pair<char32_t, int> decode(QByteArrayView text, qsizetype at)
{
    const uchar lead = uchar(text[at]);
    const int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
    if (length == 1 || at + length > text.size())
        return {0xfffd, 1};
    char32_t code = lead & (0xff >> (length + 1));
    for (int i = 1; i < length; ++i) {
        if ((uchar(text[at + i]) & 0xc0) != 0x80)
            return {0xfffd, 1};
        code = (code << 6) | (uchar(text[at + i]) & 0x3f);
    }
    return {code, length};
}

QString name(char32_t code)
{
    return QStringLiteral("U+%1").arg(QString::number(uint(code), 16).toUpper(), 4, u'0');
}

QString tr(const char *text, int n = -1)
{
    return QCoreApplication::translate("ym::HiddenCharacters", text, nullptr, n);
}

} // namespace

QList<HiddenCharacter> findHiddenCharacters(QByteArrayView text, qsizetype limit)
{
    QList<HiddenCharacter> found;
    int line = 1;
    for (qsizetype at = 0; at < text.size() && found.size() < limit;) {
        const uchar c = uchar(text[at]);
        if (c < 0x80) {
            const bool lineEnd = c == '\n' || c == '\t' || (c == '\r' && at + 1 < text.size() && text[at + 1] == '\n');
            if ((c < 0x20 && !lineEnd) || c == 0x7f)
                found.append({at, 1, line, c});
            line += c == '\n';
            ++at;
            continue;
        }
        const auto [code, length] = decode(text, at);
        if (isHidden(code))
            found.append({at, length, line, code});
        at += length;
    }
    return found;
}

QByteArray withoutHiddenCharacters(const QByteArray &text)
{
    QByteArray clean;
    clean.reserve(text.size());
    qsizetype from = 0;
    for (const HiddenCharacter &hidden : findHiddenCharacters(text, std::numeric_limits<qsizetype>::max())) {
        clean.append(QByteArrayView(text).sliced(from, hidden.offset - from));
        from = hidden.offset + hidden.length;
    }
    clean.append(QByteArrayView(text).sliced(from));
    return clean;
}

QString describe(const QList<HiddenCharacter> &found)
{
    constexpr qsizetype named = 3;
    QStringList parts;
    for (const HiddenCharacter &hidden : found.first(std::min(named, found.size())))
        parts.append(tr("%1 in line %2").arg(name(hidden.code), QString::number(hidden.line)));
    const QString list = parts.join(QStringLiteral(", "));
    if (found.size() <= named)
        return list;
    return tr("%1 and %2 more").arg(list, QString::number(found.size() - named));
}

QList<std::pair<QByteArray, QByteArray>> hiddenCharacterChips()
{
    QList<std::pair<QByteArray, QByteArray>> chips;
    for (const Range &range : hiddenRanges) {
        for (char32_t code = range.first; code <= range.last; ++code)
            chips.append({QString::fromUcs4(&code, 1).toUtf8(), name(code).toLatin1()});
    }
    return chips;
}

} // namespace ym
