// Icons of resources/icons: drawn in black, painted in the palette's colours.
#include "ui/theme.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace ym {

namespace {

QString pathOf(const QByteArray &name)
{
    return QStringLiteral(":/icons/%1.svg").arg(QString::fromLatin1(name));
}

QColor colourFor(QIcon::Mode mode)
{
    const QPalette palette = QApplication::palette();
    switch (mode) {
    case QIcon::Disabled:
        return palette.color(QPalette::Disabled, QPalette::ButtonText);
    case QIcon::Active:
    case QIcon::Selected:
    case QIcon::Normal:
        break;
    }
    return palette.color(QPalette::Active, QPalette::ButtonText);
}

class TintedEngine final : public QIconEngine {
public:
    explicit TintedEngine(QByteArray name)
        : m_name(std::move(name))
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal scale = painter->device()->devicePixelRatio();
        const QPixmap image = scaledPixmap(rect.size() * scale, mode, state, scale);
        painter->drawPixmap(rect, image);
    }
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        return scaledPixmap(size, mode, state, 1.0);
    }
    /// `size` is in device pixels.
    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State, qreal scale) override
    {
        const int edge = qRound(std::min(size.width(), size.height()) / scale);
        return tintedIcon(m_name, colourFor(mode), edge, scale);
    }
    QIconEngine *clone() const override { return new TintedEngine(*this); }

private:
    QByteArray m_name;
};

} // namespace

QIcon themeIcon(const QByteArray &name)
{
    return QFile::exists(pathOf(name)) ? QIcon(new TintedEngine(name)) : QIcon();
}

QPixmap tintedIcon(const QByteArray &name, const QColor &colour, int size, qreal scale)
{
    const QString key = QStringLiteral("ym/%1/%2/%3/%4")
                            .arg(QString::fromLatin1(name), colour.name(QColor::HexArgb), QString::number(size),
                                 QString::number(scale));
    QPixmap image;
    if (QPixmapCache::find(key, &image))
        return image;
    image = QPixmap(QSize(size, size) * scale);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    QSvgRenderer renderer(pathOf(name));
    QPainter painter(&image);
    renderer.render(&painter, QRectF(0, 0, size, size));
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(QRectF(0, 0, size, size), colour);
    painter.end();
    QPixmapCache::insert(key, image);
    return image;
}

QIcon applicationIcon()
{
    return QIcon(QStringLiteral(":/icons/yardmaster.svg"));
}

} // namespace ym
