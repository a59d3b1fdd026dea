#include "core/protocol/hero/hero_graph.h"

#include "core/protocol/hero/field_readers.h"
#include "core/protocol/hero/keys.h"
#include "core/protocol/hero/scripts.h"

#include <QCryptographicHash>

namespace ym::hero {

namespace {

constexpr int jobsPerPart = 200; ///< a script of about ten milliseconds
constexpr qsizetype bytesPerPart = 4 << 20;
constexpr int stagedTtlMs = 600'000; ///< of what was staged and never committed

/// The same jobs have the same name, so that a repeated submit is the same graph.
QByteArray nameOf(const std::vector<StagedJob> &jobs)
{
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const StagedJob &job : jobs)
        hash.addData(job.id);
    return hash.result().toHex();
}

qsizetype sizeOf(const StagedJob &job)
{
    qsizetype size = 0;
    for (const ByteField &field : job.fields)
        size += field.first.size() + field.second.size();
    return size;
}

/// One past the last job of the part that begins at `first`.
size_t endOfPart(const std::vector<StagedJob> &jobs, size_t first)
{
    qsizetype bytes = 0;
    size_t end = first;
    while (end < jobs.size() && end - first < jobsPerPart && (end == first || bytes < bytesPerPart))
        bytes += sizeOf(jobs[end++]);
    return end;
}

} // namespace

QCoro::Task<QList<QByteArray>> stageGraph(Store *store, Milliseconds replyTtl, std::vector<StagedJob> jobs)
{
    const QByteArray name = nameOf(jobs);
    const QList<QByteArray> keyList{keys::graph(name)};
    const QByteArray replyMs = QByteArray::number(qint64(replyTtl.count()));
    qint64 left = 0;
    for (size_t first = 0; first < jobs.size();) {
        const size_t end = endOfPart(jobs, first);
        QList<QByteArray> args{name,
                               QByteArray::number(qint64(first)),
                               end == jobs.size() ? "1" : "0",
                               QByteArray::number(stagedTtlMs),
                               replyMs,
                               QByteArray::number(qint64(end - first))};
        for (size_t i = first; i < end; ++i) {
            args << jobs[i].id << writeIds(jobs[i].outside) << QByteArray::number(jobs[i].fields.size());
            for (const ByteField &field : jobs[i].fields)
                args << field.first << field.second;
        }
        const Reply reply = co_await store->script(script("graph_stage"), keyList, args);
        const QList<QByteArray> answer = reply.toList();
        const QByteArray word = answer.value(0);
        if (word == "committed") {
            left = answer.value(1).toLongLong();
            break;
        }
        if (word != "staged")
            co_return answer;
        first = end;
    }
    const QList<QByteArray> growArgs{name, QByteArray::number(jobsPerPart), replyMs};
    while (left > 0) {
        const Reply reply = co_await store->script(script("graph_grow"), keyList, growArgs);
        left = reply.toInteger();
    }
    co_return QList<QByteArray>{};
}

} // namespace ym::hero
