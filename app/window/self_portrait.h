// A picture of the window, taken by the program itself.
#pragma once

#include "app/window/window_app.h"
#include "core/job/change_set.h"

#include <QObject>
#include <QTimer>

namespace ym {

class MainWindow;

/// Waits for the first complete listing, shows the newest job, saves the picture and ends the application: code 0, or 1
/// when the file cannot be written. GUI thread.
class SelfPortrait final : public QObject {
    Q_OBJECT
public:
    SelfPortrait(MainWindow *window, WindowOptions options, QObject *parent = nullptr);

private:
    void onNews(const ChangeSet &changes);
    void take();

    MainWindow *m_window;
    WindowOptions m_options;
    JobSummary m_newest;
    QTimer m_settled;
};

} // namespace ym
