// Several jobs that wait for one another, written in the window with real keys and clicks.
#include "tests/support/window_fixture.h"
#include "tests/ui/dialog_window.h"
#include "ui/dialogs/graph_dialog.h"
#include "ui/editor/script_editor.h"

#include <QDir>
#include <QFile>
#include <QFrame>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTableView>

using namespace ym;
using namespace ym::test;

namespace {

/// The dialog alone, on a session that answers.
struct Bench {
    Bench()
    {
        session.setReady();
        reopen();
    }
    ~Bench() { delete dialog; }
    /// As a crash would: nobody is asked.
    void reopen()
    {
        delete dialog;
        dialog = new GraphDialog(&session, &store.settings);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        showActive(dialog);
    }
    QStringList draftFiles() const
    {
        return QDir(store.settings.draftsFolder()).entryList({QStringLiteral("*.graph-draft")}, QDir::Files);
    }

    TestSettings store;
    FakePrompts prompts;
    FakeSession session{Profile()};
    QPointer<GraphDialog> dialog;
};

} // namespace

class TestGraphDialog : public QObject {
    Q_OBJECT

    static void writeScript(GraphDialog *dialog, const QString &text)
    {
        dialog->findChild<ScriptEditor *>()->setFocus();
        type(text);
    }
    /// A click on the box before this name.
    static void tick(GraphDialog *dialog, const QString &name)
    {
        auto *const list = child<QListWidget>(dialog, "runsAfter");
        const QList<QListWidgetItem *> found = list->findItems(name, Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        const QRect row = list->visualItemRect(found.first());
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, QPoint(row.left() + 12, row.center().y()));
    }
    static QString status(GraphDialog *dialog) { return child<QLabel>(dialog, "status")->text(); }

private Q_SLOTS:
    void threeJobsAreSubmittedInOneStep();
    void aCircleIsNamedAndRefused();
    void whatIsMissingIsNamedAndShown();
    void aJobIsRenamedAboveItsScript();
    void aRemovedJobIsWaitedForNoLonger();
    void filesBecomeJobs();
    void aLostAnswerIsTold();
    void closingAsksWhenSomethingWasWritten_data();
    void closingAsksWhenSomethingWasWritten();
    void aDraftSurvivesTheEndOfTheProgram();
    void theWindowOpensItUnlessItIsReadOnly();
};

void TestGraphDialog::threeJobsAreSubmittedInOneStep()
{
    Bench bench;
    GraphDialog *const dialog = bench.dialog;
    writeScript(dialog, QStringLiteral("fetch"));
    click<QPushButton>(dialog, "addJob");
    writeScript(dialog, QStringLiteral("sort"));
    tick(dialog, QStringLiteral("job 1"));
    click<QPushButton>(dialog, "addJob");
    writeScript(dialog, QStringLiteral("report"));
    tick(dialog, QStringLiteral("job 1"));
    tick(dialog, QStringLiteral("job 2"));
    auto *const submit = child<QPushButton>(dialog, "submit");
    QTRY_VERIFY(submit->isEnabled());
    QVERIFY2(submit->text().contains(u'3'), qPrintable(submit->text()));
    press(Qt::Key_Return, Qt::ControlModifier);
    WindowFixture::settle();
    const auto requests = bench.session.requests("submitGraph");
    QCOMPARE(requests.size(), 1);
    const std::vector<Job> &drafts = requests.first().drafts;
    QCOMPARE(drafts.size(), size_t(3));
    QCOMPARE(drafts[0].script, QByteArray("fetch"));
    QCOMPARE(drafts[1].prerequisites, QList<QByteArray>{drafts[0].id});
    QCOMPARE(drafts[2].prerequisites, (QList<QByteArray>{drafts[0].id, drafts[1].id}));
    QCOMPARE(drafts[2].target.type, QByteArray("python"));
    QTRY_VERIFY(!bench.dialog);
}

void TestGraphDialog::aCircleIsNamedAndRefused()
{
    Bench bench;
    GraphDialog *const dialog = bench.dialog;
    writeScript(dialog, QStringLiteral("a"));
    click<QPushButton>(dialog, "addJob");
    writeScript(dialog, QStringLiteral("b"));
    tick(dialog, QStringLiteral("job 1"));
    child<QTableView>(dialog, "graphJobs")->selectRow(0);
    tick(dialog, QStringLiteral("job 2"));
    QTRY_VERIFY2(status(dialog).contains(QStringLiteral("circle")), qPrintable(status(dialog)));
    QVERIFY(status(dialog).contains(QStringLiteral("job 1")) && status(dialog).contains(QStringLiteral("job 2")));
    QVERIFY(!child<QPushButton>(dialog, "submit")->isEnabled());
    tick(dialog, QStringLiteral("job 2")); // off again
    QTRY_VERIFY(child<QPushButton>(dialog, "submit")->isEnabled());
}

void TestGraphDialog::aJobIsRenamedAboveItsScript()
{
    Bench bench;
    GraphDialog *const dialog = bench.dialog;
    click<QPushButton>(dialog, "addJob");
    auto *const name = child<QLineEdit>(dialog, "jobName");
    QCOMPARE(name->text(), QStringLiteral("job 2"));
    name->setFocus();
    name->selectAll();
    type(QStringLiteral("load"));
    press(Qt::Key_Return);
    auto *const list = child<QTableView>(dialog, "graphJobs");
    QCOMPARE(list->model()->index(1, 0).data().toString(), QStringLiteral("load"));
    list->selectRow(0);
    QCOMPARE(name->text(), QStringLiteral("job 1"));
    QVERIFY(bench.session.requests("submitGraph").isEmpty());
}

void TestGraphDialog::whatIsMissingIsNamedAndShown()
{
    Bench bench;
    GraphDialog *const dialog = bench.dialog;
    click<QPushButton>(dialog, "addJob");
    writeScript(dialog, QStringLiteral("b"));
    QTRY_VERIFY2(status(dialog).startsWith(QStringLiteral("job 1: ")), qPrintable(status(dialog)));
    press(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(child<QTableView>(dialog, "graphJobs")->currentIndex().row(), 0); // here
    QVERIFY(bench.session.requests("submitGraph").isEmpty());
}

void TestGraphDialog::aRemovedJobIsWaitedForNoLonger()
{
    Bench bench;
    GraphDialog *const dialog = bench.dialog;
    writeScript(dialog, QStringLiteral("a"));
    click<QPushButton>(dialog, "addJob");
    writeScript(dialog, QStringLiteral("b"));
    tick(dialog, QStringLiteral("job 1"));
    auto *const list = child<QTableView>(dialog, "graphJobs");
    QCOMPARE(list->model()->index(1, 1).data().toString(), QStringLiteral("job 1"));
    list->selectRow(0);
    click<QPushButton>(dialog, "removeJob");
    QCOMPARE(list->model()->rowCount(), 1);
    QCOMPARE(dialog->findChild<ScriptEditor *>()->script(), QByteArray("b"));
    QTRY_VERIFY(child<QPushButton>(dialog, "submit")->isEnabled());
    click<QPushButton>(dialog, "submit");
    WindowFixture::settle();
    QVERIFY(bench.session.requests("submitGraph").first().drafts.front().prerequisites.isEmpty());
}

void TestGraphDialog::filesBecomeJobs()
{
    Bench bench;
    GraphDialog *const dialog = bench.dialog;
    for (const char *name : {"fetch.py", "fetch.txt"}) {
        QFile file(bench.store.folder.filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("print(1)\n");
        file.close();
        QVERIFY(dialog->addFile(bench.store.folder.filePath(QLatin1String(name))));
    }
    auto *const list = child<QTableView>(dialog, "graphJobs");
    QCOMPARE(list->model()->rowCount(), 2); // the empty one has given way
    QCOMPARE(list->model()->index(0, 0).data().toString(), QStringLiteral("fetch"));
    QCOMPARE(list->model()->index(1, 0).data().toString(), QStringLiteral("fetch 2"));
    QVERIFY(!dialog->addFile(bench.store.folder.filePath(QStringLiteral("nothing.py"))));
    QVERIFY(!status(dialog).isEmpty());
}

void TestGraphDialog::aLostAnswerIsTold()
{
    Bench bench;
    GraphDialog *const dialog = bench.dialog;
    writeScript(dialog, QStringLiteral("a"));
    Error lost;
    lost.kind = ErrorKind::Timeout;
    lost.message = QStringLiteral("No answer.");
    lost.ambiguous = true;
    bench.session.failNext(lost);
    QTRY_VERIFY(child<QPushButton>(dialog, "submit")->isEnabled());
    click<QPushButton>(dialog, "submit");
    WindowFixture::settle();
    QVERIFY2(status(dialog).contains(QStringLiteral("not created twice")), qPrintable(status(dialog)));
    click<QPushButton>(dialog, "submit");
    WindowFixture::settle();
    const auto requests = bench.session.requests("submitGraph");
    QCOMPARE(requests.size(), 2);
    QCOMPARE(requests[0].drafts.front().id, requests[1].drafts.front().id);
}

void TestGraphDialog::closingAsksWhenSomethingWasWritten_data()
{
    QTest::addColumn<int>("answer");
    QTest::addColumn<int>("drafts");
    QTest::newRow("keep as draft") << 0 << 1;
    QTest::newRow("discard") << 1 << 0;
}

void TestGraphDialog::closingAsksWhenSomethingWasWritten()
{
    Bench bench;
    QPointer<GraphDialog> dialog = bench.dialog;
    writeScript(dialog, QStringLiteral("a"));
    bench.prompts.answer = -1;
    click<QPushButton>(dialog, "close");
    QTRY_COMPARE(bench.prompts.questions.size(), 1);
    QVERIFY(dialog && dialog->isVisible());
    QFETCH(int, answer);
    bench.prompts.answer = answer;
    click<QPushButton>(dialog, "close");
    QTRY_VERIFY(!dialog);
    QTEST(int(bench.draftFiles().size()), "drafts");
}

void TestGraphDialog::aDraftSurvivesTheEndOfTheProgram()
{
    Bench bench;
    writeScript(bench.dialog, QStringLiteral("fetch"));
    click<QPushButton>(bench.dialog, "addJob");
    writeScript(bench.dialog, QStringLiteral("report"));
    tick(bench.dialog, QStringLiteral("job 1"));
    QTRY_COMPARE(child<QLabel>(bench.dialog, "draftState")->text(), QStringLiteral("Draft kept"));
    QCOMPARE(bench.draftFiles().size(), 1);
    bench.reopen();
    QVERIFY(bench.prompts.questions.isEmpty());
    bench.dialog->offerDraft();
    QVERIFY(child<QFrame>(bench.dialog, "draftOffer")->isVisible());
    QVERIFY(child<QLabel>(bench.dialog, "draftOfferText")->text().contains(QStringLiteral("job 1, job 2")));
    click<QPushButton>(bench.dialog, "takeDraft");
    QCOMPARE(bench.dialog->findChild<ScriptEditor *>()->script(), QByteArray("fetch"));
    QTRY_VERIFY(child<QPushButton>(bench.dialog, "submit")->isEnabled());
    press(Qt::Key_Return, Qt::ControlModifier);
    WindowFixture::settle();
    const auto requests = bench.session.requests("submitGraph");
    QCOMPARE(requests.size(), 1);
    const std::vector<Job> &drafts = requests.first().drafts;
    QCOMPARE(drafts.size(), size_t(2));
    QCOMPARE(drafts[1].script, QByteArray("report"));
    QCOMPARE(drafts[1].prerequisites, QList<QByteArray>{drafts[0].id});
    QTRY_VERIFY(bench.draftFiles().isEmpty());
}

void TestGraphDialog::theWindowOpensItUnlessItIsReadOnly()
{
    WindowFixture fixture;
    fixture.open();
    fixture.session()->setReady();
    fixture.settle();
    fixture.key(Qt::Key_G, Qt::ControlModifier);
    QCOMPARE(fixture.window->findChildren<GraphDialog *>().size(), 1);
    Profile profile = fixture.session()->profile();
    profile.readOnly = true;
    fixture.session()->setProfile(profile);
    fixture.window->actions()->refreshNow();
    QVERIFY(!fixture.action("job.newGraph")->isEnabled());
}

QTEST_MAIN(TestGraphDialog)
#include "tst_graph_dialog.moc"
