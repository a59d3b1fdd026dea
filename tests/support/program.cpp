#include "tests/support/program.h"

#include "core/worker/interpreter_table.h"
#include "tests/support/die_with_test.h"

#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QJsonObject>
#include <QTimer>

namespace ym::test {

namespace {

constexpr int patienceMs = 60'000;

bool waitFor(QProcess *process, QProcess::ProcessChannel channel, const QByteArray &text, QByteArray *seen)
{
    QElapsedTimer timer;
    timer.start();
    process->setReadChannel(channel);
    *seen += process->readAll();
    while (!seen->contains(text) && timer.elapsed() < patienceMs) {
        const bool isMore = process->waitForReadyRead(int(patienceMs - timer.elapsed()));
        *seen += process->readAll();
        if (!isMore)
            break;
    }
    return seen->contains(text);
}

} // namespace

QList<QJsonObject> Ended::jsonLines() const
{
    QList<QJsonObject> objects;
    for (const QByteArray &line : out.split('\n')) {
        if (!line.isEmpty())
            objects.append(QJsonDocument::fromJson(line).object());
    }
    return objects;
}

QByteArray Ended::all() const
{
    return "exit code " + QByteArray::number(code) + "\n--- out\n" + out + "\n--- err\n" + err;
}

Program::Program()
    : m_binary(qEnvironmentVariable("YARDMASTER_BIN"))
{
    m_environment.insert(QStringLiteral("PATH"), qEnvironmentVariable("PATH"));
    m_environment.insert(QStringLiteral("HOME"), m_home.path());
    m_environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), m_home.path());
    m_environment.insert(QStringLiteral("LANG"), QStringLiteral("C.UTF-8"));
    m_environment.insert(QStringLiteral("YM"), m_binary);
    // The sanitizers of a test build speak through these.
    for (const char *name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
        if (qEnvironmentVariableIsSet(name))
            m_environment.insert(QLatin1String(name), qEnvironmentVariable(name));
    }
}

void Program::setVariable(const QString &name, const QString &value)
{
    m_environment.insert(name, value);
}

void Program::unsetVariable(const QString &name)
{
    m_environment.remove(name);
}

QString Program::file(const QString &name, const QByteArray &content) const
{
    QFile file(m_home.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("the test cannot write %s", qPrintable(file.fileName()));
    return file.fileName();
}

void Program::runShellJobs(const QStringList &readable) const
{
    Interpreter shell;
    shell.type = "sh";
    shell.command = QStringList{QStringLiteral("/bin/sh"), QStringLiteral("{file}")};
    shell.access.readable = readable;
    InterpreterTable table;
    const QString config = homeFolder() + QStringLiteral("/.config/yardmaster");
    if (!QDir().mkpath(config) || !table.setRow(shell) || !table.save(config + QStringLiteral("/interpreters.json")))
        qFatal("the test cannot write %s", qPrintable(config));
}

std::unique_ptr<QProcess> Program::prepare(const QStringList &arguments) const
{
    auto process = std::make_unique<QProcess>();
    process->setProcessEnvironment(m_environment);
    process->setWorkingDirectory(m_home.path());
    process->setProgram(m_binary);
    process->setArguments(arguments);
    dieWithTest(process.get());
    return process;
}

std::unique_ptr<QProcess> Program::start(const QStringList &arguments) const
{
    std::unique_ptr<QProcess> process = prepare(arguments);
    process->start();
    if (!process->waitForStarted(patienceMs))
        qFatal("YARDMASTER_BIN does not start: %s", qPrintable(m_binary));
    return process;
}

Ended Program::run(const QStringList &arguments, const QByteArray &standardInput) const
{
    const std::unique_ptr<QProcess> process = start(arguments);
    process->write(standardInput);
    process->closeWriteChannel();
    return collect(process.get());
}

Ended Program::runBeside(const QStringList &arguments) const
{
    const std::unique_ptr<QProcess> process = start(arguments);
    process->closeWriteChannel();
    QEventLoop loop;
    QObject::connect(process.get(), &QProcess::finished, &loop, &QEventLoop::quit);
    QTimer::singleShot(patienceMs, &loop, [&process] { process->kill(); });
    if (process->state() != QProcess::NotRunning)
        loop.exec();
    return collect(process.get());
}

Ended Program::shell(const QString &commandLine) const
{
    QProcess process;
    process.setProcessEnvironment(m_environment);
    process.setWorkingDirectory(m_home.path());
    dieWithTest(&process);
    process.start(QStringLiteral("/bin/bash"), {QStringLiteral("-c"), commandLine});
    process.closeWriteChannel();
    return collect(&process);
}

bool waitForOutput(QProcess *process, const QByteArray &text, QByteArray *seen)
{
    return waitFor(process, QProcess::StandardOutput, text, seen);
}

bool waitForRemark(QProcess *process, const QByteArray &text)
{
    QByteArray seen;
    return waitFor(process, QProcess::StandardError, text, &seen);
}

Ended collect(QProcess *process, QByteArray alreadySeen)
{
    if (process->state() != QProcess::NotRunning && !process->waitForFinished(patienceMs)) {
        process->kill();
        process->waitForFinished(patienceMs);
    }
    const bool ended = process->exitStatus() == QProcess::NormalExit;
    return {ended ? process->exitCode() : -1, alreadySeen + process->readAllStandardOutput(),
            process->readAllStandardError()};
}

} // namespace ym::test
