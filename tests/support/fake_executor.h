// An Executor whose runs last until the test ends them.
#pragma once

#include "core/base/completion.h"
#include "core/worker/executor.h"

#include <QHash>
#include <QSet>

namespace ym::test {

class FakeExecutor final : public Executor {
public:
    QSet<QByteArray> missingTypes;
    QList<QByteArray> running; ///< ids, in the order of their start
    QHash<QByteArray, StopReason> ended; ///< how runs were asked to end
    bool obeysStop = true; ///< a run ends at once when it is asked to

    /// Ends every run of this job.
    void end(const QByteArray &id, Execution::Fate fate = Execution::Fate::Finished)
    {
        const auto runs = m_ends.values(id);
        m_ends.remove(id);
        for (const auto &run : runs)
            run.resolve(fate);
    }

    /// What a running job writes.
    void write(const QByteArray &id, const QByteArray &bytes, OutputChunk::Stream stream = OutputChunk::Stream::Out)
    {
        m_sinks.value(id)({id, 1, stream, bytes});
    }

    Result<void> canRun(const QByteArray &type) const override
    {
        if (missingTypes.contains(type))
            return failure(ErrorKind::NotFound, QString::fromUtf8(type) + QStringLiteral(" was not found"));
        return {};
    }

    QCoro::Task<Execution> run(ExecutionRequest request, OutputSink sink, RunControl control) override
    {
        const QByteArray id = request.job.id;
        const Completion<Execution::Fate> done;
        m_ends.insert(id, done);
        running.append(id);
        m_sinks.insert(id, sink);
        sink({id, request.job.attempt, OutputChunk::Stream::Out, "output of " + id});
        const std::stop_callback onStop(control.token(), [&] {
            ended.insert(id, control.reason());
            if (obeysStop)
                done.resolve(control.reason() == StopReason::Request ? Execution::Fate::Stopped
                                                                     : Execution::Fate::Abandoned);
        });
        Execution execution;
        execution.fate = co_await done;
        execution.output = "output of " + id;
        running.removeOne(id);
        m_sinks.remove(id);
        co_return execution;
    }

private:
    QMultiHash<QByteArray, Completion<Execution::Fate>> m_ends;
    QHash<QByteArray, OutputSink> m_sinks; ///< of what runs
};

} // namespace ym::test
