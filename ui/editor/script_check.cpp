#include "ui/editor/script_check.h"

#include "core/base/text.h"
#include "ui/editor/balance_check.h"

#include <QProcess>
#include <QTimer>

#include <chrono>

namespace ym {

namespace {

constexpr std::chrono::seconds patience{5};

/// Says "LINE MESSAGE" when the text does not compile. A hostile text may only end this process.
constexpr auto compiler = R"(import sys, resource
for what, most in ((resource.RLIMIT_AS, 1 << 30), (resource.RLIMIT_CPU, 5), (resource.RLIMIT_CORE, 0)):
    resource.setrlimit(what, (most, most))
text = sys.stdin.buffer.read()
try:
    compile(text, 'script', 'exec', dont_inherit=True)
except SyntaxError as mistake:
    print(mistake.lineno or 1, mistake.msg)
except (ValueError, OverflowError) as mistake:
    print(1, mistake)
except (MemoryError, RecursionError):
    print(1, 'too deeply nested to be checked')
)";

} // namespace

void ScriptCheck::check(Language language, const QByteArray &script)
{
    if (m_process) { // its answer would be about an older text
        m_process->disconnect(this);
        m_process->kill();
        m_process = nullptr;
    }
    if (language == Language::Python && !m_python.isEmpty() && !script.trimmed().isEmpty())
        return compile(script);
    Q_EMIT checked(findUnbalanced(language, script));
}

void ScriptCheck::compile(const QByteArray &script)
{
    auto *const process = new QProcess(this);
    m_process = process;
    process->setProcessEnvironment(QProcessEnvironment());
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        m_process = nullptr;
        process->deleteLater();
        Q_EMIT checked({});
    });
    connect(process, &QProcess::finished, this, [this, process] {
        m_process = nullptr;
        const QByteArray answer = process->readAllStandardOutput().left(1000).trimmed();
        const qsizetype space = answer.indexOf(' ');
        if (space < 0)
            return Q_EMIT checked({});
        Q_EMIT checked({{answer.left(space).toInt(), shownText(answer.mid(space + 1), Lines::Flatten, 300)}});
    });
    QTimer::singleShot(patience, process, &QProcess::kill);
    process->start(m_python, {QStringLiteral("-I"), QStringLiteral("-S"), QStringLiteral("-W"),
                              QStringLiteral("ignore"), QStringLiteral("-c"), QLatin1String(compiler)});
    process->write(script);
    process->closeWriteChannel();
}

} // namespace ym
