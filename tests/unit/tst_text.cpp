// Bytes made fit for a person's eye.
#include "core/base/text.h"

#include <QTest>

using ym::Lines;
using ym::shownText;

class TestText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void showsBytes_data();
    void showsBytes();
    void keepsLinesWhenAsked();
    void cutsLongTextWithAnEllipsis();
    void cutNeverSplitsACharacterOrAChip();
    void cutIsNotNeededAtTheLimit();
    void cutsLargeInput();
    void knowsUtf8_data();
    void knowsUtf8();
};

void TestText::showsBytes_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("shown");
    QTest::newRow("empty") << QByteArray() << QString();
    QTest::newRow("plain") << QByteArray("a < b && c > d") << QStringLiteral("a < b && c > d");
    QTest::newRow("markup stays text") << QByteArray("<img src=x>&amp;") << QStringLiteral("<img src=x>&amp;");
    QTest::newRow("umlaut and emoji") << QByteArray("ä😀") << QStringLiteral("ä😀");
    QTest::newRow("line feed and tab become blanks") << QByteArray("a\nb\tc") << QStringLiteral("a b c");
    QTest::newRow("CRLF is one line end") << QByteArray("a\r\nb") << QStringLiteral("a b");
    QTest::newRow("lone carriage return") << QByteArray("10%\r20%") << QStringLiteral("10%<U+000D>20%");
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << QStringLiteral("a<U+0000>b");
    QTest::newRow("escape sequence") << QByteArray("\x1b[31mred") << QStringLiteral("<U+001B>[31mred");
    QTest::newRow("delete") << QByteArray("\x7f") << QStringLiteral("<U+007F>");
    QTest::newRow("C1 control") << QByteArray("\xc2\x9b") << QStringLiteral("<U+009B>");
    QTest::newRow("right-to-left override") << QByteArray("a\xe2\x80\xae"
                                                          "b")
                                            << QStringLiteral("a<U+202E>b");
    QTest::newRow("isolates") << QByteArray("\xe2\x81\xa6\xe2\x81\xa9") << QStringLiteral("<U+2066><U+2069>");
    QTest::newRow("zero width space") << QByteArray("\xe2\x80\x8b") << QStringLiteral("<U+200B>");
    QTest::newRow("word joiner") << QByteArray("\xe2\x81\xa0") << QStringLiteral("<U+2060>");
    QTest::newRow("line separator") << QByteArray("\xe2\x80\xa8") << QStringLiteral("<U+2028>");
    QTest::newRow("arabic letter mark") << QByteArray("\xd8\x9c") << QStringLiteral("<U+061C>");
    QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf") << QStringLiteral("<U+FEFF>");
    QTest::newRow("soft hyphen") << QByteArray("\xc2\xad") << QStringLiteral("<U+00AD>");
    QTest::newRow("tag character") << QByteArray("\xf3\xa0\x81\x81") << QStringLiteral("<U+E0041>");
    QTest::newRow("noncharacter") << QByteArray("\xef\xbf\xbf") << QStringLiteral("<U+FFFF>");
    QTest::newRow("invalid byte") << QByteArray("a\xff"
                                                "b")
                                  << QStringLiteral("a\\xffb");
    QTest::newRow("lone continuation") << QByteArray("\x80") << QStringLiteral("\\x80");
    QTest::newRow("cut sequence") << QByteArray("\xe2\x82") << QStringLiteral("\\xe2\\x82");
    QTest::newRow("overlong slash") << QByteArray("\xc0\xaf") << QStringLiteral("\\xc0\\xaf");
    QTest::newRow("surrogate in UTF-8") << QByteArray("\xed\xa0\x80") << QStringLiteral("\\xed\\xa0\\x80");
    QTest::newRow("beyond Unicode") << QByteArray("\xf4\x90\x80\x80") << QStringLiteral("\\xf4\\x90\\x80\\x80");
}

void TestText::showsBytes()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, shown);
    QCOMPARE(shownText(bytes), shown);
}

void TestText::keepsLinesWhenAsked()
{
    QCOMPARE(shownText("a\r\nb\tc\x01", Lines::Keep), QStringLiteral("a\nb\tc<U+0001>"));
}

void TestText::cutsLongTextWithAnEllipsis()
{
    QCOMPARE(shownText("abcdef", Lines::Flatten, 3), QStringLiteral("abc…"));
    QCOMPARE(shownText("abcdef", Lines::Flatten, 1), QStringLiteral("a…"));
}

void TestText::cutNeverSplitsACharacterOrAChip()
{
    const QString emoji = shownText("a😀b", Lines::Flatten, 2);
    QVERIFY2(!emoji.contains(QChar(0xd83d)) || emoji.contains(QChar(0xde00)), "half of a surrogate pair is shown");
    QVERIFY(!shownText("a\x1b[2J", Lines::Flatten, 3).contains(u'<'));
    QVERIFY(!shownText("a\xff\xff", Lines::Flatten, 3).endsWith(QStringLiteral("\\x…")));
}

void TestText::cutIsNotNeededAtTheLimit()
{
    QCOMPARE(shownText("abc", Lines::Flatten, 3), QStringLiteral("abc"));
    QCOMPARE(shownText("a\x1b", Lines::Flatten, 9), QStringLiteral("a<U+001B>"));
}

void TestText::cutsLargeInput()
{
    const QByteArray large(64 * 1024 * 1024, 'x');
    QCOMPARE(shownText(large, Lines::Flatten, 512).size(), 513);
}

void TestText::knowsUtf8_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("valid");
    QTest::newRow("empty") << QByteArray() << true;
    QTest::newRow("ASCII with NUL") << QByteArray("a\0b", 3) << true;
    QTest::newRow("emoji") << QByteArray("😀") << true;
    QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf"
                                                   "a")
                                     << true;
    QTest::newRow("latin-1") << QByteArray("\xe4") << false;
    QTest::newRow("cut sequence") << QByteArray("a\xe2\x82") << false;
    QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << false;
    QTest::newRow("overlong") << QByteArray("\xc0\xaf") << false;
}

void TestText::knowsUtf8()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, valid);
    QCOMPARE(ym::isUtf8(bytes), valid);
}

QTEST_GUILESS_MAIN(TestText)
#include "tst_text.moc"
