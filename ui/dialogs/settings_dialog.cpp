#include "ui/dialogs/settings_dialog.h"

#include "core/engine/session.h"
#include "ui/dialogs/parts/form_field.h"
#include "ui/dialogs/settings/interpreters_page.h"
#include "ui/editor/script_editor.h"
#include "ui/theme.h"
#include "ui/ui_settings.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QListWidget>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr auto sample =
    "# How a script looks\nimport os\n\nfor name in sorted(os.environ):\n    print(f\"{name} is set\")\n";

QVBoxLayout *pageLayout(QWidget *page)
{
    auto *const column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::medium);
    return column;
}

} // namespace

SettingsDialog::SettingsDialog(Connections *connections, UiSettings *settings, QWidget *parent)
    : QDialog(parent)
    , m_settings(settings)
    , m_list(new QListWidget(this))
    , m_pages(new QStackedWidget(this))
{
    setModal(false);
    setWindowTitle(tr("Settings"));
    m_list->setObjectName(QStringLiteral("pages"));
    m_list->setAccessibleName(tr("Pages"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFixedWidth(180);
    m_list->setStyleSheet(
        QStringLiteral("QListWidget { outline: 0; } QListWidget::item { padding: 0 16px; border: 0; }"
                       "QListWidget::item:selected { background: palette(highlight); color: palette(text); }"));
    addPage(tr("Appearance"), makeAppearance());
    addPage(tr("Interpreters"), new InterpretersPage(connections, this));
    addPage(tr("Behaviour"), makeBehaviour());

    auto *const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setDefault(true);
    auto *const right = new QVBoxLayout;
    right->setContentsMargins(space::huge, space::large, space::large, space::medium);
    right->setSpacing(space::medium);
    right->addWidget(m_pages, 1);
    right->addWidget(buttons);
    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_list);
    row->addLayout(right, 1);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QListWidget::currentRowChanged, m_pages, &QStackedWidget::setCurrentIndex);
    m_list->setCurrentRow(0);
    m_list->setFocus();
    resize(860, 560);
}

void SettingsDialog::showPage(Page page)
{
    m_list->setCurrentRow(int(page));
}

void SettingsDialog::addPage(const QString &title, QWidget *page)
{
    auto *const item = new QListWidgetItem(title, m_list);
    item->setSizeHint(QSize(0, space::rowHeight + space::small));
    m_pages->addWidget(page);
}

QWidget *SettingsDialog::makeAppearance()
{
    auto *const page = new QWidget(this);
    auto *const theme = new QComboBox(page);
    theme->setObjectName(QStringLiteral("theme"));
    theme->addItems({tr("As the desktop"), tr("Light"), tr("Dark")});
    theme->setCurrentIndex(int(m_settings->theme()));
    auto *const size = new QSpinBox(page);
    size->setObjectName(QStringLiteral("fontSize"));
    size->setRange(6, 48);
    size->setSuffix(tr(" pt"));
    size->setValue(m_settings->codeFontSize());
    auto *const preview = new ScriptEditor(page);
    preview->setLanguage("python");
    preview->setScript(sample);
    preview->setFontSize(m_settings->codeFontSize());
    preview->setReadOnly(true);
    preview->setFocusPolicy(Qt::NoFocus);
    auto *const column = pageLayout(page);
    auto *const row = new QHBoxLayout;
    row->setSpacing(space::medium);
    row->addWidget(new FormField(tr("&Theme"), theme, page));
    row->addWidget(new FormField(tr("&Font size of scripts and output"), size, page));
    row->addStretch();
    column->addLayout(row);
    column->addWidget(preview, 1);
    connect(theme, &QComboBox::activated, this, [this](int index) { m_settings->setTheme(ThemeChoice(index)); });
    connect(size, &QSpinBox::valueChanged, m_settings, &UiSettings::setCodeFontSize);
    connect(size, &QSpinBox::valueChanged, preview, &ScriptEditor::setFontSize);
    return page;
}

QWidget *SettingsDialog::makeBehaviour()
{
    struct Choice {
        const char *name;
        QString label;
        bool on;
        void (UiSettings::*set)(bool);
    };
    const Choice choices[]{
        {"notify", tr("&Tell me when a watched job ends"), m_settings->notifiesOfEndedJobs(),
         &UiSettings::setNotifiesOfEndedJobs},
        {"confirm", tr("&Ask before stopping or removing jobs"), m_settings->asksBeforeActions(),
         &UiSettings::setAsksBeforeActions},
        {"startWorker", tr("&Start a local worker with the Local workspace"), m_settings->startsLocalWorker(),
         &UiSettings::setStartsLocalWorker},
        {"wrap", tr("&Wrap long lines of output"), m_settings->wrapsOutput(), &UiSettings::setWrapsOutput},
        {"follow", tr("&Keep the end of running output in sight"), m_settings->followsOutput(),
         &UiSettings::setFollowsOutput},
    };
    auto *const page = new QWidget(this);
    auto *const column = pageLayout(page);
    for (const Choice &choice : choices) {
        auto *const box = new QCheckBox(choice.label, page);
        box->setObjectName(QLatin1String(choice.name));
        box->setChecked(choice.on);
        connect(box, &QCheckBox::toggled, m_settings, choice.set);
        column->addWidget(box);
    }
    column->addWidget(
        dimLabel(tr("Jobs of a production connection are never stopped or removed without asking."), page));
    column->addStretch();
    return page;
}

} // namespace ym
