#include "models/styled_text.h"

#include "core/base/terminal_filter.h"
#include "core/base/text.h"

#include <cstring>

namespace ym {

namespace {

constexpr char escape = 0x1b;
constexpr size_t mostRuns = 2000; ///< of a line; what comes behind has no style

/// The numbers of a sequence; sub-parameters (38:2::r:g:b) count like parameters, an empty one is 0.
std::vector<int> numbersOf(QByteArrayView parameters)
{
    std::vector<int> numbers{0};
    for (qsizetype i = 0; i < parameters.size(); ++i) {
        const char c = parameters[i];
        if (c == ';' || c == ':') {
            const bool isOmitted = c == ':' && i + 1 < parameters.size() && parameters[i + 1] == ':';
            if (!isOmitted) // the colour space of 38:2::r:g:b
                numbers.push_back(0);
        } else {
            numbers.back() = std::min(numbers.back() * 10 + (c - '0'), 100'000);
        }
    }
    return numbers;
}

/// Reads "5;N" or "2;R;G;B" behind a 38 or 48; leaves `at` on the last number used.
TextColour extendedColour(const std::vector<int> &numbers, size_t &at)
{
    const auto number = [&](size_t ahead) { return at + ahead < numbers.size() ? numbers[at + ahead] : -1; };
    const auto isByte = [](int value) { return value >= 0 && value <= 255; };
    if (number(1) == 5) {
        const int index = number(2);
        at += 2;
        return isByte(index) ? TextColour{TextColour::Kind::Indexed, quint32(index)} : TextColour{};
    }
    if (number(1) == 2) {
        const int r = number(2), g = number(3), b = number(4);
        at += 4;
        const bool isColour = isByte(r) && isByte(g) && isByte(b);
        return isColour ? TextColour{TextColour::Kind::Rgb, quint32(r) << 16 | quint32(g) << 8 | quint32(b)} : TextColour{};
    }
    at = numbers.size();
    return {};
}

TextColour named(int index)
{
    return {TextColour::Kind::Indexed, quint32(index)};
}

void applyAttribute(int number, TextStyle &style)
{
    switch (number) {
    case 0: style = {}; break;
    case 1: style.isBold = true; break;
    case 2: style.isFaint = true; break;
    case 3: style.isItalic = true; break;
    case 4: case 21: style.isUnderlined = true; break;
    case 7: style.isInverse = true; break;
    case 9: style.isStruck = true; break;
    case 22: style.isBold = style.isFaint = false; break;
    case 23: style.isItalic = false; break;
    case 24: style.isUnderlined = false; break;
    case 27: style.isInverse = false; break;
    case 29: style.isStruck = false; break;
    case 39: style.foreground = {}; break;
    case 49: style.background = {}; break;
    default: break;
    }
}

void applySgr(QByteArrayView parameters, TextStyle &style)
{
    const std::vector<int> numbers = numbersOf(parameters);
    for (size_t at = 0; at < numbers.size(); ++at) {
        const int number = numbers[at];
        if (number >= 30 && number <= 37)
            style.foreground = named(number - 30);
        else if (number >= 40 && number <= 47)
            style.background = named(number - 40);
        else if (number >= 90 && number <= 97)
            style.foreground = named(number - 90 + 8);
        else if (number >= 100 && number <= 107)
            style.background = named(number - 100 + 8);
        else if (number == 38)
            style.foreground = extendedColour(numbers, at);
        else if (number == 48)
            style.background = extendedColour(numbers, at);
        else
            applyAttribute(number, style);
    }
}

/// Calls `text(piece)` for what lies between sequences; the style is that of the piece.
template <typename Text> void split(QByteArrayView bytes, TextStyle &style, Text text)
{
    qsizetype at = 0;
    while (at < bytes.size()) {
        const qsizetype found = bytes.indexOf(escape, at);
        const qsizetype end = found < 0 ? bytes.size() : found;
        if (end > at)
            text(bytes.sliced(at, end - at));
        if (found < 0)
            return;
        const qsizetype last = bytes.indexOf('m', found);
        const bool isSequence = last > found + 1 && bytes[found + 1] == '[';
        if (isSequence)
            applySgr(bytes.sliced(found + 2, last - found - 2), style);
        at = isSequence ? last + 1 : found + 1;
    }
}

/// A C1 control in UTF-8 ends with a byte of this kind: 8-bit CSI, and the strings' terminator.
constexpr char lastOfC1Csi = char(0x9b);

/// Behind the last sequence that turns every style off; -1 when there is none.
qsizetype behindLastReset(QByteArrayView bytes)
{
    const qsizetype shortOne = bytes.lastIndexOf(QByteArrayView("\x1b[m"));
    const qsizetype longOne = bytes.lastIndexOf(QByteArrayView("\x1b[0m"));
    return shortOne < 0 && longOne < 0 ? -1 : std::max(shortOne + 3, longOne + 4);
}

bool holds(QByteArrayView bytes, char c)
{
    return !bytes.isEmpty() && std::memchr(bytes.data(), c, size_t(bytes.size()));
}

} // namespace

StyledText styledText(QByteArrayView bytes, TextStyle &style)
{
    StyledText line;
    split(bytes, style, [&](QByteArrayView piece) {
        const QString text = shownText(piece.toByteArray(), Lines::Keep);
        if (style != TextStyle() && line.runs.size() < mostRuns)
            line.runs.push_back({line.text.size(), text.size(), style});
        line.text += text;
    });
    return line;
}

void advanceStyle(QByteArrayView bytes, TextStyle &style)
{
    if (holds(bytes, escape))
        split(bytes, style, [](QByteArrayView) {});
}

void advanceStyleOverRows(QByteArrayView rows, TextStyle &style)
{
    if (!holds(rows, escape) && !holds(rows, lastOfC1Csi))
        return;
    if (const qsizetype reset = behindLastReset(rows); reset >= 0) { // what came before is of no more matter
        style = {};
        rows = rows.sliced(reset);
    }
    while (!rows.isEmpty()) {
        const qsizetype feed = rows.indexOf('\n');
        const QByteArrayView row = feed < 0 ? rows : rows.first(feed);
        if (holds(row, escape) || holds(row, lastOfC1Csi))
            advanceStyle(TerminalFilter().feed(row.toByteArray()), style);
        rows = feed < 0 ? QByteArrayView() : rows.sliced(feed + 1);
    }
}

} // namespace ym
