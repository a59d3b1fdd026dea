// The script editor with real keys: what is typed, pasted, found, commented and warned about.
#include "tests/ui/heart_beat.h"
#include "ui/editor/script_editor.h"

#include <Qsci/qscilexer.h>

#include <QClipboard>
#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace ym;
using namespace ym::test;

namespace {

using Sci = QsciScintillaBase;

class Window {
public:
    Window()
    {
        editor.resize(700, 500);
        editor.show();
        editor.activateWindow();
        if (!QTest::qWaitForWindowActive(&editor))
            qFatal("the window did not become active");
        editor.view()->setFocus();
    }
    void key(Qt::Key code, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(QApplication::focusWidget(), code, modifiers);
    }
    void paste(const QByteArray &text)
    {
        auto *const data = new QMimeData;
        data->setData(QStringLiteral("text/plain"), text);
        QGuiApplication::clipboard()->setMimeData(data);
        key(Qt::Key_V, Qt::ControlModifier);
    }
    long styleAt(long position) const { return editor.view()->SendScintilla(Sci::SCI_GETSTYLEAT, position); }

    ScriptEditor editor;
};

} // namespace

class TestScriptEditor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bytesComeBackExactly_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("unix lines") << QByteArray("a\nb\n");
        QTest::newRow("windows lines") << QByteArray("a\r\nb\r\n");
        QTest::newRow("broken UTF-8") << QByteArray("a\xff\xfe"
                                                    "b");
        QTest::newRow("NUL inside") << QByteArray("a\0b", 3);
        QTest::newRow("beyond the basic plane") << QByteArray("\xf0\x9f\x9a\x82 ä");
    }
    void bytesComeBackExactly()
    {
        QFETCH(QByteArray, script);
        ScriptEditor editor;
        QVERIFY(editor.setScript(script));
        QCOMPARE(editor.script(), script);
        QVERIFY(!editor.isModified());
    }

    void typingIndentsAndTabsAreSpaces()
    {
        Window w;
        w.editor.setLanguage("python");
        QTest::keyClicks(w.editor.view(), QStringLiteral("if x:"));
        w.key(Qt::Key_Return);
        w.key(Qt::Key_Tab);
        QTest::keyClicks(w.editor.view(), QStringLiteral("y"));
        QVERIFY(w.editor.script().contains("    "));
        QVERIFY(!w.editor.script().contains('\t'));
        QVERIFY(w.editor.isModified());
    }

    void theLanguageFollowsTheType_data()
    {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<int>("language");
        const auto row = [](const char *name, const char *type, const char *script, Language language) {
            QTest::newRow(name) << QByteArray(type) << QByteArray(script) << int(language);
        };
        row("python", "python", "x", Language::Python);
        row("capital letters", "Python", "x", Language::Python);
        row("osis is Rhai", "osis", "x", Language::Rhai);
        row("sal is Rhai", "sal", "x", Language::Rhai);
        row("v", "v", "x", Language::V);
        row("heroscript", "heroscript", "x", Language::HeroScript);
        row("python that begins with an action", "python", "!!a.b", Language::HeroScript);
        row("an unknown type", "ruby", "!!a.b", Language::Plain);
    }
    void theLanguageFollowsTheType()
    {
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, script);
        QFETCH(int, language);
        ScriptEditor editor;
        editor.setLanguage(type);
        editor.setScript(script);
        QCOMPARE(int(editor.language()), language);
    }

    void anEditRestylesWhatFollows()
    {
        Window w;
        w.editor.setLanguage("osis");
        w.editor.setScript("let a = 1;\nlet b = 2;\n*/ let c = 3;\n");
        w.editor.grab();
        const long second = w.editor.script().indexOf("let b");
        QCOMPARE(w.styleAt(second), long(Token::Keyword));
        w.key(Qt::Key_Home, Qt::ControlModifier);
        QTest::keyClicks(w.editor.view(), QStringLiteral("/*"));
        w.editor.grab();
        QCOMPARE(w.styleAt(second + 2), long(Token::Comment));
        QCOMPARE(w.styleAt(w.editor.script().indexOf("let c")), long(Token::Keyword));
        w.key(Qt::Key_Backspace);
        w.key(Qt::Key_Backspace);
        w.editor.grab();
        QCOMPARE(w.styleAt(second), long(Token::Keyword));
    }

    void aMegabyteScriptOpensAndJumpsToItsEndQuickly()
    {
        Window w;
        w.editor.setLanguage("osis");
        const QByteArray script = QByteArray("let x = `a ${f(1)}`; // c\n").repeated(40000) + "let end = 1;";
        QElapsedTimer timer;
        timer.start();
        w.editor.setScript(script);
        w.key(Qt::Key_End, Qt::ControlModifier);
        w.editor.grab();
        QCOMPARE(w.styleAt(script.size() - 12), long(Token::Keyword));
        QVERIFY2(timer.elapsed() < 3000, qPrintable(QString::number(timer.elapsed())));
        timer.restart();
        QTest::keyClicks(w.editor.view(), QStringLiteral("abc"));
        w.editor.grab();
        QVERIFY2(timer.elapsed() < 500, qPrintable(QString::number(timer.elapsed())));
    }

    void aLineOfMegabytesStopsNobody_data()
    {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("before");
        QTest::newRow("among other lines") << QByteArray("python") << QByteArray("import base64\ndata = '");
        QTest::newRow("the first line") << QByteArray("python") << QByteArray("data = '");
        QTest::newRow("another grammar") << QByteArray("osis") << QByteArray("let a = 1;\nlet data = '");
    }
    void aLineOfMegabytesStopsNobody()
    {
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, before);
        constexpr qsizetype mib = 1 << 20;
        Window w;
        w.editor.setLanguage(type);
        HeartBeat beat;
        const auto look = [&w] {
            w.editor.repaint();
            QCoreApplication::processEvents();
        };
        const QByteArray script = before + QByteArray(4 * mib, 'A') + "'\nprint(len(data))\n";
        QVERIFY(w.editor.setScript(script));
        look();
        QCOMPARE(w.editor.script(), script);
        QVERIFY2(w.editor.warning().contains(QStringLiteral("4")) && w.editor.warning().contains(QStringLiteral("no colours")),
                 qPrintable(w.editor.warning()));
        const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
            w.key(key, modifiers);
            look();
        };
        const auto write = [&](const char *letters) {
            for (const char *letter = letters; *letter; ++letter) {
                QTest::keyClick(w.editor.view(), *letter);
                look();
            }
        };
        write("abc");
        press(Qt::Key_End, Qt::ControlModifier);
        write("def");
        press(Qt::Key_Up);
        press(Qt::Key_Up); // the long line
        press(Qt::Key_End);
        write("ghi");
        press(Qt::Key_Backspace);
        press(Qt::Key_Home);
        write("jkl");
        press(Qt::Key_Z, Qt::ControlModifier);
        press(Qt::Key_PageDown);
        QVERIFY(w.editor.script().startsWith("abc"));
        QVERIFY(w.editor.script().endsWith("def"));
        QVERIFY(w.editor.script().contains("A'gh\n"));
        qInfo("the window stood still for at most %lld ms", beat.worst());
        QVERIFY2(beat.worst() < 800, QByteArray::number(beat.worst()).constData());
        // It can be cut out and brought back, and replaced; without it the colours are back.
        press(Qt::Key_A, Qt::ControlModifier);
        press(Qt::Key_X, Qt::ControlModifier);
        QCOMPARE(w.editor.script(), QByteArray());
        press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(w.editor.script().size() > 4 * mib);
        press(Qt::Key_A, Qt::ControlModifier);
        w.paste("# c\nfor");
        QCOMPARE(w.editor.script(), QByteArray("# c\nfor"));
        QVERIFY(w.editor.warning().isEmpty());
        w.editor.grab();
        QVERIFY(QByteArray(w.editor.view()->lexer()->language()) != "Long lines");
        QCOMPARE(w.editor.view()->SendScintilla(Sci::SCI_STYLEGETVISIBLE, w.styleAt(0)), 1L);
    }
    void theMenuTakesAwayWhatIsHiddenToo_data()
    {
        QTest::addColumn<QString>("entry");
        QTest::addColumn<bool>("isKept");
        QTest::newRow("cut") << QStringLiteral("Cut") << true;
        QTest::newRow("delete") << QStringLiteral("Delete") << false;
    }
    void theMenuTakesAwayWhatIsHiddenToo()
    {
        QFETCH(QString, entry);
        QFETCH(bool, isKept);
        Window w;
        const QByteArray line(2 * mostInALine, 'A');
        w.editor.setScript(line);
        w.editor.grab();
        QApplication::clipboard()->clear();
        w.key(Qt::Key_A, Qt::ControlModifier);
        QContextMenuEvent ask(QContextMenuEvent::Mouse, QPoint(80, 10),
                              w.editor.view()->viewport()->mapToGlobal(QPoint(80, 10)));
        QApplication::sendEvent(w.editor.view()->viewport(), &ask);
        auto *const menu = w.editor.view()->findChild<QMenu *>(QStringLiteral("editorMenu"));
        QVERIFY(menu);
        const QList<QAction *> actions = menu->actions();
        const auto found = std::find_if(actions.begin(), actions.end(),
                                        [&](QAction *action) { return action->text().startsWith(entry); });
        QVERIFY(found != actions.end());
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(*found).center());
        QCOMPARE(w.editor.script(), QByteArray());
        QCOMPARE(QApplication::clipboard()->text().toLatin1() == line, isKept);
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(w.editor.script(), line);
    }
    void whatIsHiddenOfALineBeginsWithAWholeCharacter()
    {
        Window w;
        w.editor.setScript(QByteArray("x") + QByteArray("\xc3\xa4").repeated(int(mostInALine)) + "\nshort\n");
        w.editor.grab();
        long shown = 0;
        while (w.styleAt(shown) == LongLineLexer::Shown)
            ++shown;
        QVERIFY(shown > shownOfALine - 8 && shown <= shownOfALine);
        QCOMPARE(shown % 2, 1L);
        QCOMPARE(w.styleAt(w.editor.script().indexOf("short")), long(LongLineLexer::Shown));
    }

    void commentToggles_data()
    {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::newRow("python") << QByteArray("python") << QByteArray("a\n    b\n\nc")
                                << QByteArray("# a\n#     b\n\n# c");
        QTest::newRow("rhai") << QByteArray("osis") << QByteArray("  a\n  b") << QByteArray("  // a\n  // b");
        QTest::newRow("partly commented") << QByteArray("v") << QByteArray("// a\nb") << QByteArray("// // a\n// b");
    }
    void commentToggles()
    {
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        Window w;
        w.editor.setLanguage(type);
        w.editor.setScript(before);
        w.key(Qt::Key_A, Qt::ControlModifier);
        w.key(Qt::Key_Slash, Qt::ControlModifier);
        QCOMPARE(w.editor.script(), after);
        w.key(Qt::Key_A, Qt::ControlModifier);
        w.key(Qt::Key_Slash, Qt::ControlModifier);
        QCOMPARE(w.editor.script(), before);
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(w.editor.script(), after);
    }

    void findGoesFromMatchToMatchAndSaysWhenThereIsNone()
    {
        Window w;
        w.editor.setScript("one two\nTWO three\ntwo");
        w.key(Qt::Key_F, Qt::ControlModifier);
        auto *const text = w.editor.findChild<QLineEdit *>(QStringLiteral("findText"));
        QVERIFY(text->isVisible());
        QCOMPARE(QApplication::focusWidget(), text);
        QTest::keyClicks(text, QStringLiteral("two"));
        const auto line = [&] {
            int at = 0, index = 0;
            w.editor.view()->getCursorPosition(&at, &index);
            return at;
        };
        QCOMPARE(line(), 0);
        w.key(Qt::Key_Return);
        QCOMPARE(line(), 1);
        w.key(Qt::Key_Return);
        QCOMPARE(line(), 2);
        w.key(Qt::Key_Return);
        QCOMPARE(line(), 0);
        w.key(Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(line(), 2);
        QTest::keyClicks(text, QStringLiteral("x"));
        QVERIFY(!w.editor.findChild<QLabel *>(QStringLiteral("findResult"))->text().isEmpty());
        w.key(Qt::Key_Escape);
        QVERIFY(!text->isVisible());
        QCOMPARE(QApplication::focusWidget(), w.editor.view());
    }

    void zoomKeysChangeTheSizeAndBack()
    {
        Window w;
        w.key(Qt::Key_Plus, Qt::ControlModifier);
        w.key(Qt::Key_Plus, Qt::ControlModifier);
        QCOMPARE(w.editor.view()->SendScintilla(Sci::SCI_GETZOOM), 2L);
        w.key(Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(w.editor.view()->SendScintilla(Sci::SCI_GETZOOM), 0L);
    }

    void pastedHiddenCharactersAreAnnouncedAndCanBeTakenOut()
    {
        Window w;
        w.paste("print(1)\nx = 'a\u202e b\u200b'\n");
        QTRY_VERIFY(w.editor.warning().contains(QStringLiteral("U+202E in line 2")));
        QVERIFY(w.editor.script().contains("\u202e"));
        QTest::mouseClick(w.editor.findChild<QPushButton *>(QStringLiteral("removeHidden")), Qt::LeftButton);
        QCOMPARE(w.editor.script(), QByteArray("print(1)\nx = 'a b'\n"));
        QVERIFY(w.editor.warning().isEmpty());
        w.editor.view()->undo();
        QVERIFY(w.editor.script().contains("\u202e"));
    }

    void fiftyMegabytesAreRefusedWithAReason()
    {
        Window w;
        w.editor.setScript("keep me");
        QSignalSpy refused(w.editor.view(), &CodeView::pasteRefused);
        w.key(Qt::Key_A, Qt::ControlModifier);
        w.paste(QByteArray(50 * 1024 * 1024, 'x'));
        QVERIFY(!refused.isEmpty() || refused.wait());
        QCOMPARE(w.editor.script(), QByteArray("keep me"));
        QVERIFY2(w.editor.warning().contains(QStringLiteral("50")), qPrintable(w.editor.warning()));
        QVERIFY(!w.editor.setScript(QByteArray(CodeView::maxBytes + 1, 'x')));
        QCOMPARE(w.editor.script(), QByteArray("keep me"));
    }

    void pastedWindowsLinesBecomeUnixLines()
    {
        Window w;
        w.paste("a\r\nb\r\n");
        QCOMPARE(w.editor.script(), QByteArray("a\nb\n"));
    }

    void aReadOnlyEditorTakesNoKeys()
    {
        Window w;
        w.editor.setScript("abc");
        w.editor.setReadOnly(true);
        QTest::keyClicks(w.editor.view(), QStringLiteral("x"));
        w.key(Qt::Key_Delete);
        w.key(Qt::Key_Slash, Qt::ControlModifier);
        w.paste("y");
        QCOMPARE(w.editor.script(), QByteArray("abc"));
        w.editor.setScript("def");
        QCOMPARE(w.editor.script(), QByteArray("def"));
        QVERIFY(w.editor.isReadOnly());
    }

    void problemLinesAreMarkedAndUnmarked()
    {
        ScriptEditor editor;
        editor.setScript("a\nb\nc");
        editor.setProblems({{2, QStringLiteral("no such name")}, {99, QStringLiteral("beyond the end")}});
        QVERIFY(editor.view()->markersAtLine(1) != 0);
        QVERIFY(editor.view()->markersAtLine(2) != 0);
        QCOMPARE(editor.view()->annotation(1), QStringLiteral("no such name"));
        editor.setProblems({});
        QCOMPARE(editor.view()->markersAtLine(1), 0U);
        QVERIFY(editor.view()->annotation(1).isEmpty());
    }

    void coloursFollowThePalette()
    {
        ScriptEditor editor;
        editor.setLanguage("osis");
        const QColor light = editorColours(editor.palette()).of(Token::Keyword);
        QPalette dark;
        dark.setColor(QPalette::Base, QColor(0x1e, 0x21, 0x27));
        dark.setColor(QPalette::Text, Qt::white);
        const QPalette before = QApplication::palette();
        QApplication::setPalette(dark);
        QTRY_COMPARE(editor.view()->lexer()->paper(int(Token::Keyword)).name(), QStringLiteral("#1e2127"));
        QVERIFY(editor.view()->lexer()->color(int(Token::Keyword)) != light);
        QApplication::setPalette(before);
    }

    void controlTabLeavesTheEditor()
    {
        QWidget window;
        auto *const editor = new ScriptEditor(&window);
        auto *const other = new QLineEdit(&window);
        editor->resize(300, 200);
        QWidget::setTabOrder(editor, other);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        editor->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), editor->view());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab, Qt::ControlModifier);
        QCOMPARE(QApplication::focusWidget(), other);
    }
};

QTEST_MAIN(TestScriptEditor)
#include "tst_script_editor.moc"
