// HeroProducer: what is done to jobs that are there: retry, requeue, move, remove and bring back.
#include "core/protocol/hero/hero_producer.h"
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

} // namespace

QCoro::Task<Producer::Receipt> HeroProducer::retry(QByteArray id)
{
    const QList<QByteArray> keyList{keys::job(id)};
    const QList<QByteArray> args{id};
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
    const QList<QByteArray> answer = reply.toList();
    if (answer.constFirst() == "gone")
        co_return std::nullopt;
    checkAnswer(id, answer);
    RemovedJob job{id, {}};
    for (qsizetype i = 1; i + 1 < answer.size(); i += 2)
        job.fields.append({answer[i], answer[i + 1]});
    co_return job;
}

QCoro::Task<bool> HeroProducer::restore(RemovedJob job)
{
    const QList<QByteArray> keyList{keys::job(job.id)};
    QList<QByteArray> args{job.id, QByteArray::number(qint64(m_options.replyTtl.count()))};
    for (const ByteField &field : job.fields)
        args << field.first << field.second;
    const Reply reply = co_await m_store->script(script("restore"), keyList, args);
    co_return reply.toBytes() == "restored";
}

QCoro::Task<Producer::Receipt> HeroProducer::requeue(QByteArray id, int seenAttempt)
{
    const QList<QByteArray> keyList{keys::job(id)};
    const QList<QByteArray> args{id, QByteArray::number(seenAttempt), servedEnd(m_options.order)};
    const Reply reply = co_await m_store->script(script("requeue"), keyList, args);
    const QList<QByteArray> answer = reply.toList();
    checkAnswer(id, answer);
    co_return Receipt{id, answer.mid(1)};
}

QCoro::Task<bool> HeroProducer::move(QByteArray id, Target to)
{
    checkTarget(to);
    const QList<QByteArray> keyList{keys::job(id)};
    const QList<QByteArray> args{id, to.type, to.group, to.instance, QByteArray::number(to.priority)};
    const Reply reply = co_await m_store->script(script("move"), keyList, args);
    const QList<QByteArray> answer = reply.toList();
    checkAnswer(id, answer);
    co_return answer.constFirst() != "same";
}

} // namespace ym::hero
