// What the job table writes into its cells, made ready once a row and a batch.
#pragma once

#include "core/base/clock.h"
#include "models/job_store.h"

#include <QString>

#include <array>
#include <vector>

namespace ym {

/// Title and explanation of a column, translated.
QString jobColumnTitle(JobColumn column);
QString jobColumnTip(JobColumn column);
/// "Running", "Unknown (dispached)", "Unreadable".
QString jobStateText(const JobSummary &job);

/// The texts of the rows on screen. A row is made when it is first asked for after invalidate(), all columns at once;
/// painting then only copies. GUI thread.
class JobCells {
public:
    const QString &text(const JobRows &rows, int row, quint32 slot, JobColumn column, Timestamp now) const;
    void invalidate() { ++m_stamp; }

    // The type says in its tooltip and to a screen reader what the job asks for, because its mark stands there.
    /// The whole value of a cell, not elided: for tooltips and the clipboard. Times are exact.
    static QString wholeText(const JobSummary &job, JobColumn column);
    static QString toolTip(const JobSummary &job, JobColumn column);
    static QString accessibleText(const JobSummary &job, JobColumn column, Timestamp now);

private:
    struct Line {
        quint32 slot = 0;
        quint64 stamp = 0;
        std::array<QString, jobColumnCount> texts;
    };
    static constexpr size_t lineCount = 256; ///< more than fit on a screen

    mutable std::vector<Line> m_lines;
    quint64 m_stamp = 1;
};

} // namespace ym
