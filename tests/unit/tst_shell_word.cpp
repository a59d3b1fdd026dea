// What is quoted reaches the program as it was, by the judgement of a real shell.
#include "core/base/shell_word.h"

#include <QProcess>
#include <QTest>

using ym::shellWord;

class TestShellWord : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textIsOneWord_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("word");
        QTest::newRow("plain") << "a-z_0.9/x:y@z%+=,B" << "a-z_0.9/x:y@z%+=,B";
        QTest::newRow("empty") << "" << "''";
        QTest::newRow("space") << "two words" << "'two words'";
        QTest::newRow("only spaces") << "  " << "'  '";
        QTest::newRow("tab") << "a\tb" << "'a\tb'";
        QTest::newRow("line feed within") << "a\nb" << "'a\nb'";
        QTest::newRow("line feed at the end") << "a\n" << "'a\n'";
        QTest::newRow("single quote") << "it's" << "'it'\\''s'";
        QTest::newRow("single quotes alone") << "''" << "''\\'''\\'''";
        QTest::newRow("double quotes") << "say \"hi\"" << "'say \"hi\"'";
        QTest::newRow("backslash") << "a\\" << "'a\\'";
        QTest::newRow("substitutions") << "$HOME `id` $(id) !! ${x}" << "'$HOME `id` $(id) !! ${x}'";
        QTest::newRow("patterns") << "*?[a]{b,c}~" << "'*?[a]{b,c}~'";
        QTest::newRow("ends of commands") << "a;b&c|d>e<f#g" << "'a;b&c|d>e<f#g'";
        QTest::newRow("tilde") << "~" << "'~'";
        QTest::newRow("leading dash") << "-rf" << "-rf";
        QTest::newRow("leading dash and space") << "-r f" << "'-r f'";
        QTest::newRow("other letters") << QStringLiteral("Größe") << QStringLiteral("'Größe'");
    }
    void textIsOneWord()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, word);
        QCOMPARE(shellWord(text), word);

        QProcess shell;
        shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("printf '<%s>' %1").arg(word)});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), u'<' + text + u'>');
    }
};

QTEST_GUILESS_MAIN(TestShellWord)
#include "tst_shell_word.moc"
