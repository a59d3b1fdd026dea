// The environment of a job: the table, its keys and its buttons.
#pragma once

#include "ui/dialogs/compose/environment_model.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;

namespace ym {

/// Ctrl+V takes KEY=VALUE lines, Delete removes the selected rows. GUI thread.
class EnvironmentTable final : public QWidget {
    Q_OBJECT
public:
    explicit EnvironmentTable(QWidget *parent = nullptr);

    QList<ByteField> variables() const { return m_model->variables(); }
    void setVariables(const QList<ByteField> &variables);

Q_SIGNALS:
    void edited();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QPushButton *button(const QString &text, const char *name);
    void paste();
    void addRow();
    void removeSelected();
    void fitHeight();

    EnvironmentModel *m_model;
    QTableView *m_view;
    QLabel *m_note;
};

} // namespace ym
