#include "ui/actions/change_actions.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/base/when_ready.h"
#include "models/job_table_model.h"
#include "ui/actions/action_registry.h"
#include "ui/actions/bulk_notice.h"
#include "ui/actions/job_actions.h"
#include "ui/actions/script_reading.h"
#include "ui/connection_models.h"
#include "ui/dialog_opener.h"
#include "ui/prompts.h"
#include "ui/workspace.h"

#include <QWidget>

namespace ym {

namespace {

constexpr qsizetype mostLookedAt = 200;

QString jobsText(qint64 count)
{
    return counted(count, ChangeActions::tr("1 job"), ChangeActions::tr("%1 jobs"));
}

bool mayBeRequeued(JobState state)
{
    return state == JobState::Running || state == JobState::Queued || state == JobState::Scheduled
        || state == JobState::Unknown;
}

bool mayBeMoved(JobState state)
{
    return state == JobState::Queued || state == JobState::Waiting || state == JobState::Scheduled;
}

bool mayBeEdited(JobState state)
{
    return state != JobState::Running;
}

ActionSpec spec(const char *id, const QString &text, const QString &tip, const char *icon, int group)
{
    ActionSpec made;
    made.id = id;
    made.text = text;
    made.tip = tip;
    made.icon = icon;
    made.menu = ActionMenu::Job;
    made.group = group;
    return made;
}

} // namespace

ChangeActions::ChangeActions(Workspace *workspace, ActionRegistry *registry, JobActions *jobs, DialogOpener *dialogs,
                             QWidget *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_jobs(jobs)
    , m_dialogs(dialogs)
    , m_window(window)
{
    ActionSpec edited = spec("job.edit", tr("&Edit and resubmit…"),
                             tr("Write the job anew; when it is submitted, this one is removed"), "script", 1);
    edited.keys = {QKeySequence(Qt::CTRL | Qt::Key_E)};
    edited.whyNot = [this] {
        if (m_workspace->selectedJobs(2).size() != 1)
            return tr("Select one job.");
        const QString reason = m_jobs->whyNoChange(Capability::Submit);
        return reason.isEmpty() ? whyNone(mayBeEdited, tr("It runs.")) : reason;
    };
    registry->add(std::move(edited), this, [this] { edit(); });
    ActionSpec again = spec("job.requeue", tr("Re&queue…"),
                            tr("Take the selected jobs away from whoever runs them and queue them again"), "retry", 2);
    again.whyNot = [this] {
        const QString reason = m_jobs->whyNoChange(Capability::Retry);
        return reason.isEmpty() ? whyNone(mayBeRequeued, tr("Not queued and not running.")) : reason;
    };
    registry->add(std::move(again), this, [this] { requeue(m_workspace->selectedJobs()); });
    ActionSpec other = spec("job.move", tr("M&ove to…"), tr("Give the selected jobs another queue or worker"), "", 2);
    other.keys = {QKeySequence(Qt::CTRL | Qt::Key_M)};
    other.whyNot = [this] {
        const QString reason = m_jobs->whyNoChange(Capability::Submit);
        return reason.isEmpty() ? whyNone(mayBeMoved, tr("Only a job that has not started can be moved.")) : reason;
    };
    registry->add(std::move(other), this, [this] { chooseTarget(); });
    ActionSpec empty = spec("queue.purge", tr("Remove what &waits in the queue…"),
                            tr("Delete the jobs that wait in the chosen queue"), "", 4);
    empty.whyNot = [this] { return whyNoPurge(m_chosenQueue()); };
    registry->add(std::move(empty), this, [this] {
        if (const std::optional<QueueInfo> queue = m_chosenQueue())
            purge(*queue);
    });
    ActionSpec back = spec("job.restore", tr("&Undo removal"), tr("Bring back the jobs that were removed last"), "", 3);
    back.keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)};
    back.whyNot = [this] {
        if (const QString reason = m_jobs->whyNoChange(Capability::Remove); !reason.isEmpty())
            return reason;
        return m_workspace->session()->state().restorable > 0 ? QString() : tr("Nothing was removed in this window.");
    };
    registry->add(std::move(back), this, [this] { restoreRemoved(m_workspace, m_workspace->session(), {}); });
}

/// Empty when one of the selected jobs is in such a state; looks at no more than 200 of them.
QString ChangeActions::whyNone(bool (*applies)(JobState), const QString &otherwise) const
{
    const QList<QByteArray> ids = m_workspace->selectedJobs(mostLookedAt + 1);
    if (ids.isEmpty())
        return tr("Select a job.");
    if (ids.size() > mostLookedAt)
        return {};
    const JobTableModel *const jobs = m_workspace->current()->jobs;
    const bool any = std::any_of(ids.begin(), ids.end(), [&](const QByteArray &id) {
        const auto job = jobs->summary(id);
        return !job || applies(job->state);
    });
    return any ? QString() : otherwise;
}

QString ChangeActions::place() const
{
    return shownText(m_workspace->profile().name.toUtf8(), Lines::Flatten, 80);
}

void ChangeActions::ask(const QString &title, const QString &text, const QString &details, const QString &answer,
                        std::function<void(Session *)> confirmed)
{
    const QPointer<Session> session = m_workspace->session();
    Question question;
    question.title = title;
    question.text = text;
    question.details = details;
    question.answers = {answer};
    question.isDestructive = true;
    if (m_workspace->profile().production)
        question.typeToConfirm = m_workspace->profile().name;
    Prompts::instance().confirm(m_window, question, [session, confirmed] {
        if (session)
            confirmed(session);
    });
}

void ChangeActions::requeue(const QList<QByteArray> &ids)
{
    if (ids.isEmpty())
        return;
    ask(tr("Requeue %1 in “%2”?").arg(jobsText(ids.size()), place()),
        tr("Whoever runs them loses them, and they are served next. For jobs whose worker is gone; a job that still runs "
           "will run twice."),
        sampleOfIds(ids), tr("Requeue %1").arg(jobsText(ids.size())), [this, ids](Session *session) {
            whenReady(session->requeueJobs(ids), this, [this](const Result<BulkResult> &result) {
                m_workspace->notify(bulkNotice(tr("Queued %1 again").arg(jobsText(result ? result->done : 0)), {}, result));
            });
        });
}

void ChangeActions::chooseTarget()
{
    const QList<QByteArray> ids = m_workspace->selectedJobs();
    if (ids.isEmpty())
        return;
    const auto first = m_workspace->current()->jobs->summary(ids.first());
    m_dialogs->chooseTarget(first ? first->target : Target(), ids.size(), this,
                            [this, ids](const Target &to) { move(ids, to); });
}

void ChangeActions::move(const QList<QByteArray> &ids, const Target &to)
{
    Session *const session = m_workspace->session();
    if (!session)
        return;
    whenReady(session->moveJobs(ids, to), this, [this](const Result<BulkResult> &result) {
        const QString same = result ? counted(result->unchanged, tr("1 was there already"), tr("%1 were there already")) : QString();
        m_workspace->notify(bulkNotice(tr("Moved %1").arg(jobsText(result ? result->done : 0)), same, result));
    });
}

void ChangeActions::edit()
{
    readForEditor(m_workspace, m_workspace->selectedJobs(1).value(0), this,
                  [this](const Job &job) { m_dialogs->editJob(job); });
}

QString ChangeActions::whyNoPurge(const std::optional<QueueInfo> &queue) const
{
    if (const QString reason = m_jobs->whyNoChange(Capability::Remove); !reason.isEmpty())
        return reason;
    if (!queue || m_workspace->page() != PageId::Queues)
        return tr("Choose a queue on the Queues page.");
    if (queue->invalid || (queue->kind != QueueKind::Work && queue->kind != QueueKind::Legacy))
        return tr("No jobs wait in a list of this kind.");
    return queue->depth > 0 ? QString() : tr("Nothing waits there.");
}

void ChangeActions::purge(const QueueInfo &queue)
{
    const QString shown = shownText(queue.key, Lines::Flatten, 120);
    const QString count = jobsText(queue.depth);
    ask(tr("Remove %1 from the queue %2 in “%3”?").arg(count, shown, place()),
        tr("Everything that waits in this queue is deleted, also what arrives meanwhile. Jobs that run stay. “Undo "
           "removal” "
           "brings it back while this connection is open."),
        {}, tr("Remove %1").arg(count), [this, key = queue.key](Session *session) {
            const auto purged = session->purgeQueue(key);
            whenReady(purged, this, [this, open = QPointer(session)](const Result<BulkResult> &result) {
                const QString done = tr("Removed %1").arg(jobsText(result ? result->done : 0));
                m_workspace->notify(removalNotice(done, {}, result, m_workspace, open));
            });
        });
}

} // namespace ym
