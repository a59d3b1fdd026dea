// The grammars of the editor, without a window: what each piece of a line is, and what stays open behind it.
#include "ui/editor/heroscript_lexer.h"
#include "ui/editor/hidden_characters.h"
#include "ui/editor/rhai_lexer.h"

#include <QElapsedTimer>
#include <QTest>

using namespace ym;

namespace {

/// One letter a byte, so that a test shows the text and what became of it below each other.
char letter(Token token)
{
    return " /DKCSE$NOFAPp"[size_t(token)];
}

/// Lexes a text line by line; returns one letter a byte, line ends kept.
QByteArray lexed(const LineLexer &lexer, const QByteArray &text, LineLexer::State *end = nullptr)
{
    QByteArray out;
    LineLexer::State state;
    for (qsizetype at = 0; at < text.size();) {
        const qsizetype newline = text.indexOf('\n', at);
        const qsizetype next = newline < 0 ? text.size() : newline + 1;
        const QByteArrayView line = QByteArrayView(text).sliced(at, next - at);
        std::vector<Token> tokens(size_t(line.size()), Token::Text);
        state = lexer.lexLine(line, state, tokens.data());
        for (qsizetype i = 0; i < line.size(); ++i)
            out += line[i] == '\n' ? '\n' : letter(tokens[size_t(i)]);
        at = next;
    }
    if (end)
        *end = state;
    return out;
}

void addRow(const char *name, const QByteArray &text, const QByteArray &expected)
{
    QTest::newRow(name) << text << expected;
}

} // namespace

class TestLexers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rhaiTellsItsPiecesApart_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        addRow("keywords, constants and calls", "let x = true; f(x)", "KKK   O CCCCO FO O");
        addRow("a word that only begins like a keyword", "letter if_", "          ");
        addRow("a comment to the line's end", "a // b\nc", "  ////\n ");
        addRow("documentation", "/// a\n//! b\n//// c", "DDDDD\nDDDDD\n//////");
        addRow("comments nest", "/* a /* b */ c */ 1", "///////////////// N");
        addRow("a comment over lines", "/* a\nb /*\n*/ c\n*/ 1", "////\n////\n////\n// N");
        addRow("a documentation block", "/** a\n*/1", "DDDDD\nDDN");
        addRow("an empty comment opens nothing", "/**/ 1", "//// N");
        addRow("escapes in a string", "\"a\\n\\x41\\\"b\" 1", "SSEEEEEEEESS N");
        addRow("a string ends with its line", "\"a\n1", "SS\nN");
        addRow("a backslash at the line's end goes on", "\"a\\\nb\" 1", "SSE\nSS N");
        addRow("a template with code", "`a${b + 1}c`", "SS$$  O N$SS");
        addRow("braces inside template code", "`${ #{a: 1} }`", "S$$ OO O NO $S");
        addRow("a template in a template", "`${`${1}`}` 2", "S$$S$$N$S$S N");
        addRow("a template over lines", "`a\n${x}\nb` 1", "SS\n$$ $\nSS N");
        addRow("a quote inside a template is text", "`\"` 1", "SSS N");
        addRow("a comment sign inside a string is text", "\"/*\" 1", "SSSS N");
        addRow("raw strings count their signs", "##\"a\"#b\"## 1", "SSSSSSSSSS N");
        addRow("a raw string over lines", "#\"a\n\\\"# 1", "SSS\nSSS N");
        addRow("a map is no raw string", "#{a: 1}", "OO O NO");
        addRow("characters", "'a' '\\n' x'", "SSS SSSS   ");
        addRow("numbers", "1_000 0xFf 0b1 1.5e-3 1..2", "NNNNN NNNN NNN NNNNNN NOON");
        addRow("a method on a number", "1.abs()", "NOFFFOO");
        addRow("bytes over ASCII are text", "ä=1", "  ON");
    }
    void rhaiTellsItsPiecesApart()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        QCOMPARE(lexed(RhaiLexer(), text), expected);
    }

    void heroScriptTellsItsPiecesApart_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        addRow("an action with parameters", "!!git.clone url:x n:3", "AAAAAAAAAAA PPPP  PPN");
        addRow("one to four signs", "!a.b\n!!!!a.b\n!!!!!a.b", "AAAA\nAAAAAAA\npppppppp");
        addRow("parameters on indented lines", "!!a.b\n  k:'v w'\n  t:true", "AAAAA\n  PPSSSSS\n  PPCCCC");
        addRow("a line that is not indented ends the action", "!!a.b\nk:v", "AAAAA\nppp");
        addRow("an image is no action", "![x](y)", "ppppppp");
        addRow("comments", "// c\n!!a.b k:1 // c", "////\nAAAAA PPN ////");
        addRow("a value over lines", "!!a.b k:'\n!!no\n  '\n  j:1", "AAAAA PPS\nSSSS\nSSS\n  PPN");
        addRow("a value in three quotes", "!!a.b\n  k:\"\"\"\nx:'\n\"\"\"\n  j:1", "AAAAA\n  PPSSS\nSSS\nSSS\n  PPN");
        addRow("a quote in a long value does not end it", "!!a.b k:'\nit's\n'\n", "AAAAA PPS\nSSSS\nS\n");
        addRow("prose", "# Title\ntext: more", "ppppppp\npppppppppp");
        addRow("a comment between parameters", "!!a.b\n  // c\n  k:1", "AAAAA\n//////\n  PPN");
    }
    void heroScriptTellsItsPiecesApart()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        QCOMPARE(lexed(HeroScriptLexer(), text), expected);
    }

    void stateStaysSmallWhenATextNestsWithoutEnd()
    {
        LineLexer::State state;
        lexed(RhaiLexer(), QByteArray("`${\n").repeated(5000), &state);
        QVERIFY2(state.size() <= 256, qPrintable(QString::number(state.size())));
        lexed(RhaiLexer(), QByteArray("/*\n").repeated(100000), &state);
        QCOMPARE(state.size(), 3);
    }

    void anyBytesAreLexedToTheirEnd_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no bytes") << QByteArray();
        QTest::newRow("NUL") << QByteArray("a\0b\0", 4);
        QTest::newRow("broken UTF-8") << QByteArray("\xff\xc3\n\x80'\xe2");
        QTest::newRow("open at the end") << QByteArray("#");
        QTest::newRow("an escape at the end") << QByteArray("\"\\");
        QTest::newRow("a sign at the end") << QByteArray("1e+");
        QTest::newRow("action signs alone") << QByteArray("!!");
        QTest::newRow("a parameter without a value") << QByteArray("!!a.b k:");
    }
    void anyBytesAreLexedToTheirEnd()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(lexed(RhaiLexer(), text).size(), text.size());
        QCOMPARE(lexed(HeroScriptLexer(), text).size(), text.size());
    }

    void aMegabyteTakesLessThanHalfASecond()
    {
        const QByteArray rhai = QByteArray("let x = `a ${f(1)}`; // c\nfn g(a) { /* c */ a + 0x1f }\n").repeated(20000);
        const QByteArray hero = QByteArray("!!git.clone url:'https://example.org' depth:1\n  k:v\n").repeated(20000);
        QElapsedTimer timer;
        timer.start();
        lexed(RhaiLexer(), rhai);
        lexed(HeroScriptLexer(), hero);
        QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
    }

    void hiddenCharactersAreFound_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("described");
        QTest::newRow("an ordinary script") << QByteArray("a\tb\r\nc ä €\n") << QString();
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << "U+0000 in line 1";
        QTest::newRow("escape") << QByteArray("a\n\x1b[31m") << "U+001B in line 2";
        QTest::newRow("right-to-left override") << QByteArray("a\n\nx\u202e") << "U+202E in line 3";
        QTest::newRow("zero-width space") << QByteArray("a\u200bb") << "U+200B in line 1";
        QTest::newRow("a lone carriage return") << QByteArray("a\rb") << "U+000D in line 1";
        QTest::newRow("a byte order mark") << QByteArray("\ufeff"
                                                         "a")
                                           << "U+FEFF in line 1";
        QTest::newRow("a C1 control") << QByteArray("\u0085") << "U+0085 in line 1";
        QTest::newRow("more than three") << QByteArray("\x01\x02\x03\x04\x05")
                                         << "U+0001 in line 1, U+0002 in line 1, U+0003 in line 1 and 2 more";
    }
    void hiddenCharactersAreFound()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, described);
        QCOMPARE(describe(findHiddenCharacters(text, 1000)), described);
    }

    void hiddenCharactersAreTakenOut()
    {
        QCOMPARE(withoutHiddenCharacters(QByteArray("\ufeff"
                                                    "a\u202e"
                                                    "b\x1b\0c\n",
                                                    12)),
                 QByteArray("abc\n"));
    }
};

QTEST_APPLESS_MAIN(TestLexers)
#include "tst_lexers.moc"
