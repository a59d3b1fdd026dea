// A main window over fake connections, for tests and pictures. Header only: the support library links no widgets.
#pragma once

#include "tests/support/fake_prompts.h"
#include "tests/support/fake_session.h"
#include "ui/actions/action_registry.h"
#include "ui/main_window.h"
#include "ui/theme.h"
#include "ui/ui_settings.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace ym::test {

/// Owns everything that belongs to one window. Settings live in a temporary folder, questions are answered by
/// `prompts`.
class WindowFixture {
public:
    WindowFixture() { settings = std::make_unique<UiSettings>(UiSettings::Places{path("window.ini"), path("drafts")}); }

    /// Makes the window; what is set before counts as remembered from the last time.
    void open(QSize size = {1280, 800}, Build build = Build::Now)
    {
        theme = std::make_unique<Theme>(qApp, settings.get());
        window = std::make_unique<MainWindow>(&connections, settings.get(), build);
        window->resize(size);
        window->show();
        window->activateWindow();
        if (!QTest::qWaitForWindowActive(window.get()))
            qFatal("the window did not become active");
    }
    /// As open(), connected and with `count` demo jobs.
    void openWithJobs(int count)
    {
        open();
        session()->setReady();
        session()->showJobs(demoJobs(count, Clock::system().now()));
    }

    FakeSession *session() { return connections.fake(); }
    QString path(const char *name) const { return folder.filePath(QLatin1String(name)); }
    QAction *action(const char *id) const { return window->actions()->action(id); }
    template <typename T> T *find(const char *name) const
    {
        T *const found = window->findChild<T *>(QLatin1String(name));
        if (!found)
            qFatal("there is no widget named %s", name);
        return found;
    }
    void key(Qt::Key code, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QWidget *const target = QApplication::focusWidget();
        QTest::keyClick(target ? target : window.get(), code, modifiers);
    }
    void type(const QString &text) { QTest::keyClicks(QApplication::focusWidget(), text); }
    static void click(QWidget *widget) { QTest::mouseClick(widget, Qt::LeftButton); }
    /// Lets queued calls and the futures' continuations arrive.
    static void settle()
    {
        for (int i = 0; i < 5; ++i)
            QCoreApplication::sendPostedEvents(), QCoreApplication::processEvents();
    }

    QTemporaryDir folder;
    FakePrompts prompts;
    FakeConnections connections;
    std::unique_ptr<UiSettings> settings;
    std::unique_ptr<Theme> theme;
    std::unique_ptr<MainWindow> window;
};

} // namespace ym::test
