// Replies of two servers side by side.
#pragma once

#include "core/store/reply.h"

namespace ym::test {

/// The bytes on the wire.
QByteArray bytesOf(const Reply &reply);
/// The bytes of a reply to `words` with everything that is left to chance put in order.
QByteArray comparable(const QList<QByteArray> &words, const Reply &reply);
/// True when redis may give this reply for no reason: SORT takes an error of an earlier number for one of its own.
bool isUnfounded(const QList<QByteArray> &words, const Reply &reply);
/// A command for people: quoted and cut.
QByteArray shown(const QList<QByteArray> &words);
/// A reply for people.
QByteArray shown(const Reply &reply);

/// Commands whose replies together say what these keys hold.
QList<QList<QByteArray>> questionsAbout(const QList<QByteArray> &keys);

} // namespace ym::test
