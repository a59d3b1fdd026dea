// Several clients of the embedded store against as many of a real redis-server: who waits, who is served, who is told
// what, and which keys end. YM_SEEDS and YM_FIRST_SEED as in tst_embedded_vs_redis.
#include "core/store/embedded/executor.h"

#include "tests/support/random_commands.h"
#include "tests/support/redis_server.h"
#include "tests/support/reply_compare.h"
#include "tests/support/resp_connection.h"

#include <QDeadlineTimer>
#include <QTest>

#include <memory>

using namespace ym;
using namespace ym::embedded;
using namespace ym::test;

namespace {

using Words = QList<QByteArray>;

/// One client on each side.
struct Twin {
    Twin(Executor &theExecutor, const QString &socketPath)
        : executor(theExecutor)
        , real(socketPath)
    {
        realId = real.ask({{"CLIENT", "ID"}}).front().integer;
        ours.mayBlock = true;
        ours.onServed = [this](Reply reply) { served = std::move(reply); };
        executor.introduce(ours);
    }
    ~Twin() { executor.forget(ours); }
    Twin(const Twin &) = delete;
    Twin &operator=(const Twin &) = delete;

    Executor &executor;
    RespConnection real;
    qint64 realId = 0;
    ClientContext ours;
    QList<Words> pending;
    QList<Words> queued; ///< since MULTI
    std::optional<Words> waitsWith;
    std::optional<Reply> served;
};

QByteArray difference(const Words &words, const Reply &wanted, const Reply &actual)
{
    return shown(words) + "\n  redis: " + shown(wanted) + "\n  ours:  " + shown(actual);
}

/// Both servers with their clients, a control connection and a listener to everything.
class Stage {
public:
    Stage(const RedisServer &server, quint32 seed)
        : m_random(seed)
        , m_choices(seed)
        , m_control(server.socketPath())
        , m_realListener(server.socketPath())
    {
        m_control.ask({{"FLUSHALL"},
                       {"SCRIPT", "FLUSH"},
                       {"CONFIG", "SET", "notify-keyspace-events", "AKE"},
                       {"DEBUG", "SET-ACTIVE-EXPIRE", "0"}});
        for (int i = 0; i < 4; ++i)
            m_twins.push_back(std::make_unique<Twin>(m_executor, server.socketPath()));
        m_executor.introduce(m_ownControl);
        m_listener.onMessage = [this](Reply message) { m_messages.push_back(std::move(message)); };
        m_executor.introduce(m_listener);
        m_executor.execute(m_listener, {"PSUBSCRIBE", "*"});
        m_realListener.ask({{"PSUBSCRIBE", "*"}});
        m_messages.clear();
    }
    ~Stage()
    {
        m_executor.forget(m_listener);
        m_executor.forget(m_ownControl);
    }
    Stage(const Stage &) = delete;
    Stage &operator=(const Stage &) = delete;

    /// One command of some client that does not wait. Returns what differs.
    QByteArray step()
    {
        Twin &twin = pickTwin();
        if (twin.pending.isEmpty()) {
            const bool mayWait = m_choices() % 8 == 0;
            twin.pending = mayWait ? QList<Words>{m_random.blockingCommand()} : m_random.next();
            // It may serve those who wait for several keys, and which key comes first is left to chance in redis.
            twin.pending.removeIf([](const Words &words) { return words.first().toUpper() == "SWAPDB"; });
        }
        return twin.pending.isEmpty() ? QByteArray() : run(twin, twin.pending.takeFirst());
    }

    /// Lets the time of some keys come. Returns what differs.
    QByteArray expireSome()
    {
        constexpr qint64 margin = 150;
        const qint64 end = realTime() + margin;
        Twin &twin = pickTwin();
        if (twin.ours.isInTransaction)
            return {};
        for (const char *key : {"s0", "l1", "h2", "t3", "z0", "s1", "l2"}) {
            if (const QByteArray found = run(twin, {"PEXPIREAT", key, QByteArray::number(end)}); !found.isEmpty())
                return realTime() < end ? found : QByteArray(); // too late for a comparison
        }
        while (realTime() <= end || Clock::system().now().time_since_epoch().count() <= end) { }
        return {};
    }

    /// Ends all waiting and compares what is left.
    QByteArray finish()
    {
        for (const auto &twin : m_twins) {
            if (!twin->waitsWith)
                continue;
            m_control.ask({{"CLIENT", "UNBLOCK", QByteArray::number(twin->realId)}});
            twin->real.read();
            m_executor.cancelWaiting(twin->ours);
            twin->waitsWith.reset();
        }
        for (const int database : {0, 1, 2}) {
            QList<Words> questions{{"SELECT", QByteArray::number(database)}, {"KEYS", "*"}};
            m_executor.execute(m_ownControl, questions[0]);
            const QList<QByteArray> keys = m_executor.execute(m_ownControl, questions[1]).reply.toList();
            questions += questionsAbout(keys);
            const std::vector<Reply> wanted = m_control.ask(questions);
            for (qsizetype i = 0; i < questions.size(); ++i) {
                const Reply actual = m_executor.execute(m_ownControl, questions[i]).reply;
                if (comparable(questions[i], actual) != comparable(questions[i], wanted[size_t(i)]))
                    return "in database " + QByteArray::number(database) + ": "
                        + difference(questions[i], wanted[size_t(i)], actual);
            }
        }
        return {};
    }

private:
    Twin &pickTwin()
    {
        while (true) {
            Twin &twin = *m_twins[m_choices() % m_twins.size()];
            if (!twin.waitsWith)
                return twin;
            const bool allWait =
                std::all_of(m_twins.begin(), m_twins.end(), [](const auto &t) { return t->waitsWith; });
            if (allWait)
                release(*m_twins[m_choices() % m_twins.size()]);
        }
    }

    /// Nobody is left who could serve the others.
    void release(Twin &twin)
    {
        m_control.ask({{"CLIENT", "UNBLOCK", QByteArray::number(twin.realId)}});
        twin.real.read();
        m_executor.cancelWaiting(twin.ours);
        twin.waitsWith.reset();
    }

    QByteArray run(Twin &twin, const Words &words)
    {
        twin.real.send({words});
        const Executor::Outcome outcome = m_executor.execute(twin.ours, words);
        if (outcome.isBlocked) {
            twin.waitsWith = words;
            if (!realWaitsLikeOurs())
                return shown(words) + ": ours waits, redis answers " + shown(twin.real.read());
        } else if (const QByteArray found = compareReply(twin, words, outcome.reply); !found.isEmpty()) {
            return found;
        }
        for (const auto &other : m_twins) {
            if (!other->served)
                continue;
            const std::optional<Reply> answer = other->real.readWithin(5000);
            if (!answer)
                return shown(*other->waitsWith) + " is served by " + shown(words) + ", but not in redis";
            const Reply &wanted = *answer;
            const Reply actual = *std::exchange(other->served, std::nullopt);
            const Words waited = *std::exchange(other->waitsWith, std::nullopt);
            if (bytesOf(wanted) != bytesOf(actual))
                return "served by " + shown(words) + ": " + difference(waited, wanted, actual);
        }
        if (!realWaitsLikeOurs())
            return "after " + shown(words) + " others wait in redis than here";
        return compareMessages(words);
    }

    QByteArray compareReply(Twin &twin, const Words &words, const Reply &actual)
    {
        const std::optional<Reply> answer = twin.real.readWithin(5000);
        if (!answer)
            return shown(words) + ": redis waits, ours answers " + shown(actual);
        const Reply &wanted = *answer;
        const QByteArray verb = words.first().toUpper();
        bool isSame = isUnfounded(words, wanted) || comparable(words, actual) == comparable(words, wanted);
        if (verb == "EXEC" && wanted.isArray() && actual.elements.size() == wanted.elements.size()
            && size_t(twin.queued.size()) == wanted.elements.size()) {
            isSame = actual.isArray();
            for (size_t e = 0; e < wanted.elements.size() && isSame; ++e) {
                const Words &command = twin.queued[qsizetype(e)];
                isSame = isUnfounded(command, wanted.elements[e])
                    || comparable(command, actual.elements[e]) == comparable(command, wanted.elements[e]);
            }
        }
        if (!isSame)
            return difference(words, wanted, actual);
        if (wanted == Reply::status("QUEUED"))
            twin.queued.append(words);
        if (verb == "EXEC" || verb == "DISCARD")
            twin.queued.clear();
        return {};
    }

    /// True when redis puts as many clients to sleep as the executor has.
    bool realWaitsLikeOurs()
    {
        const QByteArray wanted = "blocked_clients:" + QByteArray::number(m_executor.waiters().count()) + "\r\n";
        QDeadlineTimer patience(5000);
        while (!patience.hasExpired()) {
            if (m_control.ask({{"INFO", "clients"}}).front().string.contains(wanted))
                return true;
        }
        return false;
    }

    QByteArray compareMessages(const Words &words)
    {
        m_realListener.send({{"PING", "end"}});
        QList<QByteArray> wanted;
        for (Reply message = m_realListener.read(); message.elements[0].string != "pong";
             message = m_realListener.read())
            wanted.append(shown(message));
        QList<QByteArray> actual;
        for (const Reply &message : std::exchange(m_messages, {}))
            actual.append(shown(message));
        if (RandomCommands::isUnordered(words) || words.first().toUpper().startsWith("SCAN")) {
            std::sort(wanted.begin(), wanted.end()); // keys that a walk finds expired
            std::sort(actual.begin(), actual.end());
        }
        if (wanted == actual)
            return {};
        return "messages of " + shown(words) + "\n  redis: " + wanted.join("\n         ")
            + "\n  ours:  " + actual.join("\n         ");
    }

    qint64 realTime()
    {
        const Reply time = m_control.ask({{"TIME"}}).front();
        return time.elements[0].string.toLongLong() * 1000 + time.elements[1].string.toLongLong() / 1000;
    }

    RandomCommands m_random;
    std::mt19937 m_choices;
    RespConnection m_control;
    RespConnection m_realListener;
    Executor m_executor{&Clock::system()};
    ClientContext m_ownControl;
    ClientContext m_listener;
    std::vector<Reply> m_messages;
    std::vector<std::unique_ptr<Twin>> m_twins;
};

} // namespace

class TestEmbeddedClientsVsRedis : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void clientsSeeTheSameOfOneAnother()
    {
        const RedisServer server({.extra = {QStringLiteral("--enable-debug-command"), QStringLiteral("yes")}});
        QVERIFY2(server.isRunning(), qPrintable(server.error()));
        const int first = qEnvironmentVariableIntValue("YM_FIRST_SEED");
        const int seeds = qEnvironmentVariableIsSet("YM_SEEDS") ? qEnvironmentVariableIntValue("YM_SEEDS") : 2;
        for (int seed = first; seed < first + seeds; ++seed) {
            Stage stage(server, quint32(seed));
            QByteArray found;
            for (int i = 0; i < 2000 && found.isEmpty(); ++i)
                found = i % 700 == 699 ? stage.expireSome() : stage.step();
            if (found.isEmpty())
                found = stage.finish();
            const QByteArray message = "seed " + QByteArray::number(seed) + ": " + found;
            QVERIFY2(found.isEmpty(), message.constData());
        }
    }
};

QTEST_GUILESS_MAIN(TestEmbeddedClientsVsRedis)
#include "tst_embedded_clients_vs_redis.moc"
