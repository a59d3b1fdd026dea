// The programs that are attached, with a way to disconnect one.
#pragma once

#include "core/engine/attachment.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedLayout;

namespace ym {

class AttachedClientModel;
class TableView;
class UiSettings;

/// GUI thread.
class ClientList final : public QWidget {
    Q_OBJECT
public:
    ClientList(UiSettings *settings, QWidget *parent);

    void setClients(const QList<AttachedClient> &clients);
    /// Shown while there are none.
    void setEmptyText(const QString &text);

Q_SIGNALS:
    void disconnectWanted(qint64 clientId);

private:
    void refresh();
    qint64 chosen() const;

    AttachedClientModel *m_model;
    TableView *m_table;
    QLabel *m_heading;
    QLabel *m_empty;
    QPushButton *m_disconnect;
    QStackedLayout *m_stack;
};

} // namespace ym
