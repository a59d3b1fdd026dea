// Looking at a workspace's log without opening the workspace, and saving what can be read of a damaged one.
#pragma once

#include "core/store/embedded/folder_lock.h"
#include "core/store/embedded/log_loader.h"

#include <QStringList>

namespace ym::embedded {

/// What a log holds.
struct LogReport {
    enum class State : quint8 {
        Missing, ///< there is none: an empty workspace
        Sound,
        Torn, ///< ends in the middle of a command; the next opening cuts that off and keeps it
        Damaged, ///< has unreadable parts with whole commands behind them; does not open
    };
    State state = State::Missing;
    QString path;
    qint64 size = 0; ///< bytes
    qint64 baseSize = 0; ///< written by the last compaction
    qint64 readableSize = 0; ///< up to the last whole command
    qint64 commandCount = 0;
    qint64 keyCount = 0; ///< in all databases, those whose time is over too
    std::vector<LogLoader::Gap> gaps;
    std::optional<FolderLock::Owner> owner; ///< who has the workspace open
    QStringList kept; ///< names of torn ends and damaged logs that were kept
};

/// Reads the whole log of a workspace folder and changes nothing, also while it is open elsewhere: then the last bytes
/// may be on their way. Io when it cannot be read at all.
Result<LogReport> checkLog(const QString &folder);

/// What of a damaged log is saved.
enum class Salvage : quint8 {
    All, ///< every command that can be read
    Beginning, ///< what stands before the first damage
};

/// The outcome of salvageLog().
struct Salvaged {
    LogReport before;
    qint64 keyCount = 0;
    qint64 size = 0; ///< bytes of the new log
    QString keptAs; ///< path of the damaged log
};

/// Makes a new log of what can be read of a damaged or torn one and keeps the old one beside it. (What is said about
/// another database than 0 may end up in the wrong one when the damage has swallowed a SELECT.) Whenever the process
/// dies, the name of the log stands for a whole file, old or new. Conflict when the workspace is open or nothing is
/// wrong with it, Io when that cannot be written: then nothing has changed.
Result<Salvaged> salvageLog(const QString &folder, Salvage what);

/// The name of the log in a workspace folder.
QString logPathIn(const QString &folder);

} // namespace ym::embedded
