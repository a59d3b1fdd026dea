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

/// A square picture in its own colours.
QPixmap drawn(const QByteArray &name, int size, qreal scale)
{
    QPixmap image(QSize(size, size) * scale);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    QSvgRenderer renderer(pathOf(name));
    QPainter painter(&image);
    renderer.render(&painter, QRectF(0, 0, size, size));
    return image;
}

/// Draws when something is painted, in the size that is painted.
class SvgEngine : public QIconEngine {
public:
    explicit SvgEngine(QByteArray name)
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
        return image(qRound(std::min(size.width(), size.height()) / scale), mode, scale);
    }
    QIconEngine *clone() const override { return new SvgEngine(*this); }

protected:
    virtual QPixmap image(int edge, QIcon::Mode, qreal scale) const { return drawn(m_name, edge, scale); }

    QByteArray m_name;
};

class TintedEngine final : public SvgEngine {
public:
    using SvgEngine::SvgEngine;

    QIconEngine *clone() const override { return new TintedEngine(*this); }

protected:
    QPixmap image(int edge, QIcon::Mode mode, qreal scale) const override
    {
        return tintedIcon(m_name, colourFor(mode), edge, scale);
    }
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
    image = drawn(name, size, scale);
    QPainter painter(&image);
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(QRectF(0, 0, size, size), colour);
    painter.end();
    QPixmapCache::insert(key, image);
    return image;
}

QIcon applicationIcon()
{
    return QIcon(new SvgEngine("yardmaster"));
}

} // namespace ym
