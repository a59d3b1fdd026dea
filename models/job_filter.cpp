#include "models/job_filter.h"

#include <algorithm>

namespace ym {

namespace {

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? char(c + 32) : c;
}

bool isAscii(const QString &text)
{
    return std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 0x80; });
}

bool isUuidText(const QString &text)
{
    return text.size() <= 36 && std::all_of(text.begin(), text.end(), [](QChar c) {
               return c == u'-' || (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f');
           });
}

bool anyMatches(const std::vector<TextTest> &tests, QByteArrayView text)
{
    return std::any_of(tests.begin(), tests.end(), [&](const TextTest &test) { return test.matches(text); });
}

bool anyFieldMatches(const std::vector<TextTest> &tests, const JobSummary &job)
{
    return anyMatches(tests, job.id) || anyMatches(tests, job.target.type) || anyMatches(tests, targetText(job.target))
        || anyMatches(tests, job.callerId) || anyMatches(tests, job.contextId) || anyMatches(tests, job.claimedBy)
        || (job.state == JobState::Unknown && anyMatches(tests, job.statusText));
}

/// Whether the term says yes, before its negation.
bool says(const JobFilter::Term &term, const JobSummary &job, Timestamp now)
{
    using Field = JobFilter::Field;
    const bool hasState = (term.states >> int(job.state)) & 1;
    switch (term.field) {
    case Field::Any:
        return hasState || anyFieldMatches(term.texts, job);
    case Field::Id:
        return anyMatches(term.texts, job.id);
    case Field::State:
        return hasState;
    case Field::Type:
        return anyMatches(term.texts, job.target.type);
    case Field::Group:
        return anyMatches(term.texts, job.target.group);
    case Field::Instance:
        return anyMatches(term.texts, job.target.instance);
    case Field::Caller:
        return anyMatches(term.texts, job.callerId);
    case Field::Context:
        return anyMatches(term.texts, job.contextId);
    case Field::Worker:
        return anyMatches(term.texts, job.claimedBy);
    case Field::Attempt:
        return holds(job.attempt, term.compare, term.number);
    case Field::Priority:
        return holds(job.target.priority, term.compare, term.number);
    case Field::Access:
        return accessMatches(term.texts, job.access);
    case Field::Age:
        return job.createdAt && holds((now - *job.createdAt).count(), term.compare, term.number);
    }
    return false;
}

} // namespace

TextTest::TextTest(Kind kind, const QString &pattern, bool wildcards)
    : m_kind(kind)
{
    const bool hasWildcards = wildcards && pattern.contains(u'*');
    m_isPlain = !hasWildcards && isAscii(pattern);
    if (m_isPlain) {
        m_plain = pattern.toLower().toLatin1();
        m_canMatchUuid = isUuidText(QString::fromLatin1(m_plain));
        return;
    }
    const QStringList parts = hasWildcards ? pattern.toCaseFolded().split(u'*') : QStringList{pattern.toCaseFolded()};
    m_parts.assign(parts.begin(), parts.end());
    m_canMatchUuid = std::all_of(m_parts.begin(), m_parts.end(), isUuidText);
}

bool TextTest::matches(QByteArrayView text) const
{
    return m_isPlain ? matchesPlain(text) : matchesParts(QString::fromUtf8(text).toCaseFolded());
}

bool TextTest::matchesPlain(QByteArrayView text) const
{
    const auto same = [](char a, char b) { return lower(a) == b; };
    if (text.size() < m_plain.size() || (m_kind == Kind::Whole && text.size() != m_plain.size()))
        return false;
    if (m_kind != Kind::Contains)
        return std::equal(m_plain.begin(), m_plain.end(), text.begin(), [](char a, char b) { return a == lower(b); });
    return m_plain.isEmpty()
        || std::search(text.begin(), text.end(), m_plain.begin(), m_plain.end(), same) != text.end();
}

bool TextTest::matchesParts(const QString &text) const
{
    if (m_parts.size() == 1) {
        switch (m_kind) {
        case Kind::Contains:
            return text.contains(m_parts.front());
        case Kind::Begins:
            return text.startsWith(m_parts.front());
        case Kind::Whole:
            return text == m_parts.front();
        }
    }
    const QString &first = m_parts.front();
    const QString &last = m_parts.back();
    if (text.size() < first.size() + last.size() || !text.startsWith(first) || !text.endsWith(last))
        return false;
    qsizetype from = first.size();
    for (size_t i = 1; i + 1 < m_parts.size(); ++i) {
        const qsizetype found = text.indexOf(m_parts[i], from);
        if (found < 0)
            return false;
        from = found + m_parts[i].size();
    }
    return from <= text.size() - last.size();
}

bool JobFilter::matches(const JobSummary &job, Timestamp now) const
{
    return std::all_of(m_terms.begin(), m_terms.end(),
                       [&](const Term &term) { return says(term, job, now) != term.negated; });
}

bool JobFilter::dependsOnTime() const
{
    return std::any_of(m_terms.begin(), m_terms.end(), [](const Term &term) { return term.field == Field::Age; });
}

QByteArray targetText(const Target &target)
{
    if (!target.legacyWorker.isEmpty())
        return target.legacyWorker;
    if (target.instance.isEmpty())
        return target.group;
    return target.group + '/' + target.instance;
}

bool accessMatches(const std::vector<TextTest> &tests, const JobAccess &access)
{
    if (access.isEmpty())
        return anyMatches(tests, "none") || anyMatches(tests, "");
    const auto named = [&](const char *word, const QStringList &folders) {
        return !folders.isEmpty()
            && (anyMatches(tests, word) || std::any_of(folders.begin(), folders.end(), [&](const QString &folder) {
                    return anyMatches(tests, folder.toUtf8());
                }));
    };
    return anyMatches(tests, "any") || (access.network && anyMatches(tests, "network"))
        || named("reads", access.readable) || named("writes", access.writable);
}

bool holds(qint64 left, JobFilter::Compare compare, qint64 right)
{
    switch (compare) {
    case JobFilter::Compare::Less:
        return left < right;
    case JobFilter::Compare::LessEqual:
        return left <= right;
    case JobFilter::Compare::Equal:
        return left == right;
    case JobFilter::Compare::GreaterEqual:
        return left >= right;
    case JobFilter::Compare::Greater:
        return left > right;
    }
    return false;
}

} // namespace ym
