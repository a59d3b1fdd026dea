#include "models/output_buffer.h"

#include "models/cell_text.h"
#include "models/output_lines.h"

#include <optional>

namespace ym {

/// What the listeners of the signals know, to be brought up to date once a turn.
struct Known {
    qint64 tailBegin = 0;
    qint64 end = 0;
    qint64 droppedBytes = 0;
    bool hasGap = false;
};

struct OutputBuffer::Private {
    OutputBuffer *q;
    Limits limits;
    OutputLines lines;
    QByteArray jobId;
    int attempt = 0;
    Known known;
    bool isRestarted = false;
    bool isScheduled = false;
    JobProgress toldProgress;

    void startOver(const QByteArray &id, int newAttempt)
    {
        jobId = id;
        attempt = newAttempt;
        lines = OutputLines(limits);
        isRestarted = true;
        schedule();
    }

    void schedule()
    {
        if (!std::exchange(isScheduled, true))
            QMetaObject::invokeMethod(
                q, [this] { tell(); }, Qt::QueuedConnection);
    }

    int gapIndex() const { return int(lines.headEnd()); }
    int tailIndex() const { return gapIndex() + (lines.hasGap() ? 1 : 0); }
    int count() const { return tailIndex() + int(lines.end() - lines.tailBegin()); }

    /// The index of a line that is still here.
    int indexOf(qint64 number) const
    {
        return number < lines.headEnd() ? int(number) : tailIndex() + int(number - lines.tailBegin());
    }

    /// Tells of dropped lines and returns how many lines the listeners have afterwards.
    int tellDropped(std::set<int> &changed)
    {
        const qint64 knownTail = std::max(known.tailBegin, lines.headEnd());
        const qint64 gone = std::max<qint64>(0, std::min(lines.tailBegin(), known.end) - knownTail);
        const qint64 knownHead = std::min(known.end, lines.headEnd());
        qint64 left = knownHead + (known.hasGap ? 1 : 0) + std::max<qint64>(0, known.end - knownTail);
        if (gone == 0)
            return int(left);
        // The first dropped line turns into the marker.
        const qint64 removed = known.hasGap ? gone : gone - 1;
        changed.insert(gapIndex());
        if (removed > 0)
            Q_EMIT q->linesDropped(gapIndex() + 1, int(removed));
        return int(left - removed);
    }

    void tellChanged(const std::set<int> &changed)
    {
        for (auto it = changed.begin(); it != changed.end();) {
            const int first = *it;
            int last = first;
            for (++it; it != changed.end() && *it == last + 1; ++it)
                last = *it;
            Q_EMIT q->linesChanged(first, last);
        }
    }

    void tell()
    {
        isScheduled = false;
        if (std::exchange(isRestarted, false)) {
            known = {};
            Q_EMIT q->restarted();
        }
        std::set<int> changed;
        for (const qint64 number : lines.takeChanged()) {
            const bool isHere = number < lines.headEnd() || number >= lines.tailBegin();
            if (isHere)
                changed.insert(indexOf(number));
        }
        if (known.hasGap && known.droppedBytes != lines.droppedBytes())
            changed.insert(gapIndex());
        const int left = tellDropped(changed);
        known = {lines.tailBegin(), lines.end(), lines.droppedBytes(), lines.hasGap()};
        tellChanged(changed);
        if (count() > left)
            Q_EMIT q->linesAppended(left, count() - left);
        if (toldProgress != lines.progress()) {
            toldProgress = lines.progress();
            Q_EMIT q->progressChanged();
        }
    }
};

OutputBuffer::OutputBuffer(QObject *parent)
    : OutputBuffer(Limits(), parent)
{
}

OutputBuffer::OutputBuffer(Limits limits, QObject *parent)
    : TextLines(parent)
    , d(new Private{this, limits, OutputLines(limits), {}, 0, {}, false, false, {}})
{
}

OutputBuffer::~OutputBuffer() = default;

void OutputBuffer::follow(const QByteArray &jobId)
{
    d->startOver(jobId, 0);
}

QByteArray OutputBuffer::jobId() const
{
    return d->jobId;
}

int OutputBuffer::attempt() const
{
    return d->attempt;
}

void OutputBuffer::finish()
{
    d->lines.flush();
    d->schedule();
}

void OutputBuffer::apply(const ChangeSet &changes)
{
    for (const OutputChunk &chunk : changes.output)
        append(chunk);
}

void OutputBuffer::append(const OutputChunk &chunk)
{
    if (chunk.jobId != d->jobId || d->jobId.isEmpty() || chunk.attempt < d->attempt)
        return;
    if (chunk.attempt > d->attempt && d->attempt > 0)
        d->startOver(d->jobId, chunk.attempt);
    d->attempt = chunk.attempt;
    d->lines.append(chunk);
    d->schedule();
}

void OutputBuffer::load(const QByteArray &jobId, int attempt, const QByteArray &output, const QByteArray &error)
{
    d->startOver(jobId, attempt);
    d->lines.append({jobId, attempt, OutputChunk::Stream::Out, output});
    d->lines.append({jobId, attempt, OutputChunk::Stream::Err, error});
    d->lines.flush();
}

qint64 OutputBuffer::lineCount() const
{
    return d->count();
}

StyledText OutputBuffer::styledLine(qint64 line) const
{
    if (line < 0 || line >= d->count())
        return {};
    if (line < d->gapIndex())
        return d->lines.line(line);
    if (line >= d->tailIndex())
        return d->lines.line(d->lines.tailBegin() + line - d->tailIndex());
    const QString size = sizeText(d->lines.droppedBytes());
    const int dropped = int(d->lines.tailBegin() - d->lines.headEnd());
    const QString text = d->lines.wasSkipped() ? tr("… %1 are not shown here …").arg(size)
                                               : tr("… %n lines (%1) are not kept …", nullptr, dropped).arg(size);
    return {text, {}, StyledText::Kind::Note};
}

const JobProgress &OutputBuffer::progress() const
{
    return d->lines.progress();
}

QString OutputBuffer::text(qint64 first, qint64 count) const
{
    QString text;
    const qint64 end = std::min(first + count, lineCount());
    for (qint64 i = std::max<qint64>(first, 0); i < end; ++i) {
        if (i > first)
            text += u'\n';
        text += styledLine(i).text;
    }
    return text;
}

QString OutputBuffer::allText() const
{
    return text(0, lineCount());
}

qint64 OutputBuffer::receivedBytes() const
{
    return d->lines.receivedBytes();
}

qint64 OutputBuffer::droppedBytes() const
{
    return d->lines.droppedBytes();
}

qint64 OutputBuffer::bytesUsed() const
{
    return d->lines.bytesUsed();
}

} // namespace ym
