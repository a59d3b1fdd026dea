#include "models/text_table_model.h"

#include "models/cell_text.h"

#include <QCoreApplication>

namespace ym {

TextTableModel::TextTableModel(std::span<const Heading> headings, QObject *parent)
    : QAbstractTableModel(parent)
    , m_headings(headings)
{
}

QString TextTableModel::translated(const char *text) const
{
    return text ? QCoreApplication::translate(metaObject()->className(), text) : QString();
}

QString TextTableModel::heading(int column) const
{
    return translated(m_headings[size_t(column)].title);
}

int TextTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : count();
}

int TextTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_headings.size());
}

QVariant TextTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return cellText(index.row(), index.column());
    case Qt::ToolTipRole:
        return plainToolTip(heading(index.column()), cellTip(index.row(), index.column()));
    case Qt::AccessibleTextRole:
        return tr("%1: %2").arg(heading(index.column()), cellText(index.row(), index.column()));
    default:
        return cellData(index.row(), index.column(), role);
    }
}

QVariant TextTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::DisplayRole)
        return heading(section);
    const char *const tip = m_headings[size_t(section)].tip;
    return role == Qt::ToolTipRole && tip ? QVariant(translated(tip)) : QVariant();
}

} // namespace ym
