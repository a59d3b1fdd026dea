// The live output of one run as lines: bounded, in order, safe to show.
#pragma once

#include "core/job/change_set.h"
#include "models/text_lines.h"

#include <memory>

namespace ym {

/// Collects the chunks of one job's newest attempt. A carriage return starts the line over, as progress bars want; a
/// character cut in two by a chunk's border is put together again; a line over 4096 characters is continued on the
/// next. Colours are kept, other escape sequences are not, and progress lines are taken out. The head is kept, and of the
/// rest the newest lines; a marker line stands for what was dropped between them. GUI thread. Signals come once per turn of the event loop, in the order restarted, linesDropped, linesChanged,
/// linesAppended: a view that does what each says ends with the same lines. The lines themselves are already in their
/// final state when the first signal comes.
class OutputBuffer final : public TextLines {
    Q_OBJECT
public:
    struct Limits {
        qsizetype headLines = 2'000;
        qsizetype tailLines = 20'000;
        qsizetype headBytes = 1 << 20;
        qsizetype tailBytes = 4 << 20;
    };
    static constexpr qsizetype longestLine = 4096; ///< bytes; longer ones freeze a text view (RELIABILITY 8)

    explicit OutputBuffer(QObject *parent = nullptr);
    OutputBuffer(Limits limits, QObject *parent);
    ~OutputBuffer() override;

    /// Empties the buffer and collects what this job writes from now on; empty = none.
    void follow(const QByteArray &jobId);
    QByteArray jobId() const;
    /// 0 until the first chunk came.
    int attempt() const;
    /// The run is over: what was held back because more of it might have come is shown.
    void finish();

    /// Takes the chunks of the followed job out of a batch. A newer attempt starts the buffer over; chunks of older
    /// ones are ignored.
    void apply(const ChangeSet &changes);
    void append(const OutputChunk &chunk);
    /// Shows what the store keeps of an ended run: output, then error. Replaces everything.
    void load(const QByteArray &jobId, int attempt, const QByteArray &output, const QByteArray &error);

    qint64 lineCount() const override;
    StyledText styledLine(qint64 line) const override;
    /// Lines from first on, joined by line feeds; at most `count`.
    QString text(qint64 first, qint64 count) const;
    QString allText() const;
    qint64 receivedBytes() const;
    qint64 droppedBytes() const;
    qint64 bytesUsed() const;

    /// What the job said last of how far it is; lines that say it are not shown.
    const JobProgress &progress() const;

Q_SIGNALS:
    void progressChanged();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ym
