// Bytes from a store made fit for a person's eye: plain text, nothing invisible, nothing endless.
#pragma once

#include <QByteArray>
#include <QString>

namespace ym {

/// Decodes UTF-8 for display. Invalid bytes become \xNN, C0/C1 controls and bidirectional or zero-width
/// characters become <U+202E> (RELIABILITY 8, Bidi/control). Line feed and tab stay only with `KeepLines`.
enum class Lines : quint8 { Flatten, Keep };
QString shownText(const QByteArray &bytes, Lines lines = Lines::Flatten);

/// As shownText, cut to `limit` characters with an ellipsis. `limit` ≥ 1.
QString shownText(const QByteArray &bytes, Lines lines, qsizetype limit);

/// The first eight digits of a UUID, other ids cut at 16 characters.
QString shortId(const QByteArray &id);

/// True when the bytes are valid UTF-8; only such values may be edited.
bool isUtf8(const QByteArray &bytes);

} // namespace ym
