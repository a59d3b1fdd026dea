// The scripts of the Hero protocol, each with the shared pieces that it asks for.
#pragma once

#include "core/store/script.h"

namespace ym::hero {

/// The script resources/lua/hero/{name}.lua, with the files of lib/ that its line `-- needs:` names put before it
/// (after the `#!lua` line, which must stay first). Built once; lives as long as the process.
const Script *script(const char *name);

} // namespace ym::hero
