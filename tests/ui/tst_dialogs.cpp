// What holds for every dialog, in light and dark: it fits a small screen, every control has a name and is reached by
// Tab, Escape closes, nothing is taken for markup. With YM_SHOTS set to a folder, a picture of each goes there.
#include "core/worker/audit_log.h"
#include "models/job_table_model.h"
#include "models/presence_index.h"
#include "tests/support/fake_prompts.h"
#include "tests/ui/dialog_window.h"
#include "ui/dialogs/attach_dialog.h"
#include "ui/dialogs/audit_dialog.h"
#include "ui/dialogs/compose_dialog.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/dialogs/start_worker_dialog.h"
#include "ui/editor/script_editor.h"
#include "ui/theme.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QTableWidget>

using namespace ym;
using namespace ym::test;

namespace {

constexpr QSize smallScreen(1280, 800);

/// Everything a dialog can be built upon.
struct World {
    World()
        : session(connections.fake())
        , jobs({}, &Clock::system())
    {
        connections.setInterpreters(someInterpreters());
        session->setReady();
        QObject::connect(session, &Session::changed, &jobs, &JobTableModel::apply);
        QObject::connect(session, &Session::changed, &presence, &PresenceIndex::apply);
        session->showJobs(demoJobs(40, Clock::system().now()));
        session->showWorkers(demoWorkers(Clock::system().now()));
        session->setPreview({{"hero:q:work:type:python"}, demoWorkers(Clock::system().now()).first(2), 3});
    }

    TestSettings store;
    FakePrompts prompts;
    FakeConnections connections;
    FakeSession *session;
    JobTableModel jobs;
    PresenceIndex presence;
};

using Maker = std::function<std::unique_ptr<QDialog>(World &)>;

std::unique_ptr<ComposeDialog> composeWindow(World &world)
{
    auto dialog = std::make_unique<ComposeDialog>(world.session, &world.store.settings);
    dialog->setInterpreters(world.connections.interpreters());
    dialog->setSources(&world.jobs, &world.presence);
    return dialog;
}

std::unique_ptr<QDialog> composeEmpty(World &world)
{
    world.session->setPreview({{"hero:q:work:type:python"}, {}, 0});
    return composeWindow(world);
}

std::unique_ptr<QDialog> composeFilled(World &world)
{
    auto dialog = composeWindow(world);
    Job job;
    job.id = newJobId();
    job.target = {"python", "default", {}, 1, {}};
    job.callerId = "ann";
    job.script =
        "# Adds up the orders of one day\nimport json, os, sys\n\n\nclass Order:\n    def __init__(self, lines):\n"
        "        self.lines = lines\n\n    def total(self) -> float:\n        return sum(n * price for n, price in "
        "self.lines)\n\n\ndef main(day: str) -> int:\n    orders = [Order([(3, 9.5), (1, 0x1f)])]\n    print(f\"{day}: "
        "{sum(o.total() for o in orders):.2f}\")\n    return 0\n\n\nif __name__ == \"__main__\":\n    "
        "sys.exit(main(os.environ[\"DAY\"]))\n";
    job.env = {{"DAY", "2026-11-20"}, {"API_TOKEN", "s3cret"}, {"REGION", "eu-north"}};
    const std::vector<JobSummary> known = demoJobs(40, Clock::system().now());
    job.prerequisites = {known[0].id, known[5].id, known[9].id};
    job.retries = 2;
    dialog->prefill(job);
    return dialog;
}

std::unique_ptr<QDialog> composeRhai(World &world)
{
    auto dialog = composeWindow(world);
    Job job;
    job.id = newJobId();
    job.target = {"osis", "default", "x y", 1, {}};
    job.script = "/* nested /* comments */ end here */\n/// Says hello.\nfn greet(name) {\n    let text = `Hello "
                 "${name.to_upper()}, "
                 "${1 + 2} times`;\n    print(text); // twice\n    text\n}\n\nlet map = #{a: 1, b: [0xff, 1_000, "
                 "2.5e3]};\nfor i in "
                 "0..3 {\n    if i == 2 { break; }\n    greet(\"wörld\\n\");\n}\nlet raw = #\"a \"quoted\" "
                 "text\"#;\nlet hidden = \"a\u202e"
                 "b\u200b\";\n";
    dialog->prefill(job);
    return dialog;
}

std::unique_ptr<QDialog> composeHero(World &world)
{
    auto dialog = composeWindow(world);
    Job job;
    job.id = newJobId();
    job.target = {"heroscript", {}, {}, 1, {}};
    job.script =
        "# Notes\nThis text is prose.\n\n!!git.clone\n  url:'https://example.org/a b'\n  depth:1 // shallow\n  "
        "reset:true\n\n!!doc.write name:intro text:'\n  many lines,\n  it's one value\n'\n\n![an image](x.png)\n";
    dialog->prefill(job);
    return dialog;
}

std::unique_ptr<QDialog> connectionTls(World &world)
{
    auto dialog = std::make_unique<ConnectionDialog>(&world.connections);
    Profile profile;
    profile.id = QStringLiteral("p1");
    profile.name = QStringLiteral("Shop");
    profile.url = QStringLiteral("rediss://ann@db.example.org:6390/2?insecure=1");
    profile.colour = QStringLiteral("#d64545");
    profile.production = true;
    profile.limitsOnly = true;
    world.connections.setKeepsSecrets(false);
    dialog->edit(profile);
    return dialog;
}

std::unique_ptr<QDialog> connectionNew(World &world)
{
    auto dialog = std::make_unique<ConnectionDialog>(&world.connections);
    dialog->create();
    return dialog;
}

template <SettingsDialog::Page page> std::unique_ptr<QDialog> settingsPage(World &world)
{
    auto dialog = std::make_unique<SettingsDialog>(&world.connections, &world.store.settings);
    dialog->showPage(page);
    if (page == SettingsDialog::Page::Interpreters)
        child<QTableWidget>(dialog.get(), "interpreters")->selectRow(1); // its program is missing
    return dialog;
}

std::unique_ptr<QDialog> startLocal(World &world)
{
    auto dialog = std::make_unique<StartWorkerDialog>(world.session, &world.store.settings);
    dialog->setInterpreters(world.connections.interpreters());
    return dialog;
}

std::unique_ptr<QDialog> startRemote(World &world)
{
    Profile profile = world.session->profile();
    profile.url = QStringLiteral("redis://db.example.org");
    profile.name = QStringLiteral("Shop");
    world.session->setProfile(profile);
    return startLocal(world);
}

std::unique_ptr<QDialog> startLimits(World &world)
{
    ConnectionState state = world.session->state();
    state.containment = QStringLiteral("contained by limits only: bwrap was not found; install the package bubblewrap; "
                                       "Landlock and seccomp do not work here (Function not implemented)");
    world.session->setState(state);
    return startLocal(world);
}

std::unique_ptr<QDialog> auditFilled(World &world)
{
    const QString path = world.store.folder.filePath(QStringLiteral("audit.log"));
    AuditLog log(path);
    for (int i = 0; i < 40; ++i) {
        Job job;
        job.id = newJobId();
        job.target.type = i % 3 == 0 ? "osis" : "python";
        job.callerId = "nightly";
        job.script = QByteArray::number(i);
        job.attempt = 1 + i % 2;
        Execution execution;
        execution.fate = i % 4 == 0 ? Execution::Fate::Failed : Execution::Fate::Finished;
        execution.exitCode = i % 8 == 4 ? -1 : i % 4 == 0 ? 3 : 0;
        execution.signal = i % 8 == 4 ? 9 : 0;
        execution.containment = i % 5 == 0 ? "bubblewrap, network" : "bubblewrap";
        execution.duration = Milliseconds{40 * i + 7};
        execution.cpuTime = Milliseconds{20 * i};
        execution.maxRssKb = 9'000 + 100 * i;
        const Timestamp when{std::chrono::seconds{1'763'740'800 + 60 * i}};
        if (!log.record(when, job, {"python:default:1", RunLimits{}}, execution))
            qFatal("audit");
    }
    auto dialog = std::make_unique<AuditDialog>(path, &world.store.settings);
    auto *const table = child<QTableView>(dialog.get(), "auditTable");
    if (!QTest::qWaitFor([table] { return table->model()->rowCount() == 40; }))
        qFatal("the log was not read");
    return dialog;
}

AttachState attachedHere()
{
    AttachState state;
    state.host = AttachState::Host::Here;
    state.socket = QStringLiteral("/run/user/1000/yardmaster/default-3f2a91c04b7e.sock");
    return state;
}

std::unique_ptr<QDialog> attachDialog(World &world)
{
    return std::make_unique<AttachDialog>(&world.connections, world.session, &world.store.settings);
}

std::unique_ptr<QDialog> attachEmpty(World &world)
{
    world.session->setAttachState(attachedHere());
    return attachDialog(world);
}

std::unique_ptr<QDialog> attachBusy(World &world)
{
    AttachState state = attachedHere();
    state.port = 46'379;
    state.clients = {{7, "sidekiq", {}, 3'720, 0, "brpop", true, 0},
                     {9, "bee-queue sums", "127.0.0.1:40312", 845, 2, "evalsha", false, 0},
                     {12, "", "127.0.0.1:40990", 61, 61, "psubscribe", false, 2},
                     {15, "<b>redis-py</b>\nsecond line", {}, 4, 1, "hgetall", false, 0}};
    world.connections.setPortAccess({true, 46'379, QStringLiteral("a-secret-password")});
    world.session->setAttachState(state);
    return attachDialog(world);
}

std::unique_ptr<QDialog> attachElsewhere(World &world)
{
    AttachState state = attachedHere();
    state.host = AttachState::Host::Elsewhere;
    state.hostPid = 4'711;
    world.session->setAttachState(state);
    return attachDialog(world);
}

struct Row {
    const char *name;
    Maker make;
};

const Row rows[]{
    {"compose empty", composeEmpty},
    {"compose filled", composeFilled},
    {"compose rhai", composeRhai},
    {"compose heroscript", composeHero},
    {"connection new", connectionNew},
    {"connection tls", connectionTls},
    {"settings appearance", settingsPage<SettingsDialog::Page::Appearance>},
    {"settings interpreters", settingsPage<SettingsDialog::Page::Interpreters>},
    {"settings behaviour", settingsPage<SettingsDialog::Page::Behaviour>},
    {"start worker local", startLocal},
    {"start worker remote", startRemote},
    {"start worker limits only", startLimits},
    {"audit", auditFilled},
    {"attach empty", attachEmpty},
    {"attach busy", attachBusy},
    {"attach elsewhere", attachElsewhere},
};

bool takesKeys(const QWidget *widget)
{
    return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus)
        && !widget->focusProxy();
}

/// How assistive technology would call it.
QString nameOf(const QWidget *widget)
{
    if (!widget->accessibleName().isEmpty())
        return widget->accessibleName();
    if (const auto *const button = qobject_cast<const QAbstractButton *>(widget))
        return button->text();
    if (const QWidget *const parent = widget->parentWidget(); parent && !parent->isWindow())
        return parent->accessibleName();
    return {};
}

} // namespace

class TestDialogs : public QObject {
    Q_OBJECT
private:
    void addRows()
    {
        QTest::addColumn<Maker>("make");
        for (const Row &row : rows)
            QTest::newRow(row.name) << row.make;
    }
    void picture(QWidget *dialog, const QString &brightness)
    {
        const QString folder = qEnvironmentVariable("YM_SHOTS");
        if (folder.isEmpty())
            return;
        QDir().mkpath(folder);
        QString name = QString::fromLatin1(QTest::currentDataTag());
        name.replace(u' ', u'_');
        QVERIFY(dialog->grab().save(QStringLiteral("%1/%2_%3.png").arg(folder, name, brightness)));
    }

private Q_SLOTS:
    void itFitsASmallScreenInLightAndDark_data() { addRows(); }
    void itFitsASmallScreenInLightAndDark()
    {
        QFETCH(Maker, make);
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            World world;
            world.store.settings.setTheme(choice);
            const Theme theme(qApp, &world.store.settings);
            const std::unique_ptr<QDialog> dialog = make(world);
            showActive(dialog.get());
            QTRY_VERIFY(!dialog->findChild<QLabel *>(QStringLiteral("routeQueue"))
                        || !dialog->findChild<QLabel *>(QStringLiteral("routeQueue"))->text().isEmpty());
            QVERIFY2(dialog->width() <= smallScreen.width() && dialog->height() <= smallScreen.height(),
                     qPrintable(QStringLiteral("%1×%2").arg(dialog->width()).arg(dialog->height())));
            for (const QAbstractButton *button : dialog->findChildren<QAbstractButton *>()) {
                const bool cut = button->isVisible() && !button->text().isEmpty()
                    && button->width() < button->minimumSizeHint().width();
                QVERIFY2(!cut, qPrintable(button->text()));
            }
            picture(dialog.get(), choice == ThemeChoice::Light ? QStringLiteral("light") : QStringLiteral("dark"));
        }
    }

    void everyControlHasANameAndIsReachedByTab_data() { addRows(); }
    void everyControlHasANameAndIsReachedByTab()
    {
        QFETCH(Maker, make);
        World world;
        const std::unique_ptr<QDialog> dialog = make(world);
        showActive(dialog.get());
        QSet<QWidget *> missing;
        for (QWidget *widget : dialog->findChildren<QWidget *>()) {
            const bool part =
                qobject_cast<QLineEdit *>(widget) && qobject_cast<QAbstractSpinBox *>(widget->parentWidget());
            const bool container = qobject_cast<QScrollArea *>(widget);
            if (!takesKeys(widget) || part || container || widget->window() != dialog.get())
                continue;
            QVERIFY2(!nameOf(widget).isEmpty(),
                     qPrintable(QStringLiteral("%1 %2").arg(QString::fromLatin1(widget->metaObject()->className()),
                                                            widget->objectName())));
            missing.insert(widget);
        }
        for (int i = 0; i < 200 && !missing.isEmpty(); ++i) {
            QWidget *const focus = QApplication::focusWidget();
            QVERIFY(focus);
            missing.remove(focus);
            const bool editor = qobject_cast<CodeView *>(focus);
            QTest::keyClick(focus, Qt::Key_Tab, editor ? Qt::ControlModifier : Qt::NoModifier);
        }
        missing.removeIf([](QWidget *const &widget) { // one button of a group stands for all
            const auto *const button = qobject_cast<QAbstractButton *>(widget);
            return button && button->group();
        });
        QVERIFY2(missing.isEmpty(), missing.isEmpty() ? "" : qPrintable(nameOf(*missing.begin())));
    }

    void escapeCloses_data() { addRows(); }
    void escapeCloses()
    {
        QFETCH(Maker, make);
        World world;
        world.prompts.answer = 1;
        const std::unique_ptr<QDialog> dialog = make(world);
        showActive(dialog.get());
        press(Qt::Key_Escape);
        QVERIFY(!dialog->isVisible());
    }

    void noLabelTakesItsTextForMarkup_data() { addRows(); }
    void noLabelTakesItsTextForMarkup()
    {
        QFETCH(Maker, make);
        World world;
        const std::unique_ptr<QDialog> dialog = make(world);
        for (const QLabel *label : dialog->findChildren<QLabel *>())
            QVERIFY2(label->textFormat() == Qt::PlainText, qPrintable(label->text()));
    }

    void aRemoteWorkerNeedsATick()
    {
        World world;
        const std::unique_ptr<QDialog> dialog = startRemote(world);
        showActive(dialog.get());
        QVERIFY(!child<QPushButton>(dialog.get(), "start")->isEnabled());
        QVERIFY(child<QLabel>(dialog.get(), "status")->text().contains(QStringLiteral("trust")));
        child<QCheckBox>(dialog.get(), "consent")->setFocus();
        press(Qt::Key_Space);
        press(Qt::Key_Return);
        QTRY_VERIFY(!dialog->isVisible());
        QCOMPARE(world.session->requests("startWorker").size(), 1);
        QCOMPARE(world.session->requests("startWorker").first().worker.types, QList<QByteArray>{"python"});
    }

    void aTypeWithoutInterpreterCannotBeChosen()
    {
        World world;
        const std::unique_ptr<QDialog> dialog = startLocal(world);
        showActive(dialog.get());
        QVERIFY(!child<QCheckBox>(dialog.get(), "type_osis")->isEnabled());
        child<QCheckBox>(dialog.get(), "type_python")->setFocus();
        press(Qt::Key_Space);
        QVERIFY(!child<QPushButton>(dialog.get(), "start")->isEnabled());
    }

    void aWorkerThatCannotStartSaysWhy()
    {
        World world;
        const std::unique_ptr<QDialog> dialog = startLocal(world);
        showActive(dialog.get());
        world.session->failNext(
            {ErrorKind::Conflict, QStringLiteral("The instance is taken."), QStringLiteral("Choose another."), false});
        press(Qt::Key_Return);
        QTRY_COMPARE(child<QLabel>(dialog.get(), "status")->text(),
                     QStringLiteral("The instance is taken. Choose another."));
        QVERIFY(dialog->isVisible());
        QVERIFY(child<QPushButton>(dialog.get(), "start")->isEnabled());
    }
};

QTEST_MAIN(TestDialogs)
#include "tst_dialogs.moc"
