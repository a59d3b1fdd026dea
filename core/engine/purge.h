// Empties a queue, a page at a time.
#pragma once

#include "core/engine/removal_journal.h"

#include <functional>
#include <stop_token>

namespace ym {

/// Removes the jobs that wait in this queue until it is empty or `stop` is requested. One that a worker takes meanwhile
/// stays; entries that are no waiting job are taken out. What is removed is kept in `batch`, which may be null. `progress` gets the count
/// so far; it may be empty. Returns how many jobs were removed.
QCoro::Task<int> purgeQueue(Producer *producer, Inspector *inspector, QByteArray key, RemovalJournal::Batch *batch,
                            std::stop_token stop, std::function<void(int)> progress);

} // namespace ym
