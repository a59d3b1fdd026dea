// Drafts on disk: what was typed survives a crash of the program and of the machine.
#pragma once

#include "core/base/error.h"
#include "core/job/job.h"

#include <QDateTime>
#include <QLockFile>

#include <memory>
#include <vector>

namespace ym {

/// What a window holds in which jobs are written. Of a job only its id and what a person fills in is kept.
struct Draft {
    struct Part {
        QString name; ///< of one job the script file it came from or was saved to, if any; of a graph's jobs their names
        Job job;
    };
    QString profileId;
    std::vector<Part> parts; ///< at least one
    QDateTime savedAt; ///< UTC; set by reading
};

/// One draft, owned by one window through a lock that ends with the process. Files are JSON, mode 0600, in a folder of
/// mode 0700; values of environment variables are kept as they are, because a recovered draft without them would be
/// another job. GUI thread.
class DraftFile {
public:
    ~DraftFile();
    DraftFile(const DraftFile &) = delete;
    DraftFile &operator=(const DraftFile &) = delete;

    /// Replaces the file in one step (QSaveFile).
    Result<void> save(const Draft &draft);
    /// Removes it from the disk. The window may save again.
    void discard();

private:
    friend class DraftStore;
    DraftFile(QString path, std::unique_ptr<QLockFile> lock);

    QString m_path;
    std::unique_ptr<QLockFile> m_lock;
};

/// The drafts of one kind in a folder.
class DraftStore {
public:
    enum class Kind : quint8 { Job, Graph };

    DraftStore(QString folder, Kind kind);

    /// A file for a new window; null when the folder cannot be written (nothing is kept then).
    std::unique_ptr<DraftFile> create() const;

    struct Recovered {
        Draft draft;
        std::unique_ptr<DraftFile> file;
    };
    /// The newest draft of this kind of a connection whose window is gone, or nothing. An unreadable file is set aside as .corrupt
    /// and skipped.
    std::unique_ptr<Recovered> takeAbandoned(const QString &profileId) const;

private:
    std::unique_ptr<DraftFile> lock(const QString &path) const;

    QString m_folder;
    Kind m_kind;
};

} // namespace ym
