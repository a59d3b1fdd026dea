// What the tests of dialogs share: settings in a folder of their own, and real keys to whatever has the focus.
#pragma once

#include "tests/support/fake_session.h"
#include "ui/ui_settings.h"

#include <QApplication>
#include <QDialog>
#include <QTemporaryDir>
#include <QTest>

namespace ym::test {

/// Settings that end with the test.
class TestSettings {
public:
    TestSettings()
        : settings({folder.filePath(QStringLiteral("window.ini")), folder.filePath(QStringLiteral("drafts"))})
    {
    }
    QTemporaryDir folder;
    UiSettings settings;
};

/// Shows a dialog and waits until keys reach it.
inline void showActive(QWidget *window)
{
    window->show();
    window->activateWindow();
    if (!QTest::qWaitForWindowActive(window))
        qFatal("the window did not become active");
}

inline void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QWidget *const focus = QApplication::focusWidget();
    QVERIFY2(focus, "no widget has the focus");
    QTest::keyClick(focus, key, modifiers);
}

inline void type(const QString &text)
{
    QWidget *const focus = QApplication::focusWidget();
    QVERIFY2(focus, "no widget has the focus");
    QTest::keyClicks(focus, text);
}

template <typename T> T *child(QWidget *parent, const char *name)
{
    auto *const found = parent->findChild<T *>(QLatin1String(name));
    if (!found)
        qFatal("there is no child %s", name);
    return found;
}

template <typename T> void click(QWidget *parent, const char *name)
{
    QTest::mouseClick(child<T>(parent, name), Qt::LeftButton);
}

/// python is found, rhai-run is not.
inline QList<InterpreterStatus> someInterpreters()
{
    QList<InterpreterStatus> rows;
    for (const Interpreter &row : builtinInterpreters()) {
        const bool python = row.type == "python";
        rows.append({row, python, python ? QStringLiteral("/usr/bin/python3") : QString(),
                     python ? QStringLiteral("found at /usr/bin/python3")
                            : QStringLiteral("%1 was not found").arg(row.command.first())});
    }
    return rows;
}

} // namespace ym::test
