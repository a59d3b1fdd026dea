// Live output as lines: order, progress lines, cut characters, caps, and signals from which a view can follow.
#include "models/output_buffer.h"

#include <QSignalSpy>
#include <QTest>

#include <random>

using namespace ym;
using Stream = OutputChunk::Stream;

namespace {

OutputChunk chunk(const QByteArray &bytes, Stream stream = Stream::Out, int attempt = 1)
{
    return {"job", attempt, stream, bytes};
}

/// A plain-text view: it knows only what the signals say.
class View : public QObject {
public:
    explicit View(OutputBuffer &buffer)
        : m_buffer(buffer)
    {
        connect(&buffer, &OutputBuffer::restarted, this, [this] { lines.clear(); });
        connect(&buffer, &OutputBuffer::linesDropped, this,
                [this](qint64 first, qint64 count) { lines.remove(first, count); });
        connect(&buffer, &OutputBuffer::linesChanged, this, [this](qint64 first, qint64 last) {
            for (qint64 i = first; i <= last; ++i)
                lines[i] = m_buffer.styledLine(i).text;
        });
        connect(&buffer, &OutputBuffer::linesAppended, this, [this](qint64 first, qint64 count) {
            QCOMPARE(first, qint64(lines.size()));
            for (qint64 i = first; i < first + count; ++i)
                lines.append(m_buffer.styledLine(i).text);
        });
    }

    QStringList lines;

private:
    OutputBuffer &m_buffer;
};

/// Lets the queued signals of this turn out.
void turn()
{
    QCoreApplication::sendPostedEvents();
}

} // namespace

class TestOutputBuffer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void turns_bytes_into_lines_data();
    void turns_bytes_into_lines();
    void cuts_between_chunks_do_not_matter();
    void streams_keep_their_own_lines();
    void signals_come_once_a_turn();
    void a_newer_attempt_starts_over_and_older_ones_are_ignored();
    void other_jobs_are_ignored();
    void the_head_and_the_newest_lines_are_kept();
    void long_lines_are_continued();
    void a_view_that_follows_the_signals_shows_the_same();
    void an_ended_run_is_shown_with_its_error();
    void a_flood_stays_bounded();
    void what_was_skipped_is_a_gap();
    void progress_lines_are_taken_out();
};

void TestOutputBuffer::turns_bytes_into_lines_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QStringList>("lines");
    QTest::newRow("nothing") << QByteArray("") << QStringList{};
    QTest::newRow("one open line") << QByteArray("abc") << QStringList{"abc"};
    QTest::newRow("two lines") << QByteArray("a\nb\n") << QStringList{"a", "b"};
    QTest::newRow("empty lines") << QByteArray("\n\na\n") << QStringList{"", "", "a"};
    QTest::newRow("Windows line ends") << QByteArray("a\r\nb\r\n") << QStringList{"a", "b"};
    QTest::newRow("a progress line") << QByteArray("10 %\r50 %\r100 %\ndone\n") << QStringList{"100 %", "done"};
    QTest::newRow("a progress line that is not over") << QByteArray("10 %\r50 %\r") << QStringList{"50 %"};
    QTest::newRow("a carriage return at the start") << QByteArray("\rabc") << QStringList{"abc"};
    QTest::newRow("doubled carriage returns") << QByteArray("a\r\r\nb") << QStringList{"a", "b"};
    QTest::newRow("tabs stay") << QByteArray("a\tb") << QStringList{"a\tb"};
    QTest::newRow("control characters are shown") << QByteArray("a\x01") << QStringList{"a<U+0001>"};
    QTest::newRow("colours are no text") << QByteArray("\x1b[31mred\x1b[0m") << QStringList{"red"};
    QTest::newRow("other sequences are not obeyed") << QByteArray("\x1b]0;title\x07" "a\x1b[2Jb") << QStringList{"ab"};
    QTest::newRow("bytes that are no text are shown") << QByteArray("a\xff\n") << QStringList{"a\\xff"};
    QTest::newRow("an unfinished character is held back") << QByteArray("a\xc3") << QStringList{"a"};
    QTest::newRow("an unfinished character at a line end is shown") << QByteArray("a\xc3\n") << QStringList{"a\\xc3"};
}

void TestOutputBuffer::turns_bytes_into_lines()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QStringList, lines);
    OutputBuffer buffer;
    View view(buffer);
    buffer.follow("job");
    buffer.append(chunk(bytes));
    turn();
    QCOMPARE(view.lines, lines);
    QCOMPARE(buffer.allText(), lines.join(u'\n'));
    QCOMPARE(buffer.receivedBytes(), bytes.size());
}

void TestOutputBuffer::cuts_between_chunks_do_not_matter()
{
    const QByteArray bytes = QString("Größe: 10 €\r\nzweite 𝄞 Zeile\r3 %\r99 %\nohne Ende ü").toUtf8();
    OutputBuffer whole;
    whole.follow("job");
    whole.append(chunk(bytes));
    for (int size = 1; size <= 5; ++size) {
        OutputBuffer cut;
        View view(cut);
        cut.follow("job");
        for (qsizetype i = 0; i < bytes.size(); i += size) {
            cut.append(chunk(bytes.mid(i, size)));
            turn();
            QVERIFY2(!cut.allText().contains("\\x"), qPrintable(cut.allText()));
        }
        QCOMPARE(cut.allText(), whole.allText());
        QCOMPARE(view.lines.join(u'\n'), whole.allText());
    }
}

void TestOutputBuffer::streams_keep_their_own_lines()
{
    OutputBuffer buffer;
    buffer.follow("job");
    buffer.append(chunk("out 1"));
    buffer.append(chunk("err 1\n", Stream::Err));
    buffer.append(chunk(" goes on\nout 2\n"));
    QCOMPARE(buffer.allText(), "out 1 goes on\nerr 1\nout 2");
    QCOMPARE(buffer.styledLine(1).kind, StyledText::Kind::Error);
    QCOMPARE(buffer.styledLine(2).kind, StyledText::Kind::Normal);
    QCOMPARE(buffer.styledLine(3), StyledText());
    QCOMPARE(buffer.text(1, 1), "err 1");
}

void TestOutputBuffer::signals_come_once_a_turn()
{
    OutputBuffer buffer;
    QSignalSpy appended(&buffer, &OutputBuffer::linesAppended);
    QSignalSpy changed(&buffer, &OutputBuffer::linesChanged);
    buffer.follow("job");
    turn();
    for (int i = 0; i < 1000; ++i)
        buffer.append(chunk("line\nopen"));
    QCOMPARE(appended.size(), 0);
    turn();
    QCOMPARE(appended.size(), 1);
    QCOMPARE(appended[0][1].toInt(), 1001);
    QCOMPARE(changed.size(), 0);
    buffer.append(chunk("!"));
    buffer.append(chunk("!\nmore"));
    turn();
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed[0][0].toInt(), 1000);
    QCOMPARE(appended.size(), 2);
}

void TestOutputBuffer::a_newer_attempt_starts_over_and_older_ones_are_ignored()
{
    OutputBuffer buffer;
    QSignalSpy restarted(&buffer, &OutputBuffer::restarted);
    buffer.follow("job");
    buffer.append(chunk("first\n"));
    turn();
    QCOMPARE(restarted.size(), 1);
    buffer.append(chunk("second\n", Stream::Out, 2));
    buffer.append(chunk("late\n", Stream::Out, 1));
    turn();
    QCOMPARE(restarted.size(), 2);
    QCOMPARE(buffer.attempt(), 2);
    QCOMPARE(buffer.allText(), "second");
}

void TestOutputBuffer::other_jobs_are_ignored()
{
    OutputBuffer buffer;
    ChangeSet changes;
    changes.output = {chunk("mine\n"), {"other", 1, Stream::Out, "foreign\n"}};
    buffer.apply(changes);
    QCOMPARE(buffer.lineCount(), 0);
    buffer.follow("job");
    buffer.apply(changes);
    QCOMPARE(buffer.allText(), "mine");
    buffer.follow({});
    buffer.append({"", 1, Stream::Out, "nobody's\n"});
    QCOMPARE(buffer.lineCount(), 0);
}

void TestOutputBuffer::the_head_and_the_newest_lines_are_kept()
{
    OutputBuffer buffer({2, 3, 1000, 1000}, nullptr);
    View view(buffer);
    buffer.follow("job");
    for (int i = 0; i < 10; ++i)
        buffer.append(chunk(QByteArray::number(i) + '\n'));
    QCOMPARE(buffer.lineCount(), 6);
    QCOMPARE(buffer.text(0, 2), "0\n1");
    QCOMPARE(buffer.styledLine(2).kind, StyledText::Kind::Note);
    QVERIFY(buffer.styledLine(2).text.contains("5"));
    QCOMPARE(buffer.text(3, 3), "7\n8\n9");
    QCOMPARE(buffer.droppedBytes(), 10);
    turn();
    QCOMPARE(view.lines.join(u'\n'), buffer.allText());
}

void TestOutputBuffer::long_lines_are_continued()
{
    OutputBuffer buffer;
    buffer.follow("job");
    QByteArray line = QString("€").repeated(4000).toUtf8();
    buffer.append(chunk(line + "\nend\n"));
    QString text;
    for (int i = 0; i < buffer.lineCount() - 1; ++i) {
        QVERIFY(buffer.styledLine(i).text.size() <= OutputBuffer::longestLine);
        text += buffer.styledLine(i).text;
    }
    QCOMPARE(text, QString::fromUtf8(line));
    QCOMPARE(buffer.styledLine(buffer.lineCount() - 1).text, "end");
}

void TestOutputBuffer::a_view_that_follows_the_signals_shows_the_same()
{
    std::mt19937 random(3);
    const QList<QByteArray> pieces{"a",   "bc\n", "\n", "\r", "\r\n", "x\xc3", "\xa4", "10 %\r", "long long line\n",
                                   "\xff"};
    for (int round = 0; round < 30; ++round) {
        OutputBuffer buffer({int(random() % 5), 1 + int(random() % 8), 60, 60}, nullptr);
        View view(buffer);
        buffer.follow("job");
        for (int i = 0; i < 400; ++i) {
            const auto stream = random() % 4 ? Stream::Out : Stream::Err;
            buffer.append(chunk(pieces[int(random() % pieces.size())], stream, 1 + i / 300));
            if (random() % 5 == 0) {
                turn();
                QCOMPARE(view.lines.join(u'\n'), buffer.allText());
                QCOMPARE(qint64(view.lines.size()), buffer.lineCount());
            }
        }
    }
}

void TestOutputBuffer::an_ended_run_is_shown_with_its_error()
{
    OutputBuffer buffer;
    buffer.follow("other");
    buffer.load("job", 3, "out\n", "Traceback\nboom");
    QCOMPARE(buffer.jobId(), QByteArray("job"));
    QCOMPARE(buffer.attempt(), 3);
    QCOMPARE(buffer.allText(), "out\nTraceback\nboom");
    QCOMPARE(buffer.styledLine(2).kind, StyledText::Kind::Error);
}

void TestOutputBuffer::a_flood_stays_bounded()
{
    OutputBuffer buffer;
    buffer.follow("job");
    const QByteArray flood = QByteArray("y\n").repeated(500'000);
    for (int i = 0; i < 10; ++i)
        buffer.append(chunk(flood));
    QCOMPARE(buffer.receivedBytes(), 10'000'000);
    QVERIFY(buffer.lineCount() <= 22'001);
    QVERIFY(buffer.lineCount() >= 22'000);
    QCOMPARE(buffer.droppedBytes(), 2 * (5'000'000 - 22'000));
    QVERIFY(buffer.styledLine(2'000).text.contains(QString::number(5'000'000 - 22'000)));
    QVERIFY2(buffer.bytesUsed() < 4'000'000, qPrintable(QString::number(buffer.bytesUsed())));
    buffer.append(chunk(QByteArray(50'000'000, 'x')));
    QVERIFY2(buffer.bytesUsed() < 12'000'000, qPrintable(QString::number(buffer.bytesUsed())));
}

void TestOutputBuffer::what_was_skipped_is_a_gap()
{
    for (const int linesBefore : {0, 3, 6}) {
        OutputBuffer buffer({4, 10, 1000, 1000}, nullptr);
        View view(buffer);
        buffer.follow("job");
        for (int i = 0; i < linesBefore; ++i)
            buffer.append(chunk(QByteArray::number(i) + '\n'));
        buffer.append(chunk("cut in the mid"));
        turn();
        buffer.append({"job", 1, Stream::Out, "after\nmore\n", 1'000'000});
        turn();
        QCOMPARE(view.lines.join(u'\n'), buffer.allText());
        QCOMPARE(view.lines.mid(view.lines.size() - 2), (QStringList{"after", "more"}));
        QCOMPARE(buffer.styledLine(buffer.lineCount() - 3).kind, StyledText::Kind::Note);
        QVERIFY(buffer.styledLine(buffer.lineCount() - 3).text.contains("977 KiB"));
        buffer.append({"job", 1, Stream::Out, "last\n", 1'000'000});
        turn();
        QCOMPARE(view.lines.join(u'\n'), buffer.allText());
        QCOMPARE(view.lines.last(), "last");
        QVERIFY(!buffer.allText().contains("after"));
    }
}

void TestOutputBuffer::progress_lines_are_taken_out()
{
    OutputBuffer buffer;
    QSignalSpy told(&buffer, &OutputBuffer::progressChanged);
    buffer.follow("job");
    buffer.append(chunk("a\n::progress 1 4\nb\n::prog"));
    buffer.append(chunk("ress 2 4 half\nc\n::progress 9 0\n"));
    turn();
    QCOMPARE(buffer.allText(), "a\nb\nc\n::progress 9 0");
    QCOMPARE(buffer.progress(), (JobProgress{2, 4, "half"}));
    QCOMPARE(told.size(), 1);
    buffer.append(chunk("::progress 3 4"));
    buffer.finish();
    turn();
    QVERIFY(buffer.allText().endsWith("::progress 3 4"));
    buffer.append(chunk("new\n", Stream::Out, 2));
    turn();
    QVERIFY(!buffer.progress().isKnown());
    QCOMPARE(told.size(), 2);
}

QTEST_GUILESS_MAIN(TestOutputBuffer)
#include "tst_output_buffer.moc"
