// The line at the bottom: how the connection is, what it costs, how fresh the picture is, how much is shown.
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace ym {

class TextLabel;
class Workspace;

/// Brought up to date once a second and when the state changes. GUI thread.
class StatusLine final : public QWidget {
    Q_OBJECT
public:
    static constexpr int lineHeight = 28; ///< fits its buttons, so that nothing jumps when one comes

    explicit StatusLine(Workspace *workspace, QWidget *parent = nullptr);

    QString phaseText() const;
    QString rowsText() const;

private:
    void refresh();
    void followCounts();
    void showPhase();
    void showWarnings();
    void showContainment();
    void showRows();
    void tellWarnings();
    void showBulk(qint64 done, qint64 total);

    Workspace *m_workspace;
    QTimer m_tick;
    QLabel *m_dot;
    TextLabel *m_phase;
    QPushButton *m_retry;
    QToolButton *m_warnings;
    TextLabel *m_containment;
    TextLabel *m_bulk; ///< how far an action on many jobs is
    QPushButton *m_cancel;
    QMetaObject::Connection m_bulkNews; ///< of the session that is shown
    TextLabel *m_selected;
    TextLabel *m_rows;
    QProgressBar *m_progress;
    TextLabel *m_rate;
    TextLabel *m_age;
};

} // namespace ym
