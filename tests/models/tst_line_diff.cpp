// Comparing two outputs line by line.
#include "models/line_diff.h"

#include <QElapsedTimer>
#include <QTest>

#include <random>

using namespace ym;
using Kind = StyledText::Kind;

class TestLineDiff : public QObject {
    Q_OBJECT

    /// " same", "-only before", "+only after".
    static QStringList marked(const LineDiff &diff)
    {
        QStringList lines;
        for (const StyledText &line : diff.lines)
            lines.append((line.kind == Kind::Added ? u'+' : line.kind == Kind::Removed ? u'-' : u' ') + line.text);
        return lines;
    }

private Q_SLOTS:
    void findsWhatDiffers_data();
    void findsWhatDiffers();
    void bothTextsCanBeReadOutOfIt();
    void isBoundedForLargeTexts();
};

void TestLineDiff::findsWhatDiffers_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QStringList>("lines");
    QTest::newRow("nothing and nothing") << QByteArray() << QByteArray() << QStringList{};
    QTest::newRow("the same") << QByteArray("a\nb\n") << QByteArray("a\nb\n") << QStringList{" a", " b"};
    QTest::newRow("only after") << QByteArray() << QByteArray("a\n") << QStringList{"+a"};
    QTest::newRow("only before") << QByteArray("a\n") << QByteArray() << QStringList{"-a"};
    QTest::newRow("a line in the middle") << QByteArray("a\nb\nc\n") << QByteArray("a\nx\nc\n") << QStringList{" a", "-b", "+x", " c"};
    QTest::newRow("a line more") << QByteArray("a\nc\n") << QByteArray("a\nb\nc\n") << QStringList{" a", "+b", " c"};
    QTest::newRow("a line end") << QByteArray("a\r\nb") << QByteArray("a\nb\n") << QStringList{" a", " b"};
    QTest::newRow("colours do not count") << QByteArray("\x1b[31ma\x1b[0m\n") << QByteArray("a\n") << QStringList{" a"};
    QTest::newRow("moved") << QByteArray("a\nb\nc\n") << QByteArray("c\na\nb\n") << QStringList{"+c", " a", " b", "-c"};
}

void TestLineDiff::findsWhatDiffers()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const LineDiff diff = compareLines(before, after);
    QTEST(marked(diff), "lines");
    QVERIFY(!diff.isCut && !diff.isRough);
}

void TestLineDiff::bothTextsCanBeReadOutOfIt()
{
    std::mt19937 random(5);
    for (int round = 0; round < 500; ++round) {
        const auto text = [&] {
            QByteArray bytes;
            const int lines = int(random() % 30);
            for (int i = 0; i < lines; ++i)
                bytes += QByteArray::number(int(random() % 4)) + '\n';
            return bytes;
        };
        const QByteArray before = text(), after = text();
        const LineDiff diff = compareLines(before, after);
        QByteArray left, right;
        qint64 kept = 0;
        for (const StyledText &line : diff.lines) {
            if (line.kind != Kind::Added)
                left += line.text.toUtf8() + '\n';
            if (line.kind != Kind::Removed)
                right += line.text.toUtf8() + '\n';
            kept += line.kind == Kind::Normal;
        }
        QCOMPARE(left, before);
        QCOMPARE(right, after);
        // No common subsequence is longer: counted the slow way.
        const auto a = before.split('\n'), b = after.split('\n');
        std::vector<std::vector<int>> best(size_t(a.size()), std::vector<int>(size_t(b.size())));
        for (qsizetype i = 1; i < a.size(); ++i)
            for (qsizetype j = 1; j < b.size(); ++j)
                best[size_t(i)][size_t(j)] = a[i - 1] == b[j - 1] ? best[size_t(i - 1)][size_t(j - 1)] + 1 : std::max(best[size_t(i - 1)][size_t(j)], best[size_t(i)][size_t(j - 1)]);
        QCOMPARE(kept, qint64(best.back().back()));
    }
}

void TestLineDiff::isBoundedForLargeTexts()
{
    QByteArray before, after;
    for (int i = 0; i < 30'000; ++i) {
        before += "left " + QByteArray::number(i) + '\n';
        after += "right " + QByteArray::number(i) + '\n';
    }
    QElapsedTimer timer;
    timer.start();
    const LineDiff diff = compareLines(before, after);
    QVERIFY(diff.isCut);
    QVERIFY(diff.isRough);
    QCOMPARE(diff.removed, 20'000);
    QCOMPARE(diff.added, 20'000);
    QVERIFY2(timer.elapsed() < 5'000, qPrintable(QString::number(timer.elapsed())));
}

QTEST_GUILESS_MAIN(TestLineDiff)
#include "tst_line_diff.moc"
