// The compose window with real keys and clicks: validation, preview, one job per submission, drafts, files.
#include "models/job_table_model.h"
#include "models/presence_index.h"
#include "tests/support/fake_prompts.h"
#include "tests/ui/dialog_window.h"
#include "ui/dialogs/compose_dialog.h"
#include "ui/dialogs/start_worker_dialog.h"
#include "ui/editor/script_editor.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>

using namespace ym;
using namespace ym::test;

namespace {

Profile localProfile()
{
    Profile profile;
    profile.id = QString::fromLatin1(localProfileId);
    profile.name = QStringLiteral("Local workspace");
    profile.url = QStringLiteral("embedded:");
    return profile;
}

WorkerInfo worker(const char *type, const char *group, const char *instance)
{
    WorkerInfo info;
    info.key = QByteArray(type) + group + instance;
    info.target = {type, group, instance, 1, {}};
    info.hostname = "box";
    info.ttlMs = 15000;
    info.lastHeartbeat = Clock::system().now();
    return info;
}

class Window {
public:
    Window()
        : session(std::make_unique<FakeSession>(localProfile()))
        , jobs({}, &Clock::system())
    {
        session->setReady();
        QObject::connect(session.get(), &Session::changed, &jobs, &JobTableModel::apply);
        QObject::connect(session.get(), &Session::changed, &presence, &PresenceIndex::apply);
        reopen();
    }
    void reopen()
    {
        dialog = std::make_unique<ComposeDialog>(session.get(), &store.settings);
        dialog->setInterpreters(someInterpreters());
        dialog->setSources(&jobs, &presence);
        showActive(dialog.get());
        editor()->setFocus();
    }
    void write(const QString &script)
    {
        editor()->setFocus();
        type(script);
    }
    CodeView *editor() { return child<ScriptEditor>(dialog.get())->view(); }
    template <typename T> T *child(QWidget *parent) { return parent->findChild<T *>(); }
    template <typename T> T *find(const char *name) { return test::child<T>(dialog.get(), name); }
    void fill(const char *name, const QString &text)
    {
        auto *const combo = find<QComboBox>(name);
        combo->setFocus();
        combo->lineEdit()->selectAll();
        press(Qt::Key_Delete);
        ym::test::type(text);
    }
    QString status() { return find<QLabel>("status")->text(); }
    bool canSubmit() { return find<QPushButton>("submit")->isEnabled(); }
    void submit() { press(Qt::Key_Return, Qt::ControlModifier); }
    QList<FakeSession::Request> submissions() { return session->requests("submit"); }
    QStringList draftFiles()
    {
        return QDir(store.settings.draftsFolder()).entryList({QStringLiteral("*.draft")}, QDir::Files);
    }
    void waitForDraft() { QTRY_COMPARE(find<QLabel>("draftState")->text(), QStringLiteral("Draft kept")); }

    TestSettings store;
    FakePrompts prompts;
    std::unique_ptr<FakeSession> session;
    JobTableModel jobs;
    PresenceIndex presence;
    std::unique_ptr<ComposeDialog> dialog;
};

const QByteArray someId = "0b8f4d3e-55aa-4a6e-9d11-1f2e3d4c5b6a";

} // namespace

class TestComposeDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void controlEnterSubmitsWhatWasWritten()
    {
        Window w;
        QSignalSpy submitted(w.dialog.get(), &ComposeDialog::submitted);
        w.write(QStringLiteral("print(1)"));
        w.fill("group", QStringLiteral("night"));
        w.find<QSpinBox>("timeout")->setValue(0);
        w.find<QSpinBox>("retries")->setValue(2);
        w.find<QCheckBox>("concurrent")->setFocus();
        press(Qt::Key_Space);
        w.find<QLineEdit>("caller")->setFocus();
        type(QStringLiteral("ann"));
        w.submit();
        QTRY_COMPARE(submitted.size(), 1);
        QCOMPARE(w.submissions().size(), 1);
        const Job job = w.submissions().first().draft;
        QCOMPARE(job.script, QByteArray("print(1)"));
        QCOMPARE(job.target, (Target{"python", "night", {}, 1, {}}));
        QCOMPARE(job.timeout.count(), 0);
        QCOMPARE(job.retries, 2);
        QVERIFY(job.concurrent);
        QCOMPARE(job.callerId, QByteArray("ann"));
        QCOMPARE(job.id.size(), 36);
        QTRY_VERIFY(!w.dialog->isVisible());
        QVERIFY(w.prompts.questions.isEmpty());
        QVERIFY(w.draftFiles().isEmpty());
    }

    void pressingTwiceMakesOneJob()
    {
        Window w;
        w.write(QStringLiteral("print(1)"));
        w.session->holdAnswers();
        w.submit();
        w.submit();
        QTest::mouseDClick(w.find<QPushButton>("submit"), Qt::LeftButton);
        QCOMPARE(w.submissions().size(), 1);
        QCOMPARE(w.status(), QStringLiteral("Submitting…"));
        w.session->releaseAnswers();
        QTRY_VERIFY(!w.dialog->isVisible());
        QCOMPARE(w.submissions().size(), 1);
    }

    void whatNobodyTypedIsClosedWithoutAQuestion_data()
    {
        QTest::addColumn<bool>("isTyped");
        QTest::newRow("nothing typed") << false;
        QTest::newRow("a letter typed") << true;
    }
    void whatNobodyTypedIsClosedWithoutAQuestion()
    {
        QFETCH(bool, isTyped);
        Window w;
        w.prompts.answer = -1;
        Job job;
        job.id = someId;
        job.target.type = "python";
        job.script = "print(1)";
        w.dialog->prefill(job);
        if (isTyped)
            w.write(QStringLiteral("x"));
        w.dialog->close();
        QCOMPARE(w.prompts.questions.size(), isTyped ? 1 : 0);
        w.reopen();
        QFile file(w.store.folder.filePath(QStringLiteral("hello.py")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("print(2)") > 0);
        file.close();
        QVERIFY(w.dialog->openFile(file.fileName()));
        w.prompts.questions.clear();
        if (isTyped)
            w.write(QStringLiteral("x"));
        w.waitForDraft(); // for the case that the program ends
        w.dialog->close();
        QCOMPARE(w.prompts.questions.size(), isTyped ? 1 : 0);
        QCOMPARE(w.draftFiles().size(), isTyped ? 2 : 0);
    }
    void thePreviewSaysWhatComesFirst()
    {
        Window w;
        Job job;
        job.target.type = "python";
        job.script = "print(1)";
        w.dialog->prefill(job);
        auto *const before = w.find<QLabel>("routeBefore");
        QVERIFY(!before->isVisible());
        job.prerequisites = {someId};
        job.notBefore = Clock::system().now() + Milliseconds{3'600'000};
        w.dialog->prefill(job);
        QVERIFY(before->isVisible());
        QVERIFY2(before->text().contains(QStringLiteral("1 job"))
                     && before->text().contains(QStringLiteral("held until")),
                 qPrintable(before->text()));
    }
    void aFailureKeepsTheTextAndTheIdForTheNextTry()
    {
        Window w;
        w.write(QStringLiteral("print(1)"));
        Error lost{ErrorKind::Unavailable, QStringLiteral("The connection was lost."), QStringLiteral("Wait."), true};
        w.session->failNext(lost);
        w.submit();
        QTRY_VERIFY(w.status().contains(QStringLiteral("The connection was lost.")));
        QVERIFY(w.status().contains(QStringLiteral("Submit again")));
        QCOMPARE(w.editor()->bytes(), QByteArray("print(1)"));
        QVERIFY(w.canSubmit());
        w.submit();
        QTRY_COMPARE(w.submissions().size(), 2);
        QCOMPARE(w.submissions()[0].draft.id, w.submissions()[1].draft.id);
    }

    void aTryThatArrivedUnansweredCountsAsSubmitted()
    {
        Window w;
        QSignalSpy submitted(w.dialog.get(), &ComposeDialog::submitted);
        w.write(QStringLiteral("print(1)"));
        w.session->failNext({ErrorKind::Timeout, QStringLiteral("No answer."), {}, true});
        w.submit();
        QTRY_VERIFY(w.status().contains(QStringLiteral("No answer.")));
        w.session->failNext({ErrorKind::Conflict, QStringLiteral("The job exists."), {}, false});
        w.submit();
        QTRY_COMPARE(submitted.size(), 1);
        QCOMPARE(submitted.first().first().value<SubmitReceipt>().id, w.submissions().first().draft.id);
    }

    void aChangeAfterAnUnansweredTryIsNotTakenForSubmitted()
    {
        Window w;
        QSignalSpy submitted(w.dialog.get(), &ComposeDialog::submitted);
        w.write(QStringLiteral("print(1)"));
        w.session->failNext({ErrorKind::Timeout, QStringLiteral("No answer."), {}, true});
        w.submit();
        QTRY_VERIFY(w.status().contains(QStringLiteral("No answer.")));
        w.write(QStringLiteral(" # more"));
        w.session->failNext({ErrorKind::Conflict, QStringLiteral("The job exists."), {}, false});
        w.submit();
        QTRY_VERIFY(w.status().contains(QStringLiteral("The first try did arrive")));
        QCOMPARE(submitted.size(), 0);
        w.submit();
        QTRY_COMPARE(submitted.size(), 1);
        QVERIFY(w.submissions()[1].draft.id != w.submissions()[2].draft.id);
    }

    void keepOpenSubmitsTheNextAsAnotherJob()
    {
        Window w;
        w.find<QCheckBox>("keepOpen")->setChecked(true);
        w.find<QCheckBox>("watch")->setChecked(true);
        w.write(QStringLiteral("print(1)"));
        w.submit();
        QTRY_VERIFY(w.status().contains(QStringLiteral("Submitted")));
        QVERIFY(w.dialog->isVisible());
        QVERIFY(w.session->isWatched(w.submissions().first().draft.id));
        w.submit();
        QTRY_COMPARE(w.submissions().size(), 2);
        QVERIFY(w.submissions()[0].draft.id != w.submissions()[1].draft.id);
        w.find<QCheckBox>("keepOpen")->setChecked(false);
        w.reopen();
        QVERIFY(!w.find<QCheckBox>("keepOpen")->isChecked());
        QVERIFY(w.find<QCheckBox>("watch")->isChecked());
    }

    void problemsStandAtTheirFieldAndBlock_data()
    {
        QTest::addColumn<QByteArray>("combo");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("at");
        QTest::newRow("a type with a blank") << QByteArray("type") << "my type" << QByteArray("type");
        QTest::newRow("no type") << QByteArray("type") << "" << QByteArray("type");
        QTest::newRow("a group with a colon") << QByteArray("group") << "a:b" << QByteArray("group");
        QTest::newRow("an instance without its group") << QByteArray("instance") << "1" << QByteArray("group");
    }
    void problemsStandAtTheirFieldAndBlock()
    {
        QFETCH(QByteArray, combo);
        QFETCH(QString, text);
        QFETCH(QByteArray, at);
        Window w;
        w.write(QStringLiteral("print(1)"));
        QTRY_VERIFY(w.canSubmit());
        w.fill(combo.constData(), text);
        QTRY_VERIFY(!w.canSubmit());
        QVERIFY(!w.status().isEmpty());
        QCOMPARE(w.find<QLabel>((at + "Line").constData())->text(), w.status());
        w.submit();
        QCOMPARE(w.submissions().size(), 0);
    }

    void anEmptyScriptIsRefusedWithItsReason()
    {
        Window w;
        QVERIFY(!w.canSubmit());
        QCOMPARE(w.status(), QStringLiteral("The script is empty."));
        w.write(QStringLiteral("   "));
        QTRY_VERIFY(!w.canSubmit());
        w.submit();
        QVERIFY(w.submissions().isEmpty());
    }

    void aConnectionThatCannotTakeJobsSaysSo()
    {
        Window w;
        w.write(QStringLiteral("print(1)"));
        ConnectionState state;
        state.phase = ConnectionState::Phase::Waiting;
        state.trouble = {ErrorKind::Unavailable, QStringLiteral("Nobody answers at db:6379."), {}, false};
        w.session->setState(state);
        QTRY_VERIFY(w.status().contains(QStringLiteral("Nobody answers at db:6379.")));
        QVERIFY(!w.canSubmit());
        w.session->setReady();
        QTRY_VERIFY(w.canSubmit());
        Profile profile = localProfile();
        profile.readOnly = true;
        w.session->setProfile(profile);
        w.write(QStringLiteral(" "));
        QTRY_VERIFY(w.status().contains(QStringLiteral("read-only")));
        QVERIFY(!w.canSubmit());
    }

    void aClosedConnectionLeavesTheTextAndBlocks()
    {
        Window w;
        w.write(QStringLiteral("print(1)"));
        w.waitForDraft();
        w.session.reset();
        QTRY_VERIFY(w.status().contains(QStringLiteral("closed")));
        QVERIFY(!w.canSubmit());
        QCOMPARE(w.editor()->bytes(), QByteArray("print(1)"));
        w.submit();
        QCOMPARE(w.draftFiles().size(), 1);
    }

    void thePreviewNamesQueueListenersAndTheJobsBefore()
    {
        Window w;
        w.session->setPreview({{"hero:q:work:type:python"}, {worker("python", "default", "1")}, 3});
        w.fill("group", QStringLiteral("a"));
        QTRY_COMPARE(w.find<QLabel>("routeQueue")->text(), QStringLiteral("hero:q:work:type:python"));
        QVERIFY(w.find<QLabel>("routeListeners")->text().contains(QStringLiteral("python:default:1 on box")));
        QCOMPARE(w.find<QLabel>("routeAhead")->text(), QStringLiteral("3 jobs are before it."));
        QVERIFY(w.find<QPushButton>("startWorker")->isHidden());
        QCOMPARE(w.session->requests("preview").last().target.group, QByteArray("a"));
    }

    void typingAsksForOnePreviewNotForEveryLetter()
    {
        Window w;
        QTRY_VERIFY(!w.session->requests("preview").isEmpty());
        w.session->clearRequests();
        w.fill("group", QStringLiteral("abcdefgh"));
        QTRY_VERIFY(!w.session->requests("preview").isEmpty());
        QCOMPARE(w.session->requests("preview").size(), 1);
        QCOMPARE(w.session->requests("preview").first().target.group, QByteArray("abcdefgh"));
    }

    void aQueueNobodyServesOffersALocalWorker()
    {
        Window w;
        w.session->setPreview({{"hero:q:work:type:python:group:x"}, {}, 0});
        w.fill("group", QStringLiteral("x"));
        QTRY_VERIFY(w.find<QPushButton>("startWorker")->isVisible());
        QVERIFY(w.find<QLabel>("routeListeners")->text().contains(QStringLiteral("Nobody listens")));
        click<QPushButton>(w.dialog.get(), "startWorker");
        auto *const start = w.dialog->findChild<StartWorkerDialog *>();
        QVERIFY(start);
        QCOMPARE(start->request().types, QList<QByteArray>{"python"});
        QCOMPARE(start->request().group, QByteArray("x"));
        click<QPushButton>(start, "start");
        QTRY_COMPARE(w.session->requests("startWorker").size(), 1);
    }

    void liveWorkersAreOffered()
    {
        Window w;
        w.session->showWorkers(
            {worker("sql", "night", "7"), worker("sql", "night", "8"), worker("python", "day", "1")});
        w.fill("type", QStringLiteral("sql"));
        const auto texts = [&w](const char *name) {
            QStringList all;
            const auto *const combo = w.find<QComboBox>(name);
            for (int i = 0; i < combo->count(); ++i)
                all.append(combo->itemText(i));
            return all;
        };
        QVERIFY(texts("type").contains(QStringLiteral("python")));
        QVERIFY(texts("type").contains(QStringLiteral("sql")));
        QCOMPARE(texts("group"), QStringList{QStringLiteral("night")});
        QCOMPARE(texts("instance"), (QStringList{QStringLiteral("7"), QStringLiteral("8")}));
        QCOMPARE(w.find<QComboBox>("type")->currentText(), QStringLiteral("sql"));
    }

    void aMissingInterpreterIsSaidAtTheType()
    {
        Window w;
        w.fill("type", QStringLiteral("osis"));
        QTRY_VERIFY(w.find<QLabel>("typeLine")->text().contains(QStringLiteral("rhai-run")));
        QCOMPARE(w.editor()->language(), Language::Rhai);
    }

    void variablesArePastedMaskedAndRemoved()
    {
        Window w;
        w.write(QStringLiteral("x"));
        QGuiApplication::clipboard()->setText(
            QStringLiteral("# made by hand\nexport A=1\nAPI_TOKEN=\"s3cret\"\nnot a pair\nA=2\n"));
        auto *const table = w.find<QTableView>("environment");
        table->setFocus();
        press(Qt::Key_V, Qt::ControlModifier);
        const QList<ByteField> expected{{"A", "2"}, {"API_TOKEN", "s3cret"}};
        QCOMPARE(w.dialog->draft().env, expected);
        QVERIFY(w.find<QLabel>("environmentNote")->text().contains(QStringLiteral("1")));
        const auto shown = [table](int row) { return table->model()->index(row, 1).data().toString(); };
        QCOMPARE(shown(0), QStringLiteral("2"));
        QVERIFY(!shown(1).contains(QStringLiteral("s3cret")));
        click<QCheckBox>(w.dialog.get(), "showSecrets");
        QCOMPARE(shown(1), QStringLiteral("s3cret"));
        table->setCurrentIndex(table->model()->index(0, 0));
        table->setFocus();
        press(Qt::Key_Delete);
        QCOMPARE(w.dialog->draft().env, (QList<ByteField>{{"API_TOKEN", "s3cret"}}));
    }

    void aVariableIsTypedIntoTheLastRow()
    {
        Window w;
        click<QPushButton>(w.dialog.get(), "addVariable");
        type(QStringLiteral("NAME=value one"));
        press(Qt::Key_Return);
        QTRY_COMPARE(w.dialog->draft().env, (QList<ByteField>{{"NAME", "value one"}}));
        click<QPushButton>(w.dialog.get(), "addVariable");
        type(QStringLiteral("1X"));
        press(Qt::Key_Return);
        QTRY_COMPARE(w.dialog->draft().env.size(), 2);
        w.write(QStringLiteral("print(1)"));
        QTRY_VERIFY(w.status().contains(QStringLiteral("1X")));
        QVERIFY(!w.canSubmit());
    }

    void prerequisitesAreSearchedShownAndRemoved()
    {
        Window w;
        JobSummary job;
        job.id = someId;
        job.target.type = "python";
        job.state = JobState::Running;
        w.session->showJobs({job});
        auto *const line = w.find<QLineEdit>("prerequisiteSearch");
        line->setFocus();
        type(QStringLiteral("0b8f"));
        auto *list = w.dialog->findChild<QAbstractItemView *>(QStringLiteral("prerequisiteList"));
        if (!list) {
            for (QWidget *top : QApplication::allWidgets()) {
                if (top->objectName() == QLatin1String("prerequisiteList"))
                    list = qobject_cast<QAbstractItemView *>(top);
            }
        }
        QVERIFY(list);
        QTRY_VERIFY(list->isVisible());
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(w.dialog->draft().prerequisites, QList<QByteArray>{someId});
        QTRY_VERIFY(line->text().isEmpty());
        const auto chipText = [&w] { return w.find<QFrame>("chip")->findChild<QLabel *>()->text(); };
        QVERIFY2(chipText().contains(QStringLiteral("running")), qPrintable(chipText()));
        w.session->moveJob(someId, JobState::Finished);
        QTRY_VERIFY2(chipText().contains(QStringLiteral("finished")), qPrintable(chipText()));
        click<QToolButton>(w.dialog.get(), "removeChip");
        QVERIFY(w.dialog->draft().prerequisites.isEmpty());
    }

    void aPastedIdOfNoJobIsMarked()
    {
        Window w;
        w.write(QStringLiteral("print(1)"));
        w.find<QLineEdit>("prerequisiteSearch")->setFocus();
        type(QString::fromLatin1(someId));
        press(Qt::Key_Return);
        QCOMPARE(w.dialog->draft().prerequisites, QList<QByteArray>{someId});
        QTRY_VERIFY(w.status().contains(QStringLiteral("is not there")));
        press(Qt::Key_Backspace);
        QVERIFY(w.dialog->draft().prerequisites.isEmpty());
    }

    void aDraftSurvivesTheEndOfTheProgram()
    {
        Window w;
        w.write(QStringLiteral("print('later')"));
        w.fill("group", QStringLiteral("night"));
        w.find<QCheckBox>("accessNetwork")->setChecked(true);
        w.waitForDraft();
        QCOMPARE(w.draftFiles().size(), 1);
        const QFileInfo file(QDir(w.store.settings.draftsFolder()).filePath(w.draftFiles().first()));
        QCOMPARE(file.permissions() & 0x77, QFile::Permissions{}); // nothing for group and others
        w.dialog.reset(); // as a crash would: nobody was asked
        QVERIFY(w.prompts.questions.isEmpty());
        w.reopen();
        w.dialog->offerDraft();
        QVERIFY(w.find<QFrame>("draftOffer")->isVisible());
        QVERIFY(w.find<QLabel>("draftOfferText")->text().contains(QStringLiteral("print('later')")));
        click<QPushButton>(w.dialog.get(), "takeDraft");
        QCOMPARE(w.editor()->bytes(), QByteArray("print('later')"));
        QCOMPARE(w.find<QComboBox>("group")->currentText(), QStringLiteral("night"));
        w.submit();
        QTRY_COMPARE(w.submissions().size(), 1);
        QVERIFY(w.submissions().first().draft.access.network); // without it, it would be another job
        QTRY_VERIFY(w.draftFiles().isEmpty());
    }

    void aDraftOfAnEarlierVersionIsOffered()
    {
        Window w;
        QDir().mkpath(w.store.settings.draftsFolder());
        QFile file(QDir(w.store.settings.draftsFolder()).filePath(QStringLiteral("x.draft")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"version\":1,\"profile\":\"" + w.session->profile().id.toUtf8()
                   + "\",\"file\":\"/old/report.py\",\"type\":\"python\",\"script\":\"print('old')\",\"timeout\":60}");
        file.close();
        w.dialog->offerDraft();
        click<QPushButton>(w.dialog.get(), "takeDraft");
        QCOMPARE(w.editor()->bytes(), QByteArray("print('old')"));
        QCOMPARE(w.find<QLabel>("fileName")->text(), QStringLiteral("report.py"));
        QCOMPARE(w.dialog->draft().timeout, std::chrono::seconds(60));
    }

    void aDraftThatIsBeingWrittenIsNotOfferedToAnotherWindow()
    {
        Window w;
        w.write(QStringLiteral("print(1)"));
        w.waitForDraft();
        ComposeDialog second(w.session.get(), &w.store.settings);
        second.offerDraft();
        QVERIFY(second.findChild<QFrame *>(QStringLiteral("draftOffer"))->isHidden());
    }

    void aBrokenDraftIsSetAside()
    {
        Window w;
        QDir().mkpath(w.store.settings.draftsFolder());
        QFile file(QDir(w.store.settings.draftsFolder()).filePath(QStringLiteral("x.draft")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"version\":1,\"profi");
        file.close();
        w.dialog->offerDraft();
        QVERIFY(w.find<QFrame>("draftOffer")->isHidden());
        QVERIFY(w.draftFiles().isEmpty());
        QVERIFY(QFile::exists(file.fileName() + QStringLiteral(".corrupt")));
    }

    void closingAsksOnlyForUnsubmittedText_data()
    {
        QTest::addColumn<int>("answer");
        QTest::addColumn<bool>("closed");
        QTest::addColumn<int>("drafts");
        QTest::newRow("cancel") << -1 << false << 1;
        QTest::newRow("keep as draft") << 0 << true << 1;
        QTest::newRow("discard") << 1 << true << 0;
    }
    void closingAsksOnlyForUnsubmittedText()
    {
        QFETCH(int, answer);
        QFETCH(bool, closed);
        QFETCH(int, drafts);
        Window w;
        press(Qt::Key_Escape);
        QVERIFY(!w.dialog->isVisible());
        QVERIFY(w.prompts.questions.isEmpty());
        w.reopen();
        w.prompts.answer = answer;
        w.write(QStringLiteral("print(1)"));
        press(Qt::Key_Escape);
        QCOMPARE(w.prompts.questions.size(), 1);
        QCOMPARE(!w.dialog->isVisible(), closed);
        QCOMPARE(w.draftFiles().size(), drafts);
        if (!closed) {
            w.dialog->close();
            QCOMPARE(w.prompts.questions.size(), 2);
            QVERIFY(w.dialog->isVisible());
        }
    }

    void aFileChoosesItsTypeAndIsSavedAgain()
    {
        Window w;
        QFile file(w.store.folder.filePath(QStringLiteral("tidy.rhai")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("\xef\xbb\xbflet x = 1;");
        file.close();
        w.prompts.file = file.fileName();
        click<QPushButton>(w.dialog.get(), "openFile");
        QCOMPARE(w.editor()->bytes(), QByteArray("let x = 1;"));
        QCOMPARE(w.find<QComboBox>("type")->currentText(), QStringLiteral("osis"));
        QCOMPARE(w.find<QLabel>("fileName")->text(), QStringLiteral("tidy.rhai"));
        w.prompts.file = w.store.folder.filePath(QStringLiteral("copy.rhai"));
        press(Qt::Key_S, Qt::ControlModifier);
        QFile copy(w.prompts.file);
        QVERIFY(copy.open(QIODevice::ReadOnly));
        QCOMPARE(copy.readAll(), QByteArray("let x = 1;"));
    }

    void filesThatAreNoScriptsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("UTF-16") << QByteArray("\xff\xfe"
                                              "a\0b\0",
                                              6);
        QTest::newRow("NUL inside") << QByteArray("a\0b", 3);
        QTest::newRow("over 8 MiB") << QByteArray(8 * 1024 * 1024 + 1, 'x');
    }
    void filesThatAreNoScriptsAreRefused()
    {
        QFETCH(QByteArray, content);
        Window w;
        w.write(QStringLiteral("keep"));
        QFile file(w.store.folder.filePath(QStringLiteral("bad.py")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        QVERIFY(!w.dialog->openFile(file.fileName()));
        QVERIFY(w.status().contains(QStringLiteral("bad.py")));
        QCOMPARE(w.editor()->bytes(), QByteArray("keep"));
        QVERIFY(!w.dialog->openFile(w.store.folder.path()));
        QVERIFY(!w.dialog->openFile(QStringLiteral("/no/such/file.py")));
    }

    void aCopyOfAJobGetsAnIdOfItsOwn()
    {
        Window w;
        Job job;
        job.id = someId;
        job.target = {"osis", "g", "1", 1, {}};
        job.script = "let a = 1;";
        job.timeout = std::chrono::seconds(7);
        job.env = {{"A", "1"}};
        job.prerequisites = {someId};
        w.dialog->prefill(job);
        const Job draft = w.dialog->draft();
        QVERIFY(draft.id != someId);
        QCOMPARE(draft.target, job.target);
        QCOMPARE(draft.script, job.script);
        QCOMPARE(draft.timeout, job.timeout);
        QCOMPARE(draft.env, job.env);
        QCOMPARE(draft.prerequisites, job.prerequisites);
    }

    void whatAProtocolCannotDoIsNotShown()
    {
        Window w;
        Capabilities few = w.session->capabilities();
        few.flags = Capability::Submit;
        w.session->setCapabilities(few);
        w.reopen();
        for (const char *name : {"environment", "prerequisiteSearch", "logPath", "priority"})
            QVERIFY2(!w.dialog->findChild<QWidget *>(QLatin1String(name))->isVisible(), name);
        few.flags |= Capability::Priority;
        w.session->setCapabilities(few);
        w.reopen();
        QVERIFY(w.find<QComboBox>("priority")->isVisible());
        w.find<QComboBox>("priority")->setFocus();
        press(Qt::Key_Up);
        QCOMPARE(w.dialog->draft().target.priority, 0);
    }
};

QTEST_MAIN(TestComposeDialog)
#include "tst_compose_dialog.moc"
