// A Session and a Connections without a core: answers from memory, records what it was asked.
#pragma once

#include "core/engine/session.h"
#include "tests/support/demo_data.h"
#include "tests/support/fake_local_run.h"

#include <QPointer>
#include <QSet>
#include <QTemporaryDir>

#include <functional>
#include <memory>

namespace ym::test {

/// Serves the jobs it was given. Requests are answered at once (their futures are finished), unless holdAnswers() was
/// called; the next one fails when failNext() was called. Actions change the jobs as a store would and tell it through
/// changed(). GUI thread.
class FakeSession final : public Session {
    Q_OBJECT
public:
    /// One request as it came; only the members that belong to the verb are set.
    struct Request {
        QByteArray verb; ///< the name of the function: "stopJobs"
        QList<QByteArray> ids;
        Job draft;
        std::vector<Job> drafts;
        Target target;
        WorkerRequest worker;
        QByteArray name; ///< field, queue key or removal
        qint64 offset = 0;
        qint64 count = 0;
        quint32 handle = 0;
        bool on = false;
    };

    explicit FakeSession(Profile profile, QObject *parent = nullptr);
    ~FakeSession() override;

    // --- the script
    /// Gives it jobs and tells them in batches of 2,000, then that the listing is complete.
    void showJobs(const std::vector<JobSummary> &jobs);
    /// One job with everything; tells its summary.
    void showJob(const JobDetail &detail);
    void showQueues(const QList<QueueInfo> &queues);
    void showWorkers(const QList<WorkerInfo> &workers);
    void showLocalWorkers(const QList<LocalWorkerInfo> &workers);
    void showOutput(const QByteArray &id, const QByteArray &bytes,
                    OutputChunk::Stream stream = OutputChunk::Stream::Out, int attempt = 1);
    void removeJob(const QByteArray &id);
    /// It is gone although nobody removed it.
    void loseJob(const QByteArray &id, const QByteArray &why);
    /// As it is.
    void tell(const ChangeSet &changes);
    /// Replaces the state of a job, tells it, and focusedJobChanged() or watchedJobEnded() where they are due.
    void moveJob(const QByteArray &id, JobState state);
    void setState(const ConnectionState &state);
    void setReady();
    void setProfile(const Profile &profile);
    void setCapabilities(const Capabilities &capabilities);
    void setQueueContent(const QByteArray &key, const QList<QByteArray> &ids);
    void setLog(const QByteArray &id, const QByteArray &bytes);
    /// Where it is, to be appended to, cut or replaced.
    QString logFile(const QByteArray &id) const { return m_logs.filePath(QString::fromUtf8(id)); }
    /// The whole of a field, for loadField().
    void setField(const QByteArray &id, const QByteArray &field, const QByteArray &bytes);
    void setPreview(const RoutePreview &preview);
    void setAttachState(const AttachState &state);
    /// The next request ends with this error.
    void failNext(const Error &error);
    /// Futures stay open until releaseAnswers().
    void holdAnswers();
    void releaseAnswers();
    void setExamination(const Examination &examination) { m_examination = examination; }

    // --- the record
    QList<Request> requests() const { return m_requests; }
    QList<Request> requests(const QByteArray &verb) const;
    void clearRequests() { m_requests.clear(); }
    QList<QByteArray> visibleJobs() const { return m_visible; }
    QByteArray focusedJob() const { return m_focused; }
    bool isOnScreen() const { return m_onScreen; }
    bool isWatched(const QByteArray &id) const { return m_watched.contains(id); }
    int refreshCount() const { return m_refreshes; }
    int retryCount() const { return m_retries; }
    std::optional<JobSummary> summary(const QByteArray &id) const;
    qsizetype jobCount() const { return m_jobs.size(); }

    // --- Session
    Profile profile() const override { return m_profile; }
    Capabilities capabilities() const override { return m_capabilities; }
    ConnectionState state() const override { return m_state; }
    void setVisibleJobs(QList<QByteArray> ids) override { m_visible = std::move(ids); }
    void setFocusedJob(QByteArray id) override { m_focused = std::move(id); }
    void setOnScreen(bool shown) override { m_onScreen = shown; }
    void refresh() override { ++m_refreshes; }
    void retryNow() override { ++m_retries; }
    void watchJob(QByteArray id, bool on) override;
    QFuture<Result<SubmitReceipt>> submit(Job draft) override;
    QFuture<Result<int>> submitGraph(std::vector<Job> drafts) override;
    QFuture<Result<RoutePreview>> preview(Target target) override;
    QFuture<Result<JobDetail>> job(QByteArray id) override;
    QFuture<Result<QByteArray>> loadField(QByteArray id, QByteArray field) override;
    QFuture<Result<BulkResult>> stopJobs(QList<QByteArray> ids) override;
    QFuture<Result<BulkResult>> removeJobs(QList<QByteArray> ids) override;
    QFuture<Result<BulkResult>> retryJobs(QList<QByteArray> ids) override;
    QFuture<Result<BulkResult>> requeueJobs(QList<QByteArray> ids) override;
    QFuture<Result<BulkResult>> moveJobs(QList<QByteArray> ids, Target to) override;
    QFuture<Result<BulkResult>> purgeQueue(QByteArray key) override;
    QFuture<Result<BulkResult>> restoreRemoved(QString removal) override;
    void cancelBulk() override { m_requests.append({"cancelBulk", {}, {}, {}, {}, {}, 0, 0, 0, false}); }
    QFuture<Result<QList<QByteArray>>> queueContent(QByteArray key, qint64 offset, qint64 count) override;
    QFuture<Result<Examination>> examine() override;
    QFuture<Result<OpenLog>> openLog(QByteArray id) override;
    QFuture<Result<quint32>> startWorker(WorkerRequest request) override;
    QFuture<Result<bool>> quietWorker(quint32 handle, bool quiet) override;
    QFuture<Result<bool>> stopWorker(quint32 handle) override;
    QFuture<Result<AttachState>> attachState() override;
    QFuture<Result<bool>> cutClient(qint64 id) override;

private:
    friend class FakeConnections;

    template <typename T> QFuture<Result<T>> answer(Request request, std::function<Result<T>()> make);
    template <typename Accept> BulkResult changeStates(const QList<QByteArray> &ids, JobState state, Accept accept);
    JobDetail detailOf(const JobSummary &summary) const;
    void changeLocalWorker(quint32 handle, const std::function<void(LocalWorkerInfo &)> &change);

    Profile m_profile;
    Capabilities m_capabilities;
    ConnectionState m_state;
    int m_removals = 0; ///< so many were named
    QHash<QByteArray, JobSummary> m_jobs;
    QHash<QByteArray, JobDetail> m_details; ///< only of jobs that were given with everything
    QHash<QByteArray, QList<QByteArray>> m_queues;
    QTemporaryDir m_logs;
    QHash<std::pair<QByteArray, QByteArray>, QByteArray> m_fields;
    QList<LocalWorkerInfo> m_localWorkers;
    Examination m_examination;
    RoutePreview m_preview;
    AttachState m_attachState;
    std::optional<Error> m_failure;
    bool m_holds = false;
    std::vector<std::function<void()>> m_held;
    QList<Request> m_requests;
    QList<QByteArray> m_visible;
    QByteArray m_focused;
    QSet<QByteArray> m_watched;
    bool m_onScreen = false;
    int m_refreshes = 0;
    int m_retries = 0;
    quint64 m_generation = 1;
    quint32 m_nextHandle = 100;
};

/// Profiles in memory; open() makes a FakeSession. Starts with the Local workspace alone.
class FakeConnections final : public Connections {
    Q_OBJECT
public:
    explicit FakeConnections(QObject *parent = nullptr);
    ~FakeConnections() override;

    /// Opens it when it is not open; never null for a known profile.
    FakeSession *fake(const QString &id = QString::fromLatin1(localProfileId));
    /// What test() answers.
    void setTestAnswer(const Result<QString> &answer) { m_testAnswer = answer; }
    void setKeepsSecrets(bool keeps) { m_keepsSecrets = keeps; }
    void setPortAccess(const PortAccess &access) { m_portAccess = access; }
    PortAccess keptPort() const { return m_portAccess; }
    /// The port cannot be opened from now on; nothing: it can.
    void setPortFailure(const std::optional<Error> &failure);
    void setInterpreters(const QList<InterpreterStatus> &interpreters);
    std::optional<QString> password(const QString &id) const;
    QList<Profile> testedProfiles() const { return m_tested; }
    bool isShutDown() const { return m_shutDown; }
    /// The last trial; null when there is none any more.
    FakeLocalRun *trial() const { return m_trial; }

    QList<Profile> profiles() const override { return m_profiles; }
    QString save(Profile profile, std::optional<QString> password) override;
    void remove(const QString &id) override;
    Session *open(const QString &id) override;
    Session *session(const QString &id) const override;
    void close(const QString &id) override;
    QFuture<Result<QString>> test(Profile profile, std::optional<QString> password) override;
    bool keepsSecrets() const override { return m_keepsSecrets; }
    QFuture<Result<PortAccess>> portAccess(const QString &id) override;
    QFuture<Result<quint16>> setPort(const QString &id, bool isWanted, quint16 port) override;
    QFuture<Result<QString>> renewPortPassword(const QString &id) override;
    QFuture<void> shutDown() override;
    std::unique_ptr<LocalRun> runHere(Job job, bool limitsOnly) override;
    QList<InterpreterStatus> interpreters() const override { return m_interpreters; }
    QFuture<InterpreterStatus> examineInterpreter(Interpreter interpreter) override;
    void setInterpreter(Interpreter interpreter) override;
    void resetInterpreter(const QByteArray &type) override;

private:
    QList<Profile> m_profiles;
    QHash<QString, QString> m_passwords;
    QHash<QString, FakeSession *> m_sessions;
    QList<InterpreterStatus> m_interpreters;
    QList<Profile> m_tested;
    Result<QString> m_testAnswer = QStringLiteral("redis 7.0.15, 1234 keys");
    PortAccess m_portAccess{false, 0, QStringLiteral("first-password")};
    std::optional<Error> m_portFailure;
    QPointer<FakeLocalRun> m_trial;
    bool m_keepsSecrets = true;
    bool m_shutDown = false;
    int m_nextId = 1;
};

} // namespace ym::test
