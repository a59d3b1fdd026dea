// The models of one open connection, fed from its session.
#pragma once

#include "core/base/clock.h"
#include "core/engine/session.h"
#include "models/job_table_model.h"
#include "models/local_worker_model.h"
#include "models/output_buffer.h"
#include "models/presence_index.h"
#include "models/queue_model.h"
#include "models/worker_model.h"

namespace ym {

/// Lives as long as the session is open; every batch of news goes to all models, then applied() is emitted. GUI thread.
class ConnectionModels final : public QObject {
    Q_OBJECT
public:
    /// Both outlive it.
    ConnectionModels(Session *session, const Clock *clock, QObject *parent);

    Session *session() const { return m_session; }
    const Clock *clock() const { return m_clock; }
    QString profileId() const { return m_session->profile().id; }
    bool isReady() const { return m_session->state().phase == ConnectionState::Phase::Ready; }
    bool can(Capability what) const { return m_session->capabilities().can(what); }
    /// True once the store has told them, however few.
    bool knowsQueues() const { return m_knowsQueues; }
    bool knowsWorkers() const { return m_knowsWorkers; }

    JobTableModel *const jobs;
    QueueModel *const queues;
    WorkerModel *const workers;
    LocalWorkerModel *const localWorkers;
    PresenceIndex *const presence;
    OutputBuffer *const output; ///< of the job in the detail pane

Q_SIGNALS:
    /// All models have taken a batch.
    void applied(const ym::ChangeSet &changes);

private:
    void apply(const ChangeSet &changes);

    Session *m_session;
    const Clock *m_clock;
    bool m_knowsQueues = false;
    bool m_knowsWorkers = false;
};

} // namespace ym
