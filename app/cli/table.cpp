#include "app/cli/table.h"

#include "core/base/text.h"

#include <QDateTime>

namespace ym::cli {

namespace {

/// Characters on screen, without the colour codes.
qsizetype shownWidth(const QString &cell)
{
    qsizetype width = 0;
    for (qsizetype i = 0; i < cell.size(); ++i) {
        if (cell[i] == u'\x1b')
            i = cell.indexOf(u'm', i);
        else if (!cell[i].isLowSurrogate())
            ++width;
    }
    return width;
}

QString joined(const QStringList &cells, const QList<qsizetype> &widths)
{
    QString line;
    for (qsizetype column = 0; column < cells.size(); ++column) {
        line += cells[column];
        if (column + 1 < cells.size())
            line += QString(widths[column] - shownWidth(cells[column]) + 2, u' ');
    }
    return line;
}

} // namespace

void Table::print(Console *console) const
{
    QStringList headings;
    QList<qsizetype> widths;
    for (const QString &heading : m_headings) {
        headings.append(console->heading(heading));
        widths.append(heading.size());
    }
    for (const QStringList &row : m_rows) {
        for (qsizetype column = 0; column < row.size(); ++column)
            widths[column] = std::max(widths[column], shownWidth(row[column]));
    }
    console->line(joined(headings, widths));
    for (const QStringList &row : m_rows)
        console->line(joined(row, widths));
}

QString shownTime(const std::optional<Timestamp> &when)
{
    if (!when)
        return QStringLiteral("–");
    return QDateTime::fromMSecsSinceEpoch(when->time_since_epoch().count())
        .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString shownCell(const QByteArray &bytes)
{
    return bytes.isEmpty() ? QStringLiteral("–") : shownText(bytes, Lines::Flatten, 60);
}

} // namespace ym::cli
