#include "core/worker/result_spool.h"

#include "core/base/backoff.h"
#include "core/base/log.h"
#include "core/worker/spool_entry.h"

#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QUuid>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace ym {

namespace {

constexpr auto lockName = "lock";
constexpr qint64 maxEntryBytes = 256 << 20;
constexpr Milliseconds longestAway = std::chrono::hours{7 * 24}; ///< of the store

/// The lock of a spool folder; closed when a living spool holds it.
FileDescriptor lockOf(const QString &folder)
{
    const QByteArray path = QFile::encodeName(folder) + '/' + lockName;
    FileDescriptor fd(::open(path.constData(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd.isOpen() || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0)
        return {};
    return fd;
}

} // namespace

struct ResultSpool::Entry : SpoolEntry {
    QString file; ///< empty: memory only
};

ResultSpool::ResultSpool(QString folder, Consumer *consumer, Clock *clock, QObject *parent)
    : QObject(parent)
    , m_root(std::move(folder))
    , m_consumer(consumer)
    , m_clock(clock)
{
}

ResultSpool::~ResultSpool()
{
    if (m_folder.isEmpty())
        return;
    QDir folder(m_folder);
    if (folder.entryList({QStringLiteral("*.result")}).isEmpty())
        folder.remove(QLatin1String(lockName));
    folder.rmdir(m_folder); // stays when results are in it, for the next start
}

/// Made when the first result needs it.
bool ResultSpool::prepareFolder()
{
    if (m_root.isEmpty() || !m_folder.isEmpty())
        return !m_root.isEmpty();
    const QString folder = m_root + u'/' + QUuid::createUuid().toString(QUuid::WithoutBraces);
    const bool made = QDir().mkpath(m_root) && ::mkdir(QFile::encodeName(folder).constData(), 0700) == 0;
    m_lock = made ? lockOf(folder) : FileDescriptor();
    if (!m_lock.isOpen()) {
        qCWarning(logWorker, "results cannot be kept in %s: they stay in memory", qPrintable(m_root));
        return false;
    }
    m_folder = folder;
    return true;
}

QString ResultSpool::write(const Entry &entry)
{
    if (!prepareFolder())
        return {};
    const QString path =
        m_folder + u'/' + QUuid::createUuid().toString(QUuid::WithoutBraces) + QStringLiteral(".result");
    QSaveFile file(path);
    const bool ok = file.open(QIODevice::WriteOnly) && file.setPermissions(QFile::ReadOwner | QFile::WriteOwner)
        && file.write(toBytes(entry)) > 0 && file.commit();
    if (ok)
        return path;
    qCWarning(logWorker, "a result cannot be kept on disk: %s", qPrintable(file.errorString()));
    return {};
}

void ResultSpool::keep(Claim claim, Execution execution, Timestamp until)
{
    const auto entry = std::make_shared<Entry>();
    entry->claim = std::move(claim);
    entry->execution = std::move(execution);
    entry->until = until;
    entry->file = write(*entry);
    m_scope.spawn(deliver(entry));
}

int ResultSpool::adopt()
{
    if (m_root.isEmpty())
        return 0;
    int count = 0;
    const QDir root(m_root);
    for (const QString &name : root.entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks)) {
        const QString path = root.filePath(name);
        if (path != m_folder)
            count += adoptFolder(path);
    }
    return count;
}

int ResultSpool::adoptFolder(const QString &path)
{
    const FileDescriptor lock = lockOf(path);
    if (!lock.isOpen() || !prepareFolder())
        return 0;
    int count = 0;
    QDir folder(path);
    for (const QString &name : folder.entryList({QStringLiteral("*.result")}, QDir::Files | QDir::NoSymLinks)) {
        QFile file(folder.filePath(name));
        const bool readable = file.size() <= maxEntryBytes && file.open(QIODevice::ReadOnly);
        const auto read = spoolEntryFrom(readable ? file.readAll() : QByteArray());
        if (!read) {
            qCWarning(logWorker, "a kept result is damaged: %s", qPrintable(file.fileName()));
            file.rename(file.fileName() + QStringLiteral(".corrupt"));
            continue;
        }
        const auto entry = std::make_shared<Entry>();
        static_cast<SpoolEntry &>(*entry) = *read;
        entry->file = m_folder + u'/' + name;
        if (!file.rename(entry->file))
            continue;
        ++count;
        m_scope.spawn(deliver(entry));
    }
    folder.remove(QLatin1String(lockName));
    folder.rmdir(path);
    return count;
}

QCoro::Task<void> ResultSpool::deliver(std::shared_ptr<Entry> entry)
{
    using Outcome = Consumer::FinishOutcome;
    Backoff backoff({Milliseconds{200}, Milliseconds{5'000}});
    std::optional<Outcome> outcome;
    bool isOver = false;
    while (!outcome && !isOver) {
        const bool passed = co_await m_clock->sleep(backoff.next(), m_scope.token());
        if (!passed)
            co_return;
        try {
            outcome = co_await m_consumer->finish(entry->claim, entry->execution);
        } catch (const StoreError &e) {
            if (e.kind() == ErrorKind::Cancelled)
                co_return;
            isOver = m_clock->now() >= entry->until + (isTransient(e.kind()) ? longestAway : Milliseconds{0});
        }
    }
    if (!entry->file.isEmpty())
        QFile::remove(entry->file);
    if (outcome && *outcome != Outcome::Stale)
        Q_EMIT delivered(entry->claim.job.id);
    else
        Q_EMIT lateResult(entry->claim.job.id, entry->execution);
}

QCoro::Task<void> ResultSpool::close()
{
    return m_scope.drain();
}

} // namespace ym
