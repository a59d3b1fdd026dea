// Which program runs which script type: the built-in rows with the user's own on top.
#pragma once

#include "core/base/error.h"
#include "core/job/interpreter.h"
#include "core/job/job.h"

#include <QMutex>

#include <optional>

namespace ym {

/// The interpreter table. Usable from every thread: every answer is a copy of the rows as they were at that moment.
class InterpreterTable {
public:
    InterpreterTable();

    /// Built-in rows first (a user's row of the same type in their place), then the user's own types by name.
    QList<Interpreter> rows() const;
    QList<Interpreter> userRows() const;
    std::optional<Interpreter> find(const QByteArray &type) const;

    /// The row that really runs this script: a python or v script that starts with `!!` is HeroScript (PROTOCOLS,
    /// Scripts).
    std::optional<Interpreter> findForScript(const QByteArray &type, const QByteArray &script) const;

    /// The type of a file by its ending, any case: the first row whose suffix fits. Empty when none does.
    QByteArray typeForFileName(const QString &name) const;

    /// Looks the program up on PATH (or at its absolute path) now. `detail` says where it is, or what to do.
    InterpreterStatus probe(const QByteArray &type) const;
    static InterpreterStatus probe(const Interpreter &row);

    /// Adds or replaces the user's row of that type. Usage when the row cannot work; the table is unchanged then.
    Result<void> setRow(const Interpreter &row);
    /// Takes the user's row away; a built-in one comes back. False when there was none.
    bool resetRow(const QByteArray &type);

    /// Replaces the user's rows by those of a JSON file. A missing file is an empty table. On an error (Io, TooLarge,
    /// Usage with line of thought) nothing is changed.
    Result<void> load(const QString &path);
    /// Puts the rows of such a file, in which comments may stand, over the user's. NotFound when it is missing.
    Result<void> add(const QString &path);
    /// Writes the user's rows, atomically.
    Result<void> save(const QString &path) const;

private:
    mutable QMutex m_mutex;
    QList<Interpreter> m_userRows; ///< sorted by type
};

/// The script as the interpreter must get it: the row's prelude on the first line, the ids as quoted literals.
QByteArray preparedScript(const Interpreter &row, const Job &job);

/// What is wrong with a row, one sentence; empty when it can work.
QString rowProblem(const Interpreter &row);

} // namespace ym
