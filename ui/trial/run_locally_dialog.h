// A job that exists, run again here, beside how it went where it ran.
#pragma once

#include "core/engine/session.h"
#include "models/fixed_lines.h"

#include <QDialog>

class QCheckBox;
class QLineEdit;
class QPushButton;
class QSplitter;
class QTabBar;
class QVBoxLayout;

namespace ym {

class LineView;
class OutputBuffer;
class TextLabel;
class TrialPanel;
class UiSettings;

/// Script and environment are the job's; the values of variables whose names look secret are not: they are asked for, and
/// what the job asks for beyond the defaults is given only when it is ticked. Nothing in the job's store changes. A window
/// of its own, not modal. GUI thread.
class RunLocallyDialog final : public QDialog {
    Q_OBJECT
public:
    /// `limitsOnly` as in RunGrant.
    RunLocallyDialog(Connections *connections, UiSettings *settings, JobDetail detail, bool limitsOnly, QWidget *parent);
    ~RunLocallyDialog() override;

    void run();
    TrialPanel *panel() const { return m_panel; }

private:
    QWidget *makeQuestions();
    QWidget *makeOriginal();
    QWidget *makeComparison();
    Job jobToRun() const;
    void showEnd(const Execution &execution);
    void showFacts();
    void showTab(int index);

    UiSettings *m_settings;
    JobDetail m_detail;
    bool m_limitsOnly;
    QList<std::pair<QByteArray, QLineEdit *>> m_secrets;
    QCheckBox *m_access = nullptr;
    QPushButton *m_run;
    OutputBuffer *m_original;
    FixedLines *m_difference;
    TrialPanel *m_panel;
    TextLabel *m_verdict;
    QTabBar *m_tabs;
    QWidget *m_beside;
    LineView *m_changes;
};

} // namespace ym
