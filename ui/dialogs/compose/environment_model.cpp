#include "ui/dialogs/compose/environment_model.h"

#include "core/base/text.h"
#include "core/job/secret_text.h"

#include <QRegularExpression>

namespace ym {

namespace {

constexpr qsizetype shownLength = 512;

QByteArray unquoted(const QString &value)
{
    const QString text = value.trimmed();
    const bool quoted = text.size() >= 2 && (text[0] == u'"' || text[0] == u'\'') && text.back() == text[0];
    return (quoted ? text.mid(1, text.size() - 2) : text).toUtf8();
}

} // namespace

EnvironmentLines parseEnvironment(const QString &text)
{
    static const QRegularExpression line(QStringLiteral("^\\s*(?:export\\s+)?([A-Za-z_][A-Za-z0-9_]*)\\s*=(.*)$"));
    EnvironmentLines result;
    for (const QString &each : text.split(QRegularExpression(QStringLiteral("\\r?\\n")))) {
        const QString trimmed = each.trimmed();
        if (trimmed.isEmpty() || trimmed.startsWith(u'#'))
            continue;
        const QRegularExpressionMatch match = line.match(each);
        if (match.hasMatch())
            result.variables.append({match.captured(1).toUtf8(), unquoted(match.captured(2))});
        else
            ++result.unreadable;
    }
    return result;
}

void EnvironmentModel::setVariables(const QList<ByteField> &variables)
{
    if (!m_rows.isEmpty()) {
        beginRemoveRows({}, 0, int(m_rows.size()) - 1);
        m_rows.clear();
        endRemoveRows();
    }
    for (const ByteField &variable : variables)
        appendRow(variable);
}

void EnvironmentModel::appendRow(const ByteField &variable)
{
    const int row = int(m_rows.size());
    beginInsertRows({}, row, row);
    m_rows.append(variable);
    endInsertRows();
}

void EnvironmentModel::merge(const QList<ByteField> &variables)
{
    for (const ByteField &variable : variables) {
        const auto same = std::find_if(m_rows.begin(), m_rows.end(),
                                       [&variable](const ByteField &row) { return row.first == variable.first; });
        if (same == m_rows.end()) {
            appendRow(variable);
            continue;
        }
        same->second = variable.second;
        const QModelIndex changed = index(int(same - m_rows.begin()), Value);
        Q_EMIT dataChanged(changed, changed);
    }
    if (!variables.isEmpty())
        Q_EMIT edited();
}

void EnvironmentModel::setSecretsShown(bool shown)
{
    m_secretsShown = shown;
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0, Value), index(int(m_rows.size()) - 1, Value));
}

bool EnvironmentModel::isHidden(int row) const
{
    return !m_secretsShown && row < m_rows.size() && namesSecret(m_rows[row].first);
}

int EnvironmentModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size()) + 1;
}

int EnvironmentModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EnvironmentModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::EditRole))
        return {};
    if (isNewRow(index.row()))
        return role == Qt::DisplayRole && index.column() == Name ? tr("New variable…") : QString();
    const auto &[name, value] = m_rows[index.row()];
    const QByteArray &bytes = index.column() == Name ? name : value;
    if (role == Qt::EditRole)
        return QString::fromUtf8(bytes);
    if (index.column() == Value && isHidden(index.row()) && !value.isEmpty())
        return QStringLiteral("••••••••");
    return shownText(bytes, Lines::Flatten, shownLength);
}

QVariant EnvironmentModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Name ? tr("Name") : tr("Value");
}

bool EnvironmentModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!index.isValid() || role != Qt::EditRole)
        return false;
    const QString text = value.toString();
    if (isNewRow(index.row())) {
        if (text.trimmed().isEmpty())
            return false;
        appendRow({});
    }
    ByteField &row = m_rows[index.row()];
    const ByteField before = row;
    const EnvironmentLines lines =
        index.column() == Name && text.contains(u'=') ? parseEnvironment(text) : EnvironmentLines();
    if (lines.variables.size() == 1)
        row = lines.variables.first(); // KEY=VALUE typed or pasted into the name
    else if (index.column() == Name)
        row.first = text.trimmed().toUtf8();
    else
        row.second = text.toUtf8();
    if (row == before)
        return true;
    Q_EMIT dataChanged(this->index(index.row(), Name), this->index(index.row(), Value));
    Q_EMIT edited();
    return true;
}

Qt::ItemFlags EnvironmentModel::flags(const QModelIndex &index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    const bool exact = isNewRow(index.row()) || index.column() == Name || isUtf8(m_rows[index.row()].second);
    flags.setFlag(Qt::ItemIsEditable, exact); // bytes that are no text cannot be edited without changing them
    return flags;
}

bool EnvironmentModel::removeRows(int row, int count, const QModelIndex &parent)
{
    if (parent.isValid() || row < 0 || count < 1 || row + count > m_rows.size())
        return false;
    beginRemoveRows({}, row, row + count - 1);
    m_rows.remove(row, count);
    endRemoveRows();
    Q_EMIT edited();
    return true;
}

} // namespace ym
