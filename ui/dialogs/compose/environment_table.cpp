#include "ui/dialogs/compose/environment_table.h"

#include "ui/dialogs/parts/form_field.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>

namespace ym {

namespace {

constexpr int mostRowsShown = 6;

/// Dots instead of letters while a hidden value is edited; the new row's invitation is dimmed.
class VariableDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &, const QModelIndex &index) const override
    {
        auto *const editor = new QLineEdit(parent);
        editor->setFrame(false);
        const auto *const model = static_cast<const EnvironmentModel *>(index.model());
        if (index.column() == EnvironmentModel::Value && model->isHidden(index.row()))
            editor->setEchoMode(QLineEdit::PasswordEchoOnEdit);
        return editor;
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.row() == index.model()->rowCount() - 1)
            option->palette.setColor(QPalette::Text, secondaryColour(option->palette));
    }
};

} // namespace

EnvironmentTable::EnvironmentTable(QWidget *parent)
    : QWidget(parent)
    , m_model(new EnvironmentModel(this))
    , m_view(new QTableView(this))
    , m_note(dimLabel({}, this))
{
    m_view->setObjectName(QStringLiteral("environment"));
    m_view->setAccessibleName(tr("Environment variables"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new VariableDelegate(m_view));
    m_view->verticalHeader()->hide();
    m_view->horizontalHeader()->setSectionResizeMode(EnvironmentModel::Name, QHeaderView::Interactive);
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_view->setColumnWidth(EnvironmentModel::Name, 140);
    m_view->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_view->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed
                            | QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked);
    m_view->setTabKeyNavigation(false);
    m_view->setShowGrid(false);
    m_view->setStyleSheet(QStringLiteral("QTableView::item { padding: 0 5px; border: 0; }")); // as the header's
    m_view->installEventFilter(this);

    auto *const reveal = new QCheckBox(tr("Sho&w secrets"), this);
    reveal->setObjectName(QStringLiteral("showSecrets"));
    QPushButton *const add = button(tr("A&dd"), "addVariable");
    QPushButton *const remove = button(tr("Remove"), "removeVariable");
    auto *const buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    buttons->addWidget(add);
    buttons->addWidget(remove);
    buttons->addStretch();
    buttons->addWidget(reveal);
    m_note->setObjectName(QStringLiteral("environmentNote"));
    m_note->hide();
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_view);
    column->addLayout(buttons);
    column->addWidget(m_note);
    setFocusProxy(m_view);

    connect(add, &QPushButton::clicked, this, &EnvironmentTable::addRow);
    connect(remove, &QPushButton::clicked, this, &EnvironmentTable::removeSelected);
    connect(reveal, &QCheckBox::toggled, m_model, &EnvironmentModel::setSecretsShown);
    connect(m_model, &EnvironmentModel::edited, this, &EnvironmentTable::edited);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &EnvironmentTable::fitHeight);
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, &EnvironmentTable::fitHeight);
    fitHeight();
}

QPushButton *EnvironmentTable::button(const QString &text, const char *name)
{
    auto *const made = new QPushButton(text, this);
    made->setObjectName(QLatin1String(name));
    made->setAutoDefault(false);
    return made;
}

void EnvironmentTable::setVariables(const QList<ByteField> &variables)
{
    m_model->setVariables(variables);
    m_note->hide();
}

void EnvironmentTable::fitHeight()
{
    const int rows = std::clamp(m_model->rowCount(), 2, mostRowsShown);
    m_view->setFixedHeight(m_view->horizontalHeader()->sizeHint().height()
                           + rows * m_view->verticalHeader()->defaultSectionSize() + 2 * m_view->frameWidth() + 2);
}

bool EnvironmentTable::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    auto *const key = static_cast<QKeyEvent *>(event);
    if (key->matches(QKeySequence::Paste)) {
        paste();
        return true;
    }
    if (key->key() == Qt::Key_Delete) {
        removeSelected();
        return true;
    }
    const bool returnKey = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    const bool editing = m_view->isPersistentEditorOpen(m_view->currentIndex());
    if (returnKey && !editing && key->modifiers() == Qt::NoModifier) {
        m_view->edit(m_view->currentIndex());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void EnvironmentTable::paste()
{
    const EnvironmentLines lines = parseEnvironment(QGuiApplication::clipboard()->text());
    m_model->merge(lines.variables);
    const bool none = lines.variables.isEmpty();
    m_note->setText(none ? tr("The clipboard holds no KEY=VALUE lines.")
                         : tr("Lines without KEY=VALUE that were left out: %1.").arg(lines.unreadable));
    m_note->setVisible(none || lines.unreadable > 0);
}

void EnvironmentTable::addRow()
{
    const QModelIndex last = m_model->index(m_model->rowCount() - 1, EnvironmentModel::Name);
    m_view->setFocus();
    m_view->setCurrentIndex(last);
    m_view->edit(last);
}

void EnvironmentTable::removeSelected()
{
    QList<int> rows;
    for (const QModelIndex &index : m_view->selectionModel()->selectedIndexes()) {
        if (!rows.contains(index.row()))
            rows.append(index.row());
    }
    std::sort(rows.begin(), rows.end(), std::greater<>());
    for (const int row : rows)
        m_model->removeRow(row);
}

} // namespace ym
