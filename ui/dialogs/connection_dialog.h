// Creates or edits a saved connection.
#pragma once

#include "core/base/error.h"
#include "core/engine/profile.h"
#include "ui/dialogs/parts/fitting_dialog.h"

#include <QFuture>
#include <QPointer>

#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace ym {

class AddressForm;
class ColourPicker;
class Connections;
class FormField;
class KeyChoiceFields;

/// Opened with create() or edit(); saves through Connections and says the id in saved(). GUI thread.
class ConnectionDialog final : public FittingDialog {
    Q_OBJECT
public:
    explicit ConnectionDialog(Connections *connections, QWidget *parent = nullptr);
    ~ConnectionDialog() override;

    /// Opens the dialog empty, for a Redis.
    void create();
    /// Opens it with what is saved. The stored password stays unless another one is typed.
    void edit(const Profile &profile);

    void done(int result) override;

Q_SIGNALS:
    void saved(const QString &id);

private:
    void makeForm();
    void makeTestRow();
    void validate();
    void startTest();
    void endTest();
    void showTest(const Result<QString> &result);
    void save();
    Profile profile() const;
    QString passwordRemark() const;

    QPointer<Connections> m_connections;
    Profile m_edited; ///< as it is saved; what the dialog does not show stays as it is
    QLineEdit *m_name;
    FormField *m_nameField;
    AddressForm *m_address;
    QComboBox *m_order;
    KeyChoiceFields *m_keys;
    ColourPicker *m_colour;
    QCheckBox *m_readOnly;
    QCheckBox *m_production;
    QCheckBox *m_limitsOnly; ///< to take the consent back; it is given by typing, where a worker is started
    QPushButton *m_test;
    QPushButton *m_cancelTest;
    QProgressBar *m_busy;
    QLabel *m_result;
    QLabel *m_reason;
    QPushButton *m_save;
    quint64 m_testNumber = 0;
    bool m_nameTyped = false;
};

} // namespace ym
