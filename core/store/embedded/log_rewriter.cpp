#include "core/store/embedded/log_rewriter.h"

#include "core/base/clock.h"
#include "core/store/embedded/command_error.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/keyspace_writer.h"
#include "core/store/embedded/log_loader.h"

#include <QCoreApplication>
#include <QFile>
#include <QMetaObject>
#include <QObject>

#include <cerrno>

#include <sys/resource.h>
#include <unistd.h>

namespace ym::embedded {

namespace {

constexpr int commandsPerStep = 1000;
constexpr qint64 copyStep = 1024 * 1024;
/// What may be left to copy when the file is handed over: less than a moment's work for the store's own thread.
constexpr qint64 smallRest = 256 * 1024;
/// A store that writes faster than this thread copies and syncs is not waited for for ever.
constexpr int mostRounds = 20;
/// Others go first: nobody waits for a compaction.
constexpr int niceness = 5;

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::LogRewriter", text);
}

Error cancelled()
{
    return {ErrorKind::Cancelled, tr("The compaction was stopped."), {}, false};
}

} // namespace

int copyBytes(const FileHandle &source, qint64 from, qint64 to, LogFile *target)
{
    while (from < to) {
        QByteArray bytes(std::min(copyStep, to - from), Qt::Uninitialized);
        const ssize_t size = ::pread(source.descriptor(), bytes.data(), size_t(bytes.size()), from);
        if (size < 0 && errno == EINTR)
            continue;
        if (size <= 0)
            return size < 0 ? errno : EIO;
        bytes.truncate(size);
        if (const int code = target->append(bytes))
            return code;
        from += size;
    }
    return 0;
}

LogRewriter::LogRewriter(QObject *receiver, Log log, std::function<void(std::shared_ptr<Outcome>)> onDone)
    : m_log(std::move(log))
    , m_logSize(m_log.size)
    , m_outcome(std::make_shared<Outcome>())
    , m_onDone(std::move(onDone))
    , m_receiver(receiver)
    , m_thread([this](const std::stop_token &stop) { rewrite(stop); })
{
}

LogRewriter::~LogRewriter()
{
    m_thread.request_stop();
    m_thread.join();
    if (m_outcome->file.isOpen())
        QFile::remove(newPath(m_log.path));
}

void LogRewriter::rewrite(const std::stop_token &stop)
{
    ::setpriority(PRIO_PROCESS, 0, niceness); // of this thread, on Linux
    const QString path = newPath(m_log.path);
    QFile::remove(path);
    if (const auto opened = m_outcome->file.open(path); !opened)
        m_outcome->error = opened.error();
    if (!m_outcome->error)
        m_outcome->error = writeBase(stop);
    if (!m_outcome->error)
        m_outcome->error = copyRest(stop);
    if (m_outcome->error && m_outcome->file.isOpen()) {
        m_outcome->file.close();
        QFile::remove(path);
    }
    if (stop.stop_requested())
        return;
    QMetaObject::invokeMethod(
        m_receiver, [onDone = m_onDone, outcome = m_outcome] { onDone(outcome); }, Qt::QueuedConnection);
}

std::optional<Error> LogRewriter::writeBase(const std::stop_token &stop)
{
    Executor past(&Clock::system());
    LogLoader loader([&past](const QList<QByteArray> &args) -> QByteArray {
        try {
            past.replay(args);
            return {};
        } catch (const CommandError &e) {
            return e.text();
        }
    });
    if (const auto opened = loader.open(m_log.file->descriptor(), m_log.path, m_log.size); !opened)
        return unreadable(opened.error());
    bool hasMore = true;
    while (hasMore) {
        if (stop.stop_requested())
            return cancelled();
        const auto stepped = loader.step(commandsPerStep);
        if (!stepped)
            return unreadable(stepped.error());
        hasMore = *stepped;
    }
    if (loader.isTorn())
        return unreadable({ErrorKind::Io, tr("The log %1 has changed on the disk.").arg(m_log.path), {}, false});

    KeyspaceWriter writer([this, &stop](const QByteArray &bytes) {
        return stop.stop_requested() ? ECANCELED : m_outcome->file.append(bytes);
    });
    for (const Keyspace &keys : past.databases())
        writer.write(keys);
    if (const int code = writer.finish(past.logDatabase()))
        return stop.stop_requested() ? cancelled() : writeTrouble(code);
    m_outcome->baseSize = m_outcome->file.size();
    m_outcome->copiedTo = m_log.size;
    return std::nullopt;
}

std::optional<Error> LogRewriter::copyRest(const std::stop_token &stop)
{
    for (int round = 0; round < mostRounds; ++round) {
        if (stop.stop_requested())
            return cancelled();
        const qint64 size = m_logSize.load(std::memory_order_acquire);
        if (const int code = copyBytes(*m_log.file, m_outcome->copiedTo, size, &m_outcome->file))
            return writeTrouble(code);
        m_outcome->copiedTo = size;
        if (const int code = LogFile::sync(*m_outcome->file.handle()))
            return writeTrouble(code);
        if (m_logSize.load(std::memory_order_acquire) - size < smallRest)
            break;
    }
    return std::nullopt;
}

Error LogRewriter::unreadable(Error error)
{
    m_outcome->isUnreadable = true;
    return error;
}

Error LogRewriter::writeTrouble(int code) const
{
    return {ErrorKind::Io,
            tr("The compacted log %1 cannot be written (%2).").arg(newPath(m_log.path), errnoText(code)),
            {},
            false};
}

} // namespace ym::embedded
