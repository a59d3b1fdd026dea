// Entry: without a subcommand the window, with one the command-line tool on the same core.
#include "app/cli/command_line.h"
#include "app/cli/store_choice.h"
#include "app/cli/tool.h"
#include "core/base/memory.h"
#ifdef YM_HAVE_WINDOW
#include "app/window/window_app.h"
#endif

#include <QCoreApplication>
#include <QFile>
#include <QLoggingCategory>

#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

namespace {

/// A file must never get the number of a standard stream that the caller closed.
void occupyStandardStreams()
{
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
        if (::fcntl(number, F_GETFD) == -1)
            ::open("/dev/null", number == STDIN_FILENO ? O_RDONLY : O_WRONLY);
    }
}

int answer(const ym::cli::Answer &answer)
{
    const bool isGood = answer.exitCode == ym::cli::ExitOk;
    const QByteArray text = (isGood ? answer.text : QStringLiteral("yardmaster: %1\n").arg(answer.text)).toUtf8();
    std::fputs(text.constData(), isGood ? stdout : stderr);
    return answer.exitCode;
}

int openWindow(int &argc, char **argv, const ym::cli::WindowRequest &request)
{
#ifdef YM_HAVE_WINDOW
    return ym::runWindow(argc, argv,
                         {QFile::decodeName(request.screenshot.c_str()), QString::fromStdString(request.size),
                          QString::fromStdString(request.page), QString::fromStdString(request.theme)});
#else
    Q_UNUSED(argc)
    Q_UNUSED(argv)
    Q_UNUSED(request)
    return answer(
        {ym::cli::ExitUsage, QStringLiteral("This build has no window. Name a command; see yardmaster --help.")});
#endif
}

} // namespace

int main(int argc, char **argv)
{
    ym::giveBackLargeBlocks();
    occupyStandardStreams();
    QCoreApplication::setApplicationName(QStringLiteral("yardmaster"));
    QCoreApplication::setApplicationVersion(QStringLiteral(YM_VERSION));
    QLoggingCategory::setFilterRules(QStringLiteral("yardmaster.*.info=false"));

    ym::cli::Request request = ym::cli::parseCommandLine(std::vector<std::string>(argv + 1, argv + argc));
    if (const auto *text = std::get_if<ym::cli::Answer>(&request))
        return answer(*text);
    if (const auto *window = std::get_if<ym::cli::WindowRequest>(&request))
        return openWindow(argc, argv, *window);

    ym::cli::hidePasswords(argc, argv);
    int applicationArgc = 1; // the arguments are ours; Qt looks for options of its own in what it gets
    const QCoreApplication application(applicationArgc, argv);
    qSetMessagePattern(QStringLiteral("yardmaster: %{message}"));
    return ym::cli::runTool(std::move(std::get<ym::cli::ToolRequest>(request)));
}
