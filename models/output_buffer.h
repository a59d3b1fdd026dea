// The live output of one run as lines: bounded, in order, safe to show.
#pragma once

#include <QObject>
#include <QString>

#include "core/job/change_set.h"

#include <memory>

namespace ym {

/// One line for a plain-text view: decoded, control characters escaped, without its line end.
struct OutputLine {
    OutputChunk::Stream stream = OutputChunk::Stream::Out;
    bool marker = false; ///< not output but a note of ours: "… 3.2 MiB not shown …"
    QString text;
    bool operator==(const OutputLine &) const = default;
};

/// Collects the chunks of one job's newest attempt. A carriage return starts the line over, as progress bars want; a
/// character cut in two by a chunk's border is put together again; a line over 4096 characters is continued on the
/// next. The head is kept, and of the rest the newest lines; a marker line stands for what was dropped between them.
/// GUI thread. Signals come once per turn of the event loop, in the order restarted, linesDropped, linesChanged,
/// linesAppended: a view that does what each says ends with the same lines. The lines themselves are already in their
/// final state when the first signal comes.
class OutputBuffer : public QObject {
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

    /// Takes the chunks of the followed job out of a batch. A newer attempt starts the buffer over; chunks of older
    /// ones are ignored.
    void apply(const ChangeSet &changes);
    void append(const OutputChunk &chunk);
    /// Shows what the store keeps of an ended run: output, then error. Replaces everything.
    void load(const QByteArray &jobId, int attempt, const QByteArray &output, const QByteArray &error);

    int lineCount() const;
    /// `index` 0 … lineCount()-1.
    OutputLine lineAt(int index) const;
    /// Lines from first on, joined by line feeds; at most `count`.
    QString text(int first, int count) const;
    QString allText() const;
    qint64 receivedBytes() const;
    qint64 droppedBytes() const;
    qint64 bytesUsed() const;

Q_SIGNALS:
    /// The buffer is empty again: another job or a new attempt.
    void restarted();
    /// These lines went away; later ones moved up.
    void linesDropped(int first, int count);
    /// These lines have another text (they had been there before).
    void linesChanged(int first, int last);
    /// New lines at the end.
    void linesAppended(int first, int count);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ym
