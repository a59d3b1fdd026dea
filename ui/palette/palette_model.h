// What the palette offers: actions, connections, and the job whose id is typed; the best first.
#pragma once

#include "core/job/job.h"

#include <QAbstractListModel>

#include <functional>
#include <vector>

namespace ym {

class ActionRegistry;
class Workspace;

/// GUI thread.
class PaletteModel final : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        CategoryRole = Qt::UserRole, ///< QString at the left of the text
        KeysRole, ///< QString, its shortcut or empty
        ReasonRole, ///< QString, why it cannot be done now
        PositionsRole, ///< QList<int>, letters that were found
        IconNameRole, ///< QByteArray
    };

    PaletteModel(Workspace *workspace, ActionRegistry *registry, QObject *parent);

    void setQuery(const QString &query);
    /// Does what the row offers; false when it cannot be done now.
    bool run(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    /// Jobs came at the top, a moment after setQuery().
    void jobsFound();

private:
    struct Item {
        QString text;
        QString category;
        QString keys;
        QString reason;
        QByteArray icon;
        std::function<void()> run;
        int score = 0;
        QList<int> positions;
    };
    void addActions();
    void addConnections();
    void addJobs();
    void takeJobs(const QList<JobSummary> &found);
    void offer(Item item);
    Item jobItem(const QByteArray &id, const QString &state) const;

    Workspace *m_workspace;
    ActionRegistry *m_registry;
    QString m_query;
    std::vector<Item> m_items;
};

} // namespace ym
