// Jobs by the thousand for the tests of the models: random, but the same in every run.
#pragma once

#include "core/job/change_set.h"

#include <random>

namespace ym::test {

/// Makes jobs whose fields repeat as they do in life: few types and workers, more callers, some odd ids.
class RandomJobs {
public:
    explicit RandomJobs(unsigned seed, Timestamp base = Timestamp{Milliseconds{1'700'000'000'000}})
        : m_random(seed)
        , m_base(base)
    {
    }

    unsigned below(unsigned limit) { return unsigned(m_random() % limit); }

    QByteArray uuid()
    {
        QByteArray hex = QByteArray::number(qulonglong(m_random()), 16).rightJustified(16, '0')
            + QByteArray::number(qulonglong(m_random()), 16).rightJustified(16, '0');
        for (const int dash : {8, 13, 18, 23})
            hex.insert(dash, '-');
        return hex;
    }

    QByteArray id() { return below(20) == 0 ? "odd:" + QByteArray::number(qulonglong(m_random())) : uuid(); }

    JobSummary job() { return job(id()); }

    JobSummary job(const QByteArray &id)
    {
        static const QList<QByteArray> types{"python", "osis", "v", "Sal", "heroscript"};
        static const QList<QByteArray> groups{"", "default", "gpu", "Batch"};
        JobSummary job;
        job.id = id;
        job.state = JobState(below(jobStateCount));
        if (job.state == JobState::Unknown)
            job.statusText = "dispached" + QByteArray::number(below(3));
        job.target.type = types[below(unsigned(types.size()))];
        job.target.group = groups[below(unsigned(groups.size()))];
        if (!job.target.group.isEmpty() && below(3) == 0)
            job.target.instance = "w" + QByteArray::number(below(5));
        job.target.priority = int(below(3));
        job.callerId = "caller-" + QByteArray::number(below(50));
        job.contextId = below(3) ? "Größe " + QByteArray::number(below(10)) : QByteArray();
        if (job.state == JobState::Running)
            job.claimedBy = job.target.type + ":default:" + QByteArray::number(below(9));
        if (below(10) != 0)
            job.createdAt = m_base - Milliseconds{below(7'200'000)};
        if (below(10) != 0)
            job.updatedAt = m_base - Milliseconds{below(1000)};
        job.attempt = int(below(4));
        if (below(8) == 0) {
            job.access.network = below(2) == 0;
            job.access.readable = below(2) ? QStringList{"/srv/in"} : QStringList();
            job.access.writable = below(2) ? QStringList{"/srv/out", "/tmp/out"} : QStringList();
        }
        job.invalid = below(50) == 0;
        return job;
    }

    ChangeSet batch(int count)
    {
        ChangeSet changes;
        for (int i = 0; i < count; ++i)
            changes.jobs.push_back(job());
        return changes;
    }

private:
    std::mt19937_64 m_random;
    Timestamp m_base;
};

} // namespace ym::test
