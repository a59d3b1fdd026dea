// When a log is compacted, and how the new file takes the old one's place.
#pragma once

#include "core/base/clock.h"
#include "core/store/embedded/keyspace_writer.h"
#include "core/store/embedded/log_rewriter.h"
#include "core/store/embedded/log_syncer.h"

#include <QObject>

#include <memory>

namespace ym::embedded {

/// A log is compacted when it is asked for, and by itself when it has grown by `percentage` over its size after the
/// last compaction and is at least `minSize` bytes long. 0 percent = never by itself.
struct RewritePolicy {
    int percentage = 100;
    qint64 minSize = 16 * 1024 * 1024;
};

/// Compaction of one log. A LogRewriter makes the new file beside the old one; when it has caught up, the last bytes
/// are copied, and the syncer's thread brings it to disk, renames it over the old one and brings the folder to disk.
/// For those last steps – the sync of less than a megabyte – nothing is written, so that both files hold the same.
/// Whatever happens and whenever the process dies, the name of the log stands for a whole one.
///
/// A log that cannot be trusted any more – its fsync has failed, or what lies on the disk cannot be read back – is
/// written anew from the keys in memory (`renew`), in the store's own thread. One thread.
class LogCompaction final : public QObject {
    Q_OBJECT
public:
    /// What a new file was made from.
    enum class Source : quint8 { Log, Memory };

    /// What it needs of the log.
    class Host {
    public:
        virtual ~Host() = default;
        virtual const LogFile &file() const = 0;
        virtual LogSyncer &syncer() = 0;
        /// Writes what is pending; false when something is left.
        virtual bool writePending() = 0;
        virtual qint64 pendingSize() const = 0;
        /// The log goes on in `next`, which is on disk and holds all of the file and the first `covered` pending bytes.
        virtual void adopt(LogFile next, Source source, qint64 covered) = 0;
        virtual void syncFailed(int code) = 0;
    };
    /// Writes all keys; what KeyspaceWriter::finish returns.
    using Snapshot = std::function<int(KeyspaceWriter writer)>;

    static constexpr Milliseconds retryInterval{60'000};

    LogCompaction(RewritePolicy policy, Clock *clock, Host *host);
    ~LogCompaction() override;

    void setSnapshot(Snapshot snapshot) { m_snapshot = std::move(snapshot); }
    /// The log at `path` is open, and nothing was written to it yet.
    void opened(const QString &path, qint64 baseSize);
    /// The log has grown: compacts it when it is time.
    void written();
    /// Begins now. Returns the error reply, empty = it has begun.
    QByteArray start();
    /// Writes the log anew from memory; false when that cannot be tried now.
    bool renew();
    /// The disk is full: gives up the space of a file that is not finished. True when that may have helped.
    bool giveWay();
    /// Ends what runs. A new file that is being renamed is finished by the syncer, whose end comes before settle().
    void stop();
    void settle();

    bool isRunning() const { return m_rewriter || m_handover; }
    /// True while nothing may be written to the file.
    bool isHandingOver() const { return m_handover != nullptr; }
    /// What is wrong, for people; empty = nothing.
    QString trouble() const { return m_trouble; }

    const RewritePolicy &policy() const { return m_policy; }
    qint64 baseSize() const { return m_baseSize; }
    qint64 count() const { return m_count; }
    /// Seconds; -1 = none yet, none now.
    qint64 lastDuration() const { return m_lastDuration; }
    qint64 currentDuration() const;

Q_SIGNALS:
    void troubleChanged();
    /// A compaction has ended, well or not.
    void ended();

private:
    struct Handover;

    bool isDue() const;
    void onRewritten(const std::shared_ptr<LogRewriter::Outcome> &outcome);
    int catchUp(LogRewriter::Outcome *outcome);
    void handOver(Handover handover);
    void fail(const QString &reason);
    void succeed();
    void setTrouble(const QString &trouble);

    RewritePolicy m_policy;
    Clock *m_clock;
    Host *m_host;
    Snapshot m_snapshot;
    QString m_path;
    qint64 m_baseSize = 0;
    qint64 m_count = 0;
    qint64 m_lastDuration = -1;
    Monotonic m_startedAt{0};
    Monotonic m_notBefore{0};
    QString m_trouble;
    std::unique_ptr<LogRewriter> m_rewriter;
    std::unique_ptr<Handover> m_handover;
};

} // namespace ym::embedded
