#include "models/job_match.h"

#include <algorithm>

namespace ym {

namespace {

using Term = JobFilter::Term;
using Field = JobFilter::Field;

/// One term over all rows, with the verdicts on texts and targets remembered.
class TermRun {
public:
    TermRun(const JobRows &rows, const Term &term, Timestamp now)
        : m_rows(rows)
        , m_term(term)
        , m_now(now.time_since_epoch().count())
        , m_texts(rows.texts().count(), Verdict::Open)
        , m_targets(rows.targets().count(), Verdict::Open)
        , m_extras(rows.allExtras().count(), Verdict::Open)
    {
        m_canMatchUuid =
            std::any_of(term.texts.begin(), term.texts.end(), [](const TextTest &t) { return t.canMatchUuid(); });
    }

    bool accepts(const PackedJob &job) { return says(job) != m_term.negated; }

private:
    enum class Verdict : quint8 { Open, No, Yes };

    bool says(const PackedJob &job)
    {
        switch (m_term.field) {
        case Field::Any:
            return hasState(job) || anyFieldMatches(job);
        case Field::Id:
            return idMatches(job);
        case Field::State:
            return hasState(job);
        case Field::Type:
        case Field::Group:
        case Field::Instance:
            return targetMatches(job.target);
        case Field::Caller:
            return textMatches(job.caller);
        case Field::Context:
            return textMatches(job.context);
        case Field::Worker:
            return textMatches(job.worker);
        case Field::Attempt:
            return holds(job.attempt, m_term.compare, m_term.number);
        case Field::Priority:
            return holds(m_rows.target(job.target).priority, m_term.compare, m_term.number);
        case Field::Access:
            return extrasMatch(job.extras);
        case Field::Age:
            return job.created != PackedJob::noTime && holds(m_now - job.created, m_term.compare, m_term.number);
        }
        return false;
    }

    bool hasState(const PackedJob &job) const { return (m_term.states >> job.state) & 1; }

    /// The dearest test comes last.
    bool anyFieldMatches(const PackedJob &job)
    {
        return targetMatches(job.target) || textMatches(job.caller) || textMatches(job.context)
            || textMatches(job.worker) || (JobState(job.state) == JobState::Unknown && extrasMatch(job.extras))
            || idMatches(job);
    }

    bool test(QByteArrayView text) const
    {
        return std::any_of(m_term.texts.begin(), m_term.texts.end(),
                           [&](const TextTest &t) { return t.matches(text); });
    }

    bool textMatches(quint32 index)
    {
        Verdict &verdict = m_texts[index];
        if (verdict == Verdict::Open)
            verdict = test(m_rows.text(index)) ? Verdict::Yes : Verdict::No;
        return verdict == Verdict::Yes;
    }

    bool targetMatches(quint32 index)
    {
        Verdict &verdict = m_targets[index];
        if (verdict == Verdict::Open)
            verdict = testTarget(m_rows.target(index)) ? Verdict::Yes : Verdict::No;
        return verdict == Verdict::Yes;
    }

    /// The access for that field, else the status.
    bool extrasMatch(quint32 index)
    {
        Verdict &verdict = m_extras[index];
        if (verdict == Verdict::Open) {
            const JobExtras &extras = m_rows.extras(index);
            const bool says =
                m_term.field == Field::Access ? accessMatches(m_term.texts, extras.access) : test(extras.status);
            verdict = says ? Verdict::Yes : Verdict::No;
        }
        return verdict == Verdict::Yes;
    }

    bool testTarget(const Target &target) const
    {
        if (m_term.field == Field::Type)
            return test(target.type);
        if (m_term.field == Field::Group)
            return test(target.group);
        if (m_term.field == Field::Instance)
            return test(target.instance);
        return test(target.type) || test(targetText(target));
    }

    bool idMatches(const PackedJob &job)
    {
        if (job.hasOtherId)
            return textMatches(quint32(job.id[1]));
        if (!m_canMatchUuid)
            return false;
        std::array<char, 36> text;
        formatUuid(job.id, text.data());
        return test(QByteArrayView(text.data(), qsizetype(text.size())));
    }

    const JobRows &m_rows;
    const Term &m_term;
    qint64 m_now;
    bool m_canMatchUuid = true;
    std::vector<Verdict> m_texts;
    std::vector<Verdict> m_targets;
    std::vector<Verdict> m_extras;
};

} // namespace

std::vector<quint32> matchingSlots(const JobRows &rows, const JobFilter &filter, Timestamp now,
                                   const std::atomic_bool *cancelled)
{
    std::vector<TermRun> terms;
    terms.reserve(filter.terms().size());
    for (const Term &term : filter.terms())
        terms.emplace_back(rows, term, now);
    std::vector<quint32> slotList;
    if (terms.empty())
        slotList.reserve(rows.slotEnd());
    for (quint32 slot = 0; slot < rows.slotEnd(); ++slot) {
        const bool isChunkStart = slot % JobRows::chunkSize == 0;
        if (isChunkStart && cancelled && cancelled->load(std::memory_order_relaxed))
            break;
        const PackedJob &job = rows.at(slot);
        if (job.isLive && std::all_of(terms.begin(), terms.end(), [&](TermRun &term) { return term.accepts(job); }))
            slotList.push_back(slot);
    }
    return slotList;
}

} // namespace ym
