#include "ui/dialogs/graph_dialog.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/base/when_ready.h"
#include "core/job/dependency_graph.h"
#include "ui/dialogs/compose/compose_form.h"
#include "ui/dialogs/compose/script_file.h"
#include "ui/dialogs/drafts/draft_keeper.h"
#include "ui/dialogs/graph/graph_draft_model.h"
#include "ui/dialogs/parts/dialog_button.h"
#include "ui/editor/script_editor.h"
#include "ui/prompts.h"
#include "ui/ui_settings.h"
#include "ui/widgets/table_delegate.h"
#include "ui/widgets/table_view.h"

#include <QAction>
#include <QCloseEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr char geometryName[] = "graph/geometry";
constexpr char splitterName[] = "graph/splitter";
constexpr char lastTypeName[] = "compose/lastType";
constexpr int validateDelayMs = 150;

class GraphTable final : public TableView {
public:
    using TableView::TableView;

protected:
    void arrange() override { horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch); }
};

} // namespace

GraphDialog::GraphDialog(Session *session, UiSettings *settings, QWidget *parent)
    : QDialog(parent, Qt::Window)
    , m_session(session)
    , m_settings(settings)
    , m_jobs(new GraphDraftModel(this))
    , m_drafts(new DraftKeeper(session, settings, DraftStore::Kind::Graph, [this] { return parts(); }, this))
{
    setModal(false);
    setWindowTitle(tr("New graph of jobs · %1").arg(session->profile().name));
    setObjectName(QStringLiteral("graphDialog"));
    m_splitter = new QSplitter(this);
    m_splitter->addWidget(makeListSide());
    m_splitter->addWidget(makeEditorSide());
    auto *const formSide = new QWidget(m_splitter);
    m_form = new ComposeForm(session, formSide);
    auto *const formColumn = new QVBoxLayout(formSide);
    formColumn->setContentsMargins(14, 12, 6, 0);
    formColumn->addWidget(m_form);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setStretchFactor(2, 0);
    m_splitter->setChildrenCollapsible(false);
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_drafts->offerBar());
    column->addWidget(m_splitter, 1);
    column->addLayout(makeBottom());
    connectAll();
    resize(1240, 760);
    restoreGeometry(settings->layout(geometryName));
    m_splitter->restoreState(settings->layout(splitterName));
    m_editor->setFontSize(settings->codeFontSize());
    addJob();
    m_drafts->clear();
}

GraphDialog::~GraphDialog()
{
    m_settings->setLayout(geometryName, saveGeometry());
    m_settings->setLayout(splitterName, m_splitter->saveState());
    hide(); // commits a cell that is being edited, while everything that listens is still there
    m_drafts->keepLast(); // the program ends: what was typed in the last half second is kept too
}

QWidget *GraphDialog::makeListSide()
{
    auto *const side = new QWidget(this);
    m_list = new GraphTable("graph", m_settings, side);
    m_list->setObjectName(QStringLiteral("graphJobs"));
    m_list->show(m_jobs);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_list->setItemDelegate(new TableDelegate(m_list));
    m_list->setToolTip(tr("F2 gives a job another name."));
    QPushButton *const add = dialogButton(tr("&Add job"), "addJob", this);
    QPushButton *const file = dialogButton(tr("Add &file…"), "addFile", this);
    m_remove = dialogButton(tr("Re&move"), "removeJob", this);
    auto *const buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(add);
    buttons->addWidget(file);
    buttons->addWidget(m_remove);
    buttons->addStretch();
    m_others = new QListWidget(side);
    m_others->setObjectName(QStringLiteral("runsAfter"));
    QLabel *const hint = dimLabel(tr("It starts when all that are ticked have finished. If one fails, it fails with it."), side);
    hint->setWordWrap(true);
    auto *const column = new QVBoxLayout(side);
    column->setContentsMargins(12, 10, 8, 0);
    column->setSpacing(8);
    column->addWidget(m_list, 3);
    column->addLayout(buttons);
    column->addSpacing(6);
    column->addWidget(headingLabel(tr("Runs after"), side));
    column->addWidget(m_others, 2);
    column->addWidget(hint);
    side->setMinimumWidth(280);
    connect(add, &QPushButton::clicked, this, &GraphDialog::addJob);
    connect(file, &QPushButton::clicked, this, &GraphDialog::chooseFile);
    connect(m_remove, &QPushButton::clicked, this, &GraphDialog::removeJob);
    return side;
}

QWidget *GraphDialog::makeEditorSide()
{
    auto *const side = new QWidget(this);
    m_name = new QLineEdit(side);
    m_name->setObjectName(QStringLiteral("jobName"));
    m_name->setToolTip(tr("Only for this window: what the other jobs call it."));
    QLabel *const label = plainLabel(tr("&Name"), side);
    label->setBuddy(m_name);
    auto *const bar = new QHBoxLayout;
    bar->setContentsMargins(12, 10, 10, 8);
    bar->setSpacing(8);
    bar->addWidget(label);
    bar->addWidget(m_name, 1);
    m_editor = new ScriptEditor(side);
    m_editor->setMinimumSize(320, 200);
    auto *const column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_editor, 1);
    connect(m_name, &QLineEdit::editingFinished, this, &GraphDialog::rename);
    return side;
}

/// The model makes it different from the others.
void GraphDialog::rename()
{
    const int row = currentRow();
    if (row < 0 || m_name->text() == m_jobs->name(row))
        return;
    m_jobs->setData(m_jobs->index(row, GraphDraftModel::Name), m_name->text());
    m_name->setText(m_jobs->name(row));
}

QLayout *GraphDialog::makeBottom()
{
    m_status = plainLabel({}, this);
    m_status->setObjectName(QStringLiteral("status"));
    m_status->setWordWrap(true);
    QPushButton *const close = dialogButton(tr("Close"), "close", this);
    m_submit = dialogButton({}, "submit", this);
    m_submit->setToolTip(tr("Ctrl+Enter"));
    m_submit->setProperty("primary", true);
    auto *const row = new QHBoxLayout;
    row->setContentsMargins(14, 10, 14, 12);
    row->setSpacing(12);
    row->addWidget(m_status, 1);
    row->addWidget(m_drafts->stateLabel());
    row->addWidget(close);
    row->addWidget(m_submit);
    connect(close, &QPushButton::clicked, this, &QWidget::close);
    return row;
}

void GraphDialog::connectAll()
{
    auto *const submitKeys = new QAction(this);
    submitKeys->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)});
    addAction(submitKeys);
    m_validateTimer.setSingleShot(true);
    m_validateTimer.setInterval(validateDelayMs);
    connect(submitKeys, &QAction::triggered, this, &GraphDialog::submit);
    connect(m_submit, &QPushButton::clicked, this, &GraphDialog::submit);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &GraphDialog::load);
    connect(m_jobs, &QAbstractItemModel::dataChanged, &m_validateTimer, qOverload<>(&QTimer::start));
    connect(m_jobs, &QAbstractItemModel::dataChanged, m_drafts, &DraftKeeper::edited);
    connect(m_jobs, &QAbstractItemModel::rowsInserted, m_drafts, &DraftKeeper::edited);
    connect(m_jobs, &QAbstractItemModel::rowsRemoved, m_drafts, &DraftKeeper::edited);
    connect(m_drafts, &DraftKeeper::recovered, this, &GraphDialog::recover);
    connect(m_drafts, &DraftKeeper::offerEnded, m_editor, qOverload<>(&QWidget::setFocus));
    connect(m_others, &QListWidget::itemChanged, this, &GraphDialog::followCheck);
    connect(m_editor, &ScriptEditor::scriptChanged, this, &GraphDialog::edited);
    connect(m_form, &ComposeForm::edited, this, &GraphDialog::edited);
    connect(m_form, &ComposeForm::concernChanged, &m_validateTimer, qOverload<>(&QTimer::start));
    connect(m_form, &ComposeForm::typeEdited, m_editor, &ScriptEditor::setLanguage);
    connect(&m_validateTimer, &QTimer::timeout, this, &GraphDialog::validate);
    connect(m_session, &Session::stateChanged, this, &GraphDialog::validate);
    connect(m_session, &QObject::destroyed, this, &GraphDialog::validate, Qt::QueuedConnection);
    connect(m_settings, &UiSettings::changed, this, [this] { m_editor->setFontSize(m_settings->codeFontSize()); });
}

void GraphDialog::setInterpreters(const QList<InterpreterStatus> &interpreters)
{
    m_interpreters = interpreters;
    m_form->setInterpreters(interpreters);
}

void GraphDialog::setSources(JobTableModel *jobs, PresenceIndex *presence)
{
    m_form->setSources(jobs, presence);
}

// --- the list of jobs

int GraphDialog::currentRow() const
{
    return m_list->currentIndex().row();
}

void GraphDialog::choose(int row)
{
    m_list->setCurrentIndex(m_jobs->index(row, GraphDraftModel::Name));
}

/// Like the one that is chosen, as most of a graph run at the same place.
void GraphDialog::addJob()
{
    Job job;
    const int row = currentRow();
    if (row >= 0)
        job.target = m_jobs->job(row).target;
    if (job.target.type.isEmpty())
        job.target.type = m_settings->text(lastTypeName).toUtf8();
    if (job.target.type.isEmpty())
        job.target.type = "python";
    choose(m_jobs->add(job, tr("job %1").arg(m_jobs->rowCount() + 1)));
    m_editor->setFocus();
}

void GraphDialog::chooseFile()
{
    const FileQuestion question{tr("Open a script"), {}, tr("Scripts (*);;All files (*)")};
    Prompts::instance().openFile(this, question, [this](const QString &path) { addFile(path); });
}

bool GraphDialog::addFile(const QString &path)
{
    const Result<QByteArray> script = readScriptFile(path);
    if (!script) {
        m_outcome = script.error().text();
        validate();
        return false;
    }
    Job job;
    job.target = m_jobs->job(std::max(currentRow(), 0)).target;
    for (const InterpreterStatus &status : std::as_const(m_interpreters)) {
        const QString suffix = status.interpreter.fileSuffix;
        if (!suffix.isEmpty() && path.endsWith(suffix, Qt::CaseInsensitive))
            job.target.type = status.interpreter.type;
    }
    job.script = *script;
    const bool isFirst = m_jobs->rowCount() == 1 && !m_drafts->isModified(); // the empty one that was there from the start
    choose(m_jobs->add(job, QFileInfo(path).completeBaseName()));
    if (isFirst)
        m_jobs->remove(0);
    showOthers();
    return true;
}

void GraphDialog::removeJob()
{
    const int row = currentRow();
    if (row < 0 || m_jobs->rowCount() < 2)
        return;
    m_jobs->remove(row);
    choose(std::min(row, m_jobs->rowCount() - 1));
    load();
}

/// Shows the chosen job in the editor and the form.
void GraphDialog::load()
{
    const int row = currentRow();
    if (row < 0)
        return;
    Job job = m_jobs->job(row);
    job.prerequisites = m_jobs->outside(row);
    m_isFilling = true;
    m_name->setText(m_jobs->name(row));
    m_form->setJob(job);
    m_editor->setLanguage(job.target.type);
    m_editor->setScript(job.script);
    m_isFilling = false;
    showOthers();
    validate();
}

void GraphDialog::showOthers()
{
    m_isFilling = true;
    m_others->clear();
    for (int other = 0; other < m_jobs->rowCount(); ++other) {
        if (other == currentRow())
            continue;
        auto *const item = new QListWidgetItem(m_jobs->name(other), m_others);
        item->setData(Qt::UserRole, other);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(m_jobs->runsAfter(currentRow(), other) ? Qt::Checked : Qt::Unchecked);
    }
    m_isFilling = false;
}

void GraphDialog::followCheck(const QListWidgetItem *item)
{
    if (m_isFilling)
        return;
    m_outcome.clear();
    m_jobs->setRunsAfter(currentRow(), item->data(Qt::UserRole).toInt(), item->checkState() == Qt::Checked);
}

void GraphDialog::edited()
{
    if (m_isFilling || currentRow() < 0)
        return;
    m_outcome.clear();
    Job job = m_form->job();
    job.script = m_editor->script();
    m_jobs->setJob(currentRow(), std::move(job));
}

// --- drafts

void GraphDialog::offerDraft()
{
    m_drafts->offer();
}

std::vector<Draft::Part> GraphDialog::parts() const
{
    std::vector<Draft::Part> parts;
    for (const GraphDraftModel::Row &row : m_jobs->rows())
        parts.push_back({row.name, row.job});
    return parts;
}

void GraphDialog::recover(const Draft &draft)
{
    std::vector<GraphDraftModel::Row> rows;
    for (const Draft::Part &part : draft.parts)
        rows.push_back({part.name, part.job});
    m_jobs->restore(std::move(rows));
    choose(0);
    load();
}

// --- submitting

QString GraphDialog::blockedReason() const
{
    if (m_isBusy)
        return tr("Submitting…");
    if (!m_session)
        return tr("This connection was closed.");
    if (m_session->profile().readOnly)
        return tr("This connection is read-only.");
    if (m_session->state().phase != ConnectionState::Phase::Ready)
        return tr("Not connected.");
    int row = -1;
    return m_jobs->problem(&row);
}

void GraphDialog::validate()
{
    if (currentRow() >= 0)
        m_form->showProblems(validateDraft(m_jobs->job(currentRow())));
    if (currentRow() >= 0 && !m_name->hasFocus())
        m_name->setText(m_jobs->name(currentRow()));
    for (int i = 0; i < m_others->count(); ++i) { // a name may have changed
        const QString name = m_jobs->name(m_others->item(i)->data(Qt::UserRole).toInt());
        if (m_others->item(i)->text() != name) {
            m_isFilling = true;
            m_others->item(i)->setText(name);
            m_isFilling = false;
        }
    }
    const QString reason = blockedReason();
    m_submit->setEnabled(reason.isEmpty());
    m_submit->setText(counted(m_jobs->rowCount(), tr("&Submit 1 job"), tr("&Submit %1 jobs")));
    m_remove->setEnabled(m_jobs->rowCount() > 1);
    setTone(m_status, m_outcome.isEmpty() ? Tone::Dim : Tone::Problem);
    m_status->setText(!m_outcome.isEmpty() ? m_outcome : reason.isEmpty() ? m_form->concern() : reason);
}

void GraphDialog::submit()
{
    m_validateTimer.stop();
    validate();
    if (!m_submit->isEnabled()) {
        int row = -1;
        if (!m_isBusy && !m_jobs->problem(&row).isEmpty())
            choose(row);
        return;
    }
    m_isBusy = true;
    m_outcome.clear();
    validate();
    whenReady(m_session->submitGraph(m_jobs->drafts()), this,
              [this](const Result<int> &outcome) { conclude(outcome); });
}

void GraphDialog::conclude(const Result<int> &outcome)
{
    m_isBusy = false;
    if (!outcome) {
        m_outcome = outcome.error().ambiguous
            ? tr("%1 The jobs may have arrived. Submit again: they are not created twice.").arg(outcome.error().message)
            : outcome.error().text();
        validate();
        return;
    }
    const std::vector<Job> drafts = m_jobs->drafts();
    QList<QByteArray> ids;
    for (const int place : planGraph(drafts).order)
        ids.append(drafts[size_t(place)].id);
    m_drafts->discard();
    const QPointer<GraphDialog> guard(this);
    Q_EMIT submitted(ids);
    if (guard)
        closeForGood();
}

void GraphDialog::reject()
{
    askBeforeClosing();
}

void GraphDialog::closeEvent(QCloseEvent *event)
{
    event->setAccepted(m_isClosing || !m_drafts->asks());
    if (event->isAccepted())
        QDialog::closeEvent(event);
    else // not within the closing: the answer may come at once
        QMetaObject::invokeMethod(this, &GraphDialog::askBeforeClosing, Qt::QueuedConnection);
}

void GraphDialog::askBeforeClosing()
{
    const qint64 count = m_jobs->rowCount();
    m_drafts->askBeforeClosing(counted(count, tr("Keep this job for later?"), tr("Keep these %1 jobs for later?")),
                               tr("They were not submitted. A kept draft is offered with the next new graph."),
                               [this] { closeForGood(); });
}

void GraphDialog::closeForGood()
{
    m_isClosing = true;
    QDialog::reject();
    m_isClosing = false;
}

} // namespace ym
