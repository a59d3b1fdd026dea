#include "models/filter_parser.h"

namespace ym {

namespace {

constexpr qsizetype mostCandidates = 50;

const QStringList accessWords{QStringLiteral("network"), QStringLiteral("reads"), QStringLiteral("writes"),
                              QStringLiteral("any"), QStringLiteral("none")};

QStringList stateNames()
{
    QStringList names;
    for (int i = 0; i < jobStateCount; ++i)
        names.append(QString::fromLatin1(stateName(JobState(i))));
    return names;
}

QStringList valuesOf(const FilterField &field, const FilterVocabulary &vocabulary)
{
    switch (field.field) {
    case JobFilter::Field::State:
        return stateNames();
    case JobFilter::Field::Type:
        return vocabulary.types;
    case JobFilter::Field::Group:
        return vocabulary.groups;
    case JobFilter::Field::Instance:
        return vocabulary.instances;
    case JobFilter::Field::Caller:
        return vocabulary.callers;
    case JobFilter::Field::Context:
        return vocabulary.contexts;
    case JobFilter::Field::Worker:
        return vocabulary.workers;
    case JobFilter::Field::Access:
        return accessWords + vocabulary.folders;
    case JobFilter::Field::Any:
    case JobFilter::Field::Id:
    case JobFilter::Field::Attempt:
    case JobFilter::Field::Priority:
    case JobFilter::Field::Age:
        return {};
    }
    return {};
}

QString quoted(const QString &value)
{
    const bool needsQuotes =
        value.contains(u' ') || value.contains(u',') || value.contains(u'*') || value.startsWith(u'"');
    return needsQuotes ? u'"' + value + u'"' : value;
}

/// Where the word at the cursor begins: after the last space outside quotes.
qsizetype wordStart(const QString &query, qsizetype cursor)
{
    qsizetype start = 0;
    bool isQuoted = false;
    for (qsizetype i = 0; i < cursor; ++i) {
        if (query[i] == u'"')
            isQuoted = !isQuoted;
        else if (query[i].isSpace() && !isQuoted)
            start = i + 1;
    }
    return start;
}

/// The end of the piece that begins at `start`: a space or, within a list, a comma.
qsizetype pieceEnd(const QString &query, qsizetype start, bool stopsAtComma)
{
    bool isQuoted = false;
    qsizetype end = start;
    for (; end < query.size(); ++end) {
        const QChar c = query[end];
        if (c == u'"')
            isQuoted = !isQuoted;
        else if (!isQuoted && (c.isSpace() || (stopsAtComma && c == u',')))
            break;
    }
    return end;
}

QStringList fieldCandidates(const QString &typed)
{
    QStringList candidates;
    for (const FilterField &field : filterFields()) {
        const QString name = QLatin1String(field.name);
        if (!name.startsWith(typed, Qt::CaseInsensitive))
            continue;
        const bool isOrdered = field.values == FilterField::Values::Number || field.values == FilterField::Values::Age;
        candidates.append(name + (isOrdered ? u'<' : u':'));
        if (isOrdered)
            candidates.append(name + u'>');
    }
    return candidates;
}

QStringList valueCandidates(const QStringList &values, const QString &typed)
{
    QStringList begins;
    QStringList contains;
    for (const QString &value : values) {
        const qsizetype at = value.indexOf(typed, 0, Qt::CaseInsensitive);
        if (at >= 0 && !value.contains(u'"'))
            (at == 0 ? begins : contains).append(quoted(value));
    }
    return (begins + contains).mid(0, mostCandidates);
}

} // namespace

FilterCompletion completeFilter(const QString &query, qsizetype cursor, const FilterVocabulary &vocabulary)
{
    cursor = std::clamp<qsizetype>(cursor, 0, query.size());
    qsizetype start = wordStart(query, cursor);
    if (start < cursor && query[start] == u'-')
        ++start;
    const qsizetype colon = query.indexOf(u':', start);
    if (colon < 0 || colon >= cursor) {
        const QString typed = query.mid(start, cursor - start);
        return {start, pieceEnd(query, start, false) - start, fieldCandidates(typed)};
    }
    const FilterField *field = filterFieldNamed(QStringView(query).mid(start, colon - start));
    if (!field)
        return {cursor, 0, {}};
    qsizetype valueStart = colon + 1;
    for (qsizetype end = pieceEnd(query, valueStart, true); end < cursor && end < query.size() && query[end] == u',';
         end = pieceEnd(query, valueStart, true))
        valueStart = end + 1;
    QString typed = query.mid(valueStart, cursor - valueStart);
    typed.remove(u'"');
    return {valueStart, pieceEnd(query, valueStart, true) - valueStart,
            valueCandidates(valuesOf(*field, vocabulary), typed)};
}

} // namespace ym
