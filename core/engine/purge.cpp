#include "core/engine/purge.h"

namespace ym {

namespace {

constexpr qint64 pageSize = 500;

} // namespace

QCoro::Task<int> purgeQueue(Producer *producer, Inspector *inspector, QByteArray key, RemovalJournal::Batch *batch,
                            std::stop_token stop, std::function<void(int)> progress)
{
    int removed = 0;
    while (!stop.stop_requested()) {
        const QList<QByteArray> ids = co_await inspector->queueContent(key, 0, pageSize);
        if (ids.isEmpty())
            break;
        for (const QByteArray &id : ids) {
            if (stop.stop_requested())
                break;
            const std::optional<RemovedJob> job = co_await producer->take(id, key);
            if (job && batch)
                batch->add(*job);
            removed += job ? 1 : 0;
        }
        if (progress)
            progress(removed);
    }
    co_return removed;
}

} // namespace ym
