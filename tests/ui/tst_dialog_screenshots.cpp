// Renders the dialogs of jobs and connections in their fuller situations; with YM_SHOTS=FOLDER the pictures are kept there.
#include "tests/support/window_fixture.h"
#include "tests/ui/dialog_window.h"
#include "tests/ui/heart_beat.h"
#include "ui/connection_models.h"
#include "ui/dialog_opener.h"
#include "ui/dialogs/compose/route_box.h"
#include "ui/dialogs/compose_dialog.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/dialogs/doctor_dialog.h"
#include "ui/dialogs/graph_dialog.h"
#include "ui/dialogs/move_dialog.h"
#include "ui/dialogs/start_worker_dialog.h"
#include "ui/editor/script_editor.h"
#include "ui/widgets/question_box.h"
#include "ui/workspace.h"

#include <QComboBox>
#include <QDir>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>

using namespace ym;
using namespace ym::test;

class TestDialogScreenshots : public QObject {
    Q_OBJECT

    static void open(WindowFixture &fixture, KeyMode mode, int jobs = 10)
    {
        QFETCH(QSize, size);
        QFETCH(int, theme);
        fixture.settings->setTheme(ThemeChoice(theme));
        fixture.connections.setInterpreters(someInterpreters());
        fixture.open(size);
        Profile profile = fixture.session()->profile();
        profile.keys.mode = mode;
        fixture.session()->setProfile(profile);
        fixture.session()->setReady();
        fixture.session()->showJobs(demoJobs(jobs, Clock::system().now()));
        fixture.session()->showQueues(demoQueues(Clock::system().now()));
        fixture.session()->showWorkers(demoWorkers(Clock::system().now()));
        WindowFixture::settle();
    }
    template <typename Dialog> static Dialog *dialogOf(WindowFixture &fixture)
    {
        WindowFixture::settle();
        auto *const dialog = fixture.window->findChild<Dialog *>();
        if (!dialog)
            qFatal("the dialog did not open");
        return dialog;
    }
    /// Saves it when pictures are wanted; false when something is cut: a button or a label narrower than its text.
    static bool shoot(QWidget *window, const char *name)
    {
        QTest::qWait(200); // a preview and a validation come a moment after what was typed
        QFETCH(QString, suffix);
        const QPixmap picture = window->grab();
        const QString folder = qEnvironmentVariable("YM_SHOTS");
        if (!folder.isEmpty())
            picture.save(QDir(folder).filePath(QLatin1String(name) + u'-' + suffix + QStringLiteral(".png")));
        for (const QPushButton *button : window->findChildren<QPushButton *>()) {
            if (button->isVisible() && button->width() < button->minimumSizeHint().width())
                return false;
        }
        return true;
    }
    static void addVariants()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("theme");
        QTest::addColumn<QString>("suffix");
        for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)}) {
            for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
                const QString suffix = QString::number(size.width()) + QLatin1String(theme == ThemeChoice::Dark ? "-dark" : "-light");
                QTest::newRow(qPrintable(suffix)) << size << int(theme) << suffix;
            }
        }
    }

private Q_SLOTS:
    void aJobForBothFamilies_data() { addVariants(); }
    void aJobForBothFamilies()
    {
        WindowFixture fixture;
        open(fixture, KeyMode::Auto);
        RoutePreview preview;
        preview.queueKeys = {"hero:q:work:type:python:group:etl:prio:0", "hero:work_queue:actor-7"};
        preview.ahead = 12;
        fixture.session()->setPreview(preview);
        fixture.action("job.new")->trigger();
        auto *const dialog = dialogOf<ComposeDialog>(fixture);
        Job job;
        job.target = {"python", "etl", {}, 0, "actor-7", KeyMode::Dual};
        job.script = "for day in range(7):\n    print(day)\n";
        job.env = {{"DAY", "2026-11-21"}};
        job.notBefore = Clock::system().now() + std::chrono::hours{2};
        dialog->prefill(job);
        QTRY_VERIFY(dialog->findChild<RouteBox *>()->route());
        QVERIFY(shoot(dialog, "compose-dual"));
        if (auto *const form = dialog->findChild<QScrollArea *>())
            form->verticalScrollBar()->setValue(form->verticalScrollBar()->maximum() / 2);
        QVERIFY(shoot(dialog, "compose-dual-below"));
    }

    void aLineOfMegabytes_data() { addVariants(); }
    void aLineOfMegabytes()
    {
        WindowFixture fixture;
        open(fixture, KeyMode::Auto);
        fixture.action("job.new")->trigger();
        auto *const dialog = dialogOf<ComposeDialog>(fixture);
        auto *const editor = dialog->findChild<ScriptEditor *>();
        const HeartBeat beat;
        Job job;
        job.target.type = "python";
        job.script = "import base64, zlib\n\nDATA = '" + QByteArray(4 << 20, 'A') + "'\n\nprint(len(zlib.decompress(base64.b64decode(DATA))))\n";
        dialog->prefill(job);
        editor->view()->setFocus();
        for (const char letter : {'#', ' ', 'x', '\r'}) {
            QTest::keyClick(editor->view(), letter);
            dialog->repaint();
            fixture.settle();
        }
        QVERIFY2(beat.worst() < 1000, QByteArray::number(beat.worst()).constData());
        QCOMPARE(dialog->draft().script, "# x\n" + job.script);
        QVERIFY(shoot(dialog, "compose-long-line"));
    }

    void aGraph_data() { addVariants(); }
    void aGraph()
    {
        WindowFixture fixture;
        open(fixture, KeyMode::Canonical);
        fixture.action("job.newGraph")->trigger();
        auto *const dialog = dialogOf<GraphDialog>(fixture);
        QVERIFY(shoot(dialog, "graph-empty"));
        for (const char *name : {"fetch", "load", "check", "report"}) {
            const QString path = fixture.path(name) + QStringLiteral(".py");
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QByteArray("# ") + name + "\nprint(1)\n");
            file.close();
            QVERIFY(dialog->addFile(path));
            auto *const others = dialog->findChild<QListWidget *>(QStringLiteral("runsAfter"));
            if (others->count() > 0)
                others->item(others->count() - 1)->setCheckState(Qt::Checked);
        }
        QVERIFY(shoot(dialog, "graph-four"));
        dialog->findChild<QTableView *>(QStringLiteral("graphJobs"))->selectRow(0);
        dialog->findChild<QListWidget *>(QStringLiteral("runsAfter"))->item(2)->setCheckState(Qt::Checked);
        QVERIFY(shoot(dialog, "graph-circle"));
    }

    void whatIsStuck_data() { addVariants(); }
    void whatIsStuck()
    {
        WindowFixture fixture;
        open(fixture, KeyMode::Canonical);
        fixture.session()->setExamination(demoExamination(Clock::system().now()));
        fixture.action("view.doctor")->trigger();
        auto *const dialog = dialogOf<DoctorDialog>(fixture);
        QVERIFY(shoot(dialog, "doctor"));
        Examination many = demoExamination(Clock::system().now());
        while (many.findings.size() < 250)
            many.findings.append(many.findings.constFirst());
        many.findings.first().text = QStringLiteral("Nobody serves %1: 1,000,000 jobs wait there, the oldest for 14 d.")
                                         .arg(QString(100, u'q'));
        many.jobs[size_t(JobState::Queued)] = 1'000'000;
        fixture.session()->setExamination(many);
        dialog->look();
        QVERIFY(shoot(dialog, "doctor-many"));
        fixture.session()->setExamination({});
        dialog->look();
        QVERIFY(shoot(dialog, "doctor-nothing"));
    }

    void aMove_data() { addVariants(); }
    void aMove()
    {
        WindowFixture fixture;
        open(fixture, KeyMode::Dual);
        MoveDialog dialog(fixture.session(), 1'204, fixture.window.get());
        dialog.setInterpreters(someInterpreters());
        dialog.setTarget({"python", "etl", "2", 0, "actor-7"});
        dialog.show();
        QVERIFY(shoot(&dialog, "move"));
    }

    void aConnectionOfTheOldFamily_data() { addVariants(); }
    void aConnectionOfTheOldFamily()
    {
        WindowFixture fixture;
        open(fixture, KeyMode::Auto);
        ConnectionDialog dialog(&fixture.connections, fixture.window.get());
        dialog.create();
        dialog.show();
        auto *const keys = dialog.findChild<QComboBox *>(QStringLiteral("keys"));
        QVERIFY(keys);
        keys->setCurrentIndex(3);
        QVERIFY(shoot(&dialog, "connection-dual"));
    }

    void aWorkerOfBothFamilies_data() { addVariants(); }
    void aWorkerOfBothFamilies()
    {
        WindowFixture fixture;
        open(fixture, KeyMode::Dual);
        StartWorkerDialog dialog(fixture.session(), fixture.settings.get(), fixture.window.get());
        dialog.setInterpreters(someInterpreters());
        dialog.show();
        QVERIFY(shoot(&dialog, "worker-dual"));
    }

    void anActionOnManyJobs_data() { addVariants(); }
    void anActionOnManyJobs()
    {
        for (const int jobs : {0, 10, 100'000}) {
            if (jobs > 10 && qEnvironmentVariableIsEmpty("YM_SHOTS"))
                continue; // worth the time only when the pictures are kept
            WindowFixture fixture;
            open(fixture, KeyMode::Canonical, jobs);
            Q_EMIT fixture.session()->bulkProgressed(1'204, 100'000);
            QVERIFY(shoot(fixture.window.get(), QByteArray("bulk-" + QByteArray::number(jobs)).constData()));
        }
        Question question;
        question.title = QStringLiteral("Requeue 1,204 jobs in “Local workspace”?");
        question.text = QStringLiteral("Whoever runs them loses them, and they are served next. For jobs whose worker is gone; a "
                                       "job that still runs will run twice.");
        question.details = QStringLiteral("280b5919-4065-470d-bc47-9710ce4ae562\n401f9f99-4065-470d-bc47-9710ce4ae562\n… and 1,202 more");
        question.answers = {QStringLiteral("Requeue 1,204 jobs")};
        question.isDestructive = true;
        WindowFixture fixture;
        open(fixture, KeyMode::Canonical);
        QuestionBox box(question, fixture.window.get());
        box.show();
        QVERIFY(shoot(&box, "requeue-question"));
    }

    void theQueuesOfBothFamilies_data() { addVariants(); }
    void theQueuesOfBothFamilies()
    {
        WindowFixture fixture;
        open(fixture, KeyMode::Dual);
        fixture.key(Qt::Key_2, Qt::ControlModifier);
        WindowFixture::settle();
        for (QTableView *table : fixture.window->findChildren<QTableView *>()) {
            for (int row = 0; table->isVisible() && row < table->model()->rowCount(); ++row) {
                for (int column = 0; column < table->model()->columnCount(); ++column) {
                    if (table->model()->index(row, column).data().toString().contains(QStringLiteral("actor-7")))
                        table->selectRow(row);
                }
            }
        }
        QVERIFY(shoot(fixture.window.get(), "queues-both"));
    }
};

QTEST_MAIN(TestDialogScreenshots)
#include "tst_dialog_screenshots.moc"
