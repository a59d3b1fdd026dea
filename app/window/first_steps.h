// What the application does by itself after it has opened: the local worker, and a first job for a newcomer.
#pragma once

#include "core/engine/paths.h"
#include "core/engine/session.h"

#include <QObject>

namespace ym {

class MainWindow;
class UiSettings;

/// GUI thread; all three outlive it.
class FirstSteps final : public QObject {
    Q_OBJECT
public:
    FirstSteps(MainWindow *window, Connections *connections, UiSettings *settings, QObject *parent = nullptr);

    /// At the very first start a compose window with the sample job, ready to be run.
    void offerSample(const Paths &paths);

private:
    void onSession(Session *session);
    void startWorker(Session *session);

    MainWindow *m_window;
    UiSettings *m_settings;
};

} // namespace ym
