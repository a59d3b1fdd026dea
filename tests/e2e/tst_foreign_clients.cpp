// Ordinary clients and job libraries of other languages on the endpoint of the embedded store: tests/clients.
#include "tests/support/program.h"

#include <QJsonObject>
#include <QTest>
#include <QUrl>

using ym::test::Ended;
using ym::test::Program;

namespace {

/// A store in memory that the program serves on a unix socket and on a port.
class Served {
public:
    Served()
    {
        program.setVariable(QStringLiteral("YARDMASTER_PASSWORD"), password);
        m_server = program.start({QStringLiteral("--json"), QStringLiteral("--store"), QStringLiteral("memory:"),
                                  QStringLiteral("serve"), QStringLiteral("--unix"), socket(), QStringLiteral("--port"),
                                  QStringLiteral("0")});
        QByteArray told;
        if (!ym::test::waitForOutput(m_server.get(), "}\n", &told))
            qFatal("the store is not served");
        const QUrl url(QJsonDocument::fromJson(told).object()[QStringLiteral("port")].toString());
        program.setVariable(QStringLiteral("YM_SOCKET"), socket());
        program.setVariable(QStringLiteral("YM_PORT"), QString::number(url.port()));
        program.setVariable(QStringLiteral("YM_PASSWORD"), password);
        program.setVariable(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1")); // the sources stay clean
        program.setVariable(QStringLiteral("NODE_PATH"), qEnvironmentVariable("NODE_PATH"));
    }
    ~Served()
    {
        m_server->terminate();
        m_server->waitForFinished();
    }

    QString socket() const { return program.homeFolder() + QStringLiteral("/s.sock"); }

    Program program;

private:
    const QString password = QStringLiteral("open-sesame");
    std::unique_ptr<QProcess> m_server;
};

} // namespace

class TestForeignClients : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void clientDoesItsOrdinaryWork_data();
    void clientDoesItsOrdinaryWork();
};

void TestForeignClients::clientDoesItsOrdinaryWork_data()
{
    QTest::addColumn<QString>("installed");
    QTest::addColumn<QString>("run");
    const auto row = [](const char *name, const char *installed, const char *run) {
        QTest::newRow(name) << QString::fromLatin1(installed) << QString::fromLatin1(run);
    };
    row("redis-cli", "redis-cli --version", "bash clients/redis_cli.sh");
    row("redis-py", "/usr/bin/python3 -c 'import redis'", "/usr/bin/python3 clients/redis_py.py");
    row("RQ", "/usr/bin/python3 -c 'import rq'", "/usr/bin/python3 clients/rq_worker.py");
    row("ruby-redis", "ruby -e 'require %q(redis)'", "ruby clients/ruby_redis.rb");
    row("Sidekiq", "sidekiq --version", "ruby clients/sidekiq.rb");
    row("ioredis", "node -e 'require(`ioredis`)'", "node clients/ioredis.js");
    row("bee-queue", "node -e 'require(`bee-queue`)'", "node clients/bee_queue.js");
    row("node-resque", "node -e 'require(`node-resque`)'", "node clients/node_resque.js");
}

void TestForeignClients::clientDoesItsOrdinaryWork()
{
    QFETCH(QString, installed);
    QFETCH(QString, run);
    const Served served;
    if (served.program.shell(installed).code != 0)
        QSKIP("it is not installed here");
    const QString folder = QFINDTESTDATA("clients");
    QVERIFY(!folder.isEmpty());
    const Ended ended = served.program.shell(QString(run).replace(QStringLiteral("clients/"), folder + u'/'));
    QVERIFY2(ended.code == 0 && ended.out.endsWith("done\n"), ended.all().constData());
    const Ended alive = served.program.shell(QStringLiteral("redis-cli -s \"$YM_SOCKET\" PING"));
    QVERIFY2(alive.out == "PONG\n", alive.all().constData());
}

QTEST_GUILESS_MAIN(TestForeignClients)
#include "tst_foreign_clients.moc"
