#include "core/worker/interpreter_probe.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTimer>

namespace ym {

namespace {

constexpr std::chrono::seconds patience{10};

constexpr auto question = "import json, os, sys\n"
                          "print(json.dumps([sys.executable, sys.prefix, sys.base_prefix,"
                          " os.path.dirname(os.path.realpath(sys.executable))]))";

bool isOfTheSystem(const QString &path)
{
    for (const auto *folder : {"/usr", "/bin", "/sbin", "/lib", "/lib64"}) {
        if (path == QLatin1String(folder) || path.startsWith(QLatin1String(folder) + u'/'))
            return true;
    }
    return false;
}

/// A folder that is shared with everything else of a user is no part of an interpreter.
bool isTooWide(const QString &folder)
{
    return folder == QDir::rootPath() || folder == QDir::homePath() || folder == QLatin1String("/home")
        || folder == QLatin1String("/root") || QDir::homePath().startsWith(folder + u'/');
}

QCoro::Task<InterpreterFacts> askPython(QString program)
{
    QProcess python;
    QProcessEnvironment environment;
    for (const auto *name : {"PATH", "HOME"})
        environment.insert(QLatin1String(name), qEnvironmentVariable(name));
    python.setProcessEnvironment(environment);
    python.setStandardInputFile(QProcess::nullDevice());
    const Completion<bool> over;
    QObject::connect(&python, &QProcess::finished, &python, [over] { over.resolve(true); });
    QObject::connect(&python, &QProcess::errorOccurred, &python, [over] { over.resolve(false); });
    QTimer::singleShot(patience, &python, &QProcess::kill);
    python.start(program, {QStringLiteral("-I"), QStringLiteral("-c"), QLatin1String(question)});
    const bool hasEnded = co_await over;
    InterpreterFacts facts{program, neededFolders(program)};
    const QJsonArray answer = QJsonDocument::fromJson(python.readAllStandardOutput()).array();
    if (!hasEnded || answer.size() != 4 || !QFileInfo(answer[0].toString()).isExecutable())
        co_return facts;
    facts = {answer[0].toString(), {}};
    for (const QJsonValue &value : answer) {
        const QString path = value.toString();
        if (!path.isEmpty() && !isOfTheSystem(path) && !isTooWide(path))
            facts.needs.append(path);
    }
    facts.needs.removeDuplicates();
    co_return facts;
}

} // namespace

QStringList neededFolders(const QString &program)
{
    const QString real = QFileInfo(program).canonicalFilePath();
    if (real.isEmpty() || (isOfTheSystem(program) && isOfTheSystem(real)))
        return {};
    QStringList needs{program, real};
    const QString folder = QFileInfo(real).absolutePath();
    const bool isShared = folder.endsWith(QLatin1String("/bin")) || folder.endsWith(QLatin1String("/sbin"));
    if (!isShared && !isTooWide(folder) && !isOfTheSystem(folder))
        needs.append(folder);
    needs.removeDuplicates();
    return needs;
}

QCoro::Task<InterpreterFacts> InterpreterProbe::facts(QString program)
{
    if (isOfTheSystem(program) && isOfTheSystem(QFileInfo(program).canonicalFilePath())) {
        InterpreterFacts plain{program, {}};
        co_return plain;
    }
    const qint64 changedAt = QFileInfo(program).lastModified().toMSecsSinceEpoch();
    const auto known = m_known.constFind(program);
    if (known != m_known.cend() && known->changedAt == changedAt) {
        InterpreterFacts kept = known->facts;
        co_return kept;
    }
    InterpreterFacts found{program, neededFolders(program)};
    if (QFileInfo(program).fileName().startsWith(QLatin1String("python")))
        found = co_await askPython(program);
    m_known.insert(program, {changedAt, found});
    co_return found;
}

} // namespace ym
