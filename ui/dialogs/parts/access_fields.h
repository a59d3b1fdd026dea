// What a job asks for, or a worker grants, beyond the job's own folder: the network and folders.
#pragma once

#include "core/job/containment.h"

#include <QList>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QVBoxLayout;

namespace ym {

/// One tick for the network, one line for each folder. GUI thread.
class AccessFields final : public QWidget {
    Q_OBJECT
public:
    explicit AccessFields(QWidget *parent = nullptr);

    JobAccess access() const;
    void setAccess(const JobAccess &access);
    /// The first folder that cannot be one; empty when all can.
    QString problem() const;

Q_SIGNALS:
    void edited();

private:
    struct Row {
        QWidget *widget;
        QLineEdit *path;
        QComboBox *use;
    };
    void addRow(const QString &path, bool isWritable);
    void removeRow(QWidget *widget);
    void chooseFolder();

    QCheckBox *m_network;
    QVBoxLayout *m_column;
    QList<Row> m_rows;
};

} // namespace ym
