#include "models/cell_text.h"

#include "core/base/text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace ym {

namespace {

constexpr qsizetype longestTip = 2000;
constexpr qsizetype shownIds = 3;

} // namespace

QString plainToolTip(const QString &title, const QString &value)
{
    if (value.isEmpty())
        return {};
    return title + u'\n' + (value.size() > longestTip ? value.left(longestTip) + u'…' : value);
}

QString shortIds(const QList<QByteArray> &ids)
{
    QStringList texts;
    for (const QByteArray &id : ids.mid(0, shownIds))
        texts.append(shortId(id));
    const QString shown = texts.join(QStringLiteral(", "));
    const int more = int(ids.size() - texts.size());
    return more > 0 ? QCoreApplication::translate("ym::CellText", "%1 and %n more", nullptr, more).arg(shown) : shown;
}

QString progressText(const JobProgress &progress)
{
    const QLocale locale;
    const QString numbers = QCoreApplication::translate("ym::CellText", "%1 of %2")
                                .arg(locale.toString(progress.done), locale.toString(progress.total));
    return progress.text.isEmpty() ? numbers : numbers + QStringLiteral(" · ") + shownText(progress.text);
}

QString sizeText(qint64 bytes)
{
    if (bytes == 1)
        return QCoreApplication::translate("ym::CellText", "1 byte");
    return QLocale().formattedDataSize(bytes, bytes < 10240 ? 1 : 0, QLocale::DataSizeIecFormat);
}

} // namespace ym
