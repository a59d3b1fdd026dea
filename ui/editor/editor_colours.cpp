#include "ui/editor/editor_colours.h"

namespace ym {

namespace {

using Row = std::array<QRgb, tokenCount>;

// Text, Comment, DocComment, Keyword, Constant, String, Escape, Interpolation, Number, Operator, Function, Action,
// Parameter, Prose. Text and Prose are replaced by the palette's text.
constexpr Row lightRow{0,          0xff68707a, 0xff4f6b5f, 0xff7c3aa8, 0xff9a4600, 0xff177245, 0xff0b6e75,
                       0xff0b6e75, 0xff9a4600, 0xff485261, 0xff1457b8, 0xff1457b8, 0xff8a4b14, 0};
constexpr Row darkRow{0,          0xff8f98a6, 0xff93b5a4, 0xffc99bf2, 0xfff0a868, 0xff9ccc82, 0xff62cfd8,
                      0xff62cfd8, 0xfff0a868, 0xffaeb8c6, 0xff79b4f8, 0xff79b4f8, 0xffe8a679, 0};

QColor blend(const QColor &below, const QColor &above, double share)
{
    const auto mix = [share](int a, int b) { return int(a + (b - a) * share); };
    return QColor(mix(below.red(), above.red()), mix(below.green(), above.green()), mix(below.blue(), above.blue()));
}

} // namespace

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Base).lightness() < 128;
}

EditorColours editorColours(const QPalette &palette)
{
    const bool dark = isDark(palette);
    EditorColours colours;
    colours.paper = palette.color(QPalette::Active, QPalette::Base);
    colours.text = palette.color(QPalette::Active, QPalette::Text);
    colours.margin = blend(colours.paper, colours.text, 0.04);
    colours.marginText = blend(colours.paper, colours.text, 0.5);
    colours.currentLine = blend(colours.paper, colours.text, 0.05);
    colours.selection = palette.color(QPalette::Active, QPalette::Highlight);
    colours.guide = blend(colours.paper, colours.text, 0.18);
    colours.braceMatch = blend(colours.paper, QColor(0x3d, 0x8b, 0xfd), 0.35);
    colours.braceMismatch = blend(colours.paper, QColor(0xe5, 0x48, 0x4d), 0.45);
    colours.problem = dark ? QColor(0xff, 0x7b, 0x72) : QColor(0xc6, 0x28, 0x28);
    colours.problemLine = blend(colours.paper, colours.problem, 0.12);
    colours.chip = QColor(0xf0, 0x8c, 0x1e);
    const Row &row = dark ? darkRow : lightRow;
    for (size_t i = 0; i < row.size(); ++i)
        colours.tokens[i] = row[i] ? QColor::fromRgb(row[i]) : colours.text;
    return colours;
}

} // namespace ym
