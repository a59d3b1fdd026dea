// How scripts of one type are run, as a form.
#pragma once

#include "core/job/interpreter.h"

#include <QList>
#include <QWidget>

class QComboBox;
class QLineEdit;

namespace ym {

class AccessFields;
class FormField;
class LimitsForm;

/// Edits one row of the interpreter table. GUI thread.
class InterpreterForm final : public QWidget {
    Q_OBJECT
public:
    explicit InterpreterForm(QWidget *parent = nullptr);

    /// Shows a row that exists: its type cannot be changed.
    void setInterpreter(const Interpreter &interpreter);
    /// Shows an empty row for a type that is none of `taken`.
    void startNew(const QList<QByteArray> &taken);

    Interpreter interpreter() const;
    bool isNew() const { return m_new; }
    bool isChanged() const { return interpreter() != m_shown; }
    /// Shows what is wrong at its field and returns the first problem; empty when the row can be saved.
    QString check();

Q_SIGNALS:
    void edited();

private:
    QWidget *makeProgramPage();
    QWidget *makeLimitsPage();
    QLineEdit *makeLine(const char *name, const QString &placeholder);
    void show(const Interpreter &interpreter);

    QLineEdit *m_type;
    QLineEdit *m_command;
    QComboBox *m_feed;
    QComboBox *m_failure;
    QLineEdit *m_suffix;
    QLineEdit *m_prelude;
    FormField *m_typeField;
    FormField *m_commandField;
    FormField *m_suffixField;
    LimitsForm *m_limits;
    AccessFields *m_access;
    FormField *m_accessField;
    Interpreter m_shown;
    QList<QByteArray> m_taken;
    bool m_new = false;
};

/// A command line that QProcess::splitCommand splits into these words again; empty words cannot be written and are left
/// out.
QString joinedCommand(const QStringList &words);

} // namespace ym
