// Finds jobs by a few typed characters, for choosing prerequisites.
#pragma once

#include <QAbstractListModel>

#include "core/job/job.h"

#include <memory>

namespace ym {

class JobTableModel;

/// The newest jobs of a table that match a query, at most `limit`. Works on the thread pool; an answer to an older
/// query is dropped. Rows are merged by id, so that the current row survives. GUI thread.
class JobPickerModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        IdRole = Qt::UserRole, ///< QByteArray
        StateRole, ///< int(JobState)
        DetailRole, ///< QString: type, target and caller in one line
    };

    /// `jobs` may end before this model: then nothing is found any more.
    explicit JobPickerModel(JobTableModel *jobs, int limit = 50, QObject *parent = nullptr);
    ~JobPickerModel() override;

    /// The language of JobFilter; what cannot be parsed is searched for as plain words. Empty: the newest jobs.
    void setQuery(const QString &query);
    QString query() const;
    /// Jobs that are not offered: those chosen already.
    void setExcluded(const QList<QByteArray> &ids);
    /// Searches again with the same query, e.g. when the list is opened.
    void refresh();
    bool isSearching() const;

    QByteArray idAt(int row) const;
    JobSummary summaryAt(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    /// The rows answer the newest query.
    void found();

private:
    void takeAnswer();
    void takeNews();

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ym
