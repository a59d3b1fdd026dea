// The runs of a job, one row each, and what the selected one has written.
#pragma once

#include "ui/detail/detail_tab.h"

class QLabel;
class QStackedLayout;

namespace ym {

class AttemptModel;
class FieldGrid;
class LineView;
class TableView;
class TextLabel;
class UiSettings;

/// GUI thread.
class AttemptsTab final : public DetailTab {
    Q_OBJECT
public:
    AttemptsTab(UiSettings *settings, QWidget *parent = nullptr);

    QByteArray name() const override { return "attempts"; }
    void show(const JobDetail &detail) override;
    void clear() override;

private:
    void showRun();

    QByteArray m_id;
    AttemptModel *m_model;
    TableView *m_table;
    TextLabel *m_title;
    LineView *m_text;
    TextLabel *m_empty;
    QStackedLayout *m_stack;
};

} // namespace ym
