#include "ui/stylesheet.h"

#include "ui/theme.h"

#include <QFile>

namespace ym {

namespace {

/// The frame of a field: between border and secondary text, so that a field is found at a glance.
QColor fieldBorder(const QPalette &palette)
{
    const QColor a = borderColour(palette), b = secondaryColour(palette);
    return QColor((a.red() * 2 + b.red()) / 3, (a.green() * 2 + b.green()) / 3, (a.blue() * 2 + b.blue()) / 3);
}

} // namespace

QString stylesheet(const QPalette &palette)
{
    QFile file(QStringLiteral(":/themes/window.qss"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString rules = QString::fromUtf8(file.readAll());
    const std::pair<const char *, QColor> names[] = {
        {"@window", palette.color(QPalette::Window)},
        {"@base", palette.color(QPalette::Base)},
        {"@alternate", palette.color(QPalette::AlternateBase)},
        {"@text", palette.color(QPalette::Text)},
        {"@secondary", secondaryColour(palette)},
        {"@faded", palette.color(QPalette::Disabled, QPalette::Text)},
        {"@border", borderColour(palette)},
        {"@field", fieldBorder(palette)},
        {"@button", palette.color(QPalette::Button)},
        {"@highlight", palette.color(QPalette::Highlight)},
        {"@accent", accentColour(palette)},
        {"@onAccent", palette.color(QPalette::BrightText)},
        {"@bad", signalColour(Signal::Bad, palette)},
        {"@tip", palette.color(QPalette::ToolTipBase)},
    };
    // The semicolon ends a name, so that none is the beginning of another.
    for (const auto &[name, colour] : names)
        rules.replace(QLatin1String(name) + QLatin1Char(';'), colour.name() + QLatin1Char(';'));
    return rules;
}

} // namespace ym
