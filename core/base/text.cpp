#include "core/base/text.h"

#include <QStringDecoder>

namespace ym {

namespace {

constexpr qsizetype longestId = 16;

/// True for what a person cannot see, or what moves other text: controls, format characters (bidirectional, zero width,
/// tags), line separators, and code points that are no characters.
bool isHidden(char32_t c)
{
    if (c < 0x7f)
        return c < 0x20;
    switch (QChar::category(c)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        return QChar::isNonCharacter(c);
    }
}

/// Length of the valid UTF-8 sequence at the start of [p, end), 0 when it is invalid; the code point in `c`.
int sequence(const uchar *p, const uchar *end, char32_t &c)
{
    static constexpr struct {
        uchar mask, lead;
        int length;
        char32_t first;
    } forms[] = {{0x80, 0x00, 1, 0}, {0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000}};
    for (const auto &form : forms) {
        if ((*p & form.mask) != form.lead)
            continue;
        if (end - p < form.length)
            return 0;
        c = *p & uchar(~form.mask);
        for (int i = 1; i < form.length; ++i) {
            if ((p[i] & 0xc0) != 0x80)
                return 0;
            c = (c << 6) | (p[i] & 0x3f);
        }
        const bool valid = c >= form.first && c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff);
        return valid ? form.length : 0;
    }
    return 0;
}

void appendByte(QString &out, uchar byte)
{
    out += QStringLiteral("\\x%1").arg(uint(byte), 2, 16, QLatin1Char('0'));
}

void appendCharacter(QString &out, char32_t c, Lines lines)
{
    if (c == '\n' || c == '\t')
        out += lines == Lines::Keep ? QChar(char16_t(c)) : QChar(u' ');
    else if (isHidden(c))
        out += QStringLiteral("<U+%1>").arg(QString::number(uint(c), 16).toUpper(), 4, u'0');
    else
        out += QChar::fromUcs4(c);
}

} // namespace

QString shownText(const QByteArray &bytes, Lines lines)
{
    return shownText(bytes, lines, std::numeric_limits<qsizetype>::max());
}

QString shownText(const QByteArray &bytes, Lines lines, qsizetype limit)
{
    QString out;
    out.reserve(std::min(bytes.size(), limit));
    const auto *p = reinterpret_cast<const uchar *>(bytes.constData());
    const uchar *const end = p + bytes.size();
    while (p < end) {
        if (*p == '\r' && p + 1 < end && p[1] == '\n')
            ++p; // one line end, not two
        char32_t c = 0;
        const int length = sequence(p, end, c);
        const qsizetype before = out.size();
        if (length > 0)
            appendCharacter(out, c, lines);
        else
            appendByte(out, *p);
        if (out.size() > limit) {
            out.truncate(before); // never a part of a character or of a chip
            return out + u'…';
        }
        p += std::max(length, 1);
    }
    return out;
}

QString shortId(const QByteArray &id)
{
    const bool isUuid = id.size() == 36 && id[8] == '-' && id[13] == '-' && id[18] == '-' && id[23] == '-';
    return isUuid ? shownText(id.left(8)) : shownText(id, Lines::Flatten, longestId);
}

bool isUtf8(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder(bytes);
    return !decoder.hasError();
}

} // namespace ym
