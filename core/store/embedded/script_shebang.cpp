#include "core/store/embedded/script_shebang.h"

#include "core/store/embedded/command_error.h"

#include <QList>

namespace ym::embedded {

namespace {

void readFlags(const QByteArray &flags, ScriptShebang &shebang)
{
    static constexpr const char *known[] = {"no-writes", "allow-oom", "allow-stale", "no-cluster",
                                            "allow-cross-slot-keys"};
    if (flags.isEmpty())
        return;
    for (const QByteArray &flag : flags.split(',')) {
        if (std::find(std::begin(known), std::end(known), flag) == std::end(known))
            throw CommandError("ERR Unexpected flag in script shebang: " + flag);
        shebang.isReadOnly |= flag == "no-writes";
    }
}

} // namespace

ScriptShebang readShebang(const QByteArray &text)
{
    ScriptShebang shebang;
    if (!text.startsWith("#!"))
        return shebang;
    shebang.size = text.indexOf('\n');
    if (shebang.size < 0)
        throw CommandError("ERR Invalid script shebang");
    const QList<QByteArray> words = text.left(shebang.size).simplified().split(' ');
    if (words.first() != "#!lua")
        throw CommandError("ERR Unexpected engine in script shebang: " + words.first());
    for (const QByteArray &word : words.sliced(1)) {
        if (!word.startsWith("flags="))
            throw CommandError("ERR Unknown lua shebang option: " + word);
        readFlags(word.sliced(6), shebang);
    }
    return shebang;
}

} // namespace ym::embedded
