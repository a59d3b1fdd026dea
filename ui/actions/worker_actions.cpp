#include "ui/actions/worker_actions.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/base/when_ready.h"
#include "ui/actions/action_registry.h"
#include "ui/connection_models.h"
#include "ui/dialog_opener.h"
#include "ui/prompts.h"
#include "ui/workspace.h"

#include <QPointer>
#include <QWidget>

namespace ym {

WorkerActions::WorkerActions(Workspace *workspace, ActionRegistry *registry, DialogOpener *dialogs, QWidget *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_window(window)
{
    add(registry, dialogs);
}

LocalWorkerInfo WorkerActions::worker() const
{
    const ConnectionModels *const models = m_workspace->current();
    const quint32 handle = m_chosen ? m_chosen() : 0;
    return models && handle != 0 ? models->localWorkers->workerAt(models->localWorkers->rowOf(handle))
                                 : LocalWorkerInfo();
}

void WorkerActions::add(ActionRegistry *registry, DialogOpener *dialogs)
{
    using State = LocalWorkerInfo::State;
    const auto spec = [](const char *id, const QString &text, const QString &tip, const char *icon, int group) {
        ActionSpec made;
        made.id = id;
        made.text = text;
        made.tip = tip;
        made.icon = icon;
        made.menu = ActionMenu::Worker;
        made.group = group;
        return made;
    };
    ActionSpec start = spec("worker.start", tr("&Start a worker…"), tr("Run jobs in this application"), "play", 0);
    start.keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)};
    start.whyNot = [this] {
        if (!m_workspace->current())
            return tr("No connection is open.");
        return m_workspace->profile().readOnly ? tr("This connection is read-only.") : QString();
    };
    registry->add(std::move(start), this, [dialogs] { dialogs->startWorker(); });
    const auto needs = [this](std::initializer_list<State> states, const QString &otherwise) {
        return [this, wanted = QList<State>(states), otherwise] {
            const LocalWorkerInfo chosen = worker();
            if (chosen.handle == 0)
                return tr("Select a local worker.");
            return wanted.contains(chosen.state) ? QString() : otherwise;
        };
    };
    ActionSpec quietSpec =
        spec("worker.quiet", tr("&Quiet"), tr("Let it finish what it runs and take nothing new"), "pause", 1);
    quietSpec.whyNot = needs({State::Running}, tr("It takes no new jobs now."));
    registry->add(std::move(quietSpec), this, [this] { quiet(true); });
    ActionSpec resume = spec("worker.resume", tr("&Resume"), tr("Let it take jobs again"), "play", 1);
    resume.whyNot = needs({State::Quiet}, tr("It is not quiet."));
    registry->add(std::move(resume), this, [this] { quiet(false); });
    ActionSpec end = spec("worker.stop", tr("S&top…"),
                          tr("End it; jobs that do not finish in time go back to their queue"), "stop", 1);
    end.whyNot = needs({State::Starting, State::Running, State::Quiet}, tr("It is stopped or stopping."));
    registry->add(std::move(end), this, [this] { stop(); });
}

void WorkerActions::quiet(bool on)
{
    Session *const session = m_workspace->session();
    const LocalWorkerInfo chosen = worker();
    if (!session || chosen.handle == 0)
        return;
    const QString done = on ? tr("The worker takes nothing new.") : tr("The worker takes jobs again.");
    whenReady(session->quietWorker(chosen.handle, on), this, [this, done](const Result<bool> &result) {
        tell(result, done);
    });
}

void WorkerActions::stop()
{
    const QPointer<Session> session = m_workspace->session();
    const LocalWorkerInfo chosen = worker();
    if (!session || chosen.handle == 0)
        return;
    const auto request = [this, session, handle = chosen.handle] {
        if (session)
            whenReady(session->stopWorker(handle), this,
                      [this](const Result<bool> &result) { tell(result, tr("The worker stops.")); });
    };
    if (chosen.busy.isEmpty()) {
        request();
        return;
    }
    Question question;
    question.title = tr("Stop this worker?");
    question.text =
        counted(chosen.busy.size(), tr("It runs 1 job. When that does not end in time it goes back to its queue."),
                tr("It runs %1 jobs. Those that do not end in time go back to their queue."));
    question.details = shownText(chosen.busy.join('\n'), Lines::Keep, 4096);
    question.answers = {tr("Stop worker")};
    question.isDestructive = true;
    Prompts::instance().confirm(m_window, question, request);
}

void WorkerActions::tell(const Result<bool> &result, const QString &done)
{
    m_workspace->notify({result ? Notice::Kind::Done : Notice::Kind::Error, result ? done : result.error().text(), {}});
}

} // namespace ym
