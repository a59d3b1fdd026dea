// Looks at an interpreter: where it really is and what it needs beside the system's own folders.
#pragma once

#include "core/base/completion.h"
#include "core/base/error.h"
#include "core/job/interpreter.h"

#include <QCoroTask>
#include <QHash>

namespace ym {

/// What a run needs to know of a program.
struct InterpreterFacts {
    QString program; ///< absolute path to start; for Python the real one behind wrappers such as pyenv's
    QStringList needs; ///< folders and files outside /usr that it reads

    bool operator==(const InterpreterFacts &) const = default;
};

/// Answers are kept for a program until its file changes. One thread.
class InterpreterProbe {
public:
    /// `program` is the absolute path of an interpreter that was found. A Python outside /usr is asked where its
    /// library is; the folder of any other program outside /usr is what it needs, unless it is a bin folder. Never
    /// fails: what cannot be asked needs only itself.
    QCoro::Task<InterpreterFacts> facts(QString program);

private:
    struct Known {
        qint64 changedAt = 0;
        InterpreterFacts facts;
    };
    QHash<QString, Known> m_known;
};

/// What a program outside /usr needs, from its place alone.
QStringList neededFolders(const QString &program);

} // namespace ym
