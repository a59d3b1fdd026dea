// One look at many lines finds what one look at each line finds.
#include "models/line_expression.h"
#include "models/log_search.h"

#include <QTest>

#include <random>

using namespace ym;

namespace {

QList<int> foundOneByOne(const QRegularExpression &expression, const QStringList &lines)
{
    QList<int> found;
    for (int i = 0; i < lines.size(); ++i) {
        if (expression.match(lines[i]).hasMatch())
            found.append(i);
    }
    return found;
}

QList<int> foundAtOnce(const QRegularExpression &expression, const QStringList &lines)
{
    const QString text = lines.join(u'\n') + u'\n';
    QList<int> found;
    int line = 0;
    for (qsizetype at = 0; at < text.size();) {
        const QRegularExpressionMatch match = expression.match(text, at);
        if (!match.hasMatch() || match.capturedStart() == text.size())
            break; // behind the last line end is no line
        line += int(QStringView(text).sliced(at, match.capturedStart() - at).count(u'\n'));
        found.append(line++);
        at = text.indexOf(u'\n', match.capturedStart()) + 1;
    }
    return found;
}

} // namespace

class TestLineExpression : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refusesWhatMayReachIntoOtherLines_data();
    void refusesWhatMayReachIntoOtherLines();
    void findsTheSameLines();
};

void TestLineExpression::refusesWhatMayReachIntoOtherLines_data()
{
    QTest::addColumn<QString>("pattern");
    for (const char *pattern :
         {"a\\nb", "a\\R", "[\\s]", "[\\D]", "[\\n]", "[[:space:]]", "(?s)a.b", "(?x) a", "\\x0a", "\\012", "\\Qa\\E",
          "[\\x00-z]", "(?|a|b)", "(?(1)a)", "(?R)", "(*CR)a", "\\N", "\\X", "\\C", "\\pZ", "a\\K", "\\G", "\\v",
          "[\t-z]", "[a", "a\\"})
        QTest::newRow(pattern) << QString::fromLatin1(pattern);
}

void TestLineExpression::refusesWhatMayReachIntoOtherLines()
{
    QFETCH(QString, pattern);
    QVERIFY(!acrossLines(QRegularExpression(pattern)));
}

void TestLineExpression::findsTheSameLines()
{
    static const QStringList pieces{
        "a",      "b",      "ab",     " ",       ".",      ".*",     ".+",   ".?",    "[ab]",    "[^a]",  "[^a]*",
        "[^ab]+", "\\s",    "\\s*",   "\\S+",    "\\d",    "\\D",    "\\D+", "\\W",   "\\W*",    "\\w+",  "\\b",
        "\\B",    "^",      "$",      "\\A",     "\\z",    "\\Z",    "(a)",  "(?:b)", "(?=a)",   "(?!a)", "(?<=a)",
        "(?<!b)", "(?<!.)", "(?!.)",  "a|",      "(a|b)*", "(?>a+)", "a*+",  "a{2}",  "b{1,2}?", "\\.",   "[]a]",
        "[^]a]",  "[\\d.]", "(?i)A",  "(a)\\1", "1",      "x*",     "|",    "\\t",   "[^\\S]",  "[\\w-]"};
    static const QStringList words{"a", "b", "aa", "ab", " ", "1", ".", "", "x", "\t", "A", "-", "é", "]"};
    std::mt19937 random(7);
    const auto below = [&random](qsizetype limit) { return qsizetype(random() % quint32(limit)); };
    int rewritten = 0;
    int different = 0;
    for (int round = 0; round < 20'000; ++round) {
        QString pattern;
        for (qsizetype i = 1 + below(4); i > 0; --i)
            pattern += pieces[below(pieces.size())];
        const auto kind = below(8) == 0 ? LogSearch::Query::Kind::Text : LogSearch::Query::Kind::Expression;
        const QRegularExpression line = LogSearch::expressionOf({pattern, kind, below(2) ? Qt::CaseSensitive : Qt::CaseInsensitive});
        static const QRegularExpression largeReference(QStringLiteral("\\\\1\\d")); // not taken, and rightly
        if (!line.isValid() || pattern.contains(largeReference))
            continue;
        QStringList lines;
        for (qsizetype i = 1 + below(8); i > 0; --i) {
            QString text;
            for (qsizetype j = below(5); j > 0; --j)
                text += words[below(words.size())];
            lines.append(text);
        }
        const auto across = acrossLines(line);
        QVERIFY2(across, qPrintable(pattern));
        ++rewritten;
        const QList<int> expected = foundOneByOne(line, lines);
        different += !expected.isEmpty() && expected.size() < lines.size();
        if (foundAtOnce(*across, lines) != expected)
            QFAIL(qPrintable(pattern + QStringLiteral(" in ") + lines.join(QStringLiteral(" / "))));
    }
    QVERIFY2(rewritten > 10'000 && different > 2'000, qPrintable(QStringLiteral("%1 %2").arg(rewritten).arg(different)));
}

QTEST_GUILESS_MAIN(TestLineExpression)
#include "tst_line_expression.moc"
