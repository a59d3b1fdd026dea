// Glob patterns of KEYS, SCAN, PSUBSCRIBE and CONFIG GET.
#pragma once

#include <QByteArrayView>

namespace ym::embedded {

/// `*`, `?`, `[a-z]`, `[^a]` and `\x`, on bytes; the rules of Redis, also for unclosed brackets.
bool matchesGlob(QByteArrayView pattern, QByteArrayView text);
/// The same without regard to ASCII case.
bool matchesGlobIgnoringCase(const QByteArray &pattern, const QByteArray &text);

} // namespace ym::embedded
