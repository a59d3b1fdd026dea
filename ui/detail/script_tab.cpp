#include "ui/detail/script_tab.h"

#include "ui/connection_models.h"
#include "ui/detail/cut_bar.h"
#include "ui/editor/script_editor.h"
#include "ui/ui_settings.h"

#include <QVBoxLayout>

namespace ym {

ScriptTab::ScriptTab(UiSettings *settings, QWidget *parent)
    : DetailTab(parent)
    , m_cut(new CutBar(this))
    , m_editor(new ScriptEditor(this))
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
    connect(m_cut, &CutBar::loaded, this, [this](const QByteArray &id, const QByteArray &, const QByteArray &bytes) {
        if (id == m_jobId)
            m_editor->setScript(bytes);
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
    m_editor->setScript(job.script);
    const auto cut = detail.fullSize.constFind("script");
    if (cut == detail.fullSize.cend())
        m_cut->withdraw();
    else
        m_cut->offer(models()->session(), job.id, "script", job.script.size(), *cut);
}

void ScriptTab::clear()
{
    m_jobId.clear();
    m_stored.clear();
    m_editor->setScript({});
    m_cut->withdraw();
}

} // namespace ym
