#include "ui/dialog_opener.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/base/when_ready.h"
#include "core/engine/paths.h"
#include "ui/actions/bulk_notice.h"
#include "ui/connection_models.h"
#include "ui/dialogs/attach_dialog.h"
#include "ui/dialogs/audit_dialog.h"
#include "ui/dialogs/compose_dialog.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/dialogs/doctor_dialog.h"
#include "ui/dialogs/graph_dialog.h"
#include "ui/dialogs/move_dialog.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/dialogs/start_worker_dialog.h"
#include "ui/prompts.h"
#include "ui/trial/run_locally_dialog.h"
#include "ui/ui_settings.h"
#include "ui/widgets/about_box.h"
#include "ui/workspace.h"

namespace ym {

namespace {

template <typename Dialog> Dialog *shown(Dialog *dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
    return dialog;
}

} // namespace

DialogOpener::DialogOpener(Workspace *workspace, QWidget *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_window(window)
{
}

ComposeDialog *DialogOpener::compose()
{
    ConnectionModels *const models = m_workspace->current();
    if (!models)
        return nullptr;
    auto *const dialog = new ComposeDialog(models->session(), m_workspace->settings(), m_window);
    dialog->setInterpreters(m_workspace->connections()->interpreters());
    dialog->setSources(models->jobs, models->presence);
    dialog->setConnections(m_workspace->connections());
    connect(dialog, &ComposeDialog::submittedElsewhere, m_workspace,
            [this](Session *session, const SubmitReceipt &receipt) {
                m_workspace->notify(
                    {Notice::Kind::Done,
                     tr("Submitted job %1 to %2.").arg(shownText(receipt.id.left(8)), shownText(session->profile().name.toUtf8())),
                     {}});
                m_workspace->openConnection(session->profile().id);
                m_workspace->openJob(receipt.id);
            });
    connect(
        dialog, &ComposeDialog::submitted, m_workspace,
        [this, session = QPointer<Session>(models->session())](const SubmitReceipt &receipt) {
            m_workspace->notify({Notice::Kind::Done, tr("Submitted job %1.").arg(shownText(receipt.id.left(8))), {}});
            if (session && session == m_workspace->session())
                m_workspace->openJob(receipt.id);
        });
    return dialog;
}

void DialogOpener::newJob()
{
    if (ComposeDialog *const dialog = compose()) {
        dialog->offerDraft();
        shown(dialog);
    }
}

void DialogOpener::newJobFor(const Target &target)
{
    if (ComposeDialog *const dialog = compose()) {
        dialog->setTarget(target);
        shown(dialog);
    }
}

void DialogOpener::newJobFrom(const Job &job)
{
    if (ComposeDialog *const dialog = compose()) {
        dialog->prefill(job);
        shown(dialog);
    }
}

void DialogOpener::editJob(const Job &job)
{
    ComposeDialog *const dialog = compose();
    if (!dialog)
        return;
    dialog->prefill(job);
    const QPointer<Session> session = m_workspace->session();
    connect(dialog, &ComposeDialog::submitted, m_workspace, [this, session, id = job.id](const SubmitReceipt &receipt) {
        if (!session || receipt.id == id)
            return;
        whenReady(session->removeJobs({id}), this, [this](const Result<BulkResult> &result) {
            if (!result || !result->isWhole())
                m_workspace->notify({Notice::Kind::Warning,
                                     tr("The job that was edited is still there: %1").arg(firstTrouble(result).text()),
                                     {}});
        });
    }, Qt::SingleShotConnection);
    shown(dialog);
}

void DialogOpener::chooseTarget(const Target &present, qsizetype count, QObject *context,
                                std::function<void(const Target &)> chosen)
{
    ConnectionModels *const models = m_workspace->current();
    if (!models)
        return;
    auto *const dialog = new MoveDialog(models->session(), count, m_window);
    dialog->setInterpreters(m_workspace->connections()->interpreters());
    dialog->setPresence(models->presence);
    dialog->setTarget(present);
    connect(dialog, &MoveDialog::chosen, context, std::move(chosen));
    connect(dialog, &MoveDialog::startWorkerWanted, this, &DialogOpener::startWorker);
    shown(dialog);
}

void DialogOpener::newGraph()
{
    ConnectionModels *const models = m_workspace->current();
    if (!models)
        return;
    auto *const dialog = new GraphDialog(models->session(), m_workspace->settings(), m_window);
    dialog->setInterpreters(m_workspace->connections()->interpreters());
    dialog->setSources(models->jobs, models->presence);
    connect(dialog, &GraphDialog::submitted, m_workspace,
            [this, session = QPointer<Session>(models->session())](const QList<QByteArray> &ids) {
                m_workspace->notify(
                    {Notice::Kind::Done, counted(ids.size(), tr("Submitted 1 job."), tr("Submitted %1 jobs.")), {}});
                if (session && session == m_workspace->session())
                    m_workspace->openJob(ids.first());
            });
    dialog->offerDraft();
    shown(dialog);
}

void DialogOpener::newJobFromFile()
{
    FileQuestion question{tr("Open a script"), m_workspace->settings()->text("compose/folder"), tr("All files (*)")};
    Prompts::instance().openFile(m_window, question, [this](const QString &path) { newJobFromFile(path); });
}

void DialogOpener::newJobFromFile(const QString &path)
{
    if (ComposeDialog *const dialog = compose()) {
        dialog->openFile(path);
        shown(dialog);
    }
}

void DialogOpener::runLocally(const JobDetail &detail, bool limitsOnly)
{
    shown(new RunLocallyDialog(m_workspace->connections(), m_workspace->settings(), detail, limitsOnly, m_window));
}

void DialogOpener::startWorker(const Target &target)
{
    Session *const session = m_workspace->session();
    if (!session)
        return;
    auto *const dialog = new StartWorkerDialog(session, m_workspace->settings(), m_window);
    dialog->setInterpreters(m_workspace->connections()->interpreters());
    if (!target.type.isEmpty())
        dialog->setTarget(target);
    connect(dialog, &StartWorkerDialog::started, m_workspace, [this](quint32) {
        m_workspace->notify({Notice::Kind::Done, tr("The worker was started."), {}});
    });
    connect(dialog, &StartWorkerDialog::limitsAgreed, m_workspace,
            [this, id = session->profile().id](const WorkerRequest &request) { startWithLimits(id, request); });
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

/// The consent is kept with the connection, which is opened anew with it.
void DialogOpener::startWithLimits(const QString &profileId, const WorkerRequest &request)
{
    Connections *const connections = m_workspace->connections();
    for (Profile profile : connections->profiles()) {
        if (profile.id != profileId)
            continue;
        profile.limitsOnly = true;
        connections->save(profile, std::nullopt);
    }
    m_workspace->openConnection(profileId);
    Session *const session = connections->session(profileId);
    if (!session)
        return;
    const auto start = [this, session, request] {
        whenReady(session->startWorker(request), this, [this](const Result<quint32> &outcome) {
            m_workspace->notify({outcome ? Notice::Kind::Done : Notice::Kind::Error,
                                 outcome ? tr("The worker was started; its jobs are only limited.")
                                         : outcome.error().text(),
                                 {}});
        });
    };
    if (session->state().phase == ConnectionState::Phase::Ready)
        return start();
    auto *const waiting = new QObject(session);
    connect(session, &Session::stateChanged, waiting, [session, waiting, start] {
        if (session->state().phase != ConnectionState::Phase::Ready)
            return;
        waiting->deleteLater();
        QObject::disconnect(session, nullptr, waiting, nullptr);
        start();
    });
}

void DialogOpener::newConnection()
{
    auto *const dialog = new ConnectionDialog(m_workspace->connections(), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ConnectionDialog::saved, m_workspace, &Workspace::openConnection);
    dialog->create();
}

void DialogOpener::editConnection(const QString &profileId)
{
    for (const Profile &profile : m_workspace->connections()->profiles()) {
        if (profile.id != profileId)
            continue;
        auto *const dialog = new ConnectionDialog(m_workspace->connections(), m_window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &ConnectionDialog::saved, m_workspace, &Workspace::openConnection);
        dialog->edit(profile);
        return;
    }
}

void DialogOpener::removeConnection(const QString &profileId)
{
    for (const Profile &profile : m_workspace->connections()->profiles()) {
        if (profile.id != profileId)
            continue;
        Question question;
        question.title = tr("Remove the connection “%1”?").arg(shownText(profile.name.toUtf8(), Lines::Flatten, 80));
        question.text =
            tr("Only the entry in this window and its password go away. Jobs on the server stay as they are.");
        question.answers = {tr("Remove connection")};
        question.isDestructive = true;
        Prompts::instance().confirm(m_window, question, [this, profileId] {
            m_workspace->connections()->remove(profileId);
            if (!m_workspace->current())
                m_workspace->openLast();
        });
        return;
    }
}

void DialogOpener::attach()
{
    if (Session *const session = m_workspace->session())
        shown(new AttachDialog(m_workspace->connections(), session, m_workspace->settings(), m_window));
}

void DialogOpener::doctor()
{
    if (m_doctor) {
        m_doctor->look();
        shown(m_doctor.data());
        return;
    }
    m_doctor = shown(new DoctorDialog(m_workspace, m_window));
    connect(m_doctor, &DoctorDialog::remedyWanted, this, &DialogOpener::remedyWanted);
}

void DialogOpener::audit()
{
    shown(new AuditDialog(Paths::standard().auditFile(), m_workspace->settings(), m_window));
}

void DialogOpener::settings()
{
    auto *const dialog = new SettingsDialog(m_workspace->connections(), m_workspace->settings(), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void DialogOpener::about()
{
    (new AboutBox(m_window))->open();
}

} // namespace ym
