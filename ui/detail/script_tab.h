// The script of a job, coloured, to read.
#pragma once

#include "ui/detail/detail_tab.h"

namespace ym {

class CutBar;
class EmptyState;
class LineView;
class ScriptEditor;
class UiSettings;

/// GUI thread.
class ScriptTab final : public DetailTab {
    Q_OBJECT
public:
    explicit ScriptTab(UiSettings *settings, QWidget *parent = nullptr);

    QByteArray name() const override { return "script"; }
    void show(const JobDetail &detail) override;
    void clear() override;

private:
    void showScript(const QByteArray &script);

    CutBar *m_cut;
    ScriptEditor *m_editor;
    EmptyState *m_empty; ///< instead of a script that is not there
    LineView *m_plain; ///< of what is too large for the editor, without its colours
    QByteArray m_jobId;
    QByteArray m_stored;
};

} // namespace ym
