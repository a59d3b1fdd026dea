// Looks for mistakes in a script while it is written.
#pragma once

#include "ui/editor/code_view.h"

#include <QObject>

class QProcess;

namespace ym {

/// Python by its own compiler, which reads the text and runs nothing of it, in a process with limits; other languages
/// by their brackets and strings. Only the newest text counts. GUI thread.
class ScriptCheck final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Absolute path of the interpreter; empty: Python is not checked.
    void setPython(const QString &path) { m_python = path; }
    void check(Language language, const QByteArray &script);

Q_SIGNALS:
    void checked(const QList<ym::ScriptProblem> &problems);

private:
    void compile(const QByteArray &script);

    QString m_python;
    QProcess *m_process = nullptr; ///< the newest
};

} // namespace ym
