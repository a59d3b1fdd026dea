// Where a job should run: type, group and instance, completed from interpreters and live workers.
#pragma once

#include "core/job/capabilities.h"
#include "core/job/interpreter.h"
#include "core/job/target.h"

#include <QList>
#include <QPointer>
#include <QWidget>

class QComboBox;
class QLineEdit;

namespace ym {

class FormField;
class PresenceIndex;

/// Editable combo boxes. A protocol's own labels and hints are used (Capabilities::targetFields); fields that it does
/// not have are hidden. GUI thread.
class TargetFields final : public QWidget {
    Q_OBJECT
public:
    explicit TargetFields(const Capabilities &capabilities, QWidget *parent = nullptr);

    void setInterpreters(const QList<InterpreterStatus> &interpreters);
    /// The live workers to choose from.
    void setPresence(PresenceIndex *presence);

    Target target() const;
    void setTarget(const Target &target);
    /// By field name as in FieldProblem: "type", "group", "instance", "priority", "worker". Empty: none.
    void setProblem(const QByteArray &field, const QString &message);
    void focusType();

Q_SIGNALS:
    void edited();
    void typeEdited(const QByteArray &type);

private:
    QComboBox *makeCombo(const char *name);
    void makeField(const TargetField &field, bool withPriority);
    void makeKeyFields(const Capabilities &capabilities);
    void fillTypes();
    void fillGroups();
    void fillInstances();
    void fillAll();
    void followType();
    QByteArray textOf(const QComboBox *combo) const;

    QList<InterpreterStatus> m_interpreters;
    QPointer<PresenceIndex> m_presence;
    QComboBox *m_type;
    QComboBox *m_group;
    QComboBox *m_instance;
    QComboBox *m_priority;
    QComboBox *m_keys; ///< the first entry leaves it to the connection, the others are KeyMode
    QLineEdit *m_worker;
    QHash<QByteArray, FormField *> m_fields;
};

} // namespace ym
