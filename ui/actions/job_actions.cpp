#include "ui/actions/job_actions.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/base/when_ready.h"
#include "models/job_table_model.h"
#include "ui/actions/action_registry.h"
#include "ui/actions/bulk_notice.h"
#include "ui/actions/script_reading.h"
#include "ui/connection_models.h"
#include "ui/dialog_opener.h"
#include "ui/prompts.h"
#include "ui/ui_settings.h"
#include "ui/workspace.h"

#include <QApplication>
#include <QClipboard>
#include <QLocale>
#include <QWidget>

namespace ym {

namespace {

constexpr qsizetype mostLookedAt = 200;

/// What differs between the verbs, besides their sentences.
struct VerbRow {
    JobVerb verb;
    const char *id, *text, *tip, *icon, *key;
    const char *allId, *allText;
    Capability capability;
    bool (*applies)(JobState);
    const char *explanation, *nothing;
    QFuture<Result<BulkResult>> (Session::*request)(QList<QByteArray>);
    bool alwaysAsks;
};

bool isOpen(JobState state)
{
    return !isTerminal(state) && state != JobState::Lost;
}

bool isAny(JobState)
{
    return true;
}

const VerbRow verbs[] = {
    {JobVerb::Stop, "job.stop", QT_TRANSLATE_NOOP("ym::JobActions", "&Stop"),
     QT_TRANSLATE_NOOP("ym::JobActions", "Stop the selected jobs; one that waits is taken out of its queue"), "stop",
     "Ctrl+.", "job.stopAll", QT_TRANSLATE_NOOP("ym::JobActions", "Stop all that match…"), Capability::Stop, isOpen,
     QT_TRANSLATE_NOOP("ym::JobActions",
                       "Running scripts are ended; waiting jobs leave their queue. They can be retried later."),
     QT_TRANSLATE_NOOP("ym::JobActions", "Over already."), &Session::stopJobs, false},
    {JobVerb::Retry, "job.retry", QT_TRANSLATE_NOOP("ym::JobActions", "&Retry"),
     QT_TRANSLATE_NOOP("ym::JobActions", "Put the selected jobs into their queue again"), "retry", "Ctrl+R",
     "job.retryAll", QT_TRANSLATE_NOOP("ym::JobActions", "Retry all that match…"), Capability::Retry, isTerminal,
     QT_TRANSLATE_NOOP("ym::JobActions", "They go into their queue again and run once more."),
     QT_TRANSLATE_NOOP("ym::JobActions", "Not over yet."), &Session::retryJobs, false},
    {JobVerb::Remove, "job.remove", QT_TRANSLATE_NOOP("ym::JobActions", "Re&move…"),
     QT_TRANSLATE_NOOP("ym::JobActions", "Delete the selected jobs with their output"), "remove", "Del",
     "job.removeAll", QT_TRANSLATE_NOOP("ym::JobActions", "Remove all that match…"), Capability::Remove, isAny,
     QT_TRANSLATE_NOOP("ym::JobActions", "The jobs and their output are deleted. “Undo removal” brings them back while this connection is open."), "",
     &Session::removeJobs, true},
};

const VerbRow &rowOf(JobVerb verb)
{
    return verbs[size_t(verb)];
}

QString jobsText(qint64 count)
{
    return counted(count, JobActions::tr("1 job"), JobActions::tr("%1 jobs"));
}

QString verbOnButton(JobVerb verb, qint64 count)
{
    switch (verb) {
    case JobVerb::Stop:
        return JobActions::tr("Stop %1").arg(jobsText(count));
    case JobVerb::Retry:
        return JobActions::tr("Retry %1").arg(jobsText(count));
    case JobVerb::Remove:
        return JobActions::tr("Remove %1").arg(jobsText(count));
    }
    return {};
}

QString questionText(JobVerb verb, qint64 count, const QString &place)
{
    switch (verb) {
    case JobVerb::Stop:
        return JobActions::tr("Stop %1 in “%2”?").arg(jobsText(count), place);
    case JobVerb::Retry:
        return JobActions::tr("Retry %1 in “%2”?").arg(jobsText(count), place);
    case JobVerb::Remove:
        return JobActions::tr("Remove %1 from “%2”?").arg(jobsText(count), place);
    }
    return {};
}

QString doneText(JobVerb verb, qint64 count)
{
    switch (verb) {
    case JobVerb::Stop:
        return JobActions::tr("Stopped %1").arg(jobsText(count));
    case JobVerb::Retry:
        return JobActions::tr("Queued %1 again").arg(jobsText(count));
    case JobVerb::Remove:
        return JobActions::tr("Removed %1").arg(jobsText(count));
    }
    return {};
}

QString unchangedText(JobVerb verb, qint64 count)
{
    switch (verb) {
    case JobVerb::Stop:
        return counted(count, JobActions::tr("1 was already over"), JobActions::tr("%1 were already over"));
    case JobVerb::Retry:
        return counted(count, JobActions::tr("1 was not over yet"), JobActions::tr("%1 were not over yet"));
    case JobVerb::Remove:
        return counted(count, JobActions::tr("1 was already gone"), JobActions::tr("%1 were already gone"));
    }
    return {};
}

} // namespace

JobActions::JobActions(Workspace *workspace, ActionRegistry *registry, DialogOpener *dialogs, QWidget *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_registry(registry)
    , m_dialogs(dialogs)
    , m_window(window)
{
    addOthers(registry);
    connect(workspace, &Workspace::selectionChanged, registry, &ActionRegistry::refreshSoon);
    connect(workspace, &Workspace::stateChanged, registry, &ActionRegistry::refreshSoon);
    connect(workspace, &Workspace::applied, registry, &ActionRegistry::refreshSoon);
    connect(workspace, &Workspace::jobChosen, registry, &ActionRegistry::refreshSoon);
    connect(workspace, &Workspace::jobsLost, this, [workspace](Session *session, int count, const QString &removal) {
        workspace->notify(lossNotice(count, removal, workspace, session));
    });
    connect(workspace, &Workspace::watchedJobEnded, this, [this](Session *session, const JobSummary &job) {
        m_watched.remove({session->profile().id, job.id});
        Q_EMIT watchedChanged(job.id, false);
    });
}

void JobActions::addVerb(JobVerb verb)
{
    const VerbRow &row = rowOf(verb);
    ActionSpec one;
    one.id = row.id;
    one.text = tr(row.text);
    one.tip = tr(row.tip);
    one.icon = row.icon;
    one.keys = {QKeySequence(QLatin1String(row.key))};
    one.menu = ActionMenu::Job;
    one.group = verb == JobVerb::Remove ? 3 : 2;
    one.whyNot = [this, verb] { return whyNot(verb, m_workspace->selectedJobs(mostLookedAt + 1)); };
    m_registry->add(std::move(one), this, [this, verb] { perform(verb, m_workspace->selectedJobs()); });
}

void JobActions::addOthers(ActionRegistry *registry)
{
    const auto chosen = [this] { return m_workspace->selectedJobs(2); };
    const auto whyNotOne = [this, chosen] { return chosen().size() == 1 ? QString() : tr("Select one job."); };
    const auto make = [](const char *id, QString text, QString tip, const char *icon, const char *key, int group) {
        ActionSpec spec;
        spec.id = id;
        spec.text = std::move(text);
        spec.tip = std::move(tip);
        spec.icon = icon;
        if (*key)
            spec.keys = {QKeySequence(QLatin1String(key))};
        spec.menu = ActionMenu::Job;
        spec.group = group;
        return spec;
    };
    ActionSpec fresh = make("job.new", tr("&New job…"), tr("Write a job and submit it"), "add", "Ctrl+N", 0);
    fresh.whyNot = [this] { return whyNoChange(Capability::Submit); };
    registry->add(std::move(fresh), this, [this] { m_dialogs->newJob(); });
    ActionSpec file =
        make("job.open", tr("New job from &file…"), tr("Load a script file into a new job"), "script", "Ctrl+O", 0);
    file.whyNot = [this] { return whyNoChange(Capability::Submit); };
    registry->add(std::move(file), this, [this] { m_dialogs->newJobFromFile(); });
    ActionSpec graph = make("job.newGraph", tr("New &graph…"),
                            tr("Write several jobs that wait for one another, and submit them in one step"), "", "Ctrl+G", 0);
    graph.whyNot = [this] {
        const QString reason = whyNoChange(Capability::Submit);
        return reason.isEmpty() ? whyNoChange(Capability::Prerequisites) : reason;
    };
    registry->add(std::move(graph), this, [this] { m_dialogs->newGraph(); });
    ActionSpec copy = make("job.duplicate", tr("&Duplicate…"), tr("Write a new job that starts as a copy of this one"),
                           "duplicate", "Ctrl+D", 1);
    copy.whyNot = [this, whyNotOne] {
        const QString reason = whyNoChange(Capability::Submit);
        return reason.isEmpty() ? whyNotOne() : reason;
    };
    registry->add(std::move(copy), this, [this, chosen] { duplicate(chosen().value(0)); });

    ActionSpec here =
        make("job.runLocally", tr("Run &locally…"),
             tr("Run this job's script on this computer, beside how it went where it ran"), "play", "Ctrl+Shift+R", 1);
    here.whyNot = whyNotOne;
    registry->add(std::move(here), this, [this, chosen] { runLocally(chosen().value(0)); });

    addVerb(JobVerb::Stop);
    addVerb(JobVerb::Retry);
    addVerb(JobVerb::Remove);

    ActionSpec watch = make("job.watch", tr("&Watch"), tr("Tell me when this job ends"), "watch", "Ctrl+Shift+W", 5);
    watch.whyNot = whyNotOne;
    registry->add(std::move(watch), this, [this, chosen] {
        const QByteArray id = chosen().value(0);
        setWatched(id, !isWatched(id));
    });
    ActionSpec ids =
        make("job.copyId", tr("&Copy id"), tr("Copy the ids of the selected jobs"), "copy", "Ctrl+Shift+C", 5);
    ids.whyNot = [chosen] { return chosen().isEmpty() ? tr("Select a job.") : QString(); };
    registry->add(std::move(ids), this, [this] { copyIds(m_workspace->selectedJobs()); });
    for (const VerbRow &row : verbs) {
        ActionSpec all = make(row.allId, tr(row.allText), tr("Every job that the filter shows"), row.icon, "", 4);
        all.whyNot = [this, verb = row.verb] { return whyNotAll(verb); };
        registry->add(std::move(all), this,
                      [this, verb = row.verb] { perform(verb, m_workspace->current()->jobs->shownIds()); });
    }
}

QString JobActions::whyNoChange(Capability needed) const
{
    const ConnectionModels *const models = m_workspace->current();
    if (!models)
        return tr("No connection is open.");
    if (m_workspace->profile().readOnly)
        return tr("This connection is read-only.");
    if (!models->can(needed))
        return tr("The protocol of this connection cannot do that.");
    return models->isReady() ? QString() : tr("Not connected.");
}

QString JobActions::whyNot(JobVerb verb, const QList<QByteArray> &ids) const
{
    const VerbRow &row = rowOf(verb);
    if (const QString reason = whyNoChange(row.capability); !reason.isEmpty())
        return reason;
    if (ids.isEmpty())
        return tr("Select a job.");
    if (ids.size() > mostLookedAt)
        return {};
    const JobTableModel *const jobs = m_workspace->current()->jobs;
    const bool anyApplies = std::any_of(ids.begin(), ids.end(), [&](const QByteArray &id) {
        const auto job = jobs->summary(id);
        return !job || row.applies(job->state);
    });
    return anyApplies ? QString() : tr(row.nothing);
}

QString JobActions::whyNotAll(JobVerb verb) const
{
    if (const QString reason = whyNoChange(rowOf(verb).capability); !reason.isEmpty())
        return reason;
    if (m_workspace->page() != PageId::Jobs)
        return tr("Open the Jobs page.");
    return m_workspace->current()->jobs->shownCount() > 0 ? QString() : tr("No job matches.");
}

void JobActions::perform(JobVerb verb, const QList<QByteArray> &ids)
{
    if (!whyNot(verb, ids).isEmpty())
        return;
    const VerbRow &row = rowOf(verb);
    const Profile profile = m_workspace->profile();
    const QPointer<Session> session = m_workspace->session();
    const bool isHarmless = !row.alwaysAsks && ids.size() == 1;
    if (!profile.production && (isHarmless || !m_workspace->settings()->asksBeforeActions())) {
        request(verb, ids, session);
        return;
    }
    Question question;
    question.title = questionText(verb, ids.size(), shownText(profile.name.toUtf8(), Lines::Flatten, 80));
    question.text = tr(row.explanation);
    if (!m_workspace->current()->jobs->listing().complete)
        question.text += u' ' + tr("The list is still being read: jobs that are not in it yet stay as they are.");
    question.details = sampleOfIds(ids);
    question.answers = {verbOnButton(verb, ids.size())};
    question.isDestructive = verb != JobVerb::Retry;
    if (profile.production && question.isDestructive)
        question.typeToConfirm = profile.name;
    Prompts::instance().confirm(m_window, question, [this, verb, ids, session] { request(verb, ids, session); });
}

void JobActions::request(JobVerb verb, QList<QByteArray> ids, QPointer<Session> session)
{
    if (!session)
        return;
    const auto call = rowOf(verb).request;
    const auto answer = (session.data()->*call)(std::move(ids));
    whenReady(answer, this, [this, verb, session](const Result<BulkResult> &result) {
        const BulkResult told = result.value_or(BulkResult());
        const QString done = doneText(verb, told.done), unchanged = unchangedText(verb, told.unchanged);
        m_workspace->notify(verb == JobVerb::Remove ? removalNotice(done, unchanged, result, m_workspace, session)
                                                    : bulkNotice(done, unchanged, result));
    });
}

void JobActions::copyIds(const QList<QByteArray> &ids)
{
    if (ids.isEmpty())
        return;
    QApplication::clipboard()->setText(QString::fromUtf8(ids.join('\n')));
    m_workspace->notify({Notice::Kind::Info, counted(ids.size(), tr("Copied the id."), tr("Copied %1 ids.")), {}});
}

void JobActions::duplicate(const QByteArray &id)
{
    readForEditor(m_workspace, id, this, [this](const Job &job) { m_dialogs->newJobFrom(job); });
}

/// A script that is too long for a first look is read as a whole.
void JobActions::runLocally(const QByteArray &id)
{
    Session *const session = m_workspace->session();
    if (!session || id.isEmpty())
        return;
    const auto fail = [this](const Error &error) { m_workspace->notify({Notice::Kind::Error, error.text(), {}}); };
    whenReady(session->job(id), this, [this, fail, open = QPointer<Session>(session)](const Result<JobDetail> &detail) {
        if (!detail)
            return fail(detail.error());
        if (!detail->fullSize.contains("script"))
            return m_dialogs->runLocally(*detail, open && open->profile().limitsOnly);
        if (!open)
            return;
        const auto read = open->loadField(detail->job.id, "script");
        whenReady(read, this, [this, fail, open, whole = *detail](const Result<QByteArray> &script) mutable {
            if (!script)
                return fail(script.error());
            whole.job.script = *script;
            whole.fullSize.remove("script");
            m_dialogs->runLocally(whole, open && open->profile().limitsOnly);
        });
    });
}

void JobActions::setWatched(const QByteArray &id, bool on)
{
    Session *const session = m_workspace->session();
    if (!session || id.isEmpty())
        return;
    const std::pair key{session->profile().id, id};
    if (on)
        m_watched.insert(key);
    else
        m_watched.remove(key);
    session->watchJob(id, on);
    m_workspace->notify(
        {Notice::Kind::Info, on ? tr("You will be told when this job ends.") : tr("No longer watched."), {}});
    Q_EMIT watchedChanged(id, on);
}

bool JobActions::isWatched(const QByteArray &id) const
{
    return m_watched.contains({m_workspace->profile().id, id});
}

} // namespace ym
