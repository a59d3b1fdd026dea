#include "ui/detail/script_tab.h"

#include "ui/connection_models.h"
#include "ui/detail/cut_bar.h"
#include "ui/editor/script_editor.h"
#include "ui/ui_settings.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/line_view.h"

#include <QVBoxLayout>

namespace ym {

ScriptTab::ScriptTab(UiSettings *settings, QWidget *parent)
    : DetailTab(parent)
    , m_cut(new CutBar(this))
    , m_editor(new ScriptEditor(this))
    , m_empty(new EmptyState(this))
    , m_plain(new LineView(this))
{
    m_editor->setReadOnly(true);
    const auto followFont = [this, settings] { m_editor->setFontSize(settings->codeFontSize()); };
    connect(settings, &UiSettings::changed, this, followFont);
    followFont();
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_cut);
    layout->addWidget(m_editor, 1);
    layout->addWidget(m_plain, 1);
    layout->addWidget(m_empty, 1);
    m_plain->setObjectName(QStringLiteral("plainScript"));
    m_plain->setAccessibleName(tr("Script"));
    m_plain->setFollowing(false);
    m_plain->hide();
    m_empty->hide();
    connect(m_cut, &CutBar::loaded, this, [this](const QByteArray &id, const QByteArray &, const QByteArray &bytes) {
        if (id == m_jobId)
            showScript(bytes);
    });
    connect(m_cut, &CutBar::failed, this, &ScriptTab::failed);
}

void ScriptTab::show(const JobDetail &detail)
{
    const Job &job = detail.job;
    if (job.id == m_jobId && job.script == m_stored)
        return;
    m_jobId = job.id;
    m_stored = job.script;
    m_editor->setLanguage(job.target.type);
    const bool isStored = std::any_of(job.raw.begin(), job.raw.end(), [](const auto &field) { return field.first == "script"; });
    m_empty->show({"script",
                   tr("No script"),
                   isStored ? tr("The field “script” of this job's record is empty: there is nothing to run.")
                            : tr("This job's record has no field “script”: there is nothing to run."),
                   {},
                   {}});
    showScript(job.script);
    const auto cut = detail.fullSize.constFind("script");
    if (cut == detail.fullSize.cend())
        m_cut->withdraw();
    else
        m_cut->offer(models()->session(), job.id, "script", job.script.size(), *cut);
}

void ScriptTab::showScript(const QByteArray &script)
{
    const bool isMissing = script.isEmpty() && !m_jobId.isEmpty();
    const bool isForEditor = script.size() <= CodeView::maxBytes && longestLine(script) <= mostInALine;
    m_empty->setVisible(isMissing);
    m_editor->setVisible(isForEditor && !isMissing);
    m_plain->setVisible(!isForEditor);
    m_editor->setScript(isForEditor ? script : QByteArray());
    m_plain->setBytes(isForEditor ? QByteArray() : script);
}

void ScriptTab::clear()
{
    m_jobId.clear();
    m_stored.clear();
    showScript({});
    m_cut->withdraw();
}

} // namespace ym
