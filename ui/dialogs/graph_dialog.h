// The window in which several jobs that wait for one another are written and submitted in one step.
#pragma once

#include "core/engine/session.h"
#include "ui/dialogs/drafts/draft_store.h"
#include "ui/dialogs/parts/form_field.h"

#include <QDialog>
#include <QPointer>
#include <QTimer>

class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QPushButton;
class QSplitter;

namespace ym {

class ComposeForm;
class DraftKeeper;
class GraphDraftModel;
class JobTableModel;
class PresenceIndex;
class ScriptEditor;
class TableView;
class UiSettings;

/// A window of its own, not modal. The list on the left chooses which of the jobs the editor and the form show. All are
/// submitted or none (PROTOCOLS, Prerequisites); submitting again after a lost answer makes no second graph.
/// What was written is kept as a draft until then and offered again after a crash. GUI thread.
class GraphDialog final : public QDialog {
    Q_OBJECT
public:
    GraphDialog(Session *session, UiSettings *settings, QWidget *parent = nullptr);
    ~GraphDialog() override;

    void setInterpreters(const QList<InterpreterStatus> &interpreters);
    void setSources(JobTableModel *jobs, PresenceIndex *presence);
    /// Adds a job with the script of this file, named after it. False and a message in the window when it cannot be read.
    bool addFile(const QString &path);

    /// The newest graph of this connection that nobody holds is offered in the window. Call it for an empty window.
    void offerDraft();

    void reject() override;

Q_SIGNALS:
    /// All of them were submitted; the first is one that waits for none of the others.
    void submitted(const QList<QByteArray> &ids);

protected:
    void closeEvent(QCloseEvent *event) override;

private:
    QWidget *makeListSide();
    QWidget *makeEditorSide();
    QLayout *makeBottom();
    void connectAll();

    void addJob();
    void chooseFile();
    void removeJob();
    void rename();
    int currentRow() const;
    void choose(int row);
    void load();
    void showOthers();
    void followCheck(const QListWidgetItem *item);
    void edited();
    std::vector<Draft::Part> parts() const;
    void recover(const Draft &draft);
    void validate();
    QString blockedReason() const;
    void submit();
    void conclude(const Result<int> &outcome);
    void askBeforeClosing();
    void closeForGood();

    QPointer<Session> m_session;
    UiSettings *m_settings;
    GraphDraftModel *m_jobs;
    DraftKeeper *m_drafts;
    QList<InterpreterStatus> m_interpreters;
    QSplitter *m_splitter;
    TableView *m_list;
    QListWidget *m_others; ///< what the chosen job may run after
    QLineEdit *m_name = nullptr;
    ScriptEditor *m_editor;
    ComposeForm *m_form;
    QLabel *m_status;
    QPushButton *m_remove;
    QPushButton *m_submit;
    QTimer m_validateTimer;
    QString m_outcome; ///< what became of the last try; empty once something was typed
    bool m_isFilling = false;
    bool m_isBusy = false;
    bool m_isClosing = false;
};

} // namespace ym
