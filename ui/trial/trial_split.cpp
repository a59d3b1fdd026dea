#include "ui/trial/trial_split.h"

#include "ui/editor/script_editor.h"
#include "ui/trial/script_error.h"
#include "ui/trial/trial_panel.h"
#include "ui/ui_settings.h"

namespace ym {

namespace {

constexpr auto layoutName = "compose/trial";

} // namespace

TrialSplit::TrialSplit(ScriptEditor *editor, UiSettings *settings, QWidget *parent)
    : QSplitter(Qt::Vertical, parent)
    , m_editor(editor)
    , m_settings(settings)
{
    setChildrenCollapsible(false);
    addWidget(editor);
}

TrialSplit::~TrialSplit()
{
    if (m_panel)
        m_settings->setLayout(layoutName, saveState());
}

void TrialSplit::run(Connections *connections, const Job &draft, bool limitsOnly)
{
    if (!m_panel) {
        m_panel = new TrialPanel(connections, m_settings, this);
        m_panel->setMinimumHeight(120);
        addWidget(m_panel);
        setSizes({height() * 3 / 5, height() * 2 / 5});
        restoreState(m_settings->layout(layoutName));
        connect(m_panel, &TrialPanel::ended, this, &TrialSplit::showEnd);
    }
    m_editor->setProblems({});
    m_panel->run(draft, limitsOnly);
}

/// The line that an error names is marked, when the script is still the one that ran.
void TrialSplit::showEnd(const Execution &execution)
{
    const QByteArray script = m_panel->job().script;
    if (execution.fate != Execution::Fate::Failed || script != m_editor->script())
        return;
    const QList<ScriptProblem> problems = scriptErrors(execution.error, script);
    m_editor->setProblems(problems);
    if (!problems.isEmpty())
        m_editor->goToLine(problems.first().line);
}

} // namespace ym
