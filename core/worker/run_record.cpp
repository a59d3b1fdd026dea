#include "core/worker/run_record.h"

#include "core/base/log.h"

#include <QCoreApplication>

namespace ym {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::RunRecord", text);
}

} // namespace

RunRecord::RunRecord(Places places, Job job, OutputSink watchers)
    : m_places(std::move(places))
    , m_job(std::move(job))
    , m_watchers(std::move(watchers))
{
    if (m_places.logFolder.isEmpty())
        return;
    JobLog::Options options;
    options.root = m_places.logFolder;
    Result<JobLog> log = JobLog::open(options, m_job);
    if (log)
        m_log = std::move(*log);
    else
        note(log.error().text());
}

void RunRecord::add(const OutputChunk &chunk)
{
    m_watchers(chunk);
    if (!m_log)
        return;
    if (const auto written = m_log->write(chunk.stream, chunk.bytes); !written)
        note(written.error().text());
}

void RunRecord::end(Timestamp when, const Execution &execution)
{
    if (execution.leftProcesses > 0)
        note(tr("The script left processes behind: %1. They were ended.").arg(execution.leftProcesses));
    if (m_log)
        m_log->finish();
    if (!m_places.audit)
        return;
    if (const auto recorded = m_places.audit->record(when, m_job, m_places.by, execution); !recorded)
        qCWarning(logWorker, "the audit log was not written: %s", qPrintable(recorded.error().text()));
}

/// Our own words among the job's: on its standard error and, while that works, in its log.
void RunRecord::note(const QString &text)
{
    const QByteArray line = "[yardmaster] " + text.toUtf8() + '\n';
    m_watchers({m_job.id, m_job.attempt, OutputChunk::Stream::Err, line});
    if (m_log)
        m_log->write(OutputChunk::Stream::Err, line);
}

} // namespace ym
