// The window in which a job is written and submitted.
#pragma once

#include "core/engine/session.h"
#include "ui/dialogs/parts/form_field.h"

#include <QDialog>
#include <QPointer>
#include <QTimer>

class QCheckBox;
class QPushButton;
class QSplitter;

namespace ym {

class ComposeForm;
class DraftKeeper;
class Elsewhere;
class JobTableModel;
class PresenceIndex;
class RouteBox;
class ScriptEditor;
class Submission;
class TrialSplit;
class UiSettings;

/// A window of its own, not modal; any number may be open. Everything typed is kept as a draft on disk half a second
/// later and offered again after a crash. Submitting is safe to repeat: an id is chosen when the window opens and stays
/// the same until the store has answered for it. GUI thread.
class ComposeDialog final : public QDialog {
    Q_OBJECT
public:
    ComposeDialog(Session *session, UiSettings *settings, QWidget *parent = nullptr);
    ~ComposeDialog() override;

    /// Types to offer, and the endings of script files.
    void setInterpreters(const QList<InterpreterStatus> &interpreters);
    /// With them the draft can be run here and submitted over another connection. They outlive this window.
    void setConnections(Connections *connections);
    /// Jobs to wait for and workers to choose from; both may end before this window.
    void setSources(JobTableModel *jobs, PresenceIndex *presence);

    /// Fills the form with a copy of a job (duplicate, edit and resubmit); the copy gets an id of its own.
    void prefill(const Job &job);
    /// Only the type; for "new job for this queue".
    void setTarget(const Target &target);
    /// Loads a script file; its ending chooses the type. False and a message in the window when it cannot be read.
    bool openFile(const QString &path);
    /// The newest draft of this connection that nobody holds is offered in the window. Call it for an empty window.
    void offerDraft();

    /// The draft as it would be submitted now.
    Job draft() const;
    void reject() override;

Q_SIGNALS:
    /// A job was submitted; when it is watched, Session::watchJob has been called.
    void submitted(const ym::SubmitReceipt &receipt);
    /// Likewise over another connection.
    void submittedElsewhere(ym::Session *session, const ym::SubmitReceipt &receipt);

protected:
    void closeEvent(QCloseEvent *event) override;

private:
    QWidget *makeEditorSide();
    QWidget *makeFormSide();
    QLayout *makeBottom();
    void connectAll();

    void edited();
    void fill(const Job &job);
    void validate();
    QString blockedReason(const QList<FieldProblem> &problems) const;
    void say(const QString &text, Tone tone);

    void submit();
    void finish(Session *session, const SubmitReceipt &receipt);
    void runHere();

    void askBeforeClosing();
    void closeForGood();

    void chooseFile();
    void saveFile();
    void showFileName(const QString &path);
    QByteArray typeOfFile(const QString &path) const;
    void startWorker();

    QPointer<Session> m_session;
    UiSettings *m_settings;
    DraftKeeper *m_drafts;
    QList<InterpreterStatus> m_interpreters;
    Submission *m_submission;

    QSplitter *m_splitter;
    TrialSplit *m_trial;
    ScriptEditor *m_editor;
    Connections *m_connections = nullptr;
    Elsewhere *m_elsewhere = nullptr;
    QLabel *m_fileLabel;
    ComposeForm *m_form;
    RouteBox *m_route;
    QLabel *m_status;
    QCheckBox *m_watch;
    QCheckBox *m_keepOpen;
    QPushButton *m_runHere;
    QPushButton *m_submitTo;
    QPushButton *m_submit;

    QTimer m_validateTimer;
    QString m_fileName;
    QString m_outcome; ///< of the last submission; shown until the next edit
    Tone m_outcomeTone = Tone::Normal;
    bool m_filling = false;
    bool m_closing = false;
};

} // namespace ym
