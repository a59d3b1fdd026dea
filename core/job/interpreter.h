// How scripts of one type are run.
#pragma once

#include "core/job/containment.h"

#include <QByteArray>
#include <QStringList>

namespace ym {

/// A row of the interpreter table (PROTOCOLS, Scripts).
struct Interpreter {
    enum class Feed : quint8 { File, StandardInput };            ///< how the script reaches the program
    enum class Failure : quint8 { ExitCode, ExitCodeOrStderr };  ///< rhai-run exits 0 even on an error
    QByteArray type;       ///< script_type
    QStringList command;   ///< program and arguments; `{file}` is replaced by the script's path
    Feed feed = Feed::File;
    Failure failure = Failure::ExitCode;
    QString fileSuffix;    ///< ".py"; of the script file and of files that map to this type
    QString prelude;       ///< put before the script's first line, `{caller}` and `{context}` replaced as string literals
    QStringList versionArguments{QStringLiteral("--version")}; ///< with them the program says its version and ends
    RunLimits limits{};    ///< of every run
    JobAccess access{};    ///< what every script of this type may reach beyond the defaults

    bool operator==(const Interpreter &) const = default;
};

/// The built-in rows: python, v, osis, sal, heroscript.
QList<Interpreter> builtinInterpreters();

/// Whether a table row can run here and now.
struct InterpreterStatus {
    Interpreter interpreter;
    bool found = false;
    QString path;          ///< absolute path of the program when found
    QString detail;        ///< for people: where it is, or what to do
    bool isBroken = false; ///< found, but it does not even say its version where jobs run
    QString version{};     ///< first line of what it says; empty until it was asked
};

} // namespace ym
