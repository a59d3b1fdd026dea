// Which family of queue keys a connection uses.
#pragma once

#include "core/job/key_mode.h"

#include <QWidget>

class QCheckBox;
class QComboBox;

namespace ym {

class FormField;

/// Two lists side by side; `dual` stands behind a box that says what it costs (PROTOCOLS, Which family a job goes to).
/// GUI thread.
class KeyChoiceFields final : public QWidget {
    Q_OBJECT
public:
    explicit KeyChoiceFields(QWidget *parent = nullptr);

    KeyChoice choice() const;
    void setChoice(const KeyChoice &choice);
    /// What has to be done before this choice may be saved; empty: nothing.
    QString problem() const;

Q_SIGNALS:
    void edited();

private:
    void showCost();

    QComboBox *m_mode;
    QComboBox *m_legacy;
    FormField *m_modeField;
    QCheckBox *m_consent;
};

} // namespace ym
