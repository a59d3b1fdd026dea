// The embedded store against a real redis-server: the same commands, the same bytes back, the same keyspace at the end.
// YM_SEEDS=N runs N seeds in place of the few of every day; YM_FIRST_SEED says where to begin.
#include "core/store/embedded/executor.h"

#include "tests/support/random_commands.h"
#include "tests/support/redis_server.h"
#include "tests/support/reply_compare.h"
#include "tests/support/resp_connection.h"

#include <QTest>

using namespace ym;
using namespace ym::embedded;
using namespace ym::test;

namespace {

using Words = QList<QByteArray>;

/// One client of the embedded executor.
struct Embedded {
    Executor executor{&Clock::system()};
    ClientContext client;
    Embedded() { executor.introduce(client); }
    ~Embedded() { executor.forget(client); }
    Reply ask(const Words &words) { return executor.execute(client, words).reply; }
};

} // namespace

class TestEmbeddedVsRedis : public QObject {
    Q_OBJECT

    /// Sends the commands to both and compares; an empty text when all are equal.
    QByteArray compare(RespConnection &real, Embedded &ours, const QList<Words> &commands)
    {
        const std::vector<Reply> expected = real.ask(commands);
        QList<Words> queued;
        bool isInTransaction = false;
        for (qsizetype i = 0; i < commands.size(); ++i) {
            const Words &words = commands[i];
            const Reply actual = ours.ask(words);
            const Reply &wanted = expected[size_t(i)];
            const QByteArray verb = words.first().toUpper();
            bool isSame = isUnfounded(words, wanted) || comparable(words, actual) == comparable(words, wanted);
            if (verb == "EXEC" && isInTransaction && wanted.isArray()
                && actual.elements.size() == wanted.elements.size()) {
                isSame = actual.isArray();
                for (size_t e = 0; e < wanted.elements.size() && isSame; ++e)
                    isSame = isUnfounded(queued[qsizetype(e)], wanted.elements[e])
                        || comparable(queued[qsizetype(e)], actual.elements[e])
                            == comparable(queued[qsizetype(e)], wanted.elements[e]);
            }
            if (!isSame)
                return shown(words) + "\n  redis: " + shown(wanted) + "\n  ours:  " + shown(actual);
            if (wanted == Reply::status("QUEUED"))
                queued.append(words);
            if (verb == "MULTI" && wanted == Reply::status("OK"))
                isInTransaction = true;
            if (verb == "EXEC" || verb == "DISCARD") {
                isInTransaction = false;
                queued.clear();
            }
        }
        return {};
    }

private Q_SLOTS:
    void randomCommandsGetTheSameReplies()
    {
        const RedisServer server;
        QVERIFY2(server.isRunning(), qPrintable(server.error()));
        RespConnection real(server.socketPath());
        const int first = qEnvironmentVariableIntValue("YM_FIRST_SEED");
        const int seeds = qEnvironmentVariableIsSet("YM_SEEDS") ? qEnvironmentVariableIntValue("YM_SEEDS") : 4;
        for (int seed = first; seed < first + seeds; ++seed) {
            Embedded ours;
            real.ask({{"DISCARD"},
                      {"UNWATCH"},
                      {"SELECT", "0"},
                      {"FLUSHALL"},
                      {"SCRIPT", "FLUSH"},
                      {"CLIENT", "SETNAME", ""}});
            RandomCommands random{quint32(seed)};
            for (int done = 0; done < 4000;) {
                QList<Words> batch;
                while (batch.size() < 50)
                    batch += random.next();
                done += int(batch.size());
                const QByteArray difference = compare(real, ours, batch);
                const QByteArray message = "seed " + QByteArray::number(seed) + ": " + difference;
                QVERIFY2(difference.isEmpty(), message.constData());
            }
            for (int database = 0; database < Executor::databaseCount; ++database) {
                const Words select{"SELECT", QByteArray::number(database)};
                ours.ask(select);
                const QList<QByteArray> keys = ours.ask({"KEYS", "*"}).toList();
                const QByteArray difference =
                    compare(real, ours, QList<Words>{select, {"DBSIZE"}, {"KEYS", "*"}} + questionsAbout(keys));
                const QByteArray message = "keyspace " + QByteArray::number(database) + " of seed "
                    + QByteArray::number(seed) + ": " + difference;
                QVERIFY2(difference.isEmpty(), message.constData());
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestEmbeddedVsRedis)
#include "tst_embedded_vs_redis.moc"
