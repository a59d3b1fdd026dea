// HeroProducer: what is done to jobs that are there: retry, requeue, move, remove and bring back.
#include "core/protocol/hero/field_readers.h"
#include "core/protocol/hero/hero_producer.h"
#include "core/protocol/hero/job_codec.h"
#include "core/protocol/hero/keys.h"
#include "core/protocol/hero/refusals.h"
#include "core/protocol/hero/scripts.h"

namespace ym::hero {

namespace {

QByteArray servedEnd(ServingOrder order)
{
    return order == ServingOrder::Fifo ? "RIGHT" : "LEFT";
}

/// A target is checked as a draft's is.
void checkTarget(const Target &target)
{
    Job draft;
    draft.target = target;
    draft.script = "-";
    const QList<FieldProblem> problems = validateDraft(draft);
    if (!problems.isEmpty())
        throw StoreError(ErrorKind::Usage, problems.first().message);
}

/// Of what remove or kept said; throws what it refused.
std::optional<RemovedJob> readRemoved(const QByteArray &id, const QList<QByteArray> &answer)
{
    if (answer.constFirst() == "gone")
        return std::nullopt;
    checkAnswer(id, answer);
    RemovedJob job{id, {}};
    for (qsizetype i = 1; i + 1 < answer.size(); i += 2)
        job.fields.append({answer[i], answer[i + 1]});
    return job;
}

/// A claim of a record in our own words says no more of the target than the type; its queue says the rest.
Target targetOf(const Claim &claim)
{
    Target target = claim.job.target;
    const std::optional<keys::QueueKey> queue = keys::parseQueue(claim.queue);
    if (queue && queue->kind == QueueKind::Work) {
        target.group = queue->target.group;
        target.instance = queue->target.instance;
        target.priority = queue->target.priority;
    }
    return target;
}

} // namespace

QByteArray HeroProducer::legacyQueue() const
{
    return m_routes.usesLegacy() ? legacyQueueName(m_options.keys.legacy) : "";
}

/// "1" when a record that does not say where it was queued means the legacy queue of the connection. In `auto` the present
/// workers decide, as at a submit; what one of ours has run was in a canonical queue then.
QCoro::Task<QByteArray> HeroProducer::meansLegacy(QByteArray id)
{
    if (m_options.keys.mode != KeyMode::Auto)
        co_return m_routes.usesCanonical() ? "0" : "1";
    const std::vector<Command> look{cmd("HMGET", keys::job(id), "script_type", "scriptType", "claimed_by", "queues")};
    const std::vector<Reply> found = co_await m_store->pipeline(look);
    if (found.front().isError())
        co_return "0";
    const QList<QByteArray> record = found.front().toList();
    Target target;
    target.type = (record[0].isEmpty() ? record[1] : record[0]).toLower();
    if (target.type.isEmpty() || !record[2].isEmpty() || !record[3].isEmpty())
        co_return "0";
    m_presence.expect(target);
    const bool isPresent = co_await m_presence.hasWorker(target.type, m_clock->monotonic());
    co_return isPresent ? "0" : "1";
}

QCoro::Task<Producer::Receipt> HeroProducer::retry(QByteArray id)
{
    const QByteArray isLegacy = co_await meansLegacy(id);
    const QList<QByteArray> keyList{keys::job(id)};
    const QList<QByteArray> args{id, legacyQueue(), isLegacy};
    const Reply reply = co_await m_store->script(script("retry"), keyList, args);
    const QList<QByteArray> answer = reply.toList();
    checkAnswer(id, answer);
    co_return Receipt{id, answer.mid(1)};
}

QCoro::Task<std::optional<RemovedJob>> HeroProducer::take(QByteArray id, QByteArray onlyFrom)
{
    const QList<QByteArray> keyList{keys::job(id)};
    const QList<QByteArray> args{id, QByteArray::number(qint64(m_options.replyTtl.count())), onlyFrom};
    const Reply reply = co_await m_store->script(script("remove"), keyList, args);
    co_return readRemoved(id, reply.toList());
}

QCoro::Task<std::optional<RemovedJob>> HeroProducer::look(QByteArray id)
{
    const QList<QByteArray> keyList{keys::job(id)};
    const QList<QByteArray> args{id};
    const Reply reply = co_await m_store->script(script("kept"), keyList, args);
    co_return readRemoved(id, reply.toList());
}

QCoro::Task<bool> HeroProducer::restore(RemovedJob job)
{
    const QList<QByteArray> keyList{keys::job(job.id)};
    QList<QByteArray> args{job.id, QByteArray::number(qint64(m_options.replyTtl.count()))};
    for (const ByteField &field : job.fields)
        args << field.first << field.second;
    const Reply reply = co_await m_store->script(script("restore"), keyList, args);
    const QList<QByteArray> answer = reply.toList();
    checkAnswer(job.id, answer);
    co_return answer.constFirst() == "restored";
}

RemovedJob HeroProducer::recordOf(const Claim &claim) const
{
    const QByteArray now = toRfc3339(m_clock->now());
    Job draft = claim.job;
    draft.target = targetOf(claim);
    RemovedJob job{claim.job.id, writeDraft(draft).written};
    job.fields.append({{"status", "dispatched"},
                       {"attempt", QByteArray::number(claim.job.attempt)},
                       {"dependents", "[]"},
                       {"queues", writeIds({claim.queue})},
                       {"created_at", claim.job.createdAt ? toRfc3339(*claim.job.createdAt) : now},
                       {"updated_at", now}});
    return job;
}

QCoro::Task<Producer::Receipt> HeroProducer::requeue(QByteArray id, int seenAttempt)
{
    const QByteArray isLegacy = co_await meansLegacy(id);
    const QList<QByteArray> keyList{keys::job(id)};
    const QList<QByteArray> args{id, QByteArray::number(seenAttempt), servedEnd(m_options.order), legacyQueue(), isLegacy};
    const Reply reply = co_await m_store->script(script("requeue"), keyList, args);
    const QList<QByteArray> answer = reply.toList();
    checkAnswer(id, answer);
    co_return Receipt{id, answer.mid(1)};
}

QCoro::Task<bool> HeroProducer::move(QByteArray id, Target to)
{
    checkTarget(to);
    const bool isPresent = co_await isWorkerPresent(to);
    const QList<QByteArray> keyList{keys::job(id)};
    const QList<QByteArray> args{id,        writeIds(m_routes.queuesFor(to, isPresent)), to.type, to.group, to.instance,
                                 QByteArray::number(to.priority), to.legacyWorker};
    const Reply reply = co_await m_store->script(script("move"), keyList, args);
    const QList<QByteArray> answer = reply.toList();
    checkAnswer(id, answer);
    co_return answer.constFirst() != "same";
}

} // namespace ym::hero
