// What random commands are made of.
#pragma once

#include <span>

namespace ym::test {

/// Marks are replaced by words: $s $l $h $t $z are keys of strings, lists, hashes, sets, sorted sets ($k of any kind,
/// $y of sorted sets with equal scores), $v a value, $n an integer, $r a real number, $i an index, $c a small count,
/// $B a bit offset, $f a field, $m a member, $b a score bound, $x a lexical bound, $e a time far in the future, $p a
/// pattern, $S a script.
std::span<const char *const> commandTemplates();
/// Commands that may wait; their timeouts are 0 or far away.
std::span<const char *const> blockingTemplates();

struct ScriptTemplate {
    const char *text;
    const char *words; ///< behind the script
};
std::span<const ScriptTemplate> scriptTemplates();

} // namespace ym::test
