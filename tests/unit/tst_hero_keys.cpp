// The keys of the Hero protocol: built, read back, and the same in the scripts.
#include "core/protocol/hero/key_family.h"
#include "core/protocol/hero/keys.h"
#include "core/protocol/hero/scripts.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace ym;
using namespace ym::hero;

class HeroKeys : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void queuesAreThoseOfTheProposal_data();
    void queuesAreThoseOfTheProposal();
    void queueKeysAreReadBack();
    void foreignQueueNamesAreReadAsFarAsPossible();
    void keysThatAreNoQueues();
    void presenceKeys();
    void aWorkerServesInTheOrderOfTheProtocol();
    void aWorkerListensToItsPlaces();
    void keyTextStandsInOneLuaFile();
    void everyScriptIsWhole();
};

void HeroKeys::queuesAreThoseOfTheProposal_data()
{
    QTest::addColumn<QByteArray>("built");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const QByteArray &built, const char *expected) {
        QTest::newRow(name) << built << QByteArray(expected);
    };
    row("job", keys::job("x"), "hero:job:x");
    row("reply", keys::reply("x"), "hero:q:reply:x");
    row("type queue", keys::work({"osis", {}, {}, 1, {}}), "hero:q:work:type:osis");
    row("group queue", keys::work({"osis", "default", {}, 1, {}}), "hero:q:work:type:osis:group:default");
    row("instance queue", keys::work({"sal", "io", "3", 1, {}}), "hero:q:work:type:sal:group:io:inst:3");
    row("instance without a group", keys::work({"sal", {}, "3", 1, {}}), "hero:q:work:type:sal:group:default:inst:3");
    row("urgent", keys::work({"v", {}, {}, 0, {}}), "hero:q:work:type:v:prio:0");
    row("normal, said so", keys::work({"v", {}, {}, 1, {}}, keys::Suffix::Explicit), "hero:q:work:type:v:prio:1");
    row("control of a type", keys::control({"v", {}, {}, 1, {}}), "hero:q:ctl:type:v");
    row("control of an instance", keys::control({"v", "g", "2", 1, {}}), "hero:q:ctl:type:v:group:g:inst:2");
    row("presence", keys::presence("v", "g", "2"), "hero:meta:actor:inst:v:g:2");
    row("lease", keys::lease("v"), "hero:q:lease:v");
    row("claims", keys::claims("v"), "hero:q:claims:v");
    row("dead", keys::dead("v"), "hero:q:dead:v");
    row("delayed", keys::delayed(), "hero:q:delayed");
    const Target legacy{"v", {}, {}, 1, "w1"};
    row("legacy queue of a worker", keys::legacyWork(LegacyQueue::Worker, legacy), "hero:work_queue:w1");
    row("legacy queue of a type", keys::legacyWork(LegacyQueue::Type, legacy), "hero:job:actor_queue:v");
    row("legacy queue of an actor", keys::legacyWork(LegacyQueue::Actor, legacy), "hero:job:w1");
    row("legacy queue of nobody", keys::legacyWork(LegacyQueue::Worker, {"v", {}, {}, 1, {}}), "");
    row("legacy stop requests", keys::legacyStop("w1"), "hero:stop_queue:w1");
    row("legacy reply", keys::legacyReply("x"), "hero:reply:x");
    row("counters of a legacy queue", keys::stats("hero:work_queue:w1"), "hero:meta:queue:stats:work_queue:w1");
    row("counters", keys::stats("hero:q:work:type:v:group:g"), "hero:meta:queue:stats:type:v:group:g");
}

void HeroKeys::queuesAreThoseOfTheProposal()
{
    QFETCH(QByteArray, built);
    QTEST(built, "expected");
}

void HeroKeys::queueKeysAreReadBack()
{
    for (const char *group : {"", "io", "a.b-c_d"}) {
        for (const char *instance : {"", "7", "night"}) {
            for (int priority = 0; priority <= 2; ++priority) {
                if (*instance && !*group)
                    continue;
                const Target target{"python", group, instance, priority, {}};
                const auto parsed = keys::parseQueue(keys::work(target));
                QVERIFY(parsed.has_value());
                QCOMPARE(parsed->kind, QueueKind::Work);
                QCOMPARE(parsed->target, target);
            }
        }
    }
    QCOMPARE(keys::parseQueue("hero:q:ctl:type:v:group:g:inst:2")->target, (Target{"v", "g", "2", 1, {}}));
    QCOMPARE(keys::parseQueue("hero:q:dead:v")->kind, QueueKind::Dead);
    const Target ofWorker{{}, {}, {}, 1, "w:1"};
    QCOMPARE(*keys::parseQueue("hero:work_queue:w:1"), (keys::QueueKey{QueueKind::Legacy, ofWorker}));
    QCOMPARE(*keys::parseQueue("hero:stop_queue:w:1"), (keys::QueueKey{QueueKind::Control, ofWorker}));
    QCOMPARE(*keys::parseList("hero:job:w:1"), (keys::QueueKey{QueueKind::Legacy, ofWorker}));
    QCOMPARE(keys::parseQueue("hero:job:actor_queue:v")->target.type, QByteArray("v"));
    QCOMPARE(keys::parseQueue(keys::delayed())->kind, QueueKind::Delayed);
}

void HeroKeys::foreignQueueNamesAreReadAsFarAsPossible()
{
    QCOMPARE(keys::parseQueue("hero:q:work:type:")->target.type, QByteArray());
    QCOMPARE(keys::parseQueue("hero:q:work:type:v:prio:9")->target.priority, 1);
    QCOMPARE(keys::parseQueue("hero:q:work:type:v:prio:9")->target.type, QByteArray("v:prio:9"));
    QCOMPARE(keys::parseQueue("hero:q:work:type:a:b")->target.type, QByteArray("a:b"));
}

void HeroKeys::keysThatAreNoQueues()
{
    for (const char *key :
         {"hero:q:reply:x", "hero:q:lease:v", "hero:q:claims:v", "hero:q:waiting", "hero:job:x", "other", ""})
        QVERIFY2(!keys::parseQueue(key), key);
    QVERIFY(keys::jobId("hero:q:work:type:v").isEmpty());
    QCOMPARE(keys::jobId("hero:job:a:b"), QByteArray("a:b"));
}

void HeroKeys::presenceKeys()
{
    QCOMPARE(keys::parsePresence("hero:meta:actor:inst:v:g:2"), (Target{"v", "g", "2", 1, {}}));
    QCOMPARE(keys::parsePresence("hero:meta:actor:inst:v:g:h:2"), (Target{"v", "g:h", "2", 1, {}}));
    for (const char *key :
         {"hero:meta:actor:inst:", "hero:meta:actor:inst:v", "hero:meta:actor:inst:v:2", "hero:meta:queue:x:y:z"})
        QVERIFY2(!keys::parsePresence(key), key);
}

void HeroKeys::aWorkerServesInTheOrderOfTheProtocol()
{
    WorkerIdentity who;
    who.types = {"v"};
    who.group = "g";
    who.instance = "1";
    QList<QByteArray> served;
    for (const ServedQueue &queue : canonicalFamily().servedBy(who))
        served.append(queue.key);
    const QByteArray type = "hero:q:work:type:v", group = type + ":group:g", instance = group + ":inst:1";
    QCOMPARE(served,
             (QList<QByteArray>{instance + ":prio:0", group + ":prio:0", type + ":prio:0", instance,
                                instance + ":prio:1", group, group + ":prio:1", type, type + ":prio:1",
                                instance + ":prio:2", group + ":prio:2", type + ":prio:2"}));
    who.servesOnlyInstance = true;
    QCOMPARE(canonicalFamily().servedBy(who).size(), 4);
}

void HeroKeys::aWorkerListensToItsPlaces()
{
    const Target worker{"v", "default", "1", 1, {}};
    const KeyFamily &family = canonicalFamily();
    WorkerInfo info;
    info.target = worker;
    QVERIFY(family.listens(info, {"v", {}, {}, 0, {}}));
    QVERIFY(family.listens(info, {"v", "default", {}, 1, {}}));
    QVERIFY(family.listens(info, {"v", {}, "1", 1, {}}));
    QVERIFY(!family.listens(info, {"v", "io", {}, 1, {}}));
    QVERIFY(!family.listens(info, {"v", "default", "2", 1, {}}));
    QVERIFY(!family.listens(info, {"osis", {}, {}, 1, {}}));
    QVERIFY(!legacyFamily(LegacyQueue::Type).listens(info, {"v", {}, {}, 1, {}}));
    info.legacyQueues = {"hero:job:actor_queue:v"};
    QVERIFY(legacyFamily(LegacyQueue::Type).listens(info, {"v", {}, {}, 1, {}}));
}

void HeroKeys::keyTextStandsInOneLuaFile()
{
    int files = 0;
    for (QDirIterator it(QStringLiteral(":/lua/hero"), QDir::Files, QDirIterator::Subdirectories); it.hasNext();) {
        QFile file(it.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        ++files;
        if (file.fileName().endsWith(QLatin1String("lib/keys.lua")))
            continue;
        for (const QByteArray &line : file.readAll().split('\n'))
            QVERIFY2(line.startsWith("--") || !line.contains("'hero:"),
                     qPrintable(file.fileName() + u' ' + QString::fromUtf8(line)));
    }
    QVERIFY(files >= 15);
}

void HeroKeys::everyScriptIsWhole()
{
    for (const char *name : {"submit", "claim", "beat", "finish", "give_back", "recover", "reconcile", "stop", "remove",
                             "retry", "stop_requests", "presence", "withdraw", "detail", "graph_stage", "graph_grow", "requeue",
                             "move", "restore", "kept"}) {
        const Script *one = script(name);
        QCOMPARE(one, script(name));
        QVERIFY2(one->text.startsWith("#!lua"), name); // flags are read from the first line only
        QVERIFY2(!one->text.contains("\n--"), name);
        QFile source(QStringLiteral(":/lua/hero/%1.lua").arg(QLatin1String(name)));
        QVERIFY(source.open(QIODevice::ReadOnly));
        const QByteArray text = source.readAll();
        for (const char *part : {"KEYS:", "ARGV:", "Returns"})
            QVERIFY2(text.contains(part),
                     qPrintable(QLatin1String(name) + QLatin1String(" says nothing of ") + QLatin1String(part)));
    }
}

QTEST_GUILESS_MAIN(HeroKeys)
#include "tst_hero_keys.moc"
