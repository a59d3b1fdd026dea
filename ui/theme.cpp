#include "ui/theme.h"

#include "ui/editor/code_view.h"
#include "ui/stylesheet.h"
#include "ui/system_scheme.h"
#include "ui/ui_settings.h"
#include "ui/window_style.h"

#include <QApplication>

#include <array>
#include <cmath>

namespace ym {

namespace {

struct Colours {
    const char *window, *base, *alternate, *text, *secondary, *border, *button, *highlight, *accent, *onAccent, *tip;
};

constexpr std::array<Colours, 2> colours{{
    {"#f4f5f7", "#ffffff", "#f9fafb", "#1b1f24", "#57606c", "#d9dde3", "#ffffff", "#d8e6fb", "#1f5fc0", "#ffffff",
     "#2a2f36"},
    {"#191c20", "#1f2327", "#23272c", "#e3e6ea", "#a3adb9", "#383e46", "#2a2f35", "#2b3f5f", "#86b6ff", "#10151c",
     "#343a42"},
}};

/// Light, dark; each checked against every background of its brightness by the theme's test.
using Pair = std::array<const char *, 2>;
constexpr std::array<Pair, jobStateCount> stateColours{{
    {"#57606c", "#a9b3bf"}, // Unknown
    {"#6a3fc0", "#c4adff"}, // Waiting
    {"#0b6673", "#6fd0de"}, // Scheduled
    {"#855000", "#f0b95c"}, // Queued
    {"#1f5fc0", "#8cbcff"}, // Running
    {"#1a6b39", "#74d394"}, // Finished
    {"#b0241c", "#ff9d94"}, // Failed
    {"#8c1d5a", "#f59bc8"}, // Dead
    {"#334155", "#cbd5e1"}, // Lost
}};
constexpr std::array<Pair, 5> signalColours{{
    {"#1a6b39", "#74d394"},
    {"#1f5fc0", "#8cbcff"},
    {"#855000", "#f0b95c"},
    {"#b0241c", "#ff9d94"},
    {"#57606c", "#a9b3bf"},
}};

double linear(double channel)
{
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &colour)
{
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

QColor ofPair(const Pair &pair, const QPalette &palette)
{
    return QColor(QLatin1String(pair[size_t(brightnessOf(palette))]));
}

QColor blended(const QColor &front, const QColor &back, double share)
{
    const auto mix = [share](float a, float b) { return float(a * share + b * (1 - share)); };
    return QColor::fromRgbF(mix(front.redF(), back.redF()), mix(front.greenF(), back.greenF()),
                            mix(front.blueF(), back.blueF()));
}

} // namespace

QPalette themePalette(Brightness brightness)
{
    const Colours &c = colours[size_t(brightness)];
    const auto colour = [](const char *name) { return QColor(QLatin1String(name)); };
    QPalette palette;
    const std::pair<QPalette::ColorRole, QColor> roles[] = {
        {QPalette::Window, colour(c.window)},
        {QPalette::WindowText, colour(c.text)},
        {QPalette::Base, colour(c.base)},
        {QPalette::AlternateBase, colour(c.alternate)},
        {QPalette::Text, colour(c.text)},
        {QPalette::PlaceholderText, colour(c.secondary)},
        {QPalette::Button, colour(c.button)},
        {QPalette::ButtonText, colour(c.text)},
        {QPalette::BrightText, colour(c.onAccent)},
        {QPalette::Highlight, colour(c.highlight)},
        {QPalette::HighlightedText, colour(c.text)},
        {QPalette::Link, colour(c.accent)},
        {QPalette::LinkVisited, colour(c.accent)},
        {QPalette::ToolTipBase, colour(c.tip)},
        {QPalette::ToolTipText, QColor(QStringLiteral("#f2f4f6"))},
        {QPalette::Mid, colour(c.border)},
        {QPalette::Midlight, colour(c.border)},
        {QPalette::Light, colour(c.base)},
        {QPalette::Dark, colour(c.border)},
        {QPalette::Shadow, brightness == Brightness::Dark ? QColor(Qt::black) : QColor(QStringLiteral("#8b939d"))},
    };
    for (const auto &[role, value] : roles)
        palette.setColor(role, value);
    const QColor faded = blended(colour(c.text), colour(c.window), 0.42);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, faded);
    palette.setColor(QPalette::Disabled, QPalette::Button, colour(c.window));
    palette.setColor(QPalette::Disabled, QPalette::Base, colour(c.window));
    palette.setColor(QPalette::Inactive, QPalette::Highlight, blended(colour(c.highlight), colour(c.base), 0.7));
    return palette;
}

Brightness brightnessOf(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < 128 ? Brightness::Dark : Brightness::Light;
}

QColor stateColour(JobState state, const QPalette &palette)
{
    return ofPair(stateColours[size_t(state)], palette);
}

QColor signalColour(Signal signal, const QPalette &palette)
{
    return ofPair(signalColours[size_t(signal)], palette);
}

QColor secondaryColour(const QPalette &palette)
{
    return palette.color(QPalette::PlaceholderText);
}

QColor borderColour(const QPalette &palette)
{
    return palette.color(QPalette::Mid);
}

QColor accentColour(const QPalette &palette)
{
    return palette.color(QPalette::Link);
}

QString stateWord(JobState state)
{
    switch (state) {
    case JobState::Unknown:
        return Theme::tr("Unknown");
    case JobState::Waiting:
        return Theme::tr("Waiting");
    case JobState::Scheduled:
        return Theme::tr("Scheduled");
    case JobState::Queued:
        return Theme::tr("Queued");
    case JobState::Running:
        return Theme::tr("Running");
    case JobState::Finished:
        return Theme::tr("Finished");
    case JobState::Failed:
        return Theme::tr("Failed");
    case JobState::Dead:
        return Theme::tr("Dead");
    case JobState::Lost:
        return Theme::tr("Lost");
    }
    return {};
}

QFont monoFont()
{
    const int points = QApplication::font().pointSize();
    return codeFont(points > 0 ? points : 10);
}

double contrast(const QColor &a, const QColor &b)
{
    const double one = luminance(a);
    const double other = luminance(b);
    const double lighter = std::max(one, other);
    const double darker = std::min(one, other);
    return (lighter + 0.05) / (darker + 0.05);
}

Theme::Theme(QApplication *application, UiSettings *settings)
    : QObject(application)
    , m_application(application)
    , m_settings(settings)
    , m_system(new SystemScheme(this))
{
    application->setStyle(new WindowStyle);
    connect(m_system, &SystemScheme::changed, this, &Theme::apply);
    connect(settings, &UiSettings::themeChanged, this, &Theme::apply);
    apply();
}

Theme::~Theme() = default;

Brightness Theme::wanted() const
{
    switch (m_settings->theme()) {
    case ThemeChoice::System:
        return m_system->brightness();
    case ThemeChoice::Light:
        return Brightness::Light;
    case ThemeChoice::Dark:
        return Brightness::Dark;
    }
    return Brightness::Light;
}

void Theme::apply()
{
    m_brightness = wanted();
    const QPalette palette = themePalette(m_brightness);
    m_application->setPalette(palette);
    m_application->setStyleSheet(stylesheet(palette));
}

} // namespace ym
