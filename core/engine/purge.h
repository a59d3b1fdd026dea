// Removing a job with a way back, and emptying a queue, a page at a time.
#pragma once

#include "core/engine/removal_journal.h"

#include <functional>
#include <stop_token>

namespace ym {

/// Removes a job, from this queue alone unless that is empty, and keeps it in `batch`, which may be null, also when the
/// answer is lost. One that cannot be kept is put back: Io. Nothing when there is no such job; otherwise throws as
/// Producer::take().
QCoro::Task<std::optional<RemovedJob>> removeAndKeep(Producer *producer, QByteArray id, QByteArray queue,
                                                     RemovalJournal::Batch *batch);

/// How many jobs wait in a queue; 0 when there is none. Throws Usage when the key is no queue that jobs wait in, as a
/// control list.
QCoro::Task<qint64> purgeableDepth(Inspector *inspector, QByteArray key);

/// Removes the jobs that wait in this queue until it is empty or `stop` is requested. One that a worker takes meanwhile
/// stays; entries that are no waiting job are taken out. What is removed is kept in `batch`, which may be null.
/// `progress` gets the count so far; it may be empty. Returns how many jobs were removed; throws as purgeableDepth().
QCoro::Task<int> purgeQueue(Producer *producer, Inspector *inspector, QByteArray key, RemovalJournal::Batch *batch,
                            std::stop_token stop, std::function<void(int)> progress);

} // namespace ym
