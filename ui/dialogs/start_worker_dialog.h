// Starts a worker inside this application.
#pragma once

#include "core/engine/session.h"
#include "ui/dialogs/parts/fitting_dialog.h"

#include <QPointer>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace ym {

class FormField;
class UiSettings;

/// Choose the script types, where it stands and how many jobs at once. A worker on a server of others runs their
/// scripts here: that wants a tick. GUI thread.
class StartWorkerDialog final : public FittingDialog {
    Q_OBJECT
public:
    StartWorkerDialog(Session *session, UiSettings *settings, QWidget *parent = nullptr);

    /// The types to choose from; those whose interpreter was not found are shown with the reason and cannot be chosen.
    void setInterpreters(const QList<InterpreterStatus> &interpreters);
    /// Ticks the type and takes over group and instance, so that a job with this target finds its worker.
    void setTarget(const Target &target);

    /// As it would be started now.
    WorkerRequest request() const;

Q_SIGNALS:
    void started(quint32 handle);

private:
    void makeForm();
    void makeWarning();
    void fillTypes();
    void validate();
    QString problem() const;
    void start();
    void conclude(const Result<quint32> &outcome);
    bool runsScriptsOfOthers() const;

    QPointer<Session> m_session;
    UiSettings *m_settings;
    QList<InterpreterStatus> m_interpreters;
    QByteArray m_wanted; ///< type to tick
    QWidget *m_typeArea;
    QList<std::pair<QByteArray, QCheckBox *>> m_types;
    QLineEdit *m_group;
    QLineEdit *m_instance;
    QLineEdit *m_workerId; ///< shown where there are legacy queues
    QSpinBox *m_slots;
    QCheckBox *m_consent = nullptr;
    QLabel *m_status;
    QPushButton *m_start;
    QString m_failure;
    bool m_starting = false;
};

} // namespace ym
