#include "ui/dialogs/connection/key_choice_fields.h"

#include "ui/dialogs/parts/form_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QVBoxLayout>

namespace ym {

KeyChoiceFields::KeyChoiceFields(QWidget *parent)
    : QWidget(parent)
    , m_mode(new QComboBox(this))
    , m_legacy(new QComboBox(this))
    , m_consent(new QCheckBox(tr("&Jobs may run twice where workers of both kinds listen"), this))
{
    m_mode->setObjectName(QStringLiteral("keys"));
    m_mode->addItems({tr("Automatic"), tr("Canonical"), tr("Legacy"), tr("Both (dual, for a migration)")});
    m_legacy->setObjectName(QStringLiteral("legacyQueue"));
    m_legacy->addItems(
        {tr("One for each worker ID"), tr("One for each type"), tr("One for each actor, beside the jobs")});
    m_consent->setObjectName(QStringLiteral("dualConsent"));
    m_modeField = new FormField(tr("Queue ke&ys"), m_mode, this);
    auto *const row = new QHBoxLayout;
    row->setSpacing(10);
    row->addWidget(m_modeField, 1, Qt::AlignTop);
    row->addWidget(new FormField(tr("Le&gacy queues"), m_legacy, this), 1, Qt::AlignTop);
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(row);
    column->addWidget(m_consent);
    connect(m_mode, &QComboBox::currentIndexChanged, this, [this] {
        showCost();
        Q_EMIT edited();
    });
    connect(m_legacy, &QComboBox::currentIndexChanged, this, &KeyChoiceFields::edited);
    connect(m_consent, &QCheckBox::toggled, this, &KeyChoiceFields::edited);
    setChoice({});
    showCost();
}

KeyChoice KeyChoiceFields::choice() const
{
    return {KeyMode(m_mode->currentIndex()), LegacyQueue(m_legacy->currentIndex())};
}

void KeyChoiceFields::setChoice(const KeyChoice &choice)
{
    m_mode->setCurrentIndex(int(choice.mode));
    m_legacy->setCurrentIndex(int(choice.legacy));
    m_consent->setChecked(choice.mode == KeyMode::Dual);
}

QString KeyChoiceFields::problem() const
{
    return choice().mode == KeyMode::Dual && !m_consent->isChecked() ? tr("Tick that jobs may run twice.") : QString();
}

void KeyChoiceFields::showCost()
{
    const KeyMode mode = choice().mode;
    m_modeField->setHint(mode == KeyMode::Auto ? tr("Canonical where a worker is present, else the job's legacy queue.")
                                               : QString());
    m_legacy->setEnabled(mode != KeyMode::Canonical);
    m_consent->setVisible(mode == KeyMode::Dual);
}

} // namespace ym
