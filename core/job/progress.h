// What a running job says of how far it is.
#pragma once

#include <QByteArray>

#include <optional>

namespace ym {

/// From a line `::progress DONE TOTAL [text]` on either stream.
struct JobProgress {
    static constexpr qsizetype longestText = 200; ///< bytes

    qint64 done = 0; ///< 0 … total
    qint64 total = 0; ///< 0: nothing was said
    QByteArray text; ///< as the job wrote it, cut

    bool isKnown() const { return total > 0; }
    /// 0…100.
    int percent() const { return isKnown() ? int(double(done) / double(total) * 100) : 0; }
    bool operator==(const JobProgress &) const = default;
};

/// "DONE TOTAL [text]". Nothing unless both are whole decimal numbers without a sign, of at most 18 digits, and TOTAL is
/// not 0. DONE over TOTAL counts as TOTAL.
std::optional<JobProgress> readProgress(QByteArrayView words);
/// The inverse, for a field of a record; empty when nothing is known.
QByteArray writeProgress(const JobProgress &progress);

/// Takes the progress lines out of one stream, cut into chunks anywhere. A line that only looks like one stays.
class ProgressLines {
public:
    /// What is not a progress line. The beginning of a line that may become one is held back.
    QByteArray feed(const QByteArray &bytes);
    /// What was held back, at the end of the stream.
    QByteArray flush();

    const JobProgress &progress() const { return m_progress; }

private:
    JobProgress m_progress;
    QByteArray m_held;
    bool m_isAtStart = true; ///< of a line
};

} // namespace ym
