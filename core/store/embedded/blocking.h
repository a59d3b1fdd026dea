// What blocking commands of all types have in common.
#pragma once

#include "core/store/embedded/call.h"

namespace ym::embedded {

/// The deadline (Clock::monotonic, ms; -1 = none) for the timeout in seconds at argument `index`.
qint64 readDeadline(const Call &call, qsizetype index);

/// The same for a timeout in whole milliseconds.
qint64 readDeadlineInMs(const Call &call, qsizetype index);

/// `numkeys key …` at `at`; `next` is the argument behind the keys, which exists.
struct MultiKeys {
    QList<QByteArray> keys;
    qsizetype next;
};
MultiKeys readMultiKeys(const Call &call, qsizetype at);

/// `[COUNT n]` at `at`, to the end of the words; 1 when absent.
qint64 readCountOption(const Call &call, qsizetype at);

bool holdsList(Call &call, const QByteArray &key);
bool holdsSortedSet(Call &call, const QByteArray &key);

} // namespace ym::embedded
