#include "models/filter_parser.h"

#include <algorithm>

namespace ym {

namespace {

using Field = JobFilter::Field;
using Values = FilterField::Values;
using Kind = TextTest::Kind;

constexpr std::array<FilterField, 12> fields{{
    {"state", Field::State, Values::States, Kind::Begins},
    {"type", Field::Type, Values::Text, Kind::Whole},
    {"group", Field::Group, Values::Text, Kind::Whole},
    {"inst", Field::Instance, Values::Text, Kind::Whole},
    {"caller", Field::Caller, Values::Text, Kind::Contains},
    {"context", Field::Context, Values::Text, Kind::Contains},
    {"worker", Field::Worker, Values::Text, Kind::Contains},
    {"id", Field::Id, Values::Text, Kind::Begins},
    {"access", Field::Access, Values::Text, Kind::Begins},
    {"attempt", Field::Attempt, Values::Number, Kind::Whole},
    {"prio", Field::Priority, Values::Number, Kind::Whole},
    {"age", Field::Age, Values::Age, Kind::Whole},
}};

struct AgeUnit {
    char16_t letter;
    qint64 ms;
};
constexpr AgeUnit ageUnits[] = {
    {u's', 1'000}, {u'm', 60'000}, {u'h', 3'600'000}, {u'd', 86'400'000}, {u'w', 7LL * 86'400'000}};
constexpr qint64 longestAge = 100LL * 366 * 86'400'000;

bool isLetter(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z');
}

bool isOperator(QChar c)
{
    return c == u':' || c == u'=' || c == u'<' || c == u'>';
}

/// Bits of the states whose name fits; `test` is asked with each name.
template <typename Test> quint32 statesWhere(Test test)
{
    quint32 states = 0;
    for (int i = 0; i < jobStateCount; ++i) {
        if (test(QByteArray(stateName(JobState(i)))))
            states |= 1u << i;
    }
    return states;
}

} // namespace

const std::array<FilterField, 12> &filterFields()
{
    return fields;
}

const FilterField *filterFieldNamed(QStringView name)
{
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const FilterField &field) {
        return name.compare(QLatin1String(field.name), Qt::CaseInsensitive) == 0;
    });
    return found == fields.end() ? nullptr : &*found;
}

bool FilterParser::parse(JobFilter &filter)
{
    std::vector<JobFilter::Term> terms;
    for (;;) {
        while (peek().isSpace())
            ++m_at;
        if (m_at >= m_query.size())
            break;
        JobFilter::Term term;
        if (!parseTerm(term))
            return false;
        terms.push_back(std::move(term));
    }
    filter.m_query = m_query;
    filter.m_terms = std::move(terms);
    return true;
}

QChar FilterParser::peek(qsizetype ahead) const
{
    return m_at + ahead < m_query.size() ? m_query[m_at + ahead] : QChar();
}

bool FilterParser::fail(qsizetype position, qsizetype length, const QString &message)
{
    m_problem = {position, length, message};
    return false;
}

bool FilterParser::parseTerm(JobFilter::Term &term)
{
    if (peek() == u'-') {
        term.negated = true;
        ++m_at;
        if (peek().isNull() || peek().isSpace())
            return fail(m_at - 1, 1, tr("Write a word after the minus sign, or put the sign in quotes."));
    }
    qsizetype length = 0;
    while (isLetter(peek(length)))
        ++length;
    if (length == 0 || !isOperator(peek(length)))
        return parseFreeWord(term);
    const FilterField *field = filterFieldNamed(QStringView(m_query).mid(m_at, length));
    if (!field)
        return fail(m_at, length,
                    tr("There is no field “%1”. To search for this text, put it in quotes.")
                        .arg(m_query.mid(m_at, std::min<qsizetype>(length, 40))));
    m_at += length;
    return parseFieldTerm(term, *field);
}

bool FilterParser::parseFieldTerm(JobFilter::Term &term, const FilterField &field)
{
    const qsizetype start = m_at;
    term.field = field.field;
    term.compare = *readOperator();
    const bool isOrder = term.compare != JobFilter::Compare::Equal;
    const QString name = QLatin1String(field.name);
    if (peek().isNull() || peek().isSpace())
        return fail(m_at, 0, tr("Write a value after “%1”.").arg(name + m_query.mid(start, m_at - start)));
    switch (field.values) {
    case Values::Number:
        return readNumber(term);
    case Values::Age:
        return isOrder ? readAge(term) : fail(start, 1, tr("Compare an age with < or >, for example “age<1h”."));
    case Values::Text:
    case Values::States:
        return isOrder ? fail(start, 1, tr("Write “%1:” and a value; < and > are for attempt, prio and age.").arg(name))
                       : readTexts(term, field);
    }
    return false;
}

bool FilterParser::parseFreeWord(JobFilter::Term &term)
{
    Value value;
    if (!readValue(value, false))
        return false;
    term.field = Field::Any;
    term.texts.emplace_back(Kind::Contains, value.text, false);
    const TextTest &test = term.texts.back();
    term.states = statesWhere([&](const QByteArray &name) { return test.matches(name); });
    return true;
}

std::optional<JobFilter::Compare> FilterParser::readOperator()
{
    using Compare = JobFilter::Compare;
    const QChar first = peek();
    const bool orEqual = (first == u'<' || first == u'>') && peek(1) == u'=';
    m_at += orEqual ? 2 : 1;
    if (first == u'<')
        return orEqual ? Compare::LessEqual : Compare::Less;
    if (first == u'>')
        return orEqual ? Compare::GreaterEqual : Compare::Greater;
    return Compare::Equal;
}

bool FilterParser::readValue(Value &value, bool stopsAtComma)
{
    value = {{}, m_at, peek() == u'"'};
    if (value.isQuoted) {
        const qsizetype end = m_query.indexOf(u'"', m_at + 1);
        if (end < 0)
            return fail(m_at, m_query.size() - m_at, tr("Close the quotes."));
        value.text = m_query.mid(m_at + 1, end - m_at - 1);
        m_at = end + 1;
        return true;
    }
    while (!peek().isNull() && !peek().isSpace() && !(stopsAtComma && peek() == u','))
        value.text += m_query[m_at++];
    return true;
}

bool FilterParser::readTexts(JobFilter::Term &term, const FilterField &field)
{
    for (;;) {
        Value value;
        if (!readValue(value, true))
            return false;
        if (value.text.isEmpty() && !value.isQuoted)
            return fail(m_at, 0, tr("Write a value here, or take the comma away."));
        if (field.values == Values::States) {
            if (!readState(term, value))
                return false;
        } else {
            term.texts.emplace_back(value.text.isEmpty() ? Kind::Whole : field.kind, value.text, !value.isQuoted);
        }
        if (peek() != u',')
            return true;
        ++m_at;
    }
}

bool FilterParser::readState(JobFilter::Term &term, const Value &value)
{
    const TextTest begins(Kind::Begins, value.text, false);
    const quint32 found = statesWhere([&](const QByteArray &name) { return begins.matches(name); });
    if (found == 0 || value.text.isEmpty())
        return fail(value.start, m_at - value.start,
                    tr("There is no such state. States are waiting, scheduled, queued, running, finished, failed, "
                       "dead, unknown."));
    term.states |= found;
    return true;
}

bool FilterParser::readNumber(JobFilter::Term &term)
{
    Value value;
    if (!readValue(value, false))
        return false;
    bool isNumber = false;
    term.number = value.text.toInt(&isNumber);
    return isNumber || fail(value.start, m_at - value.start, tr("Write a whole number here."));
}

bool FilterParser::readAge(JobFilter::Term &term)
{
    Value value;
    if (!readValue(value, false))
        return false;
    const auto wrong = [&] {
        return fail(value.start, m_at - value.start,
                    tr("Write an age here: a number and s, m, h, d or w, for example 10m or 1h30m."));
    };
    qint64 number = -1;
    for (const QChar c : std::as_const(value.text)) {
        if (c >= u'0' && c <= u'9') {
            number = std::max<qint64>(number, 0) * 10 + (c.unicode() - u'0');
            if (number > longestAge)
                return wrong();
            continue;
        }
        const auto unit = std::find_if(std::begin(ageUnits), std::end(ageUnits),
                                       [&](const AgeUnit &u) { return c.toLower() == QChar(u.letter); });
        if (unit == std::end(ageUnits) || number < 0 || number > longestAge / unit->ms)
            return wrong();
        term.number += number * unit->ms;
        number = -1;
    }
    return number < 0 || wrong();
}

Result<JobFilter> JobFilter::parse(const QString &query, FilterProblem *problem)
{
    JobFilter filter;
    FilterParser parser(query);
    if (parser.parse(filter))
        return filter;
    if (problem)
        *problem = parser.problem();
    return failure(ErrorKind::Usage, parser.problem().message);
}

} // namespace ym
