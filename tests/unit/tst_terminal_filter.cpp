// What passes of the bytes that a terminal would obey.
#include "core/base/terminal_filter.h"

#include <QTest>

#include <random>

using namespace ym;
using Controls = TerminalFilter::Controls;

class TestTerminalFilter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void onlyColoursPass_data();
    void onlyColoursPass();
    void aTerminalGetsNothingElse_data();
    void aTerminalGetsNothingElse();
    void nothingButColoursEverLeaves();
};

void TestTerminalFilter::onlyColoursPass_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("passed");
    const auto row = [](const char *name, const QByteArray &bytes, const QByteArray &passed) {
        QTest::newRow(name) << bytes << passed;
    };
    row("plain text", "a\tb\r\nc", "a\tb\r\nc");
    row("characters of two to four bytes", "ä € 𝄞", "ä € 𝄞");
    row("a colour", "\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m");
    row("256 and true colours", "\x1b[38;5;208ma\x1b[48;2;1;2;3mb\x1b[38:2::1:2:3mc",
        "\x1b[38;5;208ma\x1b[48;2;1;2;3mb\x1b[38:2::1:2:3mc");
    row("a reset without a number", "\x1b[mx", "\x1b[mx");
    row("cursor movements", "a\x1b[2Jb\x1b[10;20Hc\x1b[1Ad\x1b[Ke", "abcde");
    row("modes", "\x1b[?1049ha\x1b[?25lb\x1b[?2004hc", "abc");
    row("a private sequence that ends in m", "\x1b[>4;2ma\x1b[?5mb", "ab");
    row("intermediates", "\x1b[0 qa\x1b(0b\x1b#8c", "abc");
    row("a title ended by a bell", QByteArray("a\x1b]0;title\x07") + "b", "ab");
    row("a title ended by ST", "a\x1b]2;title\x1b\\b", "ab");
    row("a link", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text");
    row("the clipboard", QByteArray("\x1b]52;c;cm0gLXJm\x07") + "x", "x");
    row("a device control string", "a\x1bP1$r0m\x1b\\b", "ab");
    row("APC, PM and SOS", "a\x1b_x\x1b\\b\x1b^x\x1b\\c\x1bXx\x1b\\d", "abcd");
    row("one string after another", "a\x1b]0;x\x1b]0;y\x07z", "az");
    row("a title that is never ended", "\x1b]0;abc\nnext", "\nnext");
    row("a sequence that is cut by a line end", "\x1b[3\nnext", "\nnext");
    row("an escape within a sequence", "\x1b[3\x1b[1mx", "\x1b[1mx");
    row("C1 controls as characters", "a\xc2\x9b" "2Jb\xc2\x9d" "0;t\xc2\x9c" "c\xc2\x85" "d", "abcd");
    row("a colour by a C1 control", "\xc2\x9b" "31mx", "\x1b[31mx");
    row("characters that begin alike", "\xc2\xa0\xc2\xbf", "\xc2\xa0\xc2\xbf");
    row("bell, backspace, shifts and DEL", QByteArray("a\x07" "b\x08" "c\x0e" "d\x0f" "e"), "abcde");
    row("other controls, for a view that shows them", QByteArray("a\x01\0b", 4), QByteArray("a\x01\0b", 4));
    row("a sequence too long to be one", "\x1b[" + QByteArray("1;").repeated(100) + "mx", "x");
    row("single keys of a terminal", "\x1b" "c\x1b=\x1b>\x1b" "7\x1b" "8\x1b" "Dx", "x");
}

void TestTerminalFilter::onlyColoursPass()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, passed);
    QCOMPARE(TerminalFilter().feed(bytes), passed);
    for (int size = 1; size < 4; ++size) {
        TerminalFilter filter;
        QByteArray cut;
        for (qsizetype at = 0; at < bytes.size(); at += size)
            cut += filter.feed(bytes.mid(at, size));
        QCOMPARE(cut, passed);
    }
}

void TestTerminalFilter::aTerminalGetsNothingElse_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("passed");
    QTest::newRow("controls") << QByteArray("a\x01\0b\x0b\x0c" "c\x7f", 8) << QByteArray("abc");
    QTest::newRow("single C1 bytes") << QByteArray("a\x9b" "2Jb\x90q") << QByteArray("a?2Jb?q");
    QTest::newRow("C1 bytes within characters") << QByteArray("\xe2\x82\x9b \xf0\x9d\x84\x9e") << QByteArray("\xe2\x82\x9b \xf0\x9d\x84\x9e");
    QTest::newRow("a character that is cut") << QByteArray("\xe2\x82\x1b[31mx\x9b") << QByteArray("\xe2\x82\x1b[31mx?");
    QTest::newRow("lines and tabs") << QByteArray("a\tb\r\n") << QByteArray("a\tb\r\n");
}

void TestTerminalFilter::aTerminalGetsNothingElse()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, passed);
    QCOMPARE(TerminalFilter(Controls::Drop).feed(bytes), passed);
}

/// Whatever comes in: each escape that leaves begins a colour.
void TestTerminalFilter::nothingButColoursEverLeaves()
{
    std::mt19937 random(7);
    const QList<QByteArray> pieces{"\x1b", "[",  "]",    "P",    "31m", "m",    "H",    "\x07", "\\",   "\xc2",
                                   "\x9b", "\x9c", "\x9d", "text", ";",   "?",    "\n",   "ü",    "0",    "\x18",
                                   "\x1a", "_",  "(",    "\x90", "\x80", "\xe2", "\xf0\x9d"};
    for (int round = 0; round < 2000; ++round) {
        TerminalFilter filter(Controls::Drop);
        QByteArray out;
        for (int i = 0; i < 60; ++i)
            out += filter.feed(pieces[int(random() % size_t(pieces.size()))]);
        for (qsizetype at = out.indexOf('\x1b'); at >= 0; at = out.indexOf('\x1b', at + 1)) {
            const qsizetype end = out.indexOf('m', at);
            QVERIFY2(end > at && out[at + 1] == '[', out.toHex(' ').constData());
            for (qsizetype i = at + 2; i < end; ++i)
                QVERIFY2(QByteArray("0123456789;:").contains(out[i]), out.toHex(' ').constData());
        }
    }
}

QTEST_GUILESS_MAIN(TestTerminalFilter)
#include "tst_terminal_filter.moc"
