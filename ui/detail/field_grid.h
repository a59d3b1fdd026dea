// Names and values of a job in two columns; ids can be clicked, secrets are hidden until asked for.
#pragma once

#include <QWidget>

class QGridLayout;

namespace ym {

/// Rows are kept and refilled, so that a job that is read again does not flicker. GUI thread.
class FieldGrid final : public QWidget {
    Q_OBJECT
public:
    struct Field {
        enum class Kind : quint8 { Text, Mono, Ids, Secret };
        QString name;
        Kind kind = Kind::Text;
        QString text; ///< shown as it is; for Secret: what is revealed
        QList<QByteArray> ids; ///< for Ids
        bool operator==(const Field &) const = default;
    };

    explicit FieldGrid(QWidget *parent = nullptr);

    void show(const QList<Field> &fields);

Q_SIGNALS:
    void idClicked(const QByteArray &id);

private:
    QWidget *makeValue(const Field &field);
    QWidget *makeIds(const QList<QByteArray> &ids);
    QWidget *makeSecret(const QString &text);

    QGridLayout *m_layout;
    QList<Field> m_fields;
};

} // namespace ym
