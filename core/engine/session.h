// The third narrow waist: what the window and the models see of a connection.
#pragma once

#include "core/base/error.h"
#include "core/engine/attachment.h"
#include "core/engine/finding.h"
#include "core/engine/profile.h"
#include "core/engine/unread.h"
#include "core/job/capabilities.h"
#include "core/job/change_set.h"
#include "core/job/execution.h"
#include "core/job/interpreter.h"
#include "core/job/job.h"

#include <QFile>
#include <QFuture>
#include <QHash>
#include <QObject>
#include <QStringList>

#include <memory>

namespace ym {

/// The state of a connection, in words for the status bar and in flags for actions.
struct ConnectionState {
    enum class Phase : quint8 { Closed, Connecting, Ready, Waiting, Refused };
    Phase phase = Phase::Closed;
    Error trouble;                    ///< in Waiting and Refused
    qint64 retryInMs = 0;             ///< in Waiting
    QString server;                   ///< "redis 7.0.15 at unix:/run/redis.sock"
    QStringList warnings;             ///< "not durable: …"
    Unread unread;
    QString containment;              ///< how local workers contain their jobs; empty until one has been asked for
    double commandsPerSecond = 0;
    int restorable = 0;               ///< jobs of the newest removal, which restoreRemoved() would bring back
    qint64 pictureAgeMs = -1;         ///< how old the oldest shown fact is; -1 unknown

    bool operator==(const ConnectionState &) const = default;
};

struct SubmitReceipt {
    QByteArray id;
    QList<QByteArray> queueKeys;
};

/// Bytes of a field that loadField() brings at most (RELIABILITY 8, Huge values).
inline constexpr qint64 loadableBytes = 16 * 1024 * 1024;

/// One job with its large values cut; see loadField().
struct JobDetail {
    Job job;
    QHash<QByteArray, qint64> fullSize; ///< raw field name → bytes, only of those that were cut
    bool watched = false;
};

/// The result of an action on several jobs: how many, and why not the others.
struct BulkResult {
    int done = 0;
    int unchanged = 0;                 ///< nothing to do: already over, already gone
    int skipped = 0;                   ///< not begun, because it was cancelled
    int untried = 0;                   ///< the store was not there
    Error whyUntried{};                ///< of the first one
    QList<std::pair<QByteArray, Error>> failed;
    QString removal{};                 ///< the name for restoreRemoved() of what was kept; empty = nothing was

    bool isWhole() const { return skipped == 0 && untried == 0 && failed.isEmpty(); }
};

struct WorkerRequest {
    QList<QByteArray> types;
    QByteArray group = "default";
    QByteArray instance;              ///< empty = a free one
    int slotCount = 1;                ///< 1…64
    JobAccess access{};               ///< what its jobs may ask for beyond the defaults
    QByteArray legacyId{};            ///< the worker id as which it serves legacy queues; empty = none
};

/// The log file of a job, open for reading; any thread may read it with pread(). Closed with its last copy.
struct OpenLog {
    std::shared_ptr<QFile> file;
    quint64 inode = 0; ///< another one when it is opened again: the log was rotated
};

/// One open connection. Lives in the GUI thread; the work is done in the core thread. Every request returns at once;
/// its future ends with a value or an Error, also when the connection is closed (Cancelled). News comes as changed(),
/// at most ten times a second, output more often. Abstract so that models and pages can be tried with a fake.
class Session : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    virtual Profile profile() const = 0;
    virtual Capabilities capabilities() const = 0;
    virtual ConnectionState state() const = 0;

    // --- what is looked at: steers what is kept fresh
    /// Ids of the rows on screen; they are read again about once a second. Empty when the page is hidden.
    virtual void setVisibleJobs(QList<QByteArray> ids) = 0;
    /// The job of the detail pane: its output is streamed, and it is read again when it changes. Empty = none.
    virtual void setFocusedJob(QByteArray id) = 0;
    /// Tells whether the window shows this connection; a hidden one is polled rarely.
    virtual void setOnScreen(bool shown) = 0;
    /// Looks at everything again now.
    virtual void refresh() = 0;
    /// Does not wait for the next try after a lost connection.
    virtual void retryNow() = 0;
    /// A notification is wanted when this job ends; jobEnded() is emitted once for it.
    virtual void watchJob(QByteArray id, bool on) = 0;

    // --- requests
    virtual QFuture<Result<SubmitReceipt>> submit(Job draft) = 0;
    /// Jobs that may wait for one another, all in one step or none; they have ids. Returns how many. Sending the same
    /// again after a lost answer makes no second graph.
    virtual QFuture<Result<int>> submitGraph(std::vector<Job> drafts) = 0;
    virtual QFuture<Result<RoutePreview>> preview(Target target) = 0;
    virtual QFuture<Result<JobDetail>> job(QByteArray id) = 0;
    /// The whole of one raw field, at most loadableBytes, else TooLarge.
    virtual QFuture<Result<QByteArray>> loadField(QByteArray id, QByteArray field) = 0;
    virtual QFuture<Result<BulkResult>> stopJobs(QList<QByteArray> ids) = 0;
    virtual QFuture<Result<BulkResult>> removeJobs(QList<QByteArray> ids) = 0;
    virtual QFuture<Result<BulkResult>> retryJobs(QList<QByteArray> ids) = 0;
    /// Takes them away from whoever runs them and queues them again; one that has moved on meanwhile fails.
    virtual QFuture<Result<BulkResult>> requeueJobs(QList<QByteArray> ids) = 0;
    /// Gives jobs that have not started another target, whole.
    virtual QFuture<Result<BulkResult>> moveJobs(QList<QByteArray> ids, Target to) = 0;
    /// Removes what waits in this queue.
    virtual QFuture<Result<BulkResult>> purgeQueue(QByteArray key) = 0;
    /// Brings back what this removal or purge of this session took away, as BulkResult::removal or jobsLost() named it;
    /// empty = the newest one.
    virtual QFuture<Result<BulkResult>> restoreRemoved(QString removal) = 0;
    /// Ends the actions on many jobs that go on; what was done stays done.
    virtual void cancelBulk() = 0;
    /// Ids in serving order.
    virtual QFuture<Result<QList<QByteArray>>> queueContent(QByteArray key, qint64 offset, qint64 count) = 0;
    /// Looks for what is stuck, lost or odd in the whole store; reads every job once.
    virtual QFuture<Result<Examination>> examine() = 0;
    /// Opens the job's log file. NotFound when there is none on this machine.
    virtual QFuture<Result<OpenLog>> openLog(QByteArray id) = 0;

    // --- local workers
    virtual QFuture<Result<quint32>> startWorker(WorkerRequest request) = 0;
    virtual QFuture<Result<bool>> quietWorker(quint32 handle, bool quiet) = 0;
    virtual QFuture<Result<bool>> stopWorker(quint32 handle) = 0;

    // --- other programs on an embedded workspace
    /// What one needs to attach a program, and who is attached. Host::None for a Redis.
    virtual QFuture<Result<AttachState>> attachState() = 0;
    /// Disconnects one of the attached programs. False when it has gone already.
    virtual QFuture<Result<bool>> cutClient(qint64 id) = 0;

Q_SIGNALS:
    void changed(const ym::ChangeSet &changes);
    void stateChanged();
    /// The focused job changed in the store: read it again.
    void focusedJobChanged(const QByteArray &id);
    /// How far the actions on many jobs are, together; 0 of 0 when none goes on any more.
    void bulkProgressed(qint64 done, qint64 total);
    /// The store lost so many jobs that a local worker ran; restoreRemoved() brings all of them back by this name,
    /// which is empty when they could not be kept.
    void jobsLost(int count, const QString &removal);
    /// A watched job reached a terminal state.
    void watchedJobEnded(const ym::JobSummary &job);
    /// Programs came or went, the port was opened or closed, another process has the workspace.
    void attachChanged();
};

/// A script that runs here, contained, and that no store knows of. Lives in the GUI thread; destroying it ends the script.
class LocalRun : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    /// SIGTERM, and SIGKILL two seconds later.
    virtual void stop() = 0;

Q_SIGNALS:
    /// What it wrote since the last time, some 40 ms ago; bounded as ChangeSet::output is.
    void wrote(const std::vector<ym::OutputChunk> &output);
    /// The last signal; always comes, also when it could not be started.
    void ended(const ym::Execution &execution);
};

/// Where passwords are kept: the desktop's keychain, or memory when there is none (RELIABILITY 6.6).
class Secrets {
public:
    virtual ~Secrets() = default;
    /// True when what is stored survives the end of the application.
    virtual bool isPersistent() const = 0;
    virtual QFuture<Result<QString>> read(QString key) = 0;
    virtual QFuture<Result<bool>> write(QString key, QString secret) = 0;
    virtual QFuture<Result<bool>> remove(QString key) = 0;
};

/// The connections of the application: saved profiles and open sessions. Lives in the GUI thread.
class Connections : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// In sidebar order; the Local workspace is always first and cannot be removed.
    virtual QList<Profile> profiles() const = 0;
    /// Adds or replaces by id; an empty id gets a new one, which is returned. A null password keeps the stored one.
    virtual QString save(Profile profile, std::optional<QString> password) = 0;
    virtual void remove(const QString &id) = 0;

    /// Opens (or returns the open) session; owned by this object. Null when there is no such profile.
    virtual Session *open(const QString &id) = 0;
    virtual Session *session(const QString &id) const = 0;
    virtual void close(const QString &id) = 0;

    /// Connects once, says what is there ("redis 7.0.15, 1234 keys, TLSv1.3; warning: AOF is off"), and leaves.
    virtual QFuture<Result<QString>> test(Profile profile, std::optional<QString> password) = 0;
    /// True when passwords survive the end of the application.
    virtual bool keepsSecrets() const = 0;
    /// Ends every session and local worker, jobs given back; the future ends when all is down.
    virtual QFuture<void> shutDown() = 0;

    // --- the loopback port of an embedded workspace
    /// As it is remembered; makes a password when there is none yet.
    virtual QFuture<Result<PortAccess>> portAccess(const QString &id) = 0;
    /// Opens or closes the port now and remembers it; 0 = any free one, which is then kept. Returns the port.
    virtual QFuture<Result<quint16>> setPort(const QString &id, bool isWanted, quint16 port) = 0;
    /// Makes and keeps a new password; those who came in with the old one are cut.
    virtual QFuture<Result<QString>> renewPortPassword(const QString &id) = 0;

    // --- trying a script out
    /// Starts the job's script on this machine, without any store, and writes it to the audit log. It is granted what the
    /// job asks for: whoever calls this has shown that to the person. `limitsOnly` as in RunGrant.
    virtual std::unique_ptr<LocalRun> runHere(Job job, bool limitsOnly) = 0;

    /// The interpreter table: built-in rows with the user's changes on top, each probed.
    virtual QList<InterpreterStatus> interpreters() const = 0;
    /// Runs the program once, contained as jobs are, so that it says its version.
    virtual QFuture<InterpreterStatus> examineInterpreter(Interpreter interpreter) = 0;
    virtual void setInterpreter(Interpreter interpreter) = 0;
    virtual void resetInterpreter(const QByteArray &type) = 0;

Q_SIGNALS:
    void profilesChanged();
    void sessionOpened(ym::Session *session);
    void sessionClosing(ym::Session *session);
    void interpretersChanged();
};

} // namespace ym
