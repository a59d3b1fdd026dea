#include "core/protocol/hero/hero_consumer.h"

#include "core/base/log.h"
#include "core/protocol/hero/field_readers.h"
#include "core/protocol/hero/job_codec.h"
#include "core/protocol/hero/keys.h"
#include "core/protocol/hero/recover.h"
#include "core/protocol/hero/replies.h"
#include "core/protocol/hero/run_codec.h"
#include "core/protocol/hero/scripts.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QUuid>

#include <algorithm>

namespace ym::hero {

namespace {

constexpr Milliseconds claimPatience{5'000}; ///< how long claim() waits for something to do
constexpr int mostClaims = 1'000; ///< in one trip
constexpr Milliseconds restAfterTrouble{5'000};
constexpr Milliseconds longestBeat{10'000}; ///< so that a long lease, too, is renewed soon after a pause
/// What is finished in one step: it must not keep the others in the server waiting.
constexpr size_t mostEnds = 64;
constexpr qsizetype mostEndBytes = 1024 * 1024;

QByteArray number(qint64 value)
{
    return QByteArray::number(value);
}

QByteArray ms(Milliseconds duration)
{
    return QByteArray::number(qint64(duration.count()));
}

QByteArray freshToken()
{
    return QUuid::createUuid().toRfc4122().toHex();
}

/// How a fate is told to the script (PROTOCOLS, Stop and Timeout).
struct Ending {
    const char *word; ///< "retry" = an error after which one is allowed
    QByteArray error;
};

Ending endingOf(const Execution &execution)
{
    switch (execution.fate) {
    case Execution::Fate::Finished:
        return {"finished", {}};
    case Execution::Fate::Stopped:
        return {"error", "stopped_by_request"};
    case Execution::Fate::TimedOut:
        return {"retry", "timeout"};
    case Execution::Fate::Failed:
    case Execution::Fate::Abandoned:
        break;
    }
    return {"retry", execution.error.isEmpty() ? QByteArray("failed") : execution.error};
}

} // namespace

HeroConsumer::HeroConsumer(Store *store, ProtocolOptions options, Clock *clock, WorkerIdentity who)
    : m_store(store)
    , m_options(options)
    , m_clock(clock)
    , m_routes(options.keys)
    , m_who(std::move(who))
    , m_bootId(freshToken())
    , m_startedAt(clock->now())
    , m_grace(store, clock, options.lease)
    , m_waiter(dynamic_cast<WaitThenScript *>(store))
    , m_ends(store, {mostEnds, mostEndBytes}, [this](std::vector<End> ends) { return finishAll(std::move(ends)); })
{
    if (m_who.group.isEmpty())
        m_who.group = keys::defaultGroup;
}

// Claims

QByteArray HeroConsumer::servedEnd() const
{
    return m_options.order == ServingOrder::Fifo ? "RIGHT" : "LEFT";
}

/// For each type its lease zset and its claims hash, in the order of the identity's types.
QList<QByteArray> HeroConsumer::leaseKeys() const
{
    QList<QByteArray> list;
    for (const QByteArray &type : m_who.types)
        list << keys::lease(type) << keys::claims(type);
    return list;
}

/// Its queues in the order in which they are served; they change only when announce() chooses the instance.
const QList<ServedQueue> &HeroConsumer::served() const
{
    if (m_servedInstance != m_who.instance) {
        m_served = m_routes.servedBy(m_who);
        m_servedInstance = m_who.instance;
    }
    return m_served;
}

QCoro::Task<std::vector<Claim>> HeroConsumer::claim(int max, std::stop_token stop)
{
    const Monotonic end = m_clock->monotonic() + claimPatience;
    while (max > 0 && !stop.stop_requested()) {
        if (!m_watch)
            m_watch = std::make_unique<QueueWatch>(m_store, m_clock, m_options.order);
        m_watch->rearm();
        Batch batch = co_await claimNow(std::min(max, mostClaims));
        if (!batch.claims.empty())
            co_return std::move(batch.claims);
        if (batch.mayHaveMore)
            continue;
        const Milliseconds left = end - m_clock->monotonic();
        if (left.count() <= 0 || !m_watch)
            break;
        batch = co_await claimWhenThere(std::min(max, mostClaims), left, stop);
        if (!batch.claims.empty())
            co_return std::move(batch.claims);
        if (!m_watch)
            break; // withdrawn meanwhile
    }
    co_return std::vector<Claim>{};
}

/// Waits until one of the queues has something. Behind the wait at the most likely one stands the claim, so that its
/// job is here without a further trip; news of another queue, and the end of the wait, end it.
QCoro::Task<HeroConsumer::Batch> HeroConsumer::claimWhenThere(int max, Milliseconds limit, std::stop_token stop)
{
    QList<QByteArray> queues;
    for (const ServedQueue &queue : served())
        queues.append(queue.key);
    if (!m_waiter || stop.stop_requested() || m_clock->monotonic() < m_waiterRests) {
        co_await m_watch->wait(queues, limit, stop);
        co_return Batch{};
    }
    if (!queues.contains(m_likelyQueue))
        m_likelyQueue = keys::work({m_who.types.constFirst(), {}, {}, 1, {}});
    if (!queues.removeOne(m_likelyQueue))
        m_likelyQueue = queues.takeLast();
    std::stop_source over;
    const std::stop_callback onStop(stop, [over]() mutable { over.request_stop(); });
    QCoro::Task<Batch> claiming = claimBehindWait(m_likelyQueue, max, limit, over);
    co_await m_watch->wait(queues, limit, over.get_token());
    over.request_stop();
    Batch batch = co_await claiming;
    co_return batch;
}

QCoro::Task<HeroConsumer::Batch> HeroConsumer::claimBehindWait(QByteArray queue, int max, Milliseconds limit,
                                                               std::stop_source over)
{
    Batch batch;
    try {
        const Asked asked = freshClaim();
        const QByteArray seconds = QByteArray::number(double(std::max(limit, Milliseconds{1}).count()) / 1000, 'f', 3);
        const Command look = cmd("BLMOVE", queue, queue, servedEnd(), servedEnd(), seconds);
        const WaitThenScript::Call claim{script("claim"), leaseKeys(), claimWords(max, asked)};
        const Reply reply = co_await m_waiter->waitThenScript(look, limit, claim, over.get_token());
        batch = readBatch(reply, asked);
    } catch (const StoreError &e) {
        if (e.kind() != ErrorKind::Cancelled) {
            qCInfo(logProtocol, "a claim behind a wait failed: %s", e.what());
            m_waiterRests =
                e.kind() == ErrorKind::Permission ? Monotonic::max() : m_clock->monotonic() + restAfterTrouble;
        }
    }
    over.request_stop();
    co_return batch;
}

HeroConsumer::Asked HeroConsumer::freshClaim() const
{
    return {served(), freshToken()};
}

/// The arguments of the script.
QList<QByteArray> HeroConsumer::claimWords(int max, const Asked &asked) const
{
    QList<QByteArray> args{number(max),
                           m_who.group,
                           m_who.instance,
                           ms(m_options.lease),
                           asked.token,
                           servedEnd(),
                           number(m_who.types.size())};
    args += m_who.types;
    QByteArray typeOf;
    qint64 expected = 1;
    for (qsizetype i = 0; i < asked.queues.size(); ++i) {
        typeOf.append(char('0' + asked.queues[i].typeIndex + 1));
        if (asked.queues[i].key == m_likelyQueue)
            expected = i + 1;
    }
    args << typeOf << number(expected);
    for (const ServedQueue &queue : asked.queues)
        args << queue.key;
    return args;
}

QCoro::Task<HeroConsumer::Batch> HeroConsumer::claimNow(int max)
{
    const Asked asked = freshClaim();
    m_ends.flush(); // the ends of jobs go before the claims that follow them
    const Reply reply = co_await m_store->script(script("claim"), leaseKeys(), claimWords(max, asked));
    co_return readBatch(reply, asked);
}

HeroConsumer::Batch HeroConsumer::readBatch(const Reply &reply, const Asked &asked)
{
    const std::vector<Reply> &answer = reply.toArray();
    Batch batch;
    batch.mayHaveMore = !answer.empty() && answer.front().toInteger() == 1;
    for (size_t i = 1; i < answer.size(); ++i)
        readClaims(answer[i], asked, batch.claims);
    if (!batch.claims.empty())
        m_likelyQueue = batch.claims.back().queue;
    return batch;
}

/// Adds the claims of one list of the answer: several that have most in common, or one of a record in others' words.
void HeroConsumer::readClaims(const Reply &answer, const Asked &asked, std::vector<Claim> &claims) const
{
    constexpr size_t head = 3;
    const std::vector<Reply> &parts = answer.toArray();
    const qint64 queue = parts.size() > head ? parts[0].toInteger() : 0;
    const qint64 type = parts.size() > head ? parts[1].toInteger() : 0;
    if (queue < 1 || queue > asked.queues.size() || type < 1 || type > m_who.types.size())
        throw StoreError(ErrorKind::Protocol,
                         QCoreApplication::translate("ym::HeroConsumer", "A claim came back in an unexpected shape."));
    Claim claim;
    claim.token = asked.token;
    claim.queue = asked.queues[queue - 1].key;
    claim.worker.type = m_who.types[type - 1];
    claim.worker.group = m_who.group;
    claim.worker.instance = m_who.instance;
    const auto add = [&](Job job) {
        claim.job = std::move(job);
        if (claim.job.target.type.isEmpty())
            claim.job.target.type = claim.worker.type; // the first protocol document has no types: the worker decides
        claims.push_back(claim);
    };
    if (!parts[head - 1].isArray())
        return add(readJob(parts[head - 1].toBytes(), pairsOf(parts[head])));
    const ClaimedReader reader(parts[head - 1].elements);
    for (size_t i = head; i + 1 < parts.size(); i += 2)
        add(reader.read(parts[i].toBytes(), parts[i + 1].toBytes()));
}

Milliseconds HeroConsumer::beatInterval() const
{
    return std::min(m_options.lease / 3, longestBeat);
}

QCoro::Task<QList<QByteArray>> HeroConsumer::beat(std::vector<Claim> claims)
{
    if (claims.empty())
        co_return QList<QByteArray>{};
    QList<QByteArray> args{ms(m_options.lease)};
    for (const Claim &claim : claims)
        args << number(m_who.types.indexOf(claim.worker.type) + 1) << claim.job.id << claim.token;
    const Reply lost = co_await m_store->script(script("beat"), leaseKeys(), args);
    co_return lost.toList();
}

QCoro::Task<void> HeroConsumer::report(std::vector<ProgressReport> reports)
{
    if (reports.empty())
        co_return;
    QList<QByteArray> args;
    for (const ProgressReport &report : reports)
        args << number(m_who.types.indexOf(report.claim.worker.type) + 1) << report.claim.job.id << report.claim.token
             << writeProgress(report.progress);
    co_await m_store->script(script("report"), leaseKeys(), args);
}

QCoro::Task<QList<QByteArray>> HeroConsumer::stopRequested(std::vector<Claim> running)
{
    if (running.empty())
        co_return QList<QByteArray>{};
    QList<QByteArray> workerIds;
    for (const Claim &claim : running)
        workerIds.append(claim.job.target.legacyWorker);
    const QList<QByteArray> controls = m_routes.controlsOf(m_who, workerIds);
    QList<QByteArray> args{number(controls.size())};
    args += controls;
    for (const Claim &claim : running)
        args.append(claim.job.id);
    const QList<QByteArray> noKeys;
    const Reply asked = co_await m_store->script(script("stop_requests"), noKeys, args);
    co_return asked.toList();
}

HeroConsumer::End HeroConsumer::endOf(const Claim &claim, const Execution &execution) const
{
    const Ending ending = endingOf(execution);
    const QByteArray claimer = claim.worker.type + ':' + claim.worker.group + ':' + claim.worker.instance;
    End end;
    end.type = claim.worker.type;
    end.shared << claim.token << claim.queue << claimer << claim.job.target.legacyWorker << ending.word
               << "run_" + number(claim.job.attempt);
    end.own << claim.job.id << execution.output << ms(execution.duration) << writeRun(execution, claimer);
    if (execution.fate != Execution::Fate::Finished)
        end.own << ending.error << QByteArray::number(QRandomGenerator::global()->generateDouble(), 'f', 6);
    return end;
}

QCoro::Task<Consumer::FinishOutcome> HeroConsumer::finish(Claim claim, Execution execution)
{
    if (execution.fate == Execution::Fate::Abandoned)
        co_return FinishOutcome::Stale;
    const FinishOutcome outcome =
        co_await m_ends.add(endOf(claim, execution), execution.output.size() + execution.error.size());
    co_return outcome;
}

/// Finishes together what ended together; what is refused together is tried alone, so that one does not hold up others.
QCoro::Task<std::vector<Consumer::FinishOutcome>> HeroConsumer::finishAll(std::vector<End> ends)
{
    std::optional<Error> trouble;
    try {
        std::vector<FinishOutcome> outcomes = co_await finishTogether(ends);
        co_return outcomes;
    } catch (const StoreError &e) {
        trouble = e.error();
    }
    if (ends.size() == 1 || isTransient(trouble->kind) || trouble->kind == ErrorKind::Cancelled)
        throw StoreError(*trouble);
    trouble.reset();
    std::vector<FinishOutcome> outcomes;
    for (const End &end : ends) {
        try {
            std::vector<End> alone(1, end);
            const std::vector<FinishOutcome> one = co_await finishTogether(std::move(alone));
            outcomes.push_back(one.front());
        } catch (const StoreError &e) {
            trouble = e.error();
        }
    }
    if (trouble)
        throw StoreError(*trouble); // committing again what was committed changes nothing
    co_return outcomes;
}

/// What the ends that follow one another have in common is said once.
QCoro::Task<std::vector<Consumer::FinishOutcome>> HeroConsumer::finishTogether(std::vector<End> ends)
{
    QList<QByteArray> types; // one that was kept on disk may be of a type that this worker does not serve
    QList<QByteArray> words;
    for (size_t first = 0, next = 0; first < ends.size(); first = next) {
        const End &end = ends[first];
        QList<QByteArray> own;
        for (; next < ends.size() && ends[next].type == end.type && ends[next].shared == end.shared; ++next)
            own += ends[next].own;
        if (!types.contains(end.type))
            types.append(end.type);
        words << number(qint64(next - first)) << number(types.indexOf(end.type) + 1) << end.shared << own;
    }
    QList<QByteArray> keyList;
    for (const QByteArray &type : std::as_const(types))
        keyList << keys::lease(type) << keys::claims(type);
    const QList<QByteArray> args = QList<QByteArray>{ms(m_options.replyTtl), number(types.size())} + types + words;
    const Reply reply = co_await m_store->script(script("finish"), keyList, args);
    const std::vector<Reply> &others = reply.toArray();
    std::vector<FinishOutcome> outcomes(ends.size(), FinishOutcome::Committed);
    for (size_t i = 0; i + 1 < others.size(); i += 2) {
        const qint64 place = others[i].toInteger();
        if (place < 1 || place > qint64(ends.size()))
            throw StoreError(ErrorKind::Protocol,
                             QCoreApplication::translate("ym::HeroConsumer", "The end of a job was not confirmed."));
        outcomes[size_t(place) - 1] =
            others[i + 1].toBytes() == "retry" ? FinishOutcome::WillRetry : FinishOutcome::Stale;
    }
    co_return std::vector<FinishOutcome>(outcomes);
}

QCoro::Task<void> HeroConsumer::giveBack(Claim claim)
{
    const QByteArray type = claim.worker.type;
    const QList<QByteArray> keyList{keys::job(claim.job.id), keys::lease(type), keys::claims(type)};
    const QList<QByteArray> args{claim.job.id, claim.token, servedEnd(), ms(m_options.replyTtl)};
    co_await m_store->script(script("give_back"), keyList, args);
}

QCoro::Task<int> HeroConsumer::recover()
{
    return recoverTypes(m_store, m_options, m_who.types, &m_grace);
}

QCoro::Task<bool> HeroConsumer::isDrained()
{
    try {
        const int moved = co_await recover(); // what is due belongs to the queues already
        if (moved > 0)
            co_return false;
    } catch (const StoreError &e) {
        if (e.kind() != ErrorKind::Permission)
            throw;
    }
    std::vector<Command> looks;
    for (const ServedQueue &queue : served())
        looks.push_back(cmd("LLEN", queue.key));
    looks.push_back(cmd("ZCARD", keys::delayed()));
    const std::vector<Reply> replies = co_await m_store->pipeline(looks);
    const auto holds = [](const Reply &reply) { return reply.type == Reply::Type::Integer && reply.integer > 0; };
    if (std::any_of(replies.begin(), replies.end() - 1, holds))
        co_return false;
    if (!holds(replies.back()))
        co_return true;
    const bool delayed = co_await isDelayedForUs();
    co_return !delayed;
}

/// Looks at the delayed jobs that are due first; a set that is larger than one look is taken for ours too.
QCoro::Task<bool> HeroConsumer::isDelayedForUs()
{
    constexpr qint64 most = 1'000;
    const Reply listed = co_await m_store->command(cmd("ZRANGE", keys::delayed(), qint64{0}, most));
    const QList<QByteArray> ids = listed.toList();
    if (ids.size() > most)
        co_return true;
    std::vector<Command> looks;
    for (const QByteArray &id : ids) {
        Command look = cmd("HMGET", keys::job(id), "queues");
        looks.push_back(look.addAll(summaryFields()));
    }
    if (looks.empty())
        co_return false;
    const std::vector<Reply> records = co_await m_store->pipeline(looks);
    QSet<QByteArray> ours;
    for (const ServedQueue &queue : served())
        ours.insert(queue.key);
    for (size_t i = 0; i < records.size(); ++i) {
        if (records[i].isError())
            continue;
        const QList<QByteArray> values = records[i].toList();
        QList<QByteArray> queues = readIds(values.value(0)).value_or(QList<QByteArray>());
        if (queues.isEmpty())
            queues = {canonicalFamily().queueFor(readSummary(ids[qsizetype(i)], values.mid(1)).target)};
        if (std::any_of(queues.begin(), queues.end(), [&](const QByteArray &key) { return ours.contains(key); }))
            co_return true;
    }
    co_return false;
}

} // namespace ym::hero
