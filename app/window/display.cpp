#include "app/window/display.h"

#include <QString>
#include <QtGlobal>

#include <cstdio>

#include <unistd.h>

namespace ym {

namespace {

constexpr auto advice = "Start it in a desktop session, or name a command; see yardmaster --help.";

QtMessageHandler before = nullptr;

void say(const char *what)
{
    std::fprintf(stderr, "yardmaster: %s %s\n", what, advice);
    std::fflush(stderr);
}

void onMessage(QtMsgType type, const QMessageLogContext &context, const QString &message)
{
    if (type == QtFatalMsg) {
        say("The display cannot be used.");
        ::_exit(1);
    }
    // What leads to it is said by that line.
    const bool isPrelude = QLatin1String(context.category ? context.category : "") == QLatin1String("qt.qpa.xcb")
        || QLatin1String(context.category ? context.category : "") == QLatin1String("qt.qpa.plugin");
    if (!isPrelude && before)
        before(type, context, message);
}

} // namespace

bool hasDisplay()
{
    for (const char *variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
        if (!qEnvironmentVariableIsEmpty(variable))
            return true;
    }
    say("There is no display.");
    return false;
}

DisplayGuard::DisplayGuard()
{
    before = qInstallMessageHandler(onMessage);
}

DisplayGuard::~DisplayGuard()
{
    qInstallMessageHandler(std::exchange(before, nullptr));
}

} // namespace ym
