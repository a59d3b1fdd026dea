// A log file as lines: of any size and content, while it grows, is cut and is searched.
#include "models/log_lines.h"
#include "models/log_search.h"
#include "models/row_split.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <random>
#include <sys/stat.h>

using namespace ym;
using Query = LogSearch::Query;

class TestLogLines : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString path() const { return m_folder.filePath(QStringLiteral("log")); }
    void write(const QByteArray &bytes, QIODevice::OpenMode mode = QIODevice::WriteOnly) const
    {
        QFile file(path());
        if (!file.open(mode) || file.write(bytes) != bytes.size())
            qFatal("the log cannot be written");
    }
    OpenLog opened() const
    {
        OpenLog log{std::make_shared<QFile>(path()), 0};
        if (!log.file->open(QIODevice::ReadOnly))
            qFatal("the log cannot be opened");
        struct stat about { };
        fstat(log.file->handle(), &about);
        log.inode = about.st_ino;
        return log;
    }
    static QStringList all(const LogLines &lines)
    {
        QStringList texts;
        for (qint64 i = 0; i < lines.lineCount(); ++i)
            texts.append(lines.styledLine(i).text);
        return texts;
    }
    /// 40 bytes a line.
    static QByteArray numbered(int from, int to)
    {
        QByteArray bytes;
        for (int i = from; i < to; ++i)
            bytes += QByteArray::number(i).rightJustified(9, '0') + " a line of a log, as they are\n";
        return bytes;
    }

private Q_SLOTS:
    void linesAreWhatAPersonReads_data();
    void linesAreWhatAPersonReads();
    void theEndOfALargeFileIsThereAtOnceAndTheRestFollows();
    void aLineLongerThanTheEndIsReadAsAWhole();
    void coloursHoldUntilTheyAreTurnedOff_data();
    void coloursHoldUntilTheyAreTurnedOff();
    void coloursHoldOverTheWholeFile();
    void growthIsFollowed();
    void whatIsCutStartsOver();
    void whatIsCutWhileItIsReadDoesNoHarm();
    void findsLinesByTextAndExpression_data();
    void findsLinesByTextAndExpression();
    void aSearchBeginsWhereOneLooks();
    void aSearchCanBeGivenUp();
    void anEndlessExpressionEnds();
};

void TestLogLines::linesAreWhatAPersonReads_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QStringList>("lines");
    QTest::newRow("nothing") << QByteArray() << QStringList{};
    QTest::newRow("lines") << QByteArray("a\n\nb\n") << QStringList{"a", "", "b"};
    QTest::newRow("no line end") << QByteArray("a\nb") << QStringList{"a", "b"};
    QTest::newRow("Windows line ends") << QByteArray("a\r\nb\r\n") << QStringList{"a", "b"};
    QTest::newRow("a progress bar") << QByteArray("1 %\r50 %\r100 %\ndone\n") << QStringList{"100 %", "done"};
    QTest::newRow("escape sequences") << QByteArray("\x1b[1mbold\x1b[0m\x1b[2J\x1b]0;t\x07!\n") << QStringList{"bold!"};
    QTest::newRow("bytes that are no text") << QByteArray("a\xff\x80z\n") << QStringList{"a\\xff\\x80z"};
    QTest::newRow("zero bytes") << QByteArray("a\0b\n", 4) << QStringList{"a<U+0000>b"};
    QTest::newRow("right to left controls") << QByteArray("a\xe2\x80\xae" "b\n") << QStringList{"a<U+202E>b"};
    QTest::newRow("a long line") << QByteArray(10'000, 'x') + "\nend\n"
                                 << QStringList{QString(4096, u'x'), QString(4096, u'x'), QString(1808, u'x'), "end"};
    QTest::newRow("a line as long as a row") << QByteArray(4096, 'x') + "\nend" << QStringList{QString(4096, u'x'), "end"};
}

void TestLogLines::linesAreWhatAPersonReads()
{
    QFETCH(QByteArray, bytes);
    write(bytes);
    LogLines lines;
    lines.open(opened());
    QVERIFY(lines.isComplete());
    QTEST(all(lines), "lines");
    QCOMPARE(lines.styledLine(lines.lineCount()), StyledText());
    QCOMPARE(lines.styledLine(-1), StyledText());
}

void TestLogLines::theEndOfALargeFileIsThereAtOnceAndTheRestFollows()
{
    constexpr int count = 500'000;
    write(numbered(0, count));
    LogLines lines;
    QSignalSpy prepended(&lines, &LogLines::linesPrepended);
    lines.open(opened());
    QVERIFY(!lines.isComplete());
    const qint64 shown = lines.lineCount();
    QVERIFY(shown > 20'000 && shown < count);
    QCOMPARE(lines.styledLine(shown - 1).text, QStringLiteral("000499999 a line of a log, as they are"));
    QCOMPARE(lines.styledLine(0).text.left(9).toInt(), count - shown);
    QTRY_VERIFY(lines.isComplete());
    QCOMPARE(prepended.size(), 1);
    QCOMPARE(prepended[0][0].toLongLong(), count - shown);
    QCOMPARE(lines.lineCount(), count);
    std::mt19937 random(1);
    for (int i = 0; i < 2000; ++i) {
        const int line = int(random() % count);
        QCOMPARE(lines.styledLine(line).text.left(9).toInt(), line);
    }
}

void TestLogLines::aLineLongerThanTheEndIsReadAsAWhole()
{
    write(QByteArray(5 << 20, 'x') + "\nend");
    LogLines lines;
    lines.open(opened());
    QTRY_VERIFY(lines.isComplete());
    QCOMPARE(lines.lineCount(), (5 << 20) / longestRow + 1);
    QCOMPARE(lines.styledLine(0).text, QString(longestRow, u'x'));
    QCOMPARE(lines.styledLine(lines.lineCount() - 1).text, QStringLiteral("end"));
}

void TestLogLines::coloursHoldUntilTheyAreTurnedOff_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QList<int>>("colours"); // of the first character of each line; -1: none
    QTest::newRow("none") << QByteArray("a\nb\n") << QList<int>{-1, -1};
    QTest::newRow("left open") << QByteArray("\x1b[31ma\nb\nc\x1b[0m\nd") << QList<int>{1, 1, 1, -1};
    QTest::newRow("changed") << QByteArray("\x1b[31ma\x1b[32m\nb\n\x1b[mc\n") << QList<int>{1, 2, -1};
    QTest::newRow("turned off by its own number") << QByteArray("\x1b[31ma\n\x1b[39mb\nc") << QList<int>{1, -1, -1};
    QTest::newRow("on an empty line") << QByteArray("\x1b[34m\n\na") << QList<int>{-1, -1, 4};
    QTest::newRow("in what a progress bar replaced") << QByteArray("\x1b[33m1 %\r2 %\nb") << QList<int>{3, 3};
    QTest::newRow("behind a title") << QByteArray("\x1b]0;\x1b[35mtitle\x07\nb") << QList<int>{5, 5};
    QTest::newRow("as a control of eight bits") << QByteArray("\xc2\x9b" "36ma\nb") << QList<int>{6, 6};
    QTest::newRow("over a long line") << "\x1b[31m" + QByteArray(10'000, 'x') + "\nb\x1b[0m" << QList<int>{1, 1, 1, 1};
    QTest::newRow("a line that is not over") << QByteArray("\x1b[31ma\nb\nc") << QList<int>{1, 1, 1};
}

void TestLogLines::coloursHoldUntilTheyAreTurnedOff()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QList<int>, colours);
    write(bytes);
    LogLines lines;
    lines.open(opened());
    QList<int> shown;
    for (qint64 i = lines.lineCount(); i > 0; --i) { // from the end: nothing may depend on what was drawn before
        const StyledText line = lines.styledLine(i - 1);
        const bool isColoured = !line.runs.empty() && line.runs.front().start == 0;
        shown.prepend(isColoured ? int(line.runs.front().style.foreground.value) : -1);
    }
    QCOMPARE(shown, colours);
}

void TestLogLines::coloursHoldOverTheWholeFile()
{
    // Every thousandth line changes the colour, and each line says which one holds.
    QByteArray bytes;
    QList<int> colours;
    for (int i = 0; i < 200'000; ++i) {
        if (i % 1000 == 7)
            bytes += "\x1b[" + QByteArray::number(31 + i / 1000 % 6) + 'm';
        colours.append(i < 7 ? -1 : 1 + (i - 7) / 1000 % 6);
        bytes += "one of many lines of a coloured log\n";
    }
    write(bytes);
    LogLines lines;
    lines.open(opened());
    QVERIFY(!lines.isComplete());
    QTRY_VERIFY(lines.isComplete());
    QCOMPARE(lines.lineCount(), colours.size());
    for (int i = 0; i < colours.size(); i += i % 1000 < 20 ? 1 : 37) {
        const StyledText line = lines.styledLine(i);
        const int shown = line.runs.empty() ? -1 : int(line.runs.front().style.foreground.value);
        if (shown != colours[i])
            QFAIL(qPrintable(QStringLiteral("line %1: %2, not %3").arg(i).arg(shown).arg(colours[i])));
    }
}

void TestLogLines::growthIsFollowed()
{
    write("one\ntw");
    LogLines lines;
    lines.open(opened());
    QCOMPARE(all(lines), (QStringList{"one", "tw"}));
    QSignalSpy changed(&lines, &LogLines::linesChanged);
    QSignalSpy appended(&lines, &LogLines::linesAppended);
    lines.look();
    QCOMPARE(changed.size() + appended.size(), 0);
    write("o\nthree\nfour", QIODevice::Append);
    lines.look();
    QCOMPARE(all(lines), (QStringList{"one", "two", "three", "four"}));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed[0][0].toLongLong(), 1);
    QCOMPARE(appended[0][0].toLongLong(), 2);
    QCOMPARE(appended[0][1].toLongLong(), 2);
    write("\n" + numbered(0, 100'000), QIODevice::Append); // more than is gone through at once
    lines.look();
    QTRY_COMPARE(lines.lineCount(), 100'004);
    QCOMPARE(lines.styledLine(100'003).text.left(9), QStringLiteral("000099999"));
}

void TestLogLines::whatIsCutStartsOver()
{
    write("one\ntwo\nthree\n");
    LogLines lines;
    lines.open(opened());
    QSignalSpy restarted(&lines, &LogLines::restarted);
    write("new\n"); // the same file, cut
    lines.look();
    QCOMPARE(restarted.size(), 1);
    QCOMPARE(all(lines), QStringList{"new"});
    QFile::remove(path());
    write("another\n");
    const OpenLog other = opened();
    QVERIFY(other.inode != lines.inode());
    lines.open(other);
    QCOMPARE(all(lines), QStringList{"another"});
}

void TestLogLines::whatIsCutWhileItIsReadDoesNoHarm()
{
    write(numbered(0, 300'000));
    LogLines lines;
    lines.open(opened());
    QVERIFY(QFile::resize(path(), 100)); // before anybody has looked
    QTRY_VERIFY(lines.isComplete());
    for (qint64 i = 0; i < lines.lineCount(); i += 997)
        QVERIFY(lines.styledLine(i).text.size() <= 39);
    lines.look();
    QCOMPARE(lines.lineCount(), 3);
}

void TestLogLines::findsLinesByTextAndExpression_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isExpression");
    QTest::addColumn<bool>("isCaseSensitive");
    QTest::addColumn<QList<int>>("rows");
    QTest::newRow("text") << "needle" << false << false << QList<int>{1, 3, 50'004};
    QTest::newRow("text in its case") << "Needle" << false << true << QList<int>{3};
    QTest::newRow("text that looks like an expression") << "a.b*" << false << false << QList<int>{2};
    QTest::newRow("expression") << "^N.*e$" << true << false << QList<int>{3, 50'004};
    QTest::newRow("through colours") << "red needle" << false << false << QList<int>{1};
    QTest::newRow("a number") << "000049999 a" << false << false << QList<int>{50'002};
    QTest::newRow("nothing") << "haystack" << false << false << QList<int>{};
    QTest::newRow("no expression") << "(" << true << false << QList<int>{};
    QTest::newRow("not text, but shown") << "\\xff" << false << false << QList<int>{50'005};
}

void TestLogLines::findsLinesByTextAndExpression()
{
    QFETCH(QString, text);
    QFETCH(bool, isExpression);
    QFETCH(bool, isCaseSensitive);
    QFETCH(QList<int>, rows);
    QByteArray bytes = "first\n\x1b[31mred \x1b[1mneedle\x1b[0m\nA.B*\nNeedle";
    bytes += "\n" + numbered(1, 50'000) + "\nneedle\nbad \xff";
    write(bytes);
    LogLines lines;
    lines.open(opened());
    LogSearch search;
    const Query query{text, isExpression ? Query::Kind::Expression : Query::Kind::Text, isCaseSensitive ? Qt::CaseSensitive : Qt::CaseInsensitive};
    search.start(lines.file(), lines.fileSize(), LogSearch::expressionOf(query));
    QTRY_VERIFY(!search.isRunning());
    QList<int> found;
    for (const qint64 row : search.rows())
        found.append(int(row));
    QCOMPARE(found, rows);
    QCOMPARE(search.matchingRows(), rows.size());
    if (rows.isEmpty())
        return;
    QCOMPARE(search.after(-1), rows.first());
    QCOMPARE(search.after(rows.last()), -1);
    QCOMPARE(search.before(rows.first()), -1);
    QCOMPARE(search.before(1'000'000), rows.last());
}

void TestLogLines::aSearchBeginsWhereOneLooks()
{
    write(numbered(0, 400'000));
    LogLines lines;
    lines.open(opened());
    QTRY_VERIFY(lines.isComplete());
    const LogPlace from = lines.placeBefore(300'000);
    QVERIFY(from.row > 299'000 && from.row <= 300'000);
    LogSearch search;
    QList<qint64> firsts;
    connect(&search, &LogSearch::changed, this, [&] {
        if (!search.rows().empty())
            firsts.append(search.rows().front());
    });
    search.start(lines.file(), lines.fileSize(),
                 LogSearch::expressionOf({QStringLiteral("^0[0-9]*7 a"), Query::Kind::Expression}), from);
    QTRY_VERIFY(!search.isRunning());
    QCOMPARE(search.matchingRows(), 40'000);
    QCOMPARE(search.rows().size(), size_t(40'000));
    for (size_t i = 0; i < search.rows().size(); ++i)
        QCOMPARE(search.rows()[i], qint64(i) * 10 + 7);
    QCOMPARE(firsts.last(), 7);
    QCOMPARE(search.after(300'000), 300'007);
    QCOMPARE(search.before(300'000), 299'997);
}

void TestLogLines::aSearchCanBeGivenUp()
{
    write(numbered(0, 1'000'000));
    LogLines lines;
    lines.open(opened());
    LogSearch search;
    search.start(lines.file(), lines.fileSize(), LogSearch::expressionOf({QStringLiteral("line"), Query::Kind::Text}));
    QTRY_VERIFY(search.matchingRows() > 0);
    QVERIFY(search.isRunning());
    search.cancel();
    QVERIFY(!search.isRunning());
    const qint64 found = search.matchingRows();
    QVERIFY(found > 0 && found < 1'000'000);
}

void TestLogLines::anEndlessExpressionEnds()
{
    write(QByteArray(4000, 'a') + "\n" + QByteArray(4000, 'a') + "b\n");
    LogLines lines;
    lines.open(opened());
    LogSearch search;
    search.start(lines.file(), lines.fileSize(), LogSearch::expressionOf({QStringLiteral("^(a+)+$"), Query::Kind::Expression}));
    QTRY_VERIFY(!search.isRunning());
}

QTEST_GUILESS_MAIN(TestLogLines)
#include "tst_log_lines.moc"
