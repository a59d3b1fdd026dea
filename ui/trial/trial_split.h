// The script editor with the output of its trial below.
#pragma once

#include "core/engine/session.h"

#include <QSplitter>

namespace ym {

class ScriptEditor;
class TrialPanel;
class UiSettings;

/// The output appears with the first run. An error of the script is marked at its line. GUI thread.
class TrialSplit final : public QSplitter {
    Q_OBJECT
public:
    TrialSplit(ScriptEditor *editor, UiSettings *settings, QWidget *parent);
    ~TrialSplit() override;

    /// `limitsOnly` as in RunGrant.
    void run(Connections *connections, const Job &draft, bool limitsOnly);
    /// Null until the first run.
    TrialPanel *panel() const { return m_panel; }

private:
    void showEnd(const Execution &execution);

    ScriptEditor *m_editor;
    UiSettings *m_settings;
    TrialPanel *m_panel = nullptr;
};

} // namespace ym
