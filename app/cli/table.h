// Aligned columns for a terminal.
#pragma once

#include "app/cli/console.h"

#include <QList>
#include <QStringList>

namespace ym::cli {

/// Collects rows, then prints them under their headings; each column as wide as its widest cell, the last one open.
/// Cells are text that is already fit to show; colour codes in them do not count.
class Table {
public:
    explicit Table(QStringList headings)
        : m_headings(std::move(headings))
    {
        measure(m_headings);
    }

    void add(QStringList cells)
    {
        measure(cells);
        m_rows.append(std::move(cells));
    }
    bool isEmpty() const { return m_rows.isEmpty(); }
    void print(Console *console) const;

    /// For who makes the cells twice instead of keeping them all: measure every row, then print them.
    void measure(const QStringList &cells);
    void printHeadings(Console *console) const;
    void printRow(Console *console, const QStringList &cells) const;

private:
    QStringList m_headings;
    QList<qsizetype> m_widths;
    QList<QStringList> m_rows;
};

/// Local time for people, seconds; "–" when unknown.
QString shownTime(const std::optional<Timestamp> &when);
/// A byte value as a cell: one line, at most 60 characters, "–" when empty.
QString shownCell(const QByteArray &bytes);

} // namespace ym::cli
