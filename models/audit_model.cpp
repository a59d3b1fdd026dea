#include "models/audit_model.h"

#include "core/base/relative_time.h"
#include "core/base/text.h"
#include "core/job/job.h"
#include "models/attempt_model.h"

#include <QLocale>

#include <numeric>

namespace ym {

namespace {

constexpr qsizetype shownHash = 12;
constexpr qsizetype shownId = 8; ///< as the job table shows it
constexpr qsizetype shownTime = 19; ///< to the second

QString shown(const QByteArray &bytes)
{
    return shownText(bytes, Lines::Flatten, 200);
}

QString resultOf(const AuditEntry &entry)
{
    PastRun run;
    run.fate = entry.fate;
    run.exitCode = entry.exitCode;
    run.signal = entry.signal;
    return runResult(run);
}

QString cell(const AuditEntry &entry, int column)
{
    const QLocale locale;
    switch (AuditModel::Column(column)) {
    case AuditModel::Time:
        return entry.time ? exactTimeText(*entry.time).left(shownTime) : QString();
    case AuditModel::Job:
        return shown(entry.job.left(shownId));
    case AuditModel::Attempt:
        return locale.toString(entry.attempt);
    case AuditModel::Type:
        return shown(entry.type);
    case AuditModel::Result:
        return resultOf(entry);
    case AuditModel::Containment:
        return shown(entry.containment);
    case AuditModel::Limits:
        return shown(entry.limits);
    case AuditModel::Worker:
        return shown(entry.worker);
    case AuditModel::Caller:
        return shown(entry.caller);
    case AuditModel::Duration:
        return millisecondsText(entry.durationMs);
    case AuditModel::CpuTime:
        return millisecondsText(entry.cpuMs);
    case AuditModel::Memory:
        return entry.peakKb < 0 ? QString() : locale.formattedDataSize(entry.peakKb * 1024, 1);
    case AuditModel::Script:
        return shown(entry.sha256.left(shownHash));
    case AuditModel::ColumnCount:
        break;
    }
    return {};
}

bool holds(const AuditEntry &entry, const QString &word)
{
    for (int column = 0; column < AuditModel::ColumnCount; ++column) {
        if (cell(entry, column).contains(word, Qt::CaseInsensitive))
            return true;
    }
    return shown(entry.job).contains(word, Qt::CaseInsensitive)
        || shown(entry.sha256).startsWith(word, Qt::CaseInsensitive);
}

} // namespace

void AuditModel::setEntries(const QList<AuditEntry> &entries)
{
    m_entries = entries;
    arrange();
}

void AuditModel::setFilter(const QString &words)
{
    const QStringList wanted = words.split(u' ', Qt::SkipEmptyParts);
    if (wanted == m_words)
        return;
    m_words = wanted;
    arrange();
}

void AuditModel::arrange()
{
    beginResetModel();
    m_rows.resize(m_entries.size());
    std::iota(m_rows.begin(), m_rows.end(), 0);
    m_rows.removeIf([this](int row) {
        return !std::all_of(m_words.begin(), m_words.end(),
                            [&](const QString &word) { return holds(m_entries[row], word); });
    });
    endResetModel();
}

QByteArray AuditModel::jobAt(int row) const
{
    return row >= 0 && row < m_rows.size() ? m_entries[m_rows[row]].job : QByteArray();
}

int AuditModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int AuditModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant AuditModel::data(const QModelIndex &index, int role) const
{
    if (index.row() < 0 || index.row() >= m_rows.size())
        return {};
    const AuditEntry &entry = m_entries[m_rows[index.row()]];
    if (role == Qt::DisplayRole)
        return cell(entry, index.column());
    if (role == Qt::ToolTipRole)
        return index.column() == Script ? shown(entry.sha256)
            : index.column() == Job     ? shown(entry.job)
                                        : cell(entry, index.column());
    if (role == FailedRole)
        return entry.fate != "finished";
    return {};
}

QVariant AuditModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= ColumnCount)
        return {};
    const QString titles[ColumnCount] = {tr("Ended (UTC)"), tr("Job"), tr("Try"), tr("Type"), tr("Result"),
                                         tr("Contained by"), tr("Limits"), tr("Worker"), tr("Caller"), tr("Time"),
                                         tr("CPU"), tr("Memory"), tr("Script (SHA-256)")};
    return titles[section];
}

} // namespace ym
