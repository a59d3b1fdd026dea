// The query language of the filter line: parsed once, then asked of every job.
#pragma once

#include "core/base/error.h"
#include "core/job/job.h"

#include <QCoreApplication>
#include <QString>

#include <array>
#include <vector>

namespace ym {

/// Why a query cannot be read, and where.
struct FilterProblem {
    qsizetype position = 0; ///< of the first character that is wrong, in the query text
    qsizetype length = 0; ///< how many characters to mark; 0 at the end of the text
    QString message; ///< one sentence that says what to write
    bool operator==(const FilterProblem &) const = default;
};

/// One text test: case-insensitive, prepared once. Thread: a const object may be asked from every thread.
class TextTest {
public:
    enum class Kind : quint8 { Contains, Begins, Whole };
    TextTest() = default;
    /// `pattern` as typed; with `wildcards` each `*` stands for any text and the whole value must fit.
    TextTest(Kind kind, const QString &pattern, bool wildcards);

    bool matches(QByteArrayView text) const;
    /// False when no UUID in its usual form can match: spares formatting a million of them.
    bool canMatchUuid() const { return m_canMatchUuid; }

private:
    bool matchesPlain(QByteArrayView text) const;
    bool matchesParts(const QString &text) const;

    Kind m_kind = Kind::Contains;
    bool m_isPlain = true; ///< ASCII without wildcards: m_plain, else m_parts
    bool m_canMatchUuid = true;
    QByteArray m_plain; ///< lower case
    std::vector<QString> m_parts; ///< folded, between the wildcards
};

/// A query over jobs. All terms must match:
///   free words            in id, type, target, caller, context, worker or state
///   state:running,failed  any of the states; a beginning of the name is enough
///   type: group: inst:    the whole value, `*` stands for anything, a comma for "or"
///   id:                   the beginning of the id
///   caller: context: worker:  a part of the value
///   access:               network, reads, writes, any, none, or the beginning of a folder that it asks for
///   attempt>1  prio=0     < <= > >= = and `:`
///   age<1h  age>10m       since the job was created; s m h d w
///   -word  -type:v        not
///   "two words"           quotes keep spaces, commas and minus signs
/// A value type; a const object may be asked from every thread.
class JobFilter {
    Q_DECLARE_TR_FUNCTIONS(JobFilter)
public:
    enum class Field : quint8 {
        Any,
        Id,
        State,
        Type,
        Group,
        Instance,
        Caller,
        Context,
        Worker,
        Attempt,
        Priority,
        Access,
        Age
    };
    enum class Compare : quint8 { Less, LessEqual, Equal, GreaterEqual, Greater };
    struct Term {
        Field field = Field::Any;
        bool negated = false;
        std::vector<TextTest> texts; ///< any of them; for the text fields
        quint32 states = 0; ///< bit per JobState; for State, and for Any: states whose name matches
        Compare compare = Compare::Equal;
        qint64 number = 0; ///< attempts, priority, or an age in ms
    };

    /// Matches everything.
    JobFilter() = default;
    static Result<JobFilter> parse(const QString &query, FilterProblem *problem = nullptr);

    /// `now` is what ages are counted from.
    bool matches(const JobSummary &job, Timestamp now) const;

    bool isEmpty() const { return m_terms.empty(); }
    /// True when a job may begin or cease to match only because time passes.
    bool dependsOnTime() const;
    QString query() const { return m_query; }
    const std::vector<Term> &terms() const { return m_terms; }

private:
    friend class FilterParser;
    QString m_query;
    std::vector<Term> m_terms;
};

/// What the Target column shows: group/instance, or the legacy worker; empty for "any".
QByteArray targetText(const Target &target);

/// Whether one of the tests fits a word of what a job asks for beyond the defaults.
bool accessMatches(const std::vector<TextTest> &tests, const JobAccess &access);

/// Whether `left` stands in the relation to `right`.
bool holds(qint64 left, JobFilter::Compare compare, qint64 right);

/// What the filter line can offer after `field:`; each list sorted, without duplicates, at most 200 entries.
struct FilterVocabulary {
    QStringList types, groups, instances, callers, contexts, workers, folders;
};

/// Candidates for the word at the cursor; taking one replaces [start, start + length) of the query.
struct FilterCompletion {
    qsizetype start = 0;
    qsizetype length = 0;
    QStringList candidates; ///< complete replacements: "state:", "running", "\"two words\""
};
FilterCompletion completeFilter(const QString &query, qsizetype cursor, const FilterVocabulary &vocabulary);

} // namespace ym
