#include "core/protocol/hero/hero_producer.h"

#include "core/base/text.h"
#include "core/protocol/hero/field_readers.h"
#include "core/protocol/hero/hero_graph.h"
#include "core/protocol/hero/job_codec.h"
#include "core/protocol/hero/job_wait.h"
#include "core/protocol/hero/keys.h"
#include "core/protocol/hero/refusals.h"
#include "core/protocol/hero/scripts.h"

#include <QCoreApplication>
#include <QScopeGuard>
#include <QSet>
#include <QUuid>

namespace ym::hero {

namespace {

/// What is queued in one step: it must not keep the others in the server waiting.
constexpr size_t mostPlainJobs = 64;
constexpr qsizetype mostPlainBytes = 1024 * 1024;
constexpr qsizetype mostPrerequisites = 10'000; ///< of one job: they are looked at in one step

QString say(const char *text)
{
    return QCoreApplication::translate("ym::HeroProducer", text);
}

void checkDraft(const Job &draft)
{
    QStringList problems;
    for (const FieldProblem &problem : validateDraft(draft))
        problems.append(problem.message);
    if (QUuid::fromString(QLatin1String(draft.id)).isNull() || draft.id.size() != 36 || draft.id != draft.id.toLower())
        problems.append(say(QT_TRANSLATE_NOOP("ym::HeroProducer", "An id is a UUID in lower case.")));
    for (const auto &[name, value] : draft.env) {
        if (!isUtf8(value))
            problems.append(say(QT_TRANSLATE_NOOP("ym::HeroProducer", "The value of %1 is not UTF-8 text."))
                                .arg(shownText(name, Lines::Flatten, 80)));
    }
    if (!problems.isEmpty())
        throw StoreError(ErrorKind::Usage, problems.join(u' '));
}

/// Throws when a graph cannot be submitted as it is; nothing has been sent then.
void checkGraph(const std::vector<Job> &drafts, const GraphPlan &plan)
{
    for (const Job &draft : drafts) {
        checkDraft(draft);
        if (draft.prerequisites.size() > mostPrerequisites)
            checkAnswer(draft.id, {"tooMany"});
    }
    if (!plan.duplicates.isEmpty())
        throw StoreError(ErrorKind::Usage,
                         say(QT_TRANSLATE_NOOP("ym::HeroProducer", "More than one job has the id %1."))
                             .arg(shownIds(plan.duplicates)));
    if (!plan.cycle.isEmpty())
        checkAnswer({}, QList<QByteArray>{"cycle"} + plan.cycle.mid(0, 50));
}

bool waitsForNothing(const Job &draft)
{
    return draft.prerequisites.isEmpty() && !draft.notBefore;
}

} // namespace

HeroProducer::HeroProducer(Store *store, ProtocolOptions options, Clock *clock)
    : m_store(store)
    , m_options(options)
    , m_clock(clock)
    , m_routes(options.keys)
    , m_presence(store)
    , m_plainJobs(store, {mostPlainJobs, mostPlainBytes},
                  [this](std::vector<PlainJob> jobs) { return queueAll(std::move(jobs)); })
{
}

QCoro::Task<Producer::Receipt> HeroProducer::submit(Job draft)
{
    if (draft.id.isEmpty())
        draft.id = newJobId();
    checkDraft(draft);
    const DraftFields fields = writeDraft(draft);
    const bool isPresent = co_await isWorkerPresent(draft.target);
    const QList<QByteArray> queues = m_routes.queuesFor(draft.target, isPresent);
    if (waitsForNothing(draft) && queues == QList<QByteArray>{canonicalFamily().queueFor(draft.target)}) {
        PlainJob job{draft.id, queues.constFirst(), fields.written};
        const Queued queued = co_await queueOne(std::move(job), draft.script.size());
        if (queued == Queued::Yes)
            co_return Receipt{draft.id, queues};
    }
    const qint64 notBefore = draft.notBefore ? qint64(draft.notBefore->time_since_epoch().count()) : 0;
    QList<QByteArray> args{draft.id, writeIds(queues), writeIds(draft.prerequisites),
                           notBefore > 0 ? QByteArray::number(notBefore) : QByteArray(),
                           QByteArray::number(fields.written.size())};
    for (const ByteField &field : fields.written)
        args << field.first << field.second;
    args += fields.absent;
    const QList<QByteArray> keyList{keys::job(draft.id)};
    const Reply reply = co_await m_store->script(script("submit"), keyList, args);
    const QList<QByteArray> answer = reply.toList();
    checkAnswer(draft.id, answer);
    co_return Receipt{draft.id, answer.mid(1)};
}

/// Alone at once, with the others of its turn when some are on their way already.
QCoro::Task<HeroProducer::Queued> HeroProducer::queueOne(PlainJob job, qsizetype cost)
{
    const auto ended = qScopeGuard([this] { --m_plainOnWay; });
    QCoro::Task<Queued> queueing = m_plainJobs.add(std::move(job), cost);
    if (++m_plainOnWay == 1)
        m_plainJobs.flush();
    const Queued queued = co_await queueing;
    co_return queued;
}

/// Queues together what was submitted together. An id that comes twice is queued once; the other one finds it there.
QCoro::Task<std::vector<HeroProducer::Queued>> HeroProducer::queueAll(std::vector<PlainJob> jobs)
{
    std::vector<Queued> queued(jobs.size(), Queued::No);
    const std::vector<Group> groups = groupsOf(jobs);
    std::vector<size_t> places; // in the order of the keys
    QList<QByteArray> keyList;
    QList<QByteArray> args;
    for (const Group &group : groups) {
        for (const size_t place : group) {
            places.push_back(place);
            keyList.append(keys::job(jobs[place].id));
        }
        args += wordsOf(jobs, group);
    }
    const Reply reply = co_await m_store->script(script("submit_plain"), keyList, args);
    const std::vector<Reply> &answer = reply.toArray();
    for (size_t i = 0; i < std::min(answer.size(), places.size()); ++i) {
        if (answer[i].toInteger() == 1)
            queued[places[i]] = Queued::Yes;
    }
    co_return queued;
}

/// Jobs of one queue whose records have the same fields, each id once.
std::vector<HeroProducer::Group> HeroProducer::groupsOf(const std::vector<PlainJob> &jobs)
{
    const auto isAlike = [](const PlainJob &a, const PlainJob &b) {
        return a.queue == b.queue
            && std::equal(a.fields.cbegin(), a.fields.cend(), b.fields.cbegin(), b.fields.cend(),
                          [](const ByteField &x, const ByteField &y) { return x.first == y.first; });
    };
    std::vector<Group> groups;
    QSet<QByteArray> ids;
    for (size_t i = 0; i < jobs.size(); ++i) {
        if (ids.contains(jobs[i].id))
            continue;
        ids.insert(jobs[i].id);
        const auto group = std::find_if(groups.begin(), groups.end(),
                                        [&](const Group &known) { return isAlike(jobs[known.front()], jobs[i]); });
        if (group == groups.end())
            groups.push_back({i});
        else
            group->push_back(i);
    }
    return groups;
}

/// A group as words for the script: what its jobs have in common once, then what each has of its own.
QList<QByteArray> HeroProducer::wordsOf(const std::vector<PlainJob> &jobs, const Group &group)
{
    const PlainJob &first = jobs[group.front()];
    QList<QByteArray> shared;
    QList<qsizetype> own; // places of the other fields
    for (qsizetype i = 0; i < first.fields.size(); ++i) {
        const auto &[name, value] = first.fields[i];
        if (name == "id") // the script takes it from the key
            continue;
        const bool isShared = std::all_of(group.begin(), group.end(),
                                          [&](size_t place) { return jobs[place].fields[i].second == value; });
        if (isShared)
            shared << name << value;
        else
            own << i;
    }
    QList<QByteArray> words{QByteArray::number(group.size()), first.queue, QByteArray::number(shared.size() / 2)};
    words << shared << QByteArray::number(own.size());
    for (const size_t place : group) {
        for (const qsizetype field : own) // each with its name, by which a trace knows what to hide
            words << jobs[place].fields[field].first << jobs[place].fields[field].second;
    }
    return words;
}

/// Whether a worker of the type lives, where that decides; else it is not asked.
QCoro::Task<bool> HeroProducer::isWorkerPresent(Target target)
{
    if (!m_routes.dependsOnPresence(target))
        co_return false;
    m_presence.expect(target);
    const bool found = co_await m_presence.hasWorker(target.type, m_clock->monotonic());
    co_return found;
}

QCoro::Task<void> HeroProducer::submitGraph(std::vector<Job> drafts)
{
    const GraphPlan plan = planGraph(drafts);
    checkGraph(drafts, plan);
    std::vector<StagedJob> jobs;
    jobs.reserve(drafts.size());
    for (const int place : plan.order) {
        const size_t at = size_t(place);
        const Job &draft = drafts[at];
        StagedJob job{draft.id, writeDraft(draft).written, plan.outside[at]};
        job.fields.append({"dependents", writeIds(plan.dependents[at])});
        const bool isPresent = co_await isWorkerPresent(draft.target);
        const QList<QByteArray> queues = m_routes.queuesFor(draft.target, isPresent);
        if (queues != QList<QByteArray>{canonicalFamily().queueFor(draft.target)})
            job.fields.append({"queues", writeIds(queues)});
        if (draft.notBefore)
            job.fields.append({"not_before", toRfc3339(*draft.notBefore)});
        jobs.push_back(std::move(job));
    }
    const QList<QByteArray> refusal = co_await stageGraph(m_store, m_options.replyTtl, std::move(jobs));
    if (!refusal.isEmpty())
        checkAnswer(refusal.value(1), refusal);
}

QCoro::Task<Producer::StopOutcome> HeroProducer::stop(QByteArray id)
{
    const QList<QByteArray> keyList{keys::job(id)};
    const QList<QByteArray> args{id, QByteArray::number(qint64(m_options.replyTtl.count())),
                                 m_routes.usesLegacy() ? "1" : "0"};
    const Reply reply = co_await m_store->script(script("stop"), keyList, args);
    const QByteArray answer = reply.toBytes();
    if (answer == "stopped")
        co_return StopOutcome::StoppedInQueue;
    if (answer == "requested")
        co_return StopOutcome::RequestSent;
    if (answer == "over")
        co_return StopOutcome::AlreadyOver;
    if (answer == "gone")
        co_return StopOutcome::NotFound;
    const QList<QByteArray> refusal{answer, keyList.constFirst()};
    checkAnswer(id, refusal);
    throw StoreError(ErrorKind::Protocol,
                     say(QT_TRANSLATE_NOOP("ym::HeroProducer", "A stop was answered in an unexpected way.")));
}

QCoro::Task<RoutePreview> HeroProducer::preview(Target target)
{
    RoutePreview preview;
    const bool isPresent = co_await isWorkerPresent(target);
    preview.queueKeys = m_routes.queuesFor(target, isPresent);
    preview.hidesWorkers = m_routes.isLegacyOnly(target, isPresent);
    QList<QByteArray> before = m_routes.servedUpTo(target, isPresent);
    if (m_options.order == ServingOrder::Lifo)
        before.removeLast();
    std::vector<Command> commands;
    for (const QByteArray &key : before)
        commands.push_back(cmd("LLEN", key));
    m_presence.expect(target);
    const std::vector<Reply> depths = co_await m_store->pipeline(commands);
    for (const Reply &depth : depths)
        preview.ahead += depth.type == Reply::Type::Integer ? depth.integer : 0;
    const QList<WorkerInfo> workers = co_await m_presence.look();
    for (const WorkerInfo &worker : workers) {
        if (m_routes.listens(worker, target, isPresent))
            preview.listeners.append(worker);
    }
    co_return preview;
}

QCoro::Task<Job> HeroProducer::waitUntilOver(QByteArray id, Milliseconds limit, std::stop_token stop, Replies replies)
{
    Command wait; // for the reply, but for the time
    if (replies == Replies::Take)
        wait = cmd("BLPOP").addAll(m_routes.repliesTo(id));
    else if (replies == Replies::Watch) // our workers answer here in any case; of others the record tells
        wait = cmd("BLMOVE", keys::reply(id), keys::reply(id), "RIGHT", "RIGHT");
    return waitForJob(m_store, m_clock, std::move(id), std::move(wait), limit, std::move(stop));
}

} // namespace ym::hero
