// Pictures of windows in both themes and in two sizes.
#pragma once

#include "tests/support/window_fixture.h"

#include <QDir>
#include <QImage>

namespace ym::test {

struct Variant {
    QSize size;
    ThemeChoice theme;
    QString suffix() const
    {
        return QStringLiteral("%1-%2").arg(QString::number(size.width()),
                                           theme == ThemeChoice::Dark ? QStringLiteral("dark")
                                                                      : QStringLiteral("light"));
    }
};

inline const Variant variants[] = {{{1280, 800}, ThemeChoice::Light},
                            {{1280, 800}, ThemeChoice::Dark},
                            {{1920, 1080}, ThemeChoice::Light},
                            {{1920, 1080}, ThemeChoice::Dark}};

/// Saves it when pictures are wanted; true when the picture is no single colour.
inline bool shoot(QWidget *window, const QString &name)
{
    WindowFixture::settle();
    const QImage image = window->grab().toImage();
    const QString folder = qEnvironmentVariable("YM_SHOTS");
    if (!folder.isEmpty())
        image.save(QDir(folder).filePath(name + QStringLiteral(".png")));
    const QRgb first = image.pixel(0, 0);
    for (int y = 0; y < image.height(); y += 7) {
        for (int x = 0; x < image.width(); x += 7) {
            if (image.pixel(x, y) != first)
                return true;
        }
    }
    return false;
}

} // namespace ym::test
