#include "core/job/interpreter.h"

namespace ym {

QList<Interpreter> builtinInterpreters()
{
    using Feed = Interpreter::Feed;
    using Failure = Interpreter::Failure;
    const auto file = QStringLiteral("{file}");
    const auto rhai = QStringLiteral(".rhai");
    const auto ids = QStringLiteral("const CALLER_ID = {caller}; const CONTEXT_ID = {context}; ");
    const QStringList rhaiRun{QStringLiteral("rhai-run"), file};
    return {
        {"python",
         {QStringLiteral("python3"), QStringLiteral("-u"), file},
         Feed::File,
         Failure::ExitCode,
         QStringLiteral(".py"),
         {}},
        {"v",
         {QStringLiteral("v"), QStringLiteral("run"), file},
         Feed::File,
         Failure::ExitCode,
         QStringLiteral(".v"),
         {},
         {QStringLiteral("version")}},
        {"osis", rhaiRun, Feed::File, Failure::ExitCodeOrStderr, rhai, ids},
        {"sal", rhaiRun, Feed::File, Failure::ExitCodeOrStderr, rhai, ids},
        {"heroscript",
         {QStringLiteral("hero"), QStringLiteral("run"), QStringLiteral("-s")},
         Feed::StandardInput,
         Failure::ExitCode,
         QStringLiteral(".hero"),
         {},
         {QStringLiteral("version")}},
    };
}

} // namespace ym
