// Everything of a job but its script, as a form.
#pragma once

#include "core/job/capabilities.h"
#include "core/job/interpreter.h"
#include "core/job/job.h"

#include <QHash>
#include <QScrollArea>

class QCheckBox;
class QLineEdit;
class QSpinBox;
class QVBoxLayout;

namespace ym {

class AccessFields;
class EnvironmentTable;
class FormField;
class JobTableModel;
class PrerequisitesPicker;
class PresenceIndex;
class ScheduleField;
class Session;
class TargetFields;

/// Reads and writes the draft's fields; shows problems at the field that they belong to. What the protocol cannot do is
/// not shown. GUI thread.
class ComposeForm final : public QScrollArea {
    Q_OBJECT
public:
    explicit ComposeForm(Session *session, QWidget *parent = nullptr);

    void setInterpreters(const QList<InterpreterStatus> &interpreters);
    void setSources(JobTableModel *jobs, PresenceIndex *presence);

    /// The fields as a job without id and script.
    Job job() const;
    void setJob(const Job &job);
    void setType(const QByteArray &type);
    void focusType();

    /// Replaces the problems of all fields.
    void showProblems(const QList<FieldProblem> &problems);
    /// Moves the focus to the first field with a problem; false when none of the form's fields has one.
    bool goToProblem();
    /// What is wrong with the folders that the job asks for; empty: nothing.
    QString accessProblem() const;
    /// What speaks against submitting although the draft is valid; empty: nothing.
    QString concern() const;

    QSize sizeHint() const override;

Q_SIGNALS:
    void edited();
    void typeEdited(const QByteArray &type);
    /// Nothing was typed, but concern() says something else.
    void concernChanged();

private:
    void addField(const QByteArray &name, const QString &label, QWidget *editor);
    QLineEdit *makeLine(const char *name, const QString &placeholder);
    void makeRunFields();
    void makeAccessFields();
    void makeOriginFields();

    Capabilities m_capabilities;
    QVBoxLayout *m_column;
    TargetFields *m_target;
    QSpinBox *m_timeout;
    QSpinBox *m_retries;
    QCheckBox *m_concurrent;
    ScheduleField *m_schedule;
    EnvironmentTable *m_environment;
    AccessFields *m_access;
    PrerequisitesPicker *m_prerequisites;
    QLineEdit *m_logPath;
    QLineEdit *m_caller;
    QLineEdit *m_context;
    QHash<QByteArray, FormField *> m_fields;
    QList<FieldProblem> m_problems;
};

} // namespace ym
