// The page of the settings with the interpreter table.
#pragma once

#include "core/engine/session.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QPushButton;
class QTableWidget;

namespace ym {

class InterpreterForm;

/// Every type with its program and whether that was found; the selected one can be changed below. Changes go to
/// Connections when saved. GUI thread.
class InterpretersPage final : public QWidget {
    Q_OBJECT
public:
    explicit InterpretersPage(Connections *connections, QWidget *parent = nullptr);

private:
    void makeTable();
    QLayout *makeButtons();
    void fill();
    void showStatus(int row);
    void examine();
    void takeStatus(const InterpreterStatus &status);
    void select(const QByteArray &type);
    void showSelected();
    void validate();
    void showTrouble();
    void startNew();
    void save();
    void reset();
    QByteArray selectedType() const;

    QPointer<Connections> m_connections;
    QList<InterpreterStatus> m_rows;
    QTableWidget *m_table;
    InterpreterForm *m_form;
    QLabel *m_status;
    QLabel *m_trouble;
    QPushButton *m_save;
    QPushButton *m_revert;
    QPushButton *m_reset;
    bool m_filling = false;
};

} // namespace ym
