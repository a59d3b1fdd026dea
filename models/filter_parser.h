// Reads the filter line, word by word; see JobFilter for the language.
#pragma once

#include "models/job_filter.h"

#include <optional>

namespace ym {

/// A field of the language: what it is called and how its values are compared.
struct FilterField {
    const char *name;
    JobFilter::Field field;
    enum class Values : quint8 { Text, States, Number, Age } values;
    TextTest::Kind kind;
};

/// All of them, in the order in which they are offered.
const std::array<FilterField, 12> &filterFields();
/// Null when no field has this name, in any case.
const FilterField *filterFieldNamed(QStringView name);

/// Parses one query. Short-lived.
class FilterParser {
    Q_DECLARE_TR_FUNCTIONS(JobFilter)
public:
    explicit FilterParser(const QString &query)
        : m_query(query)
    {
    }

    /// False when there is a problem.
    bool parse(JobFilter &filter);
    const FilterProblem &problem() const { return m_problem; }

private:
    struct Value {
        QString text;
        qsizetype start = 0;
        bool isQuoted = false;
    };

    QChar peek(qsizetype ahead = 0) const;
    bool fail(qsizetype position, qsizetype length, const QString &message);
    bool parseTerm(JobFilter::Term &term);
    bool parseFieldTerm(JobFilter::Term &term, const FilterField &field);
    bool parseFreeWord(JobFilter::Term &term);
    std::optional<JobFilter::Compare> readOperator();
    bool readValue(Value &value, bool stopsAtComma);
    bool readTexts(JobFilter::Term &term, const FilterField &field);
    bool readState(JobFilter::Term &term, const Value &value);
    bool readNumber(JobFilter::Term &term);
    bool readAge(JobFilter::Term &term);

    QString m_query;
    qsizetype m_at = 0;
    FilterProblem m_problem;
};

} // namespace ym
