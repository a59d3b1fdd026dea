#include "ui/widgets/text_colours.h"

#include "ui/theme.h"

#include <array>

namespace ym {

namespace {

// black, red, green, yellow, blue, magenta, cyan, white, then the bright ones.
constexpr std::array<std::array<QRgb, 16>, 2> named{{
    {0xff1b1f24, 0xffb0241c, 0xff1a6b39, 0xff855000, 0xff1f5fc0, 0xff8c1d8a, 0xff0b6673, 0xff57606c, 0xff68707a,
     0xffd0342c, 0xff1f8a47, 0xff9a6400, 0xff2f78e8, 0xffa832a4, 0xff0e7f8f, 0xff3a4048},
    {0xff6b7480, 0xffff8a80, 0xff74d394, 0xfff0b95c, 0xff8cbcff, 0xffe09bf0, 0xff6fd0de, 0xffcfd5dc, 0xff98a2ae,
     0xffffaaa2, 0xff98e6b2, 0xffffd58a, 0xffb0d2ff, 0xfff0bcfa, 0xff9be4ee, 0xffffffff},
}};
// As backgrounds.
constexpr std::array<std::array<QRgb, 16>, 2> namedBehind{{
    {0xffc9ced5, 0xfff7c9c5, 0xffc4e8d0, 0xfff5e0b0, 0xffcbdffb, 0xffefcdf0, 0xffc3e7ec, 0xffe9ecf0, 0xffb4bac3,
     0xfff3a9a3, 0xff9fdcb4, 0xffefcd80, 0xffa9caf8, 0xffe3aee6, 0xff9adbe3, 0xfff4f5f7},
    {0xff0e1013, 0xff6b2420, 0xff1d4f30, 0xff5f4310, 0xff244a80, 0xff5c2a66, 0xff17505a, 0xff4b535d, 0xff383e46,
     0xff8a2f2a, 0xff27693f, 0xff7a5715, 0xff2f5fa3, 0xff753682, 0xff1f6672, 0xff6b7480},
}};

QColor indexed(quint32 index, const std::array<QRgb, 16> &first)
{
    if (index < 16)
        return QColor::fromRgb(first[index]);
    if (index >= 232) {
        const int grey = 8 + int(index - 232) * 10;
        return {grey, grey, grey};
    }
    constexpr std::array<int, 6> steps{0, 95, 135, 175, 215, 255};
    const quint32 cube = index - 16;
    return {steps[cube / 36], steps[cube / 6 % 6], steps[cube % 6]};
}

QColor resolved(const TextColour &colour, const std::array<QRgb, 16> &first, const QColor &plain)
{
    switch (colour.kind) {
    case TextColour::Kind::Default:
        return plain;
    case TextColour::Kind::Indexed:
        return indexed(colour.value, first);
    case TextColour::Kind::Rgb:
        return QColor::fromRgb(QRgb(colour.value | 0xff000000));
    }
    return plain;
}

QColor mixed(const QColor &a, const QColor &b, double share)
{
    const auto mix = [share](int x, int y) { return int(x + (y - x) * share); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

QColor readable(const QColor &colour, const QColor &behind)
{
    constexpr double least = 3;
    const QColor white(Qt::white), black(Qt::black);
    const QColor far = contrast(white, behind) > contrast(black, behind) ? white : black;
    for (const double share : {0.0, 0.25, 0.5, 0.75}) {
        const QColor tried = mixed(colour, far, share);
        if (contrast(tried, behind) >= least)
            return tried;
    }
    return far;
}

} // namespace

TextPaint textPaint(const TextStyle &style, const QColor &plain, const QPalette &palette)
{
    const auto brightness = size_t(brightnessOf(palette));
    const QColor base = palette.color(QPalette::Base);
    QColor front = resolved(style.foreground, named[brightness], plain);
    QColor behind = resolved(style.background, namedBehind[brightness], QColor());
    if (style.isInverse)
        std::tie(front, behind) = std::pair(behind.isValid() ? behind : base, front);
    if (style.isFaint)
        front = mixed(front, behind.isValid() ? behind : base, 0.35);
    return {readable(front, behind.isValid() ? behind : base), behind};
}

} // namespace ym
