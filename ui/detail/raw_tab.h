// Every field of a job as it is stored, and the whole value of the one that is selected.
#pragma once

#include "ui/detail/detail_tab.h"

class QFrame;
class QPushButton;
class QStackedLayout;

namespace ym {

class CutBar;
class EmptyState;
class JobFieldsModel;
class LineView;
class TableView;
class TextLabel;
class UiSettings;

/// GUI thread.
class RawTab final : public DetailTab {
    Q_OBJECT
public:
    RawTab(UiSettings *settings, QWidget *parent = nullptr);

    QByteArray name() const override { return "raw"; }
    void show(const JobDetail &detail) override;
    void clear() override;

private:
    void makeSecretBar();
    void showValue();

    JobFieldsModel *m_model;
    TableView *m_table;
    CutBar *m_cut;
    QFrame *m_secret; ///< says that something is hidden, and shows it
    TextLabel *m_secretText = nullptr;
    QPushButton *m_reveal = nullptr;
    LineView *m_value;
    EmptyState *m_empty; ///< instead of the table when there are no fields
    QStackedLayout *m_stack;
    QByteArray m_field;
    QByteArray m_bytes;
};

} // namespace ym
