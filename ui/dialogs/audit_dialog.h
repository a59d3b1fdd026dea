// What was executed on this computer: the audit log, with a search.
#pragma once

#include "core/engine/audit_reader.h"

#include <QDialog>

class QLineEdit;

namespace ym {

class AuditModel;
class TableView;
class TextLabel;
class UiSettings;

/// Not modal. Reads when it opens, when asked to, and when it becomes the active window again. GUI thread.
class AuditDialog final : public QDialog {
    Q_OBJECT
public:
    AuditDialog(const QString &path, UiSettings *settings, QWidget *parent = nullptr);

protected:
    void changeEvent(QEvent *event) override;

private:
    void read();
    void take(const Result<QList<AuditEntry>> &entries);
    void showCount();

    QString m_path;
    AuditModel *m_model;
    QLineEdit *m_filter;
    TableView *m_table;
    TextLabel *m_status;
    QString m_trouble;
    bool m_isReading = false;
};

} // namespace ym
