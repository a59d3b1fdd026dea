#include "ui/connection_models.h"

namespace ym {

ConnectionModels::ConnectionModels(Session *session, const Clock *clock, QObject *parent)
    : QObject(parent)
    , jobs(new JobTableModel(session->capabilities().flags, clock, this))
    , queues(new QueueModel(clock, this))
    , workers(new WorkerModel(clock, this))
    , localWorkers(new LocalWorkerModel(this))
    , presence(new PresenceIndex(this))
    , output(new OutputBuffer(this))
    , m_session(session)
    , m_clock(clock)
{
    connect(session, &Session::changed, this, &ConnectionModels::apply);
}

void ConnectionModels::apply(const ChangeSet &changes)
{
    jobs->apply(changes);
    queues->apply(changes);
    workers->apply(changes);
    localWorkers->apply(changes);
    presence->apply(changes);
    output->apply(changes);
    m_knowsQueues = m_knowsQueues || changes.queues.has_value();
    m_knowsWorkers = m_knowsWorkers || changes.workers.has_value();
    Q_EMIT applied(changes);
}

} // namespace ym
