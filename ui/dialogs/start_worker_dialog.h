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

class AccessFields;
class FormField;
class UiSettings;

/// Choose the script types, where it stands and how many jobs at once. A worker on a server of others runs their
/// scripts here: that wants a tick. Where jobs can only be limited, a word must be typed once for each connection. GUI
/// thread.
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
    /// Consent was typed to run jobs that can only be limited: the connection is to remember it and to start the worker.
    void limitsAgreed(const ym::WorkerRequest &request);

private:
    void makeForm();
    void makeWarning();
    void fillTypes();
    void validate();
    QString problem() const;
    void start();
    void conclude(const Result<quint32> &outcome);
    bool runsScriptsOfOthers() const;
    void makeLimitsConsent();
    bool wantsLimitsConsent() const;

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
    AccessFields *m_access;
    FormField *m_accessField;
    QCheckBox *m_consent = nullptr;
    QWidget *m_limitsArea; ///< shown where jobs can only be limited and nobody has agreed to that yet
    QLabel *m_limitsText;
    QLineEdit *m_limitsWord;
    QLabel *m_status;
    QPushButton *m_start;
    QString m_failure;
    bool m_starting = false;
};

} // namespace ym
