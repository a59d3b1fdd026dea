#include "core/engine/doctor.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/engine/queue_findings.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>

namespace ym {

namespace {

using namespace std::chrono_literals;
using Severity = Finding::Severity;

constexpr qsizetype mostCases = 100; ///< jobs that one finding names
constexpr qsizetype mostOpen = 5'000; ///< running and waiting jobs that are read whole
constexpr qsizetype mostQueued = 500'000; ///< queued jobs that are looked for in the queues
constexpr qsizetype mostSuspects = 1'000;
constexpr size_t readsAtOnce = 50;
constexpr qint64 pageSize = 1'000;
constexpr qint64 overlap = 500; ///< what is taken from a queue between two pages hides no entry
constexpr Milliseconds settled = 10s; ///< a job that was touched a moment ago may be between two steps

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::Doctor", text);
}

/// What a rule about jobs says of all its cases together.
struct Rule {
    const char *word;
    Severity severity;
    const char *one;
    const char *many;
    const char *advice;
};

constexpr char releaseAdvice[] =
    QT_TRANSLATE_NOOP("ym::Doctor", "A worker or a window of Yardmaster on this store does that.");
constexpr char leaseAdvice[] = QT_TRANSLATE_NOOP(
    "ym::Doctor",
    "When a lease has run out, its job is queued again by any worker or window of Yardmaster that is open.");

constexpr Rule rules[] = {
    {"unlisted", Severity::Problem, QT_TRANSLATE_NOOP("ym::Doctor", "1 job is queued, but in no queue."),
     QT_TRANSLATE_NOOP("ym::Doctor", "%1 jobs are queued, but in no queue."),
     QT_TRANSLATE_NOOP(
         "ym::Doctor",
         "Who took it may be gone. A worker or a window of Yardmaster that is open queues it again within minutes.")},
    {"overtime", Severity::Problem, QT_TRANSLATE_NOOP("ym::Doctor", "1 job runs longer than it may."),
     QT_TRANSLATE_NOOP("ym::Doctor", "%1 jobs run longer than they may."),
     QT_TRANSLATE_NOOP(
         "ym::Doctor",
         "See whether the worker lives; whoever still runs such a job loses it when it is queued again.")},
    {"prerequisite", Severity::Problem,
     QT_TRANSLATE_NOOP("ym::Doctor", "1 job waits for one that will not finish by itself."),
     QT_TRANSLATE_NOOP("ym::Doctor", "%1 jobs wait for some that will not finish by themselves."), ""},
    {"unreleased", Severity::Problem, QT_TRANSLATE_NOOP("ym::Doctor", "1 job could run, but nobody has queued it."),
     QT_TRANSLATE_NOOP("ym::Doctor", "%1 jobs could run, but nobody has queued them."), releaseAdvice},
    {"overdue", Severity::Problem, QT_TRANSLATE_NOOP("ym::Doctor", "1 job is due, but nobody has queued it."),
     QT_TRANSLATE_NOOP("ym::Doctor", "%1 jobs are due, but nobody has queued them."), releaseAdvice},
    {"worker_gone", Severity::Warning,
     QT_TRANSLATE_NOOP("ym::Doctor", "1 job runs in a worker that does not show itself."),
     QT_TRANSLATE_NOOP("ym::Doctor", "%1 jobs run in workers that do not show themselves."), leaseAdvice},
    {"worker_silent", Severity::Warning,
     QT_TRANSLATE_NOOP("ym::Doctor", "1 job runs in a worker that has fallen silent."),
     QT_TRANSLATE_NOOP("ym::Doctor", "%1 jobs run in workers that have fallen silent."), leaseAdvice},
    {"unreadable", Severity::Warning, QT_TRANSLATE_NOOP("ym::Doctor", "1 record cannot be read as a job."),
     QT_TRANSLATE_NOOP("ym::Doctor", "%1 records cannot be read as jobs."),
     QT_TRANSLATE_NOOP("ym::Doctor", "See what is there, and who wrote it.")},
    {"unknown_status", Severity::Warning, QT_TRANSLATE_NOOP("ym::Doctor", "1 job has a status that nobody knows."),
     QT_TRANSLATE_NOOP("ym::Doctor", "%1 jobs have a status that nobody knows."),
     QT_TRANSLATE_NOOP("ym::Doctor", "No worker takes such a job. See who wrote it.")},
};

/// What helps all of these, when the same helps each that can be helped.
Remedy remedyOf(const QList<Finding::Case> &cases)
{
    Remedy all;
    for (const Finding::Case &one : cases) {
        const Remedy &own = one.remedy;
        if (own.kind == Remedy::Kind::None)
            continue;
        if (all.kind != Remedy::Kind::None && (own.kind != all.kind || own.target != all.target))
            return {};
        all.kind = own.kind;
        all.target = own.target;
        for (const QByteArray &id : own.jobs) {
            if (!all.jobs.contains(id))
                all.jobs.append(id);
        }
    }
    return all;
}

/// It says that it is queued, and not only since a moment ago.
bool isSettledInQueue(const JobSummary &job, Timestamp now)
{
    const std::optional<Timestamp> touched = std::max(job.updatedAt, job.createdAt);
    return job.state == JobState::Queued && (!touched || now - *touched > settled);
}

bool isQueueOfJobs(const QueueInfo &queue)
{
    return (queue.kind == QueueKind::Work || queue.kind == QueueKind::Legacy) && !queue.invalid && queue.depth > 0;
}

} // namespace

/// What has been seen so far.
struct Doctor::Census {
    Examination report;
    QHash<QByteArray, Finding> byRule;
    QSet<QByteArray> queued; ///< to be found in a queue
    QList<QByteArray> open; ///< running and waiting
    bool hasTooMany = false;

    void add(const QByteArray &rule, Finding::Case one)
    {
        Finding &finding = byRule[rule];
        finding.rule = rule;
        if (finding.cases.size() < mostCases)
            finding.cases.append(std::move(one));
        ++finding.count;
    }

    void add(const JobStanding &standing, const QByteArray &id)
    {
        if (standing.isTrouble())
            add(standing.rule, {id, standing.text, standing.remedy});
    }

    void see(const JobSummary &job, Timestamp now)
    {
        ++report.jobs[size_t(job.state)];
        if (job.invalid)
            add("unreadable", {job.id, {}});
        else if (job.state == JobState::Unknown)
            add("unknown_status", {job.id, shownText(job.statusText, Lines::Flatten, 64)});
        if (isSettledInQueue(job, now)) {
            if (queued.size() < mostQueued)
                queued.insert(job.id);
            else
                hasTooMany = true;
        }
        if (job.state == JobState::Running || job.state == JobState::Waiting) {
            if (open.size() < mostOpen)
                open.append(job.id);
            else
                hasTooMany = true;
        }
    }

    QList<Finding> jobFindings() const
    {
        QList<Finding> list;
        for (const Rule &rule : rules) {
            const auto found = byRule.constFind(rule.word);
            if (found == byRule.cend())
                continue;
            Finding finding = *found;
            finding.severity = rule.severity;
            finding.remedy = remedyOf(finding.cases);
            finding.text = counted(finding.count, tr(rule.one), tr(rule.many));
            finding.advice = *rule.advice ? tr(rule.advice) : QString();
            list.append(std::move(finding));
        }
        if (hasTooMany)
            list.append(
                {"too_many",
                 Severity::Note,
                 tr("There are too many jobs to look at each of those that are not over: at most %1 queued ones were "
                    "looked for in the queues, and %2 that run or wait were read.")
                     .arg(QLocale().toString(mostQueued), QLocale().toString(mostOpen)),
                 {}});
        return list;
    }
};

Doctor::Doctor(Inspector *inspector, Timestamp now)
    : m_inspector(inspector)
    , m_now(now)
{
}

QCoro::Task<Examination> Doctor::examine(QStringList warnings, std::stop_token stop)
{
    Census census;
    co_await readJobs(&census, stop);
    co_await readPresence();
    co_await lookAtOpen(&census, stop);
    co_await lookAtDue(&census);
    co_await lookForUnlisted(&census, stop);
    QList<Finding> all;
    for (const QString &warning : warnings)
        all.append({"store", Severity::Warning, warning, {}});
    all += findingsOf(m_queues, m_workers, m_now);
    const QList<Finding> dangling = co_await findDangling();
    all += dangling;
    all += census.jobFindings();
    all += findingsOf(m_workers, m_now);
    std::stable_sort(all.begin(), all.end(),
                     [](const Finding &a, const Finding &b) { return a.severity < b.severity; });
    Examination report = census.report;
    report.findings = all;
    report.queueCount = m_queues.size();
    report.workerCount = m_workers.size();
    co_return report;
}

QCoro::Task<Doctor::JobReport> Doctor::examineJob(QByteArray id)
{
    co_await readPresence();
    Inspector::Detail detail = co_await m_inspector->job(id, Inspector::defaultPreview);
    JobReport report{std::move(detail.job), {}};
    const std::vector<Job> one{report.job};
    const QHash<QByteArray, JobSummary> known = co_await prerequisitesOf(one);
    KnownPicture around = picture(known);
    if (report.job.state == JobState::Queued) {
        around.place = co_await placeOf(id, report.job.target);
        around.isSearched = true;
    }
    report.standing = standingOf(report.job, around, m_now);
    co_return report;
}

QCoro::Task<void> Doctor::readPresence()
{
    m_queues = co_await m_inspector->queues();
    m_workers = co_await m_inspector->workers();
}

KnownPicture Doctor::picture(const QHash<QByteArray, JobSummary> &known) const
{
    KnownPicture picture;
    picture.queues = &m_queues;
    picture.workers = &m_workers;
    picture.job = [&known](const QByteArray &id) {
        const auto found = known.constFind(id);
        return found == known.cend() ? std::nullopt : std::optional<JobSummary>(*found);
    };
    picture.knowsEveryJob = true;
    picture.wholeIds = true;
    return picture;
}

QCoro::Task<void> Doctor::readJobs(Census *census, std::stop_token stop)
{
    QByteArray cursor;
    do {
        const Inspector::JobPage page = co_await m_inspector->jobs(cursor);
        for (const JobSummary &job : page.jobs)
            census->see(job, m_now);
        cursor = page.cursor;
    } while (!cursor.isEmpty() && !stop.stop_requested());
}

/// Reads jobs whole, several at once; those that are gone meanwhile are missing.
QCoro::Task<std::vector<Job>> Doctor::read(QList<QByteArray> ids)
{
    std::vector<QCoro::Task<Inspector::Detail>> reads;
    for (const QByteArray &id : ids)
        reads.push_back(m_inspector->job(id, Inspector::defaultPreview));
    std::vector<Job> jobs;
    std::optional<StoreError> trouble;
    for (QCoro::Task<Inspector::Detail> &one : reads) {
        try {
            Inspector::Detail detail = co_await one;
            jobs.push_back(std::move(detail.job));
        } catch (const StoreError &e) {
            if (e.kind() != ErrorKind::NotFound && e.kind() != ErrorKind::WrongType)
                trouble = e;
        }
    }
    if (trouble)
        throw *trouble;
    co_return jobs;
}

QCoro::Task<QHash<QByteArray, JobSummary>> Doctor::prerequisitesOf(std::vector<Job> jobs)
{
    QSet<QByteArray> wanted;
    for (const Job &job : jobs) {
        if (job.state == JobState::Waiting)
            wanted.unite(QSet<QByteArray>(job.prerequisites.cbegin(), job.prerequisites.cend()));
    }
    QHash<QByteArray, JobSummary> known;
    if (wanted.isEmpty())
        co_return known;
    const std::vector<JobSummary> found = co_await m_inspector->summaries(wanted.values());
    for (const JobSummary &job : found)
        known.insert(job.id, job);
    co_return known;
}

/// What runs and what waits.
QCoro::Task<void> Doctor::lookAtOpen(Census *census, std::stop_token stop)
{
    for (qsizetype from = 0; from < census->open.size() && !stop.stop_requested(); from += qsizetype(readsAtOnce)) {
        const std::vector<Job> jobs = co_await read(census->open.mid(from, qsizetype(readsAtOnce)));
        const QHash<QByteArray, JobSummary> known = co_await prerequisitesOf(jobs);
        const KnownPicture around = picture(known);
        for (const Job &job : jobs)
            census->add(standingOf(job, around, m_now), job.id);
    }
}

/// The job that is due first in each list of delayed ones: when that is not late, none is.
QCoro::Task<void> Doctor::lookAtDue(Census *census)
{
    QList<QByteArray> first;
    for (const QueueInfo &queue : std::as_const(m_queues)) {
        if (queue.kind == QueueKind::Delayed && !queue.nextJob.isEmpty())
            first.append(queue.nextJob);
    }
    const std::vector<Job> jobs = co_await read(first);
    const QHash<QByteArray, JobSummary> none;
    const KnownPicture around = picture(none);
    for (const Job &job : jobs) {
        if (job.state == JobState::Scheduled)
            census->add(standingOf(job, around, m_now), job.id);
    }
}

/// Only what is served next: a worker of ours drops it when it comes to it.
QCoro::Task<QList<Finding>> Doctor::findDangling()
{
    QHash<QByteArray, QByteArray> keyOf;
    for (const QueueInfo &queue : std::as_const(m_queues)) {
        if (isQueueOfJobs(queue) && !queue.nextJob.isEmpty())
            keyOf.insert(queue.nextJob, queue.key);
    }
    const std::vector<JobSummary> found = co_await m_inspector->summaries(keyOf.keys());
    for (const JobSummary &job : found)
        keyOf.remove(job.id);
    QList<Finding> list;
    for (auto entry = keyOf.cbegin(); entry != keyOf.cend(); ++entry)
        list.append(
            {"dangling", Severity::Warning,
             tr("%1 serves %2 next, which is no job: it was removed, or never written.")
                 .arg(shownText(entry.value(), Lines::Flatten, 120), shownText(entry.key(), Lines::Flatten, 120)),
             tr("A worker of Yardmaster drops such an entry; another one may stumble over it."), entry.value()});
    co_return list;
}

/// Jobs that say that they are queued and stand in no queue. What was pushed or taken while it looked is found out by a
/// second look.
QCoro::Task<void> Doctor::lookForUnlisted(Census *census, std::stop_token stop)
{
    for (int look = 0; look < 2 && !census->queued.isEmpty(); ++look) {
        m_queues = co_await m_inspector->queues();
        co_await strikeListed(&census->queued, stop);
    }
    if (census->queued.isEmpty() || stop.stop_requested())
        co_return;
    const QList<QByteArray> left = census->queued.values();
    const std::vector<JobSummary> suspects = co_await m_inspector->summaries(left.mid(0, mostSuspects));
    for (const JobSummary &job : suspects) {
        if (isSettledInQueue(job, m_now))
            census->add("unlisted", {job.id, {}, {Remedy::Kind::Requeue, {job.id}, {}}});
    }
    if (left.size() > mostSuspects)
        census->byRule["unlisted"].count += left.size() - mostSuspects;
}

QCoro::Task<void> Doctor::strikeListed(QSet<QByteArray> *ids, std::stop_token stop)
{
    for (const QueueInfo &queue : std::as_const(m_queues)) {
        for (qint64 from = 0; isQueueOfJobs(queue) && !ids->isEmpty() && !stop.stop_requested();
             from += pageSize - overlap) {
            const QList<QByteArray> page = co_await m_inspector->queueContent(queue.key, from, pageSize);
            for (const QByteArray &id : page)
                ids->remove(id);
            if (page.size() < pageSize)
                break;
        }
    }
}

/// Looks through the queues that may hold it, and then through the others: others may have put it there.
QCoro::Task<std::optional<QueuePlace>> Doctor::placeOf(QByteArray id, Target target)
{
    QList<QueueInfo> order = m_queues;
    order.removeIf([](const QueueInfo &queue) { return !isQueueOfJobs(queue); });
    std::stable_partition(order.begin(), order.end(),
                          [&target](const QueueInfo &queue) { return mayHold(queue, target); });
    for (const QueueInfo &queue : std::as_const(order)) {
        for (qint64 from = 0;; from += pageSize - overlap) {
            const QList<QByteArray> page = co_await m_inspector->queueContent(queue.key, from, pageSize);
            const qsizetype place = page.indexOf(id);
            if (place >= 0)
                co_return QueuePlace{queue.key, from + place};
            if (page.size() < pageSize)
                break;
        }
    }
    co_return std::nullopt;
}

} // namespace ym
