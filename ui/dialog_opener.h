// Opens the dialogs for the connection that is shown; none of them blocks.
#pragma once

#include "core/engine/session.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <optional>

namespace ym {

class ComposeDialog;
class DoctorDialog;
class Workspace;

/// GUI thread.
class DialogOpener final : public QObject {
    Q_OBJECT
public:
    DialogOpener(Workspace *workspace, QWidget *window);

    /// An empty compose window; the draft of a crashed one is offered.
    void newJob();
    void newJobFor(const Target &target);
    void newJobFrom(const Job &job);
    /// A copy of the job; once it is submitted, the job itself is removed.
    void editJob(const Job &job);
    /// Asks where `count` jobs shall go; `chosen` is not called when nothing was chosen or `context` is gone.
    void chooseTarget(const Target &present, qsizetype count, QObject *context,
                      std::function<void(const Target &)> chosen);
    void newGraph();
    void newJobFromFile();
    void newJobFromFile(const QString &path);
    /// `limitsOnly` as in RunGrant.
    void runLocally(const JobDetail &detail, bool limitsOnly);
    void startWorker(const Target &target = {});
    void newConnection();
    void editConnection(const QString &profileId);
    void removeConnection(const QString &profileId);
    /// How other programs attach to the workspace that is shown.
    void attach();
    /// What is stuck in the store that is shown, and what helps; one window of it.
    void doctor();
    /// What was executed on this computer.
    void audit();
    void settings();
    void about();

Q_SIGNALS:
    void remedyWanted(const ym::Remedy &remedy);

private:
    ComposeDialog *compose();
    void startWithLimits(const QString &profileId, const WorkerRequest &request);

    Workspace *m_workspace;
    QWidget *m_window;
    QPointer<DoctorDialog> m_doctor;
};

} // namespace ym
