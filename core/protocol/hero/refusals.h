// What a script refuses, as sentences for people.
#pragma once

#include "core/job/job.h"

namespace ym::hero {

/// Throws when the first word of a script's answer is a refusal; the other words are the ids or keys it speaks of.
void checkAnswer(const QByteArray &id, const QList<QByteArray> &answer);
/// An id or a list of ids, fit to show.
QString shownId(const QByteArray &id);
QString shownIds(const QList<QByteArray> &ids);

} // namespace ym::hero
