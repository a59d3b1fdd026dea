// Tables whose cells are texts that are there already: what such models answer alike.
#pragma once

#include <QAbstractTableModel>

#include <span>

namespace ym {

/// Answers for texts, tooltips, headings and what a screen reader says; its heirs say what the rows are. Tooltips and
/// texts are plain. GUI thread.
class TextTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    struct Heading {
        const char *title;
        const char *tip = nullptr;
    };

    int rowCount(const QModelIndex &parent = {}) const final;
    int columnCount(const QModelIndex &parent = {}) const final;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const final;

protected:
    /// `headings` outlive the model; they are marked for translation in the context of the model's class.
    TextTableModel(std::span<const Heading> headings, QObject *parent);

    virtual int count() const = 0;
    /// `row` and `column` exist, here and below.
    virtual const QString &cellText(int row, int column) const = 0;
    /// What a tooltip says below the heading.
    virtual QString cellTip(int row, int column) const { return cellText(row, column); }
    /// Any other role.
    virtual QVariant cellData(int row, int column, int role) const = 0;

private:
    QString heading(int column) const;
    QString translated(const char *text) const;

    std::span<const Heading> m_headings;
};

} // namespace ym
