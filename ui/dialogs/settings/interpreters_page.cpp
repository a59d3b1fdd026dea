#include "ui/dialogs/settings/interpreters_page.h"

#include "core/base/text.h"
#include "core/base/when_ready.h"
#include "ui/dialogs/parts/dialog_button.h"
#include "ui/dialogs/parts/form_field.h"
#include "ui/dialogs/settings/interpreter_form.h"
#include "ui/theme.h"

#include <QHeaderView>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QTableWidget>
#include <QVBoxLayout>

namespace ym {

namespace {

enum Column { Type, Command, Status, ColumnCount };

bool isBuiltin(const QByteArray &type)
{
    const QList<Interpreter> builtin = builtinInterpreters();
    return std::any_of(builtin.begin(), builtin.end(), [&type](const Interpreter &row) { return row.type == type; });
}

bool isChangedBuiltin(const Interpreter &row)
{
    return isBuiltin(row.type) && !builtinInterpreters().contains(row);
}

} // namespace

InterpretersPage::InterpretersPage(Connections *connections, QWidget *parent)
    : QWidget(parent)
    , m_connections(connections)
    , m_table(new QTableWidget(this))
    , m_form(new InterpreterForm(this))
{
    makeTable();
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    column->addWidget(dimLabel(
        tr("A worker that runs here starts these programs. A type whose program is missing is not taken."), this));
    column->addWidget(m_table, 1);
    m_trouble = plainLabel({}, this);
    m_trouble->setObjectName(QStringLiteral("interpreterTrouble"));
    m_trouble->setWordWrap(true);
    m_trouble->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_trouble);
    column->addWidget(m_form);
    column->addLayout(makeButtons());
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &InterpretersPage::showSelected);
    connect(m_form, &InterpreterForm::edited, this, &InterpretersPage::validate);
    connect(connections, &Connections::interpretersChanged, this, &InterpretersPage::fill);
    fill();
    if (m_table->rowCount() > 0)
        m_table->selectRow(0);
}

void InterpretersPage::makeTable()
{
    m_table->setObjectName(QStringLiteral("interpreters"));
    m_table->setAccessibleName(tr("Interpreters"));
    m_table->setColumnCount(ColumnCount);
    m_table->setHorizontalHeaderLabels({tr("Type"), tr("Command"), tr("On this computer")});
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(Command, QHeaderView::Stretch);
    m_table->setColumnWidth(Type, 110);
    m_table->setColumnWidth(Status, 260);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(space::rowHeight);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setStyleSheet(QStringLiteral("QTableView::item { padding: 0 5px; border: 0; }")); // as the header's
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setMinimumHeight(170);
}

QLayout *InterpretersPage::makeButtons()
{
    QPushButton *const add = dialogButton(tr("&Add a type"), "addType", this);
    QPushButton *const probe = dialogButton(tr("&Look again"), "probe", this);
    m_reset = dialogButton(tr("&Reset"), "reset", this);
    m_revert = dialogButton(tr("Undo"), "revert", this);
    m_save = dialogButton(tr("Sa&ve"), "saveInterpreter", this);
    m_status = dimLabel({}, this);
    m_status->setObjectName(QStringLiteral("interpreterStatus"));
    auto *const row = new QHBoxLayout;
    row->setSpacing(8);
    for (QPushButton *button : {add, probe, m_reset})
        row->addWidget(button);
    row->addWidget(m_status, 1);
    for (QPushButton *button : {m_revert, m_save})
        row->addWidget(button);
    connect(add, &QPushButton::clicked, this, &InterpretersPage::startNew);
    connect(probe, &QPushButton::clicked, this, &InterpretersPage::fill);
    connect(m_reset, &QPushButton::clicked, this, &InterpretersPage::reset);
    connect(m_revert, &QPushButton::clicked, this, &InterpretersPage::showSelected);
    connect(m_save, &QPushButton::clicked, this, &InterpretersPage::save);
    return row;
}

/// Reads the table again, which looks for every program anew; what is being edited stays.
void InterpretersPage::fill()
{
    if (!m_connections)
        return;
    const bool editing = m_form->isNew() || m_form->isChanged();
    const QByteArray selected = selectedType();
    m_rows = m_connections->interpreters();
    {
        const QScopedValueRollback filling(m_filling, true);
        m_table->setRowCount(int(m_rows.size()));
        for (int i = 0; i < m_rows.size(); ++i) {
            const InterpreterStatus &row = m_rows[i];
            const QString mark = isChangedBuiltin(row.interpreter) ? tr(" (changed)") : QString();
            m_table->setItem(i, Type, new QTableWidgetItem(shownText(row.interpreter.type, Lines::Flatten, 64) + mark));
            m_table->setItem(i, Command, new QTableWidgetItem(joinedCommand(row.interpreter.command)));
            showStatus(i);
        }
        select(selected);
    }
    examine();
    if (!editing)
        showSelected();
}

void InterpretersPage::showStatus(int row)
{
    const InterpreterStatus &status = m_rows[row];
    QString text = status.found ? status.path : tr("not found");
    if (status.isBroken)
        text = tr("broken");
    else if (!status.version.isEmpty())
        text = shownText(status.version.toUtf8(), Lines::Flatten, 40) + QStringLiteral(" · ") + status.path;
    auto *const item = new QTableWidgetItem(text);
    item->setToolTip(shownText(status.detail.toUtf8(), Lines::Flatten, 300).toHtmlEscaped());
    item->setForeground(status.isBroken     ? signalColour(Signal::Bad, palette())
                            : status.found ? signalColour(Signal::Good, palette())
                                           : secondaryColour(palette()));
    m_table->setItem(row, Status, item);
}

/// Lets every program that was found say its version where jobs run.
void InterpretersPage::examine()
{
    for (const InterpreterStatus &row : std::as_const(m_rows)) {
        if (!row.found)
            continue;
        whenReady(m_connections->examineInterpreter(row.interpreter), this, [this](const InterpreterStatus &status) {
            takeStatus(status);
        });
    }
}

void InterpretersPage::takeStatus(const InterpreterStatus &status)
{
    for (int i = 0; i < m_rows.size(); ++i) {
        if (m_rows[i].interpreter != status.interpreter)
            continue;
        m_rows[i] = status;
        showStatus(i);
    }
    showTrouble();
}

/// Why the program of the selected row is missing or broken.
void InterpretersPage::showTrouble()
{
    const int row = m_table->currentRow();
    const bool hasTrouble = row >= 0 && row < m_rows.size() && (m_rows[row].isBroken || !m_rows[row].found);
    m_trouble->setVisible(hasTrouble);
    if (!hasTrouble)
        return;
    setTone(m_trouble, m_rows[row].isBroken ? Tone::Problem : Tone::Dim);
    m_trouble->setText(shownText(m_rows[row].detail.toUtf8(), Lines::Flatten, 300));
}

void InterpretersPage::select(const QByteArray &type)
{
    for (int i = 0; i < m_rows.size(); ++i) {
        if (m_rows[i].interpreter.type == type)
            m_table->selectRow(i);
    }
}

QByteArray InterpretersPage::selectedType() const
{
    const int row = m_table->currentRow();
    return row >= 0 && row < m_rows.size() ? m_rows[row].interpreter.type : QByteArray();
}

void InterpretersPage::showSelected()
{
    const int row = m_table->currentRow();
    if (m_filling || row < 0 || row >= m_rows.size())
        return;
    m_form->setInterpreter(m_rows[row].interpreter);
}

void InterpretersPage::validate()
{
    const QString problem = m_form->check();
    const bool changed = m_form->isChanged();
    const QByteArray type = selectedType();
    m_save->setEnabled(changed && problem.isEmpty());
    m_revert->setEnabled(changed || m_form->isNew());
    m_reset->setText(isBuiltin(type) ? tr("&Reset") : tr("&Remove"));
    const int row = m_table->currentRow();
    const bool own = row >= 0 && row < m_rows.size() && (!isBuiltin(type) || isChangedBuiltin(m_rows[row].interpreter));
    m_reset->setEnabled(own && !m_form->isNew());
    m_status->setText(!changed ? QString() : problem.isEmpty() ? tr("Not saved yet.") : problem);
    showTrouble();
}

void InterpretersPage::startNew()
{
    QList<QByteArray> taken;
    for (const InterpreterStatus &row : m_rows)
        taken.append(row.interpreter.type);
    m_form->startNew(taken);
}

void InterpretersPage::save()
{
    if (!m_connections || !m_form->check().isEmpty())
        return;
    const Interpreter saved = m_form->interpreter();
    m_form->setInterpreter(saved); // from now on unchanged, so that the answer may show it again
    m_connections->setInterpreter(saved);
    fill();
    select(saved.type);
}

void InterpretersPage::reset()
{
    const QByteArray type = selectedType();
    if (!m_connections || type.isEmpty())
        return;
    m_form->setInterpreter(m_form->interpreter());
    m_connections->resetInterpreter(type);
    fill();
    if (m_table->currentRow() < 0 && m_table->rowCount() > 0)
        m_table->selectRow(0);
    showSelected();
}

} // namespace ym
