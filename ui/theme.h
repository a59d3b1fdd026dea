// How Yardmaster looks: palettes for light and dark, distances, state colours, icons, the code font.
#pragma once

#include "core/job/job.h"

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPalette>

class QApplication;

namespace ym {

class SystemScheme;
class UiSettings;

/// The 4 px grid, in device-independent pixels.
namespace space {
inline constexpr int tiny = 4;
inline constexpr int small = 8;
inline constexpr int medium = 12;
inline constexpr int large = 16;
inline constexpr int huge = 24;
inline constexpr int iconSize = 16;
inline constexpr int rowHeight = 28; ///< of every table
inline constexpr int barHeight = 40; ///< of tool rows above a table
} // namespace space

enum class Brightness : quint8 { Light, Dark };

/// Applies style, palette and stylesheet to the application, and again when the setting or the system changes. One per
/// application. GUI thread.
class Theme final : public QObject {
    Q_OBJECT
public:
    Theme(QApplication *application, UiSettings *settings);
    ~Theme() override;

    Brightness brightness() const { return m_brightness; }

private:
    Brightness wanted() const;
    void apply();

    QApplication *m_application;
    UiSettings *m_settings;
    SystemScheme *m_system;
    Brightness m_brightness = Brightness::Light;
};

/// The palette of one brightness. PlaceholderText is the colour of secondary text, Link the accent, Mid the border.
QPalette themePalette(Brightness brightness);
/// What the palette in use is.
Brightness brightnessOf(const QPalette &palette);

/// Colours with a meaning, ≥ 4.5:1 on Window, Base, AlternateBase and Highlight of their brightness.
QColor stateColour(JobState state, const QPalette &palette);
enum class Signal : quint8 { Good, Busy, Warning, Bad, Off };
QColor signalColour(Signal signal, const QPalette &palette);
QColor secondaryColour(const QPalette &palette);
QColor borderColour(const QPalette &palette);
QColor accentColour(const QPalette &palette);

/// Translated, for people: "Queued".
QString stateWord(JobState state);

/// A monochrome icon of resources/icons, painted in the colour of the palette in use, also after it changes.
/// An unknown name gives a null icon.
QIcon themeIcon(const QByteArray &name);
/// The same in one colour.
QPixmap tintedIcon(const QByteArray &name, const QColor &colour, int size, qreal scale);
/// The application's own icon, in colour.
QIcon applicationIcon();

/// The monospaced font of ids, output and scripts, at the size of the application's font.
QFont monoFont();

/// WCAG 2 contrast of two opaque colours, 1 … 21.
double contrast(const QColor &a, const QColor &b);

} // namespace ym
