// The real window on the biggest values that others may leave in a store (RELIABILITY 9, D10, D12, D13, D26): every tab
// comes at once, the event loop never stands, memory is bounded, and what is cut says so and how to get all of it.
// YM_SHOTS=FOLDER keeps pictures.
#include "models/job_fields_model.h"
#include "models/queue_model.h"
#include "tests/support/fake_prompts.h"
#include "tests/support/memory.h"
#include "tests/support/redis_server.h"
#include "tests/ui/heart_beat.h"
#include "tests/ui/real_window.h"
#include "ui/widgets/line_view.h"
#include "ui/widgets/text_label.h"

#include <QClipboard>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>

using namespace ym;
using namespace ym::test;

namespace {

constexpr qint64 frameMs = 16;
constexpr qint64 longestBlockMs = 250;
constexpr qint64 mostMiB = 200; ///< beyond what the window has anyway

enum Tab { Overview, ScriptPlace, Output, Log, Raw };

/// A finished job whose fields `script` sets with f(name, value).
void put(const RedisServer &server, const QByteArray &id, const char *script)
{
    const QString words = QStringLiteral(
        "local function f(name, value) redis.call('HSET', 'hero:job:' .. ARGV[1], name, value) end "
        "f('id', ARGV[1]) f('script_type', 'python') f('script', 'print(1)') f('status', 'finished') f('env_vars', '{}') "
        "f('created_at', '2026-11-21T10:00:00.000Z') ");
    const QByteArray trouble = server.cli(
        {QStringLiteral("eval"), words + QLatin1String(script), QStringLiteral("0"), QString::fromLatin1(id)});
    QVERIFY2(trouble.isEmpty(), trouble.constData());
}

} // namespace

class TestLargeValues : public QObject {
    Q_OBJECT

    RedisServer m_server;
    std::unique_ptr<RealWindow> m_real;
    TestSettings m_settings;
    FakePrompts m_prompts;
    std::unique_ptr<HeartBeat> m_beat; ///< of all tests together
    qint64 m_before = 0;

    void choose(const QByteArray &id)
    {
        m_real->window.workspace()->chooseJob(id);
        auto *const table = child<QTableView>(&m_real->window, "rawTable");
        auto *const fields = qobject_cast<JobFieldsModel *>(table->model());
        QVERIFY(fields);
        QTRY_VERIFY_WITH_TIMEOUT(fields->jobId() == id && fields->rowCount() > 0, 20'000);
    }
    /// The window paints what has changed some milliseconds after it was asked to.
    void frame()
    {
        for (int round = 0; round < 12; ++round)
            m_beat->round();
    }
    void clickTab(Tab tab)
    {
        auto *const bar = child<QTabBar>(&m_real->window, "detailTabs");
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(tab).center());
        frame();
    }
    void keepPicture(const char *name)
    {
        if (const QString folder = qEnvironmentVariable("YM_SHOTS"); !folder.isEmpty())
            QVERIFY(m_real->window.grab().save(folder + u'/' + QLatin1String(name) + QStringLiteral(".png")));
    }
    /// What the bars over cut values say, those that are on screen.
    QStringList cutTexts() const
    {
        QStringList texts;
        for (const TextLabel *label : m_real->window.findChildren<TextLabel *>(QStringLiteral("cutText"))) {
            if (label->isVisible())
                texts.append(label->text());
        }
        return texts;
    }
    QPushButton *visibleLoad() const
    {
        for (QPushButton *button : m_real->window.findChildren<QPushButton *>(QStringLiteral("loadAll"))) {
            if (button->isVisible())
                return button;
        }
        return nullptr;
    }
    /// Goes through a text as a person does.
    void walk(LineView *view)
    {
        QTest::mouseClick(view->viewport(), Qt::LeftButton);
        for (const Qt::Key key : {Qt::Key_PageDown, Qt::Key_PageDown, Qt::Key_End, Qt::Key_Home, Qt::Key_Right}) {
            QTest::keyClick(view->viewport(), key, key == Qt::Key_End || key == Qt::Key_Home ? Qt::ControlModifier : Qt::NoModifier);
            frame();
        }
    }
    void isFluent(const char *what)
    {
        const qint64 worst = m_beat->worst();
        qInfo("%s: worst so far %lld ms; resident %lld MiB, at most %lld, before %lld", what, worst, residentMiB(), peakMiB(), m_before);
        QVERIFY2(worst <= longestBlockMs, qPrintable(QString::number(worst)));
        QVERIFY2(!isMemoryMeasurable || peakMiB() <= m_before + mostMiB, qPrintable(QString::number(peakMiB())));
    }

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase()
    {
        m_beat.reset();
        m_real.reset();
    }
    void aHundredMegabytesEach();
    void aLineOfTenMegabytes();
    void aHundredThousandVariables();
    void aHundredThousandFields();
    void queuesOfAMillion();
    void theLoopCameRoundInTime();
};

void TestLargeValues::initTestCase()
{
    QVERIFY2(m_server.isRunning(), qPrintable(m_server.error()));
    put(m_server, "small", "");
    put(m_server, "huge",
        "f('script', string.rep('x = 1  # a line of a script\\n', 3744914)) f('output', string.rep('<b>0123456789</b>\\n', 5825422)) "
        "f('status', 'error') f('error', string.rep('y', 104857600)) f('log_path', 'huge.log')");
    put(m_server, "line", "f('script', '#' .. string.rep('x', 10485760)) f('output', string.rep('z', 10485760))");
    put(m_server, "variables",
        "local t = {} for i = 1, 100000 do t[i] = '\"K' .. i .. '\":\"v\"' end f('env_vars', '{' .. table.concat(t, ',') .. '}')");
    put(m_server, "fields",
        "for i = 1, 100 do local t = {} for j = 1, 1000 do t[2 * j - 1], t[2 * j] = 'f' .. i .. '_' .. j, 'v' end "
        "redis.call('HSET', 'hero:job:' .. ARGV[1], unpack(t)) end");
    const QString many = QStringLiteral("for i = 1, 1000 do local t = {} for j = 1, 1000 do t[j] = 'u' .. (i * 1000 + j) end "
                                        "redis.call('LPUSH', KEYS[1], unpack(t)) end");
    for (const char *list : {"hero:q:work:type:sh", "hero:q:ctl:type:sh"})
        m_server.cli({QStringLiteral("eval"), many, QStringLiteral("1"), QLatin1String(list)});
    const QString logs = m_settings.folder.filePath(QStringLiteral("data/logs"));
    QVERIFY(QDir().mkpath(logs));
    QFile log(logs + QStringLiteral("/huge.log"));
    QVERIFY(log.open(QIODevice::WriteOnly));
    const QByteArray lines = QByteArray("a line of the log\n").repeated(58'255); // a megabyte
    for (int i = 0; i < 100; ++i)
        QCOMPARE(log.write(lines), lines.size());
    log.close();

    m_real = std::make_unique<RealWindow>(&m_settings);
    Profile profile;
    profile.name = QStringLiteral("large");
    profile.url = m_server.url();
    m_real->open(profile);
    QTRY_COMPARE(m_real->jobs()->rowCount(), 5);
    choose("small");
    m_beat = std::make_unique<HeartBeat>();
    for (const Tab tab : {Overview, ScriptPlace, Output, Log, Raw})
        clickTab(tab); // fonts and the editor are read once
    m_before = residentMiB();
    m_beat = std::make_unique<HeartBeat>();
}

/// D16, D17, D26: ids of which nobody knows a job.
void TestLargeValues::queuesOfAMillion()
{
    auto *const queues = m_real->window.workspace()->current()->queues;
    QTRY_COMPARE_WITH_TIMEOUT(queues->rowCount(), 3, 20'000); // with that of the jobs, which is empty
    m_real->window.showPage(PageId::Queues);
    frame();
    auto *const table = child<QTableView>(&m_real->window, "queueTable");
    int millions = 0;
    for (int row = 0; row < queues->rowCount(); ++row) {
        if (queues->queueAt(row).depth != 1'000'000)
            continue;
        ++millions;
        table->selectRow(row);
        auto *const content = child<QTableView>(&m_real->window, "queueContent");
        QTRY_COMPARE_WITH_TIMEOUT(content->model()->rowCount(), 500, 20'000);
        frame();
    }
    QCOMPARE(millions, 2);
    isFluent("lists of a million");
}

void TestLargeValues::theLoopCameRoundInTime()
{
    const qint64 p99 = m_beat->p99();
    qInfo("event loop p99 %lld ms, worst %lld ms", p99, m_beat->worst());
    QVERIFY2(p99 <= frameMs, qPrintable(QString::number(p99)));
}

void TestLargeValues::aHundredMegabytesEach()
{
    choose("huge");
    const auto saysAll = [this](const char *field) {
        const QStringList texts = cutTexts();
        return std::any_of(texts.cbegin(), texts.cend(), [field](const QString &text) {
            return text.contains(QStringLiteral("100 MiB")) && text.contains(QStringLiteral("show --field ") + QLatin1String(field));
        });
    };
    clickTab(Overview);
    QVERIFY2(saysAll("error"), qPrintable(cutTexts().join(u'\n')));
    keepPicture("huge-overview");
    clickTab(ScriptPlace);
    QVERIFY2(saysAll("script"), qPrintable(cutTexts().join(u'\n')));
    clickTab(Output);
    QVERIFY2(saysAll("output") && saysAll("error"), qPrintable(cutTexts().join(u'\n')));
    keepPicture("huge-output");
    auto *const output = child<LineView>(&m_real->window, "outputView");
    QVERIFY(output->textOnScreen().contains(QStringLiteral("yyyy"))); // the error's end, which is followed
    walk(output);
    QVERIFY(output->toPlainText().startsWith(QStringLiteral("<b>0123456789</b>"))); // markup is text
    // What the window cannot hold, the command writes.
    QTest::mouseClick(visibleLoad(), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(),
             QStringLiteral("yardmaster --store %1 show --field output huge > FILE").arg(m_server.url()));
    clickTab(Log);
    auto *const log = child<LineView>(&m_real->window, "logView");
    QTRY_COMPARE_WITH_TIMEOUT(log->lineCount(), qint64(5'825'500), 30'000);
    walk(log);
    clickTab(Raw);
    auto *const table = child<QTableView>(&m_real->window, "rawTable");
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        table->selectRow(row);
        frame();
    }
    isFluent("100 MB in four fields and a log");
}

void TestLargeValues::aLineOfTenMegabytes()
{
    choose("line");
    clickTab(ScriptPlace);
    QPushButton *load = visibleLoad();
    QVERIFY(load);
    QTest::mouseClick(load, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(cutTexts().isEmpty(), 20'000);
    auto *const plain = child<LineView>(&m_real->window, "plainScript");
    QVERIFY(plain->isVisible());
    walk(plain);
    clickTab(Output);
    load = visibleLoad();
    QVERIFY(load);
    QTest::mouseClick(load, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(cutTexts().isEmpty(), 20'000);
    auto *const output = child<LineView>(&m_real->window, "outputView");
    walk(output);
    for (const bool wraps : {true, false}) {
        output->setWrapping(wraps);
        frame();
        walk(output);
    }
    isFluent("lines of 10 MB");
}

void TestLargeValues::aHundredThousandVariables()
{
    choose("variables");
    clickTab(Overview);
    const QString problems = child<TextLabel>(&m_real->window, "problems")->text();
    QVERIFY2(problems.contains(QStringLiteral("env_vars is too long")), qPrintable(problems));
    for (const Tab tab : {ScriptPlace, Output, Log, Raw})
        clickTab(tab);
    auto *const table = child<QTableView>(&m_real->window, "rawTable");
    table->selectRow(qobject_cast<JobFieldsModel *>(table->model())->rowOf("env_vars"));
    QTest::mouseClick(visibleLoad(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(cutTexts().isEmpty(), 20'000);
    auto *const value = child<LineView>(&m_real->window, "rawValue");
    QVERIFY(value->toPlainText().contains(QStringLiteral("\"K100000\":\"v\"")));
    walk(value);
    isFluent("1e5 variables");
}

void TestLargeValues::aHundredThousandFields()
{
    choose("fields");
    clickTab(Overview);
    const QString problems = child<TextLabel>(&m_real->window, "problems")->text();
    QVERIFY2(problems.contains(QStringLiteral("more than 2000 fields")), qPrintable(problems));
    for (const Tab tab : {ScriptPlace, Output, Log, Raw})
        clickTab(tab);
    auto *const table = child<QTableView>(&m_real->window, "rawTable");
    QCOMPARE(table->model()->rowCount(), 2'000);
    isFluent("1e5 fields");
}

QTEST_MAIN(TestLargeValues)
#include "tst_large_values.moc"
