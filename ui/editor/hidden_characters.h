// Finds what a reader of a script cannot see: control, zero-width and bidirectional characters.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>
#include <QString>

namespace ym {

struct HiddenCharacter {
    qsizetype offset = 0; ///< in bytes
    qsizetype length = 1; ///< in bytes
    int line = 1; ///< from 1
    char32_t code = 0;

    bool operator==(const HiddenCharacter &) const = default;
};

/// Hidden characters of an UTF-8 text (RELIABILITY 8, Bidi/control), at most `limit`. Tab, line feed and carriage
/// return before a line feed are no finds.
QList<HiddenCharacter> findHiddenCharacters(QByteArrayView text, qsizetype limit);

/// The text without them.
QByteArray withoutHiddenCharacters(const QByteArray &text);

/// "U+202E in line 3", "U+0000 in line 1, U+202E in line 3 and 4 more": for a warning.
QString describe(const QList<HiddenCharacter> &found);

/// UTF-8 bytes of each character an editor must show as a chip, with the chip's text ("U+202E").
QList<std::pair<QByteArray, QByteArray>> hiddenCharacterChips();

} // namespace ym
