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

void Table::measure(const QStringList &cells)
{
    m_widths.resize(std::max(m_widths.size(), cells.size()));
    for (qsizetype column = 0; column < cells.size(); ++column)
        m_widths[column] = std::max(m_widths[column], shownWidth(cells[column]));
}

void Table::printHeadings(Console *console) const
{
    QStringList headings;
    for (const QString &heading : m_headings)
        headings.append(console->heading(heading));
    printRow(console, headings);
}

void Table::printRow(Console *console, const QStringList &cells) const
{
    console->line(joined(cells, m_widths));
}

void Table::print(Console *console) const
{
    printHeadings(console);
    for (const QStringList &row : m_rows)
        printRow(console, row);
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
