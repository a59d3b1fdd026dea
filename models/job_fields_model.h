// The raw fields of one job as they are stored: name, a preview of the value, its size.
#pragma once

#include "core/engine/session.h"
#include "models/text_table_model.h"

#include <memory>

namespace ym {

/// One row a field, sorted by name; merged by name, so that the selection survives when the job is read again.
/// Values are data, never markup: they are shown through shownText. GUI thread.
class JobFieldsModel : public TextTableModel {
    Q_OBJECT
public:
    enum Column { Name, Value, Size, ColumnCount };
    enum Role {
        NameRole = Qt::UserRole, ///< QByteArray, the exact field name
        BytesRole, ///< QByteArray, the value as far as it is here, without its secrets unless they are revealed
        CutRole, ///< bool: only the beginning of the value is here; see Session::loadField
        FullSizeRole, ///< qint64, bytes of the whole value
        SecretRole, ///< bool: something in the value is secret; it is hidden unless RevealedRole
        RevealedRole, ///< bool
        SortRole, ///< typed value of the cell
    };
    /// Characters of a value that are shown in its cell.
    static constexpr int previewLength = 512;

    explicit JobFieldsModel(QObject *parent = nullptr);
    ~JobFieldsModel() override;

    /// Shows this job; the fields of another one are replaced. A field that setWhole() filled stays whole while its
    /// size and beginning are unchanged.
    void setJob(const JobDetail &detail);
    /// The answer of Session::loadField. Ignored when another job is shown by now.
    void setWhole(const QByteArray &jobId, const QByteArray &field, const QByteArray &bytes);
    void clear();
    /// Shows the secrets of this field, or hides them again. All are hidden when another job is shown.
    void reveal(const QByteArray &field, bool on);

    QByteArray jobId() const;
    QByteArray nameAt(int row) const;
    int rowOf(const QByteArray &name) const; ///< -1 when there is no such field

protected:
    int count() const override;
    const QString &cellText(int row, int column) const override;
    QVariant cellData(int row, int column, int role) const override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ym
