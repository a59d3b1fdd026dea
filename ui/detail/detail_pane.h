// The job that was chosen: header with its state and actions, and its tabs.
#pragma once

#include "core/engine/session.h"
#include "core/job/remedy.h"

#include <QLabel>
#include <QTimer>
#include <QWidget>

class QStackedWidget;
class QTabBar;
class QToolButton;

namespace ym {

class ActionRegistry;
class DetailTab;
class EmptyState;
class JobActions;
class ProgressStrip;
class TextLabel;
class Workspace;

/// Reads the job when it is chosen and again when it changed; an answer about another job is dropped. GUI thread.
class DetailPane final : public QWidget {
    Q_OBJECT
public:
    DetailPane(Workspace *workspace, JobActions *actions, QWidget *parent = nullptr);

    /// In their order, known before there is a pane.
    static QStringList tabTitles();

    void showTab(const QByteArray &name);
    void focusTabs();
    void showTab(int number);
    DetailTab *tab(const QByteArray &name) const;

Q_SIGNALS:
    /// The close button, or Escape.
    void closeWanted();
    void remedyWanted(const ym::Remedy &remedy);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *makeHeader();
    QToolButton *makeVerbButton(const char *icon, const QString &tip, const char *name);
    void addTab(DetailTab *tab, const QString &title);
    void showConnection();
    void choose(const QByteArray &id);
    void read();
    void take(const QByteArray &id, const Result<JobDetail> &detail);
    QString whyLost() const;
    void followNews(const ChangeSet &changes);
    void showHeader();
    void showProgress();
    void clearTabs();
    void refreshButtons();

    Workspace *m_workspace;
    JobActions *m_actions;
    QByteArray m_id;
    JobSummary m_summary;
    bool m_wasListed = false;
    QTimer m_stale; ///< what is shown belongs to another job for too long
    bool m_isReading = false;
    bool m_readAgain = false;
    QList<DetailTab *> m_tabs;
    QLabel *m_dot;
    TextLabel *m_state;
    TextLabel *m_shortId;
    TextLabel *m_type;
    QToolButton *m_stop;
    QToolButton *m_retry;
    QToolButton *m_remove;
    QToolButton *m_duplicate;
    QToolButton *m_watch;
    ProgressStrip *m_progress;
    QTabBar *m_bar;
    QStackedWidget *m_pages;
    EmptyState *m_empty;
};

} // namespace ym
