// The live preview below the form: through which queue the job will go, who listens there, how many are before it.
#pragma once

#include "core/base/error.h"
#include "core/job/queue_info.h"
#include "ui/dialogs/parts/form_field.h"

#include <QElapsedTimer>
#include <QFrame>
#include <QPointer>
#include <QTimer>

class QLabel;
class QPushButton;

namespace ym {

class Session;
struct ChangeSet;

/// Asks Session::preview a moment after the target changed, and again when workers or queues did (at most every two
/// seconds). An answer to an older question is dropped. GUI thread.
class RouteBox final : public QFrame {
    Q_OBJECT
public:
    explicit RouteBox(Session *session, QWidget *parent = nullptr);

    void setTarget(const Target &target);
    /// Nothing can be said yet; `why` is shown instead.
    void setUndecided(const QString &why);
    /// What the job waits for before it goes there; empty = nothing.
    void setBefore(const QString &what);
    /// The newest answer, or nothing while there is none.
    std::optional<RoutePreview> route() const { return m_route; }

Q_SIGNALS:
    void startWorkerWanted();
    /// The newest answer has been shown.
    void shown();

private:
    void sayInstead(const QString &text, Tone tone);
    void ask();
    void show(const Result<RoutePreview> &answer);
    void showRoute(const RoutePreview &route);
    void followNews(const ChangeSet &changes);

    QPointer<Session> m_session;
    Target m_target;
    bool m_decided = false;
    quint64 m_question = 0;
    std::optional<RoutePreview> m_route;
    QTimer m_delay;
    QTimer m_refresh;
    QLabel *m_queue;
    QLabel *m_listeners;
    QLabel *m_ahead;
    QLabel *m_before;
    QPushButton *m_start;
};

} // namespace ym
