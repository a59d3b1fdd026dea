#include "ui/dialogs/compose/target_fields.h"

#include "core/base/relative_time.h"
#include "core/base/text.h"
#include "models/presence_index.h"
#include "ui/dialogs/parts/detail_delegate.h"
#include "ui/dialogs/parts/form_field.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QGridLayout>
#include <QLineEdit>

namespace ym {

namespace {

constexpr int longestPart = 200;

struct Choice {
    QString text;
    QString detail;
};

/// Replaces the list of an editable combo box and leaves what is typed alone.
void fill(QComboBox *combo, const QList<Choice> &choices)
{
    const QSignalBlocker quiet(combo);
    const QString typed = combo->currentText();
    combo->clear();
    for (const Choice &choice : choices) {
        combo->addItem(choice.text);
        combo->setItemData(combo->count() - 1, choice.detail, DetailDelegate::detailRole);
    }
    combo->setCurrentIndex(-1);
    combo->setEditText(typed);
}

QString heartbeat(const WorkerInfo &worker)
{
    const QString host = worker.local ? TargetFields::tr("here") : shownText(worker.hostname, Lines::Flatten, 30);
    if (!worker.lastHeartbeat)
        return host;
    return TargetFields::tr("%1, heartbeat %2")
        .arg(host, agoText(*worker.lastHeartbeat, Clock::system().now()).trimmed());
}

QString interpreterDetail(const InterpreterStatus &status)
{
    return status.found ? status.path : TargetFields::tr("not installed here");
}

} // namespace

TargetFields::TargetFields(const Capabilities &capabilities, QWidget *parent)
    : QWidget(parent)
    , m_type(makeCombo("type"))
    , m_group(makeCombo("group"))
    , m_instance(makeCombo("instance"))
    , m_priority(new QComboBox(this))
    , m_keys(new QComboBox(this))
    , m_worker(new QLineEdit(this))
{
    auto *const grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(10);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    for (const TargetField &field : capabilities.targetFields)
        makeField(field, capabilities.can(Capability::Priority));
    for (QComboBox *combo : {m_type, m_group, m_instance})
        combo->setHidden(combo->parentWidget() == this);
    m_priority->setObjectName(QStringLiteral("priority"));
    m_priority->addItems({tr("First"), tr("Normal"), tr("Last")});
    m_priority->setCurrentIndex(1);
    connect(m_priority, &QComboBox::currentIndexChanged, this, &TargetFields::edited);
    if (capabilities.can(Capability::Priority)) {
        m_fields.insert("priority", new FormField(tr("&Priority"), m_priority, this));
        grid->addWidget(m_fields.value("priority"), 0, 1, Qt::AlignTop);
    }
    m_priority->setVisible(capabilities.can(Capability::Priority));
    makeKeyFields(capabilities);
    connect(m_type, &QComboBox::editTextChanged, this, &TargetFields::followType);
    connect(m_group, &QComboBox::editTextChanged, this, [this] {
        fillInstances();
        Q_EMIT edited();
    });
    connect(m_instance, &QComboBox::editTextChanged, this, &TargetFields::edited);
}

QComboBox *TargetFields::makeCombo(const char *name)
{
    auto *const combo = new QComboBox(this);
    combo->setObjectName(QLatin1String(name));
    combo->setEditable(true);
    combo->setInsertPolicy(QComboBox::NoInsert);
    combo->lineEdit()->setMaxLength(longestPart);
    combo->view()->setItemDelegate(new DetailDelegate(combo));
    combo->completer()->setCompletionMode(QCompleter::PopupCompletion);
    combo->completer()->popup()->setItemDelegate(new DetailDelegate(combo));
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(12);
    return combo;
}

/// The third row: which family of queue keys, and the worker that legacy queues are named after.
void TargetFields::makeKeyFields(const Capabilities &capabilities)
{
    m_keys->setObjectName(QStringLiteral("keys"));
    m_keys->addItems({tr("As the connection"), tr("Automatic"), tr("Canonical"), tr("Legacy"), tr("Both (dual)")});
    m_worker->setObjectName(QStringLiteral("worker"));
    m_worker->setMaxLength(longestPart);
    auto *const grid = static_cast<QGridLayout *>(layout());
    if (capabilities.can(Capability::KeyModes)) {
        m_fields.insert("keys", new FormField(tr("Queue ke&ys"), m_keys, this));
        grid->addWidget(m_fields.value("keys"), 2, 0, Qt::AlignTop);
        for (const TargetField &field : capabilities.targetFields) {
            if (field.name != "worker")
                continue;
            m_worker->setPlaceholderText(tr("none"));
            m_worker->setToolTip(field.hint);
            m_fields.insert("worker", new FormField(tr("&Worker ID"), m_worker, this));
            grid->addWidget(m_fields.value("worker"), 2, 1, Qt::AlignTop);
        }
    }
    m_keys->setVisible(m_fields.contains("keys"));
    m_worker->setVisible(m_fields.contains("worker"));
    connect(m_keys, &QComboBox::currentIndexChanged, this, [this] {
        const bool isDual = target().keys == KeyMode::Dual;
        if (FormField *const field = m_fields.value("keys"))
            field->setHint(isDual ? tr("May run twice where workers of both kinds listen.") : QString());
        Q_EMIT edited();
    });
    connect(m_worker, &QLineEdit::textChanged, this, &TargetFields::edited);
}

/// Type and priority in the first row, group and instance in the second.
void TargetFields::makeField(const TargetField &field, bool withPriority)
{
    struct Known {
        const char *name;
        QComboBox *combo;
        QString label;
        QRect cell; ///< column, row, columns, rows
    };
    const Known known[]{{"type", m_type, tr("&Type"), QRect(0, 0, withPriority ? 1 : 2, 1)},
                        {"group", m_group, tr("&Group"), QRect(0, 1, 1, 1)},
                        {"instance", m_instance, tr("&Instance"), QRect(1, 1, 1, 1)}};
    for (const Known &each : known) {
        if (field.name != each.name)
            continue;
        const bool ours = field.label.isEmpty() || QString(each.label).remove(u'&') == field.label;
        auto *const form = new FormField(ours ? each.label : field.label, each.combo, this);
        // A whole sentence has no room in half a column.
        each.combo->lineEdit()->setPlaceholderText(field.required ? field.hint : tr("any"));
        each.combo->setToolTip(field.hint);
        m_fields.insert(field.name, form);
        static_cast<QGridLayout *>(layout())->addWidget(form, each.cell.y(), each.cell.x(), each.cell.height(),
                                                        each.cell.width(), Qt::AlignTop);
    }
}

void TargetFields::setInterpreters(const QList<InterpreterStatus> &interpreters)
{
    m_interpreters = interpreters;
    fillAll();
}

void TargetFields::setPresence(PresenceIndex *presence)
{
    if (m_presence)
        m_presence->disconnect(this);
    m_presence = presence;
    connect(presence, &PresenceIndex::changed, this, &TargetFields::fillAll);
    fillAll();
}

void TargetFields::fillAll()
{
    for (const QComboBox *combo : {m_type, m_group, m_instance}) {
        if (combo->view()->isVisible())
            return; // a list must not change under the pointer
    }
    fillTypes();
    fillGroups();
    fillInstances();
}

void TargetFields::fillTypes()
{
    QList<Choice> choices;
    QStringList live = m_presence ? m_presence->types() : QStringList();
    for (const InterpreterStatus &status : m_interpreters) {
        const QString type = QString::fromUtf8(status.interpreter.type);
        const QString listening = live.removeAll(type) > 0 ? tr("workers listen") : QString();
        choices.append({type, listening.isEmpty() ? interpreterDetail(status) : listening});
    }
    for (const QString &type : live)
        choices.append({type, tr("workers listen")});
    fill(m_type, choices);
}

void TargetFields::fillGroups()
{
    QList<Choice> choices;
    if (m_presence) {
        for (const QString &group : m_presence->groups(textOf(m_type)))
            choices.append({group, {}});
    }
    fill(m_group, choices);
}

void TargetFields::fillInstances()
{
    QList<Choice> choices;
    if (m_presence) {
        for (const WorkerInfo &worker : m_presence->listeners({textOf(m_type), textOf(m_group), {}, 1, {}})) {
            if (!worker.target.instance.isEmpty())
                choices.append({QString::fromUtf8(worker.target.instance), heartbeat(worker)});
        }
    }
    fill(m_instance, choices);
}

void TargetFields::followType()
{
    fillGroups();
    fillInstances();
    const QByteArray type = textOf(m_type);
    QString hint;
    for (const InterpreterStatus &status : m_interpreters) {
        if (status.interpreter.type == type && !status.found)
            hint = tr("%1 is not installed here.")
                       .arg(shownText(status.interpreter.command.value(0).toUtf8(), Lines::Flatten, 40));
    }
    if (FormField *const field = m_fields.value("type"))
        field->setHint(hint);
    Q_EMIT typeEdited(type);
    Q_EMIT edited();
}

QByteArray TargetFields::textOf(const QComboBox *combo) const
{
    return combo->currentText().trimmed().toUtf8();
}

Target TargetFields::target() const
{
    Target target;
    target.type = textOf(m_type);
    target.group = textOf(m_group);
    target.instance = textOf(m_instance);
    target.priority = m_priority->currentIndex();
    target.legacyWorker = m_worker->text().trimmed().toUtf8();
    if (m_keys->currentIndex() > 0)
        target.keys = KeyMode(m_keys->currentIndex() - 1);
    return target;
}

void TargetFields::setTarget(const Target &target)
{
    m_type->setEditText(QString::fromUtf8(target.type));
    m_group->setEditText(QString::fromUtf8(target.group));
    m_instance->setEditText(QString::fromUtf8(target.instance));
    m_priority->setCurrentIndex(std::clamp(target.priority, 0, 2));
    m_worker->setText(QString::fromUtf8(target.legacyWorker));
    m_keys->setCurrentIndex(target.keys ? int(*target.keys) + 1 : 0);
}

void TargetFields::setProblem(const QByteArray &field, const QString &message)
{
    if (FormField *const form = m_fields.value(field))
        form->setProblem(message);
}

void TargetFields::focusType()
{
    m_type->setFocus();
}

} // namespace ym
