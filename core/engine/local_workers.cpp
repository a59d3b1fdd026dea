#include "core/engine/local_workers.h"

#include "core/base/log.h"

namespace ym {

LocalWorkers::LocalWorkers(Parts parts, QObject *parent)
    : QObject(parent)
    , m_parts(std::move(parts))
{
}

LocalWorkers::~LocalWorkers() = default;

QCoro::Task<quint32> LocalWorkers::start(WorkerRequest request)
{
    if (request.types.isEmpty())
        throw StoreError(ErrorKind::Usage, tr("A worker needs at least one type."));
    if (request.slotCount < 1 || request.slotCount > 64)
        throw StoreError(ErrorKind::Usage, tr("A worker has 1 to 64 slots."));

    WorkerRunner::Spec spec;
    spec.identity = {request.types, request.group, request.instance, request.slotCount, false, request.legacyId};
    spec.logFolder = m_parts.logFolder;
    spec.spoolFolder = m_parts.spoolFolder;
    spec.auditFile = m_parts.auditFile;
    spec.grant = {request.access, m_parts.limitsOnly};
    auto consumer = m_parts.protocol->consumer(m_parts.store, m_parts.options, m_parts.clock, spec.identity);
    const quint32 handle = ++m_lastHandle;
    WorkerRunner *runner = new WorkerRunner(m_parts.store, std::move(consumer), m_parts.executor, m_parts.clock, spec);
    m_runners[handle].reset(runner);
    connectRunner(runner);
    std::exception_ptr trouble;
    try {
        co_await runner->start();
    } catch (...) {
        trouble = std::current_exception();
    }
    if (trouble) {
        co_await runner->stop(Milliseconds{0});
        m_runners.erase(handle);
        std::rethrow_exception(trouble);
    }
    Q_EMIT infosChanged();
    co_return handle;
}

void LocalWorkers::connectRunner(WorkerRunner *runner)
{
    connect(runner, &WorkerRunner::infoChanged, this, &LocalWorkers::infosChanged);
    connect(runner, &WorkerRunner::claimsLost, this, &LocalWorkers::claimsLost);
    connect(runner, &WorkerRunner::jobStarted, this, [this](const Job &job) {
        m_output.begin(job.id);
        Q_EMIT jobTouched(job.id);
    });
    connect(runner, &WorkerRunner::jobOutput, this, [this](const OutputChunk &chunk) {
        m_output.append(chunk);
        Q_EMIT jobOutput(chunk);
    });
    connect(runner, &WorkerRunner::jobEnded, this, [this](const QByteArray &id, const Execution &) {
        m_output.end(id);
        Q_EMIT jobTouched(id);
    });
}

WorkerRunner *LocalWorkers::require(quint32 handle) const
{
    const auto found = m_runners.find(handle);
    if (found == m_runners.end())
        throw StoreError(ErrorKind::NotFound, tr("This worker has stopped already."));
    return found->second.get();
}

void LocalWorkers::setQuiet(quint32 handle, bool quiet)
{
    WorkerRunner *runner = require(handle);
    if (quiet)
        runner->quiet();
    else
        runner->resume();
}

QCoro::Task<void> LocalWorkers::stop(quint32 handle, Milliseconds patience)
{
    WorkerRunner *runner = require(handle);
    co_await runner->stop(patience);
    m_runners.erase(handle);
    Q_EMIT infosChanged();
}

QCoro::Task<void> LocalWorkers::stopOne(quint32 handle, Milliseconds patience, Completion<bool> done)
{
    try {
        co_await stop(handle, patience);
    } catch (const StoreError &e) {
        qCInfo(logEngine, "stopping a local worker: %s", e.what());
    }
    done.resolve(true);
}

QCoro::Task<void> LocalWorkers::stopAll(Milliseconds patience)
{
    std::vector<quint32> handles;
    for (const auto &[handle, runner] : m_runners)
        handles.push_back(handle);
    std::vector<Completion<bool>> ends;
    for (const quint32 handle : handles) {
        const Completion<bool> done;
        ends.push_back(done);
        m_scope.spawn(stopOne(handle, patience, done));
    }
    for (const Completion<bool> &done : ends)
        co_await done;
    co_await m_scope.drain();
}

QList<LocalWorkerInfo> LocalWorkers::infos() const
{
    QList<LocalWorkerInfo> list;
    for (const auto &[handle, runner] : m_runners) {
        LocalWorkerInfo info = runner->info();
        info.handle = handle;
        list.append(info);
    }
    return list;
}

} // namespace ym
