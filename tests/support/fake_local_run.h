// A trial that does what the test says.
#pragma once

#include "core/engine/session.h"

namespace ym::test {

class FakeLocalRun final : public LocalRun {
    Q_OBJECT
public:
    explicit FakeLocalRun(Job what)
        : job(std::move(what))
    {
    }

    void stop() override { ++stops; }
    void write(const QByteArray &bytes, OutputChunk::Stream stream = OutputChunk::Stream::Out)
    {
        Q_EMIT wrote({OutputChunk{job.id, 1, stream, bytes}});
    }
    void end(Execution::Fate fate, int exitCode, const QByteArray &error = {})
    {
        Execution execution;
        execution.fate = fate;
        execution.exitCode = exitCode;
        execution.error = error;
        execution.duration = Milliseconds{1234};
        execution.cpuTime = Milliseconds{56};
        execution.maxRssKb = 20 * 1024;
        execution.containment = "bubblewrap";
        Q_EMIT ended(execution);
    }

    Job job;
    int stops = 0;
};

} // namespace ym::test
