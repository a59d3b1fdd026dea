#include "core/engine/purge.h"

#include "core/base/text.h"

#include <QCoreApplication>

namespace ym {

namespace {

constexpr qint64 pageSize = 200; ///< as many removals leave in one write

QString say(const char *text)
{
    return QCoreApplication::translate("ym::PurgeQueue", text);
}

/// Removes these; what fails is thrown when the others have ended.
QCoro::Task<int> takeAll(Producer *producer, QList<QByteArray> ids, QByteArray key, RemovalJournal::Batch *batch)
{
    std::vector<QCoro::Task<std::optional<RemovedJob>>> takes;
    for (const QByteArray &id : ids)
        takes.push_back(removeAndKeep(producer, id, key, batch));
    int removed = 0;
    std::optional<StoreError> trouble;
    for (QCoro::Task<std::optional<RemovedJob>> &take : takes) {
        try {
            const std::optional<RemovedJob> job = co_await take;
            removed += job ? 1 : 0;
        } catch (const StoreError &e) {
            trouble = e;
        }
    }
    if (trouble)
        throw *trouble;
    co_return removed;
}

/// Whatever becomes of a look, nothing is removed by it.
QCoro::Task<std::optional<RemovedJob>> lookFirst(Producer *producer, QByteArray id)
{
    std::optional<RemovedJob> seen;
    try {
        seen = co_await producer->look(id);
    } catch (const StoreError &e) {
        Error error = e.error();
        error.ambiguous = false;
        throw StoreError(error);
    }
    co_return seen;
}

} // namespace

QCoro::Task<std::optional<RemovedJob>> removeAndKeep(Producer *producer, QByteArray id, QByteArray queue,
                                                     RemovalJournal::Batch *batch)
{
    std::optional<RemovedJob> seen;
    if (batch)
        seen = co_await lookFirst(producer, id);
    std::optional<RemovedJob> job;
    try {
        job = co_await producer->take(id, queue);
    } catch (const StoreError &e) { // it may be gone all the same; one that is not is left as it is at a restore
        if (e.error().ambiguous && seen && !seen->fields.isEmpty())
            Q_UNUSED(batch->add(*seen));
        throw;
    }
    if (!job || !batch || job->fields.isEmpty()) // one that is too large is not kept
        co_return job;
    const Result<void> kept = batch->add(*job);
    if (kept)
        co_return job;
    co_await producer->restore(*job);
    throw StoreError(kept.error());
}

QCoro::Task<qint64> purgeableDepth(Inspector *inspector, QByteArray key)
{
    const QList<QueueInfo> queues = co_await inspector->queues();
    for (const QueueInfo &queue : queues) {
        const bool holdsJobs = queue.kind == QueueKind::Work || queue.kind == QueueKind::Legacy;
        if (queue.key == key && holdsJobs && !queue.invalid)
            co_return queue.depth;
        if (queue.key == key)
            throw StoreError(ErrorKind::Usage,
                             say(QT_TRANSLATE_NOOP("ym::PurgeQueue", "%1 is no queue in which jobs wait."))
                                 .arg(shownText(key, Lines::Flatten, 200)));
    }
    co_return 0;
}

QCoro::Task<int> purgeQueue(Producer *producer, Inspector *inspector, QByteArray key, RemovalJournal::Batch *batch,
                            std::stop_token stop, std::function<void(int)> progress)
{
    co_await purgeableDepth(inspector, key);
    int removed = 0;
    while (!stop.stop_requested()) {
        const QList<QByteArray> ids = co_await inspector->queueContent(key, 0, pageSize);
        if (ids.isEmpty())
            break;
        const int taken = co_await takeAll(producer, ids, key, batch);
        removed += taken;
        if (progress)
            progress(removed);
    }
    co_return removed;
}

} // namespace ym
