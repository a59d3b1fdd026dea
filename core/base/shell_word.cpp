#include "core/base/shell_word.h"

#include <algorithm>

namespace ym {

namespace {

/// No shell gives it a meaning, wherever in a word it stands.
bool isPlain(QChar character)
{
    const char16_t c = character.unicode();
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9')
        || QStringView(u"_./:@%+=,-").contains(character);
}

} // namespace

QString shellWord(const QString &text)
{
    if (!text.isEmpty() && std::all_of(text.begin(), text.end(), isPlain))
        return text;
    return u'\'' + QString(text).replace(u'\'', QStringLiteral("'\\''")) + u'\'';
}

} // namespace ym
