// Drives the program as a person in a terminal does.
#pragma once

#include <QByteArray>
#include <QJsonDocument>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace ym::test {

/// What a run of the program left behind.
struct Ended {
    int code = -1; ///< exit code; -1 when it was killed or did not end
    QByteArray out;
    QByteArray err;

    QJsonDocument json() const { return QJsonDocument::fromJson(out); }
    /// The objects of a stream of JSON lines.
    QList<QJsonObject> jsonLines() const;
    /// Everything, for a failure message.
    QByteArray all() const;
};

/// The program under test (YARDMASTER_BIN) with a home folder of its own. Each started process is killed at the
/// end, also when the test is killed. Main thread.
class Program {
public:
    Program();

    /// Further or other environment variables; an empty QByteArray takes one away.
    void setVariable(const QString &name, const QString &value);
    void unsetVariable(const QString &name);
    QString homeFolder() const { return m_home.path(); }
    /// Writes a file below the home folder and returns its path.
    QString file(const QString &name, const QByteArray &content) const;

    /// Lets it run jobs of the type "sh" with the system's shell, which starts in a millisecond. They see these folders too.
    void runShellJobs(const QStringList &readable = {}) const;

    /// Runs to the end.
    Ended run(const QStringList &arguments, const QByteArray &standardInput = {}) const;
    /// As run(), while the event loop of the test goes on: for a server that lives there.
    Ended runBeside(const QStringList &arguments) const;
    /// The process, not started yet: for those who want to set something more.
    std::unique_ptr<QProcess> prepare(const QStringList &arguments) const;
    /// Starts without waiting; the caller ends it.
    std::unique_ptr<QProcess> start(const QStringList &arguments) const;
    /// Runs a shell command line in which $YM is the program.
    Ended shell(const QString &commandLine) const;

private:
    QTemporaryDir m_home;
    QProcessEnvironment m_environment;
    QString m_binary;
};

/// Waits until the output of the process holds `text`; false when it ends or a minute is over before. What was read is
/// appended to `seen`.
bool waitForOutput(QProcess *process, const QByteArray &text, QByteArray *seen);
/// The same for standard error.
bool waitForRemark(QProcess *process, const QByteArray &text);
/// Waits for the end and collects.
Ended collect(QProcess *process, QByteArray alreadySeen = {});

} // namespace ym::test
