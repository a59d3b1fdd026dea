// The look and keys that all our tables share; remembers columns, widths and sorting.
#pragma once

#include <QTableView>
#include <QTimer>

namespace ym {

class UiSettings;

/// Rows of fixed height, the first one always shown whole; whole rows selected; a menu on the header to choose columns.
/// Tab leaves the table. GUI thread.
class TableView : public QTableView {
    Q_OBJECT
public:
    /// `name` is the settings' name for the header: "jobs". Null settings: nothing is remembered.
    TableView(QByteArray name, UiSettings *settings, QWidget *parent);
    ~TableView() override;

    /// Sets it with the columns as remembered, else as `arrange` leaves them. The previous model's selection model is
    /// deleted.
    void show(QAbstractItemModel *model);

    /// Text of the selected rows' cells, tab separated, for the clipboard.
    void copySelection() const;

Q_SIGNALS:
    /// Enter or a double click.
    void rowActivated(int row);
    void currentRowChanged(int row);
    void selectionMoved();

protected:
    /// Which columns are shown, how wide, sorted by what, before anybody changed it. Called with the model set.
    virtual void arrange() { }
    /// Columns of numbers and ages: their heading stands at the right like their cells.
    virtual bool isRightAligned(int section) const
    {
        Q_UNUSED(section);
        return false;
    }
    void keyPressEvent(QKeyEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    class Header;

    void showHeaderMenu(const QPoint &position);
    void remember();
    QByteArray layoutName() const;

    QByteArray m_name;
    UiSettings *m_settings;
    QTimer m_remember;
    bool m_isArranging = false;
};

} // namespace ym
