// Writing a shorter log that says the same.
#pragma once

#include "core/base/error.h"
#include "core/store/embedded/log_file.h"

#include <QString>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

class QObject;

namespace ym::embedded {

/// Compacts a log on a thread of its own while the store goes on: reads what the log says up to a point into a keyspace
/// of its own, writes that to a new file beside it, and copies behind it what the log has got since. Commands neither
/// wait nor take part, whatever a key holds; the price is the memory of a second keyspace for as long as it takes.
class LogRewriter {
public:
    struct Outcome {
        std::optional<Error> error;
        bool isUnreadable = false; ///< the old log was the trouble
        LogFile file; ///< the new log, on disk
        qint64 baseSize = 0; ///< bytes of it that hold the keys
        qint64 copiedTo = 0; ///< how far of the old log it holds
    };

    struct Log {
        std::shared_ptr<const FileHandle> file;
        QString path;
        qint64 size = 0; ///< whole commands
    };

    /// Calls `onDone` in the receiver's thread. The new file is `path` + ".new".
    LogRewriter(QObject *receiver, Log log, std::function<void(std::shared_ptr<Outcome>)> onDone);
    /// Stops. Nothing is called any more; a new file that nobody took is removed.
    ~LogRewriter();

    /// The log has this size now.
    void grown(qint64 size) { m_logSize.store(size, std::memory_order_release); }

    /// True when this one made it.
    bool made(const std::shared_ptr<Outcome> &outcome) const { return outcome == m_outcome; }

    static QString newPath(const QString &path) { return path + QStringLiteral(".new"); }

private:
    void rewrite(const std::stop_token &stop);
    std::optional<Error> writeBase(const std::stop_token &stop);
    std::optional<Error> copyRest(const std::stop_token &stop);
    Error unreadable(Error error);
    Error writeTrouble(int code) const;

    Log m_log;
    std::atomic<qint64> m_logSize;
    std::shared_ptr<Outcome> m_outcome;
    std::function<void(std::shared_ptr<Outcome>)> m_onDone;
    QObject *m_receiver;
    std::jthread m_thread;
};

/// Copies bytes `from` … `to` of one file to the end of another; 0 or the errno.
int copyBytes(const FileHandle &source, qint64 from, qint64 to, LogFile *target);

} // namespace ym::embedded
