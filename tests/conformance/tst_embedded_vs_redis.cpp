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

    /// SORT of this key in all ways in which the order is not left to chance: a sorted set has none for equal weights
    /// of text, and a list loses its own for these when only a part is wanted.
    static QList<Words> sortsOf(const QByteArray &key, std::mt19937 &random)
    {
        const auto below = [&random](int limit) { return int(random() % unsigned(limit)); };
        const Words limit{"LIMIT", QByteArray::number(below(20) - 2), QByteArray::number(below(20) - 2)};
        QList<Words> sorts;
        for (const Words &by : {Words{}, Words{"BY", "nosort"}, Words{"BY", "text*"}, Words{"BY", "number*"}}) {
            for (int choice = 0; choice < 16; ++choice) {
                const bool isAlpha = choice & 1;
                const bool isPart = choice & 2;
                const bool hasWeights = !by.isEmpty() && by[1] != "nosort";
                if (isAlpha && hasWeights && (isPart || key == "z"))
                    continue;
                sorts.append(Words{"SORT", key} + by + (isAlpha ? Words{"ALPHA"} : Words{}) + (isPart ? limit : Words{})
                             + (choice & 4 ? Words{"DESC"} : Words{}) + (choice & 8 ? Words{"STORE", "to"} : Words{}));
                sorts.append({"LRANGE", "to", "0", "-1"});
            }
        }
        return sorts;
    }

private Q_SLOTS:
    void listsAndSortedSetsAreSortedAlike()
    {
        const RedisServer server;
        QVERIFY2(server.isRunning(), qPrintable(server.error()));
        RespConnection real(server.socketPath());
        Embedded ours;
        std::mt19937 random(5);
        for (int round = 0; round < 60; ++round) {
            QList<Words> commands{{"FLUSHALL"}};
            for (int i = int(random() % 30); i >= 0; --i) {
                const QByteArray element = (round % 2 && random() % 2 ? "w" : "") + QByteArray::number(random() % 20);
                commands << Words{"RPUSH", "l", element}
                         << Words{"ZADD", "z", QByteArray::number(random() % 4), element};
                if (random() % 3 > 0)
                    commands << Words{"SET", "text" + element, QByteArray(1, char('a' + random() % 3))}
                             << Words{"SET", "number" + element, QByteArray::number(random() % 3)};
            }
            commands += sortsOf("l", random) + sortsOf("z", random);
            const std::vector<Reply> expected = real.ask(commands);
            for (qsizetype i = 0; i < commands.size(); ++i) {
                const Reply actual = ours.ask(commands[i]);
                const Reply &wanted = expected[size_t(i)];
                if (!actual.isError() && isUnfounded(commands[i], wanted)) // and "to" is not the same any more
                    break;
                const QByteArray message =
                    shown(commands[i]) + "\n  redis: " + shown(wanted) + "\n  ours:  " + shown(actual);
                QVERIFY2(bytesOf(actual) == bytesOf(wanted), message.constData());
            }
        }
    }

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
