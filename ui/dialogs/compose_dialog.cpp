#include "ui/dialogs/compose_dialog.h"

#include "core/base/counted.h"
#include "core/base/relative_time.h"
#include "core/base/text.h"
#include "models/job_table_model.h"
#include "models/presence_index.h"
#include "ui/dialogs/compose/compose_form.h"
#include "ui/dialogs/compose/elsewhere.h"
#include "ui/dialogs/compose/route_box.h"
#include "ui/dialogs/compose/script_file.h"
#include "ui/dialogs/compose/submission.h"
#include "ui/dialogs/drafts/draft_keeper.h"
#include "ui/dialogs/parts/dialog_button.h"
#include "ui/dialogs/start_worker_dialog.h"
#include "ui/editor/script_editor.h"
#include "ui/prompts.h"
#include "ui/trial/trial_split.h"
#include "ui/ui_settings.h"

#include <QAction>
#include <QCheckBox>
#include <QCloseEvent>
#include <QFileInfo>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr int validateDelayMs = 60;

constexpr auto geometryName = "compose/geometry";
constexpr auto splitterName = "compose/splitter";
constexpr auto lastTypeName = "compose/lastType";
constexpr auto keepOpenName = "compose/keepOpen";
constexpr auto watchName = "compose/watch";

/// What a job waits for before it comes to its queue.
QString beforeText(const Job &job)
{
    QStringList parts;
    if (job.notBefore)
        parts.append(ComposeDialog::tr("It is held until %1.").arg(exactTimeText(*job.notBefore)));
    if (!job.prerequisites.isEmpty())
        parts.append(counted(job.prerequisites.size(), ComposeDialog::tr("It waits until 1 job has finished."),
                             ComposeDialog::tr("It waits until %1 jobs have finished.")));
    return parts.join(u' ');
}

bool isChosen(const UiSettings *settings, const char *name)
{
    return settings->text(name) == u"yes";
}

} // namespace

ComposeDialog::ComposeDialog(Session *session, UiSettings *settings, QWidget *parent)
    : QDialog(parent, Qt::Window)
    , m_session(session)
    , m_settings(settings)
    , m_drafts(new DraftKeeper(session, settings, DraftStore::Kind::Job,
                               [this] { return std::vector<Draft::Part>{{m_fileName, draft()}}; }, this))
    , m_submission(new Submission(session, this))
{
    setModal(false);
    setWindowTitle(tr("New job · %1").arg(session->profile().name));
    setObjectName(QStringLiteral("composeDialog"));
    m_splitter = new QSplitter(this);
    m_splitter->addWidget(makeEditorSide());
    m_splitter->addWidget(makeFormSide());
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_splitter->setChildrenCollapsible(false);
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_drafts->offerBar());
    column->addWidget(m_splitter, 1);
    column->addLayout(makeBottom());
    connectAll();

    resize(1120, 720);
    restoreGeometry(settings->layout(geometryName));
    m_splitter->restoreState(settings->layout(splitterName));
    m_editor->setFontSize(settings->codeFontSize());
    Job empty;
    empty.target.type = settings->text(lastTypeName).toUtf8();
    if (empty.target.type.isEmpty())
        empty.target.type = "python";
    fill(empty);
    m_editor->setFocus();
}

ComposeDialog::~ComposeDialog()
{
    m_settings->setLayout(geometryName, saveGeometry());
    m_settings->setLayout(splitterName, m_splitter->saveState());
    hide(); // commits a cell that is being edited, while everything that listens is still there
    m_drafts->keepLast(); // the program ends: what was typed in the last half second is kept too
}

QWidget *ComposeDialog::makeEditorSide()
{
    auto *const side = new QWidget(this);
    QPushButton *const open = dialogButton(tr("&Open…"), "openFile", this);
    QPushButton *const save = dialogButton(tr("Save &as…"), "saveFile", this);
    m_fileLabel = plainLabel({}, side);
    m_fileLabel->setObjectName(QStringLiteral("fileName"));
    auto *const bar = new QHBoxLayout;
    bar->setContentsMargins(12, 10, 10, 8);
    bar->setSpacing(8);
    bar->addWidget(open);
    bar->addWidget(save);
    bar->addWidget(m_fileLabel, 1);
    bar->addWidget(m_drafts->stateLabel());
    m_editor = new ScriptEditor(side);
    m_editor->setMinimumSize(320, 200);
    auto *const column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_trial = new TrialSplit(m_editor, m_settings, side);
    column->addLayout(bar);
    column->addWidget(m_trial, 1);
    connect(open, &QPushButton::clicked, this, &ComposeDialog::chooseFile);
    connect(save, &QPushButton::clicked, this, &ComposeDialog::saveFile);
    return side;
}

QWidget *ComposeDialog::makeFormSide()
{
    auto *const side = new QWidget(this);
    m_form = new ComposeForm(m_session, side);
    m_route = new RouteBox(m_session, side);
    auto *const column = new QVBoxLayout(side);
    column->setContentsMargins(14, 12, 6, 0);
    column->setSpacing(10);
    column->addWidget(m_form, 1);
    auto *const route = new QHBoxLayout;
    route->setContentsMargins(0, 0, 8, 0);
    route->addWidget(m_route);
    column->addLayout(route);
    return side;
}

QLayout *ComposeDialog::makeBottom()
{
    m_status = plainLabel({}, this);
    m_status->setObjectName(QStringLiteral("status"));
    m_status->setWordWrap(true);
    m_watch = new QCheckBox(tr("Tell me when it e&nds"), this);
    m_watch->setObjectName(QStringLiteral("watch"));
    m_watch->setChecked(isChosen(m_settings, watchName));
    m_keepOpen = new QCheckBox(tr("&Keep open"), this);
    m_keepOpen->setObjectName(QStringLiteral("keepOpen"));
    m_keepOpen->setToolTip(tr("Stay here after submitting; the next submission is a new job."));
    m_keepOpen->setChecked(isChosen(m_settings, keepOpenName));
    QPushButton *const close = dialogButton(tr("Close"), "close", this);
    m_runHere = dialogButton(tr("&Run here"), "runHere", this);
    m_runHere->setToolTip(tr("Runs the script on this computer at once, contained; no store hears of it (Ctrl+Shift+Enter)"));
    m_runHere->hide();
    m_submitTo = dialogButton(tr("Submit &to"), "submitTo", this);
    m_submitTo->setToolTip(tr("Submits this draft over another connection"));
    m_submitTo->setMenu(new QMenu(m_submitTo));
    m_submitTo->setProperty("menu", true);
    m_submitTo->hide();
    m_submit = dialogButton(tr("&Submit"), "submit", this);
    m_submit->setToolTip(tr("Ctrl+Enter"));
    m_submit->setProperty("primary", true);
    auto *const row = new QHBoxLayout;
    row->setContentsMargins(14, 10, 14, 12);
    row->setSpacing(12);
    row->addWidget(m_status, 1);
    row->addWidget(m_watch);
    row->addWidget(m_keepOpen);
    row->addWidget(close);
    row->addWidget(m_runHere);
    row->addWidget(m_submitTo);
    row->addWidget(m_submit);
    connect(m_runHere, &QPushButton::clicked, this, &ComposeDialog::runHere);
    connect(close, &QPushButton::clicked, this, &QWidget::close);
    return row;
}

void ComposeDialog::connectAll()
{
    auto *const submitKeys = new QAction(this);
    submitKeys->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)});
    addAction(submitKeys);
    auto *const openKeys = new QAction(this);
    openKeys->setShortcut(QKeySequence::Open);
    addAction(openKeys);
    auto *const saveKeys = new QAction(this);
    saveKeys->setShortcut(QKeySequence::Save);
    addAction(saveKeys);
    auto *const runKeys = new QAction(this);
    runKeys->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Enter)});
    addAction(runKeys);
    connect(runKeys, &QAction::triggered, this, &ComposeDialog::runHere);
    m_validateTimer.setSingleShot(true);
    m_validateTimer.setInterval(validateDelayMs);

    connect(submitKeys, &QAction::triggered, this, &ComposeDialog::submit);
    connect(openKeys, &QAction::triggered, this, &ComposeDialog::chooseFile);
    connect(saveKeys, &QAction::triggered, this, &ComposeDialog::saveFile);
    connect(m_submit, &QPushButton::clicked, this, &ComposeDialog::submit);
    connect(m_editor, &ScriptEditor::scriptChanged, this, &ComposeDialog::edited);
    connect(m_form, &ComposeForm::edited, this, &ComposeDialog::edited);
    connect(m_form, &ComposeForm::concernChanged, &m_validateTimer, qOverload<>(&QTimer::start));
    connect(m_form, &ComposeForm::typeEdited, m_editor, &ScriptEditor::setLanguage);
    connect(m_route, &RouteBox::startWorkerWanted, this, &ComposeDialog::startWorker);
    connect(m_drafts, &DraftKeeper::recovered, this, [this](const Draft &draft) {
        fill(draft.parts.front().job);
        showFileName(draft.parts.front().name);
    });
    connect(m_drafts, &DraftKeeper::offerEnded, m_editor, qOverload<>(&QWidget::setFocus));
    connect(&m_validateTimer, &QTimer::timeout, this, &ComposeDialog::validate);
    connect(m_submission, &Submission::busyChanged, this, &ComposeDialog::validate);
    connect(m_submission, &Submission::accepted, this,
            [this](const SubmitReceipt &receipt) { finish(m_session, receipt); });
    connect(m_submission, &Submission::refused, this, [this](const QString &message) { say(message, Tone::Problem); });
    connect(m_session, &Session::stateChanged, this, &ComposeDialog::validate);
    connect(m_session, &QObject::destroyed, this, &ComposeDialog::validate, Qt::QueuedConnection);
    connect(m_settings, &UiSettings::changed, this, [this] { m_editor->setFontSize(m_settings->codeFontSize()); });
    connect(m_keepOpen, &QCheckBox::toggled, this,
            [this](bool on) { m_settings->setText(keepOpenName, on ? QStringLiteral("yes") : QString()); });
    connect(m_watch, &QCheckBox::toggled, this,
            [this](bool on) { m_settings->setText(watchName, on ? QStringLiteral("yes") : QString()); });
}

void ComposeDialog::setInterpreters(const QList<InterpreterStatus> &interpreters)
{
    m_interpreters = interpreters;
    m_form->setInterpreters(interpreters);
    for (const InterpreterStatus &status : interpreters) {
        if (status.interpreter.type == "python")
            m_editor->setPython(status.found ? status.path : QString());
    }
}

void ComposeDialog::setSources(JobTableModel *jobs, PresenceIndex *presence)
{
    m_form->setSources(jobs, presence);
}

void ComposeDialog::setConnections(Connections *connections)
{
    m_connections = connections;
    m_elsewhere = new Elsewhere(connections, m_session ? m_session->profile().id : QString(), this);
    m_runHere->show();
    m_submitTo->setVisible(!m_elsewhere->choices().isEmpty());
    connect(m_submitTo->menu(), &QMenu::aboutToShow, this, [this] { m_elsewhere->fill(m_submitTo->menu()); });
    connect(m_elsewhere, &Elsewhere::chosen, this, [this](const QString &profileId) {
        const QList<FieldProblem> problems = validateDraft(draft());
        if (problems.isEmpty())
            m_elsewhere->submit(profileId, draft());
        else
            say(problems.first().message, Tone::Problem);
    });
    connect(m_elsewhere, &Elsewhere::waiting, this, [this](const QString &text) { say(text, Tone::Dim); });
    connect(m_elsewhere, &Elsewhere::refused, this, [this](const QString &text) { say(text, Tone::Problem); });
    connect(m_elsewhere, &Elsewhere::accepted, this, &ComposeDialog::finish);
}

Job ComposeDialog::draft() const
{
    Job job = m_form->job();
    job.id = m_submission->nextId();
    job.script = m_editor->script();
    return job;
}

/// Replaces everything; what was there before does not count as typed.
void ComposeDialog::fill(const Job &job)
{
    m_filling = true;
    m_form->setJob(job);
    m_editor->setLanguage(job.target.type);
    m_editor->setScript(job.script);
    m_filling = false;
    m_drafts->clear();
    validate();
}

void ComposeDialog::prefill(const Job &job)
{
    fill(job);
    setWindowTitle(
        tr("Copy of %1 · %2").arg(shownText(job.id.left(8)), m_session ? m_session->profile().name : QString()));
}

void ComposeDialog::setTarget(const Target &target)
{
    Job job = m_form->job();
    job.target = target;
    job.script = m_editor->script();
    fill(job);
}

void ComposeDialog::edited()
{
    if (m_filling)
        return;
    m_drafts->edited();
    m_outcome.clear();
    m_validateTimer.start();
}

void ComposeDialog::validate()
{
    const QList<FieldProblem> problems = validateDraft(draft());
    m_form->showProblems(problems);
    const auto isTarget = [](const FieldProblem &p) {
        return p.field == "type" || p.field == "group" || p.field == "instance" || p.field == "priority"
            || p.field == "worker";
    };
    const auto targetProblem = std::find_if(problems.begin(), problems.end(), isTarget);
    if (targetProblem != problems.end())
        m_route->setUndecided(tr("Shown when the target is complete."));
    else
        m_route->setTarget(m_form->job().target);
    m_route->setBefore(beforeText(m_form->job()));
    const QString reason = blockedReason(problems);
    m_submit->setEnabled(reason.isEmpty());
    if (m_outcome.isEmpty()) {
        setTone(m_status, Tone::Dim);
        m_status->setText(reason.isEmpty() ? m_form->concern() : reason);
    } else {
        setTone(m_status, m_outcomeTone);
        m_status->setText(m_outcome);
    }
}

QString ComposeDialog::blockedReason(const QList<FieldProblem> &problems) const
{
    if (m_submission->isBusy())
        return tr("Submitting…");
    if (!m_session)
        return tr("This connection was closed. Save the script to a file, or open the connection and write a new job.");
    if (m_session->profile().readOnly)
        return tr("This connection is read-only.");
    if (m_session->state().phase != ConnectionState::Phase::Ready) {
        const QString trouble = m_session->state().trouble.message;
        return trouble.isEmpty() ? tr("Not connected.") : tr("Not connected: %1").arg(trouble);
    }
    return problems.isEmpty() ? m_form->accessProblem() : problems.first().message;
}

void ComposeDialog::say(const QString &text, Tone tone)
{
    m_outcome = text;
    m_outcomeTone = tone;
    validate();
}

void ComposeDialog::submit()
{
    m_validateTimer.stop();
    validate();
    if (!m_submit->isEnabled()) {
        if (m_form->goToProblem())
            return;
        m_editor->setFocus();
        return;
    }
    m_outcome.clear();
    m_settings->setText(lastTypeName, QString::fromUtf8(m_form->job().target.type));
    m_submission->submit(draft());
}

/// Of a draft only what a run needs must be right.
void ComposeDialog::runHere()
{
    if (!m_connections)
        return;
    for (const FieldProblem &problem : validateDraft(draft())) {
        if (problem.field == "script" || problem.field == "type" || problem.field == "env" || problem.field == "access")
            return say(problem.message, Tone::Problem);
    }
    m_outcome.clear();
    validate();
    m_trial->run(m_connections, draft(), m_session && m_session->profile().limitsOnly);
}

void ComposeDialog::finish(Session *session, const SubmitReceipt &receipt)
{
    if (m_watch->isChecked() && session)
        session->watchJob(receipt.id, true);
    m_drafts->discard();
    const QPointer<ComposeDialog> guard(this);
    if (session == m_session)
        Q_EMIT submitted(receipt);
    else
        Q_EMIT submittedElsewhere(session, receipt);
    if (!guard)
        return;
    if (!m_keepOpen->isChecked())
        return closeForGood();
    say(tr("Submitted as %1. Submitting again makes a new job.").arg(shownText(receipt.id.left(8))), Tone::Good);
}

void ComposeDialog::offerDraft()
{
    m_drafts->offer();
}

void ComposeDialog::reject()
{
    askBeforeClosing();
}

void ComposeDialog::closeEvent(QCloseEvent *event)
{
    event->setAccepted(m_closing || !m_drafts->asks());
    if (!m_closing && !m_drafts->asks())
        m_drafts->discard();
    if (event->isAccepted())
        QDialog::closeEvent(event);
    else
        askBeforeClosing();
}

void ComposeDialog::askBeforeClosing()
{
    m_drafts->askBeforeClosing(tr("Keep this job for later?"),
                               tr("It was not submitted. A kept draft is offered when you write the next job."),
                               [this] { closeForGood(); });
}

void ComposeDialog::closeForGood()
{
    m_closing = true;
    QDialog::reject();
    m_closing = false;
}

void ComposeDialog::chooseFile()
{
    const FileQuestion question{tr("Open a script"), QFileInfo(m_fileName).path(), tr("Scripts (*);;All files (*)")};
    Prompts::instance().openFile(this, question, [this](const QString &path) { openFile(path); });
}

bool ComposeDialog::openFile(const QString &path)
{
    const Result<QByteArray> script = readScriptFile(path);
    if (!script) {
        say(script.error().text(), Tone::Problem);
        return false;
    }
    const bool wasTouched = m_drafts->asks();
    const QByteArray type = typeOfFile(path);
    if (!type.isEmpty())
        m_form->setType(type);
    m_editor->view()->replaceAll(*script); // one step: Ctrl+Z brings back what was there
    showFileName(path);
    if (!wasTouched)
        m_drafts->setReplaceable(); // the file has it
    return true;
}

void ComposeDialog::saveFile()
{
    QString suffix;
    for (const InterpreterStatus &status : m_interpreters) {
        if (status.interpreter.type == m_form->job().target.type)
            suffix = status.interpreter.fileSuffix;
    }
    const QString proposed = m_fileName.isEmpty() ? tr("job") + suffix : m_fileName;
    const FileQuestion question{tr("Save the script"), proposed, tr("All files (*)")};
    Prompts::instance().saveFile(this, question, [this](const QString &path) {
        const Result<void> written = writeScriptFile(path, m_editor->script());
        if (written)
            showFileName(path);
        say(written ? tr("Saved as %1.").arg(QFileInfo(path).fileName()) : written.error().text(),
            written ? Tone::Good : Tone::Problem);
    });
}

void ComposeDialog::showFileName(const QString &path)
{
    m_fileName = path;
    m_fileLabel->setText(QFileInfo(path).fileName());
    m_fileLabel->setToolTip(path.toHtmlEscaped());
}

QByteArray ComposeDialog::typeOfFile(const QString &path) const
{
    for (const InterpreterStatus &status : m_interpreters) {
        const QString suffix = status.interpreter.fileSuffix;
        if (!suffix.isEmpty() && path.endsWith(suffix, Qt::CaseInsensitive))
            return status.interpreter.type;
    }
    return {};
}

void ComposeDialog::startWorker()
{
    if (!m_session)
        return;
    auto *const dialog = new StartWorkerDialog(m_session, m_settings, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setInterpreters(m_interpreters);
    dialog->setTarget(m_form->job().target);
    dialog->open();
}

} // namespace ym
