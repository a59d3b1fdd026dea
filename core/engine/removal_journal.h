// What was removed, kept on disk for a while so that it can be brought back.
#pragma once

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/protocol/protocol.h"

#include <QFile>

#include <memory>

namespace ym {

/// One folder for each store. A batch is one removal, of one job or of thousands, and one file (0600): the records hold
/// everything, also the environment of the jobs. Kept are the newest 50 batches of the last 7 days, 512 MiB at most.
class RemovalJournal {
public:
    /// `folder` empty: nothing is kept.
    RemovalJournal(QString folder, Clock *clock);

    struct Entry {
        QString name;
        Timestamp when;
        int count = 0;
    };

    /// Takes the records of one removal while it goes on.
    class Batch {
    public:
        ~Batch();
        /// The record is in the file when this returns; on an error it is not there and the others are.
        [[nodiscard]] Result<void> add(const RemovedJob &job);
        /// Ends it; what was added is on disk and has a name. An empty one leaves no file. Idempotent.
        Entry close();

    private:
        friend class RemovalJournal;
        explicit Batch(const QString &path);
        QFile m_file;
        Entry m_entry;
    };
    /// Null when the journal keeps nothing; Io when its folder cannot be written.
    Result<std::unique_ptr<Batch>> begin();

    /// Newest first.
    QList<Entry> entries() const;
    /// The records of one batch; a torn end is left out. NotFound when there is no such batch.
    Result<std::vector<RemovedJob>> read(const QString &name) const;
    void forget(const QString &name);

private:
    void prune() const;
    QString pathOf(const QString &name) const;
    bool isTaken(const QString &stamp) const;

    QString m_folder;
    Clock *m_clock;
};

} // namespace ym
