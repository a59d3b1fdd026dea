// The address of a store as fields and as a URL, each following the other.
#pragma once

#include "core/engine/store_url.h"
#include "ui/dialogs/parts/file_line.h"

#include <QHash>
#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace ym {

class FormField;

/// A URL that is pasted fills the fields; its password moves to the password field and is never shown in the URL.
/// Only the fields that the chosen kind needs are visible. GUI thread.
class AddressForm final : public QWidget {
    Q_OBJECT
public:
    explicit AddressForm(QWidget *parent);

    /// The address as the fields say it, without the password.
    StoreAddress address() const;
    void setAddress(const StoreAddress &address);
    /// What was typed as password; nothing when the field was not touched.
    std::optional<QString> password() const;
    /// "A password is kept" instead of an empty field; nothing is typed yet.
    void setPasswordKept(bool kept, const QString &remark);
    /// The kind and place of the Local workspace are fixed.
    void setFixed(bool fixed);

    /// The first problem, in the order of the fields; empty when the address can be used. Also shows every problem at
    /// its field.
    QString check();
    void focusFirst();

Q_SIGNALS:
    void edited();

private:
    using Kinds = QList<StoreAddress::Kind>;
    struct Row {
        FormField *field;
        Kinds kinds;
    };

    void makeFields();
    void addRow(const QByteArray &name, const QString &label, QWidget *editor, Kinds kinds, int row, int column,
                int span);
    QLineEdit *makeLine(const char *name, const QString &placeholder);
    StoreAddress::Kind kind() const;
    void setKind(StoreAddress::Kind kind);
    void showKind();
    void readUrl(const QString &text);
    void tidyUrl();
    void splitHost(const QString &text);
    void fieldEdited();
    QString problemOf(const QByteArray &name) const;

    QGridLayout *m_grid;
    QLineEdit *m_url;
    QComboBox *m_kind;
    FileLine *m_folder;
    FileLine *m_path;
    QLineEdit *m_host;
    QSpinBox *m_port;
    QSpinBox *m_database;
    QLineEdit *m_user;
    QLineEdit *m_password;
    FileLine *m_ca;
    FileLine *m_certificate;
    FileLine *m_key;
    QLineEdit *m_serverName;
    QCheckBox *m_insecure;
    QList<std::pair<QByteArray, Row>> m_rows;
    QString m_urlProblem;
    bool m_passwordTouched = false;
    bool m_touched = false; ///< problems are shown at their fields
    bool m_following = false; ///< one side is being filled from the other
};

} // namespace ym
