// The settings dialog with real keys and clicks: every change applies at once, interpreters are edited and added.
#include "tests/ui/dialog_window.h"
#include "ui/dialogs/settings/interpreter_form.h"
#include "ui/dialogs/settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>

using namespace ym;
using namespace ym::test;

namespace {

class Window {
public:
    explicit Window(SettingsDialog::Page page = SettingsDialog::Page::Appearance)
    {
        connections.setInterpreters(someInterpreters());
        dialog = std::make_unique<SettingsDialog>(&connections, &store.settings);
        dialog->showPage(page);
        showActive(dialog.get());
    }
    QTableWidget *table() { return child<QTableWidget>(dialog.get(), "interpreters"); }
    QLineEdit *line(const QByteArray &name) { return child<QLineEdit>(dialog.get(), name.constData()); }
    QPushButton *button(const char *name) { return child<QPushButton>(dialog.get(), name); }
    void fill(const QByteArray &name, const QString &text)
    {
        line(name)->setFocus();
        line(name)->selectAll();
        press(Qt::Key_Delete);
        type(text);
    }
    std::optional<Interpreter> interpreter(const QByteArray &type)
    {
        for (const InterpreterStatus &row : connections.interpreters()) {
            if (row.interpreter.type == type)
                return row.interpreter;
        }
        return std::nullopt;
    }

    TestSettings store;
    FakeConnections connections;
    std::unique_ptr<SettingsDialog> dialog;
};

} // namespace

class TestSettingsDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void arrowKeysTurnThePages()
    {
        Window w;
        QCOMPARE(QApplication::focusWidget(), child<QListWidget>(w.dialog.get(), "pages"));
        QVERIFY(child<QComboBox>(w.dialog.get(), "theme")->isVisible());
        press(Qt::Key_Down);
        QVERIFY(w.table()->isVisible());
        press(Qt::Key_Down);
        QVERIFY(child<QCheckBox>(w.dialog.get(), "notify")->isVisible());
        press(Qt::Key_Escape);
        QVERIFY(!w.dialog->isVisible());
    }

    void themeAndFontApplyAtOnce()
    {
        Window w;
        QSignalSpy themes(&w.store.settings, &UiSettings::themeChanged);
        child<QComboBox>(w.dialog.get(), "theme")->setFocus();
        press(Qt::Key_Down);
        press(Qt::Key_Down);
        QCOMPARE(w.store.settings.theme(), ThemeChoice::Dark);
        QVERIFY(!themes.isEmpty());
        child<QSpinBox>(w.dialog.get(), "fontSize")->setFocus();
        press(Qt::Key_Up);
        QCOMPARE(w.store.settings.codeFontSize(), 11);
    }

    void everySwitchIsKept_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char *name : {"notify", "confirm", "startWorker", "wrap", "follow"})
            QTest::newRow(name) << QByteArray(name);
    }
    void everySwitchIsKept()
    {
        QFETCH(QByteArray, name);
        const auto states = [](const UiSettings &s) {
            return QList<bool>{s.notifiesOfEndedJobs(), s.asksBeforeActions(), s.startsLocalWorker(), s.wrapsOutput(),
                               s.followsOutput()};
        };
        Window w(SettingsDialog::Page::Behaviour);
        const QList<bool> before = states(w.store.settings);
        auto *const box = child<QCheckBox>(w.dialog.get(), name.constData());
        box->setFocus();
        press(Qt::Key_Space);
        const QList<bool> after = states(w.store.settings);
        int changes = 0;
        for (int i = 0; i < before.size(); ++i)
            changes += before[i] != after[i];
        QCOMPARE(changes, 1);
        QCOMPARE(after.count(box->isChecked()) + after.count(!box->isChecked()), before.size());
        w.store.settings.sync();
        const UiSettings again({w.store.folder.filePath(QStringLiteral("window.ini")), {}});
        QCOMPARE(states(again), after);
    }

    void theTableSaysWhatIsFound()
    {
        Window w(SettingsDialog::Page::Interpreters);
        QCOMPARE(w.table()->rowCount(), 5);
        QCOMPARE(w.table()->item(0, 2)->text(), QStringLiteral("/usr/bin/python3"));
        QCOMPARE(w.table()->item(2, 0)->text(), QStringLiteral("osis"));
        QCOMPARE(w.table()->item(2, 2)->text(), QStringLiteral("not found"));
        QVERIFY(w.table()->item(2, 2)->toolTip().contains(QStringLiteral("rhai-run")));
    }

    void aCommandIsChangedAndReset()
    {
        Window w(SettingsDialog::Page::Interpreters);
        w.table()->setFocus();
        w.table()->selectRow(2);
        QCOMPARE(w.line("interpreterType")->text(), QStringLiteral("osis"));
        QVERIFY(w.line("interpreterType")->isReadOnly());
        QVERIFY(!w.button("saveInterpreter")->isEnabled());
        w.fill("command", QStringLiteral("\"/opt/my rhai/run\" {file}"));
        QVERIFY(w.button("saveInterpreter")->isEnabled());
        click<QPushButton>(w.dialog.get(), "saveInterpreter");
        const QStringList expected{QStringLiteral("/opt/my rhai/run"), QStringLiteral("{file}")};
        QCOMPARE(w.interpreter("osis")->command, expected);
        QCOMPARE(w.line("interpreterType")->text(), QStringLiteral("osis"));
        QVERIFY(w.button("reset")->isEnabled());
        click<QPushButton>(w.dialog.get(), "reset");
        QCOMPARE(w.interpreter("osis")->command.first(), QStringLiteral("rhai-run"));
        QVERIFY(w.line("command")->text().startsWith(QStringLiteral("rhai-run")));
    }

    void anOwnTypeIsAddedAndRemoved()
    {
        Window w(SettingsDialog::Page::Interpreters);
        click<QPushButton>(w.dialog.get(), "addType");
        QCOMPARE(QApplication::focusWidget(), w.line("interpreterType"));
        type(QStringLiteral("ruby"));
        w.fill("command", QStringLiteral("ruby -W0"));
        child<QComboBox>(w.dialog.get(), "feed")->setFocus();
        press(Qt::Key_Down);
        w.fill("suffix", QStringLiteral(".rb"));
        QVERIFY(w.button("saveInterpreter")->isEnabled());
        click<QPushButton>(w.dialog.get(), "saveInterpreter");
        const auto ruby = w.interpreter("ruby");
        QVERIFY(ruby);
        QCOMPARE(ruby->feed, Interpreter::Feed::StandardInput);
        QCOMPARE(ruby->fileSuffix, QStringLiteral(".rb"));
        QCOMPARE(w.table()->rowCount(), 6);
        QCOMPARE(w.button("reset")->text(), QStringLiteral("&Remove"));
        click<QPushButton>(w.dialog.get(), "reset");
        QVERIFY(!w.interpreter("ruby"));
        QCOMPARE(w.table()->rowCount(), 5);
    }

    void badRowsCannotBeSaved_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QString>("text");
        QTest::newRow("no command") << QByteArray("command") << "";
        QTest::newRow("blanks as command") << QByteArray("command") << "   ";
        QTest::newRow("a relative path") << QByteArray("command") << "bin/python {file}";
        QTest::newRow("no place for the file") << QByteArray("command") << "python3";
        QTest::newRow("an ending without a dot") << QByteArray("suffix") << "py";
    }
    void badRowsCannotBeSaved()
    {
        QFETCH(QByteArray, field);
        QFETCH(QString, text);
        Window w(SettingsDialog::Page::Interpreters);
        w.table()->selectRow(0);
        w.fill(field, text);
        QVERIFY(!w.button("saveInterpreter")->isEnabled());
        QVERIFY(!child<QLabel>(w.dialog.get(), "interpreterStatus")->text().isEmpty());
        click<QPushButton>(w.dialog.get(), "revert");
        QVERIFY(w.line(field)->text() != text);
    }

    void aTypeThatExistsCannotBeAddedAgain()
    {
        Window w(SettingsDialog::Page::Interpreters);
        click<QPushButton>(w.dialog.get(), "addType");
        type(QStringLiteral("python"));
        w.fill("command", QStringLiteral("x {file}"));
        QVERIFY(!w.button("saveInterpreter")->isEnabled());
    }

    void whatIsBeingTypedSurvivesNewsOfTheTable()
    {
        Window w(SettingsDialog::Page::Interpreters);
        w.table()->selectRow(0);
        w.fill("command", QStringLiteral("python3.12 {file}"));
        w.connections.setInterpreters(someInterpreters());
        Q_EMIT w.connections.interpretersChanged();
        QCOMPARE(w.line("command")->text(), QStringLiteral("python3.12 {file}"));
        QVERIFY(w.button("saveInterpreter")->isEnabled());
    }

    void whyAProgramIsMissingOrBrokenIsToldBelowTheTable()
    {
        Window w(SettingsDialog::Page::Interpreters);
        auto *const trouble = child<QLabel>(w.dialog.get(), "interpreterTrouble");
        QVERIFY(!trouble->isVisible()); // python is found
        w.table()->selectRow(1);
        QVERIFY(trouble->isVisible());
        QVERIFY2(trouble->text().contains(QStringLiteral("was not found")), qPrintable(trouble->text()));
        QList<InterpreterStatus> rows = someInterpreters();
        rows[0].isBroken = true;
        rows[0].detail = QStringLiteral("/usr/bin/python3 does not run where jobs run: <b>no</b>");
        w.connections.setInterpreters(rows);
        Q_EMIT w.connections.interpretersChanged();
        w.table()->selectRow(0);
        QCOMPARE(trouble->text(), rows[0].detail);
        QCOMPARE(trouble->textFormat(), Qt::PlainText);
        QCOMPARE(w.table()->item(0, 2)->text(), QStringLiteral("broken"));
    }

    void aProgramThatWasInstalledMeanwhileIsFound()
    {
        Window w(SettingsDialog::Page::Interpreters);
        QList<InterpreterStatus> rows = someInterpreters();
        rows[1].found = true;
        rows[1].path = QStringLiteral("/usr/local/bin/v");
        const QSignalBlocker silent(w.connections); // nobody tells: a person asks
        w.connections.setInterpreters(rows);
        click<QPushButton>(w.dialog.get(), "probe");
        QCOMPARE(w.table()->item(1, 2)->text(), QStringLiteral("/usr/local/bin/v"));
    }

    void commandsSplitIntoTheSameWordsAgain_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("plain") << QStringList{"python3", "-u", "{file}"};
        QTest::newRow("a blank") << QStringList{"/opt/my tools/run", "{file}"};
        QTest::newRow("a quote") << QStringList{"run", "say \"hi\""};
        QTest::newRow("a tab") << QStringList{"run", "a	b"};
    }
    void commandsSplitIntoTheSameWordsAgain()
    {
        QFETCH(QStringList, words);
        QCOMPARE(QProcess::splitCommand(joinedCommand(words)), words);
    }
};

QTEST_MAIN(TestSettingsDialog)
#include "tst_settings_dialog.moc"
