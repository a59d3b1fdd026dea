// The workers of one connection that run inside this application.
#pragma once

#include "core/base/task_scope.h"
#include "core/engine/live_output.h"
#include "core/engine/session.h"
#include "core/protocol/protocol.h"
#include "core/worker/worker_runner.h"

#include <QObject>

#include <map>

namespace ym {

/// Starts, quiets and stops WorkerRunners and keeps their output. Core thread; stopAll() before destruction.
class LocalWorkers : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Store *store = nullptr;
        const Protocol *protocol = nullptr;
        ProtocolOptions options;
        Executor *executor = nullptr;
        Clock *clock = nullptr;
        QString logFolder;
        QString spoolFolder;
        QString auditFile;
        bool limitsOnly = false; ///< RunGrant::limitsOnly of the connection
    };
    explicit LocalWorkers(Parts parts, QObject *parent = nullptr);
    ~LocalWorkers() override;

    /// Starts a worker and returns its handle. Throws Usage for a bad request and what WorkerRunner::start() throws.
    QCoro::Task<quint32> start(WorkerRequest request);
    /// NotFound when there is no such worker.
    void setQuiet(quint32 handle, bool quiet);
    /// Lets it finish for `patience`, then gives the jobs back. NotFound when there is no such worker.
    QCoro::Task<void> stop(quint32 handle, Milliseconds patience);
    QCoro::Task<void> stopAll(Milliseconds patience);

    QList<LocalWorkerInfo> infos() const;
    const LiveOutput &output() const { return m_output; }

Q_SIGNALS:
    void infosChanged();
    void jobOutput(const ym::OutputChunk &chunk);
    /// A job started or ended here: its record has changed.
    void jobTouched(const QByteArray &id);
    /// They ran here, and the store says that they are not ours any more.
    void claimsLost(const std::vector<ym::Claim> &claims);

private:
    WorkerRunner *require(quint32 handle) const;
    QCoro::Task<void> stopOne(quint32 handle, Milliseconds patience, Completion<bool> done);
    void connectRunner(WorkerRunner *runner);

    Parts m_parts;
    TaskScope m_scope{"LocalWorkers"};
    std::map<quint32, std::unique_ptr<WorkerRunner>> m_runners;
    quint32 m_lastHandle = 0;
    LiveOutput m_output;
};

} // namespace ym
