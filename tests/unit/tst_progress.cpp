// Progress lines: which ones count, and that nothing else is lost.
#include "core/job/progress.h"

#include <QTest>

#include <random>

using namespace ym;

class TestProgress : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsOnlyWhatIsInBounds_data();
    void readsOnlyWhatIsInBounds();
    void takesItsLinesOutAndLeavesTheRest_data();
    void takesItsLinesOutAndLeavesTheRest();
    void cutsDoNotMatter();
    void aFloodOfThemIsOnlyTheLast();
};

void TestProgress::readsOnlyWhatIsInBounds_data()
{
    QTest::addColumn<QByteArray>("words");
    QTest::addColumn<QByteArray>("written"); ///< empty: it is none
    QTest::newRow("two numbers") << QByteArray("3 10") << QByteArray("3 10");
    QTest::newRow("a text") << QByteArray("3 10 reading  files") << QByteArray("3 10 reading  files");
    QTest::newRow("done") << QByteArray("10 10") << QByteArray("10 10");
    QTest::newRow("more than all") << QByteArray("12 10") << QByteArray("10 10");
    QTest::newRow("a total of 0") << QByteArray("0 0") << QByteArray();
    QTest::newRow("negative") << QByteArray("-1 10") << QByteArray();
    QTest::newRow("a negative total") << QByteArray("1 -10") << QByteArray();
    QTest::newRow("a sign") << QByteArray("+1 10") << QByteArray();
    QTest::newRow("no number") << QByteArray("nan 10") << QByteArray();
    QTest::newRow("infinite") << QByteArray("1 inf") << QByteArray();
    QTest::newRow("a fraction") << QByteArray("0.5 1") << QByteArray();
    QTest::newRow("one number") << QByteArray("5") << QByteArray();
    QTest::newRow("nothing") << QByteArray("") << QByteArray();
    QTest::newRow("eighteen digits") << QByteArray("1 999999999999999999") << QByteArray("1 999999999999999999");
    QTest::newRow("nineteen digits") << QByteArray("1 1000000000000000000") << QByteArray();
    QTest::newRow("a thousand digits") << "1 " + QByteArray(1000, '9') << QByteArray();
    QTest::newRow("a long text") << "1 2 " + QByteArray(400, 'x') << "1 2 " + QByteArray(200, 'x');
    QTest::newRow("a long text of two-byte characters") << "1 2 x" + QByteArray("ä").repeated(200) << "1 2 x" + QByteArray("ä").repeated(99);
}

void TestProgress::readsOnlyWhatIsInBounds()
{
    QFETCH(QByteArray, words);
    const auto progress = readProgress(words);
    QTEST(progress ? writeProgress(*progress) : QByteArray(), "written");
    if (!progress)
        return;
    QVERIFY(progress->percent() >= 0 && progress->percent() <= 100);
    QCOMPARE(readProgress(writeProgress(*progress)), progress);
}

void TestProgress::takesItsLinesOutAndLeavesTheRest_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("rest");
    QTest::addColumn<QByteArray>("progress");
    const auto row = [](const char *name, const QByteArray &bytes, const QByteArray &rest, const QByteArray &progress) {
        QTest::newRow(name) << bytes << rest << progress;
    };
    row("none", "a\nb\n", "a\nb\n", "");
    row("one", "::progress 1 2\n", "", "1 2");
    row("between lines", "a\n::progress 1 2 half\nb\n", "a\nb\n", "1 2 half");
    row("several", "::progress 1 3\n::progress 2 3\nx\n::progress 3 3\n", "x\n", "3 3");
    row("a Windows line end", "::progress 1 2\r\nx", "x", "1 2");
    row("not at the start of a line", "a ::progress 1 2\n", "a ::progress 1 2\n", "");
    row("out of bounds stays", "::progress 1 0\nx\n", "::progress 1 0\nx\n", "");
    row("only alike", "::progression\n:: progress 1 2\n::prog", "::progression\n:: progress 1 2\n::prog", "");
    row("endless", "::progress 1 2 " + QByteArray(600, 'x') + "\n", "::progress 1 2 " + QByteArray(600, 'x') + "\n", "");
    row("not ended", "::progress 1 2", "::progress 1 2", "");
}

void TestProgress::takesItsLinesOutAndLeavesTheRest()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, rest);
    for (const qsizetype size : {qsizetype(1), qsizetype(2), qsizetype(7), bytes.size()}) {
        ProgressLines lines;
        QByteArray left;
        for (qsizetype at = 0; at < bytes.size(); at += size)
            left += lines.feed(bytes.mid(at, size));
        left += lines.flush();
        QCOMPARE(left, rest);
        QTEST(writeProgress(lines.progress()), "progress");
    }
}

void TestProgress::cutsDoNotMatter()
{
    std::mt19937 random(11);
    const QList<QByteArray> pieces{"::progress ", "1 2", "\n", "x", "::", "progress", " ", "7 9 text", "0 0", "\r"};
    for (int round = 0; round < 500; ++round) {
        QByteArray bytes;
        for (int i = 0; i < 40; ++i)
            bytes += pieces[int(random() % size_t(pieces.size()))];
        ProgressLines whole;
        QByteArray expected = whole.feed(bytes);
        expected += whole.flush();
        ProgressLines cut;
        QByteArray left;
        for (qsizetype at = 0; at < bytes.size();) {
            const qsizetype size = 1 + qsizetype(random() % 9);
            left += cut.feed(bytes.mid(at, size));
            at += size;
        }
        left += cut.flush();
        QCOMPARE(left, expected);
        QCOMPARE(cut.progress(), whole.progress());
    }
}

void TestProgress::aFloodOfThemIsOnlyTheLast()
{
    QByteArray bytes;
    for (int i = 1; i <= 100'000; ++i)
        bytes += "::progress " + QByteArray::number(i) + " 100000\n";
    ProgressLines lines;
    QVERIFY(lines.feed(bytes).isEmpty());
    QCOMPARE(lines.progress().done, 100'000);
    QCOMPARE(lines.progress().percent(), 100);
}

QTEST_GUILESS_MAIN(TestProgress)
#include "tst_progress.moc"
