// List steps that plain and blocking commands share.
#pragma once

#include "core/store/embedded/call.h"

namespace ym::embedded {

/// LEFT or RIGHT in any case. Throws a syntax error.
ListEnd readListEnd(const Call &call, qsizetype index);
const char *listEndName(ListEnd end);

/// Takes one element of an existing list, with its events.
QByteArray popOne(Call &call, const QByteArray &key, ListEnd end);

struct ListMove {
    QByteArray from;
    QByteArray to;
    ListEnd fromEnd;
    ListEnd toEnd;
};
/// Moves one element; nil when `from` does not exist. Throws WRONGTYPE before anything is changed.
Reply moveElement(Call &call, const ListMove &move);

/// Takes up to `count` elements from `key` as [key, [elements…]], for LMPOP and its kin.
Reply popMany(Call &call, const QByteArray &key, ListEnd end, qint64 count);

} // namespace ym::embedded
