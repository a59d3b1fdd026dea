#include "app/window/window_app.h"

#include "app/cli/interrupts.h"
#include "app/window/display.h"
#include "app/window/first_steps.h"
#include "app/window/keychain_secrets.h"
#include "app/window/self_portrait.h"
#include "core/engine/engine_connections.h"
#include "ui/font_reading.h"
#include "ui/main_window.h"
#include "ui/theme.h"
#include "ui/ui_settings.h"

#include <QApplication>
#include <QFutureWatcher>
#include <QTemporaryDir>

#include <utility>

namespace ym {

namespace {

ThemeChoice themeFrom(const QString &name)
{
    return name == QLatin1String("light") ? ThemeChoice::Light
        : name == QLatin1String("dark")   ? ThemeChoice::Dark
                                          : ThemeChoice::System;
}

void tellWarnings(MainWindow *window, const UiSettings &settings, const EngineConnections &connections)
{
    QStringList warnings = connections.startupWarnings();
    if (settings.wasCorrupt())
        warnings.append(QCoreApplication::translate("ym::WindowApp",
                                                    "The window's settings could not be read and were set aside."));
    for (const QString &warning : warnings)
        window->workspace()->notify({Notice::Kind::Warning, warning, {}});
}

/// Ends the event loop when sessions and workers are down.
void shutDownThenQuit(Connections *connections, QApplication *application)
{
    auto *const watcher = new QFutureWatcher<void>(application);
    // Not quit(), which lets a window with a draft refuse.
    QObject::connect(watcher, &QFutureWatcherBase::finished, application, [] { QCoreApplication::exit(); });
    watcher->setFuture(connections->shutDown());
}

} // namespace

int runWindow(int &argc, char **argv, const WindowOptions &options)
{
    const bool isPortrait = !options.screenshot.isEmpty();
    if (!isPortrait && !hasDisplay())
        return 1;
    if (isPortrait && qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    beginReadingFonts();
    std::optional<DisplayGuard> guard(std::in_place);
    QApplication application(argc, argv);
    guard.reset();
    QGuiApplication::setDesktopFileName(QStringLiteral("yardmaster"));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Yardmaster"));
    application.setQuitOnLastWindowClosed(false);

    const Paths paths = Paths::standard();
    std::optional<QTemporaryDir> own; // a picture neither uses nor changes what a person has arranged
    if (isPortrait)
        own.emplace();
    UiSettings settings({(own ? own->path() : paths.config) + QStringLiteral("/window.ini"), paths.drafts()});
    if (isPortrait)
        settings.setTheme(themeFrom(options.theme));
    const Theme theme(&application, &settings);
    KeychainSecrets secrets;
    EngineConnections connections(EngineConfig{paths}, &secrets);
    MainWindow window(&connections, &settings, Build::AfterFirstFrame);
    FirstSteps steps(&window, &connections, &settings);

    bool isEnding = false;
    const auto end = [&] {
        if (!std::exchange(isEnding, true))
            shutDownThenQuit(&connections, &application);
    };
    QObject::connect(&application, &QApplication::lastWindowClosed, &connections, end);
    // Nobody may be there to answer a question: windows with drafts keep them as they go.
    cli::Interrupts interrupts;
    QObject::connect(&interrupts, &cli::Interrupts::requested, &application, [&](int) {
        window.close();
        end();
    });

    window.show();
    tellWarnings(&window, settings, connections);
    std::optional<SelfPortrait> portrait;
    if (isPortrait)
        portrait.emplace(&window, options);
    else
        QObject::connect(&window, &MainWindow::completed, &steps, [&] { steps.offerSample(paths); });
    return QApplication::exec();
}

} // namespace ym
