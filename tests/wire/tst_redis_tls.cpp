// RedisStore over TLS against a real redis-server, with certificates of the test's own (RELIABILITY 6.3, F32).
#include "core/store/redis/redis_store.h"
#include "tests/support/await.h"
#include "tests/support/redis_server.h"

#include <QFile>
#include <QProcess>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

using namespace ym;
using namespace ym::test;

namespace {

using Phase = StoreStatus::Phase;

template <typename T> Error errorOf(QCoro::Task<T> task)
{
    try {
        await(std::move(task));
    } catch (const StoreError &e) {
        return e.error();
    }
    return {ErrorKind::Internal, QStringLiteral("nothing was thrown"), {}, false};
}

quint16 freePort()
{
    QTcpServer probe;
    probe.listen(QHostAddress::LocalHost);
    return probe.serverPort();
}

} // namespace

class TestRedisTls : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void connectsToATrustedServer();
    void refusesBadCertificates_data();
    void refusesBadCertificates();
    void connectsInsecurelyOnlyWhenAsked();
    void showsAClientCertificate();
    void tellsThatTheServerExpectsTls();
    void tellsThatTheServerHasNoTls();
    void refusesUnusableFiles_data();
    void refusesUnusableFiles();
    void carriesBigValues();

private:
    QString file(const char *name) const { return m_folder.filePath(QLatin1String(name)); }
    void openssl(const QStringList &arguments) const;
    void makeAuthority(const QString &name) const;
    void makeCertificate(const QString &name, const QString &authority, const QString &altName, int days = 30) const;
    RedisServer::Options serving(const QString &certificate, const QString &clients = QStringLiteral("no"));
    std::unique_ptr<RedisStore> storeFor(const QString &text, Milliseconds deadline = Milliseconds{10'000}) const;
    QString url(const QString &parameters) const
    {
        return QStringLiteral("rediss://127.0.0.1:%1?%2").arg(QString::number(m_port), parameters);
    }

    QTemporaryDir m_folder;
    quint16 m_port = 0;
};

void TestRedisTls::openssl(const QStringList &arguments) const
{
    QProcess process;
    process.start(QStringLiteral("openssl"), arguments);
    QVERIFY(process.waitForFinished(30'000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
}

void TestRedisTls::makeAuthority(const QString &name) const
{
    openssl({QStringLiteral("req"), QStringLiteral("-x509"), QStringLiteral("-newkey"), QStringLiteral("ec"),
             QStringLiteral("-pkeyopt"), QStringLiteral("ec_paramgen_curve:P-256"), QStringLiteral("-nodes"),
             QStringLiteral("-days"), QStringLiteral("30"), QStringLiteral("-subj"), QStringLiteral("/CN=") + name,
             QStringLiteral("-keyout"), m_folder.filePath(name + QStringLiteral(".key")), QStringLiteral("-out"),
             m_folder.filePath(name + QStringLiteral(".crt"))});
}

void TestRedisTls::makeCertificate(const QString &name, const QString &authority, const QString &altName,
                                   int days) const
{
    openssl({QStringLiteral("req"), QStringLiteral("-newkey"), QStringLiteral("rsa:2048"), QStringLiteral("-nodes"),
             QStringLiteral("-subj"), QStringLiteral("/CN=") + name, QStringLiteral("-keyout"),
             m_folder.filePath(name + QStringLiteral(".key")), QStringLiteral("-out"),
             m_folder.filePath(name + QStringLiteral(".csr"))});
    QFile extensions(m_folder.filePath(name + QStringLiteral(".ext")));
    QVERIFY(extensions.open(QIODevice::WriteOnly));
    extensions.write("subjectAltName=" + altName.toLatin1() + "\n");
    extensions.close();
    openssl({QStringLiteral("x509"), QStringLiteral("-req"), QStringLiteral("-in"),
             m_folder.filePath(name + QStringLiteral(".csr")), QStringLiteral("-CA"),
             m_folder.filePath(authority + QStringLiteral(".crt")), QStringLiteral("-CAkey"),
             m_folder.filePath(authority + QStringLiteral(".key")), QStringLiteral("-CAcreateserial"),
             QStringLiteral("-days"), QString::number(days), QStringLiteral("-extfile"), extensions.fileName(),
             QStringLiteral("-out"), m_folder.filePath(name + QStringLiteral(".crt"))});
}

void TestRedisTls::initTestCase()
{
    makeAuthority(QStringLiteral("ca"));
    makeAuthority(QStringLiteral("stranger"));
    makeCertificate(QStringLiteral("good"), QStringLiteral("ca"), QStringLiteral("DNS:redis.test,IP:127.0.0.1"));
    makeCertificate(QStringLiteral("othername"), QStringLiteral("ca"), QStringLiteral("DNS:elsewhere.test"));
    makeCertificate(QStringLiteral("expired"), QStringLiteral("ca"), QStringLiteral("IP:127.0.0.1"), -1);
    makeCertificate(QStringLiteral("client"), QStringLiteral("ca"), QStringLiteral("DNS:client.test"));
    makeCertificate(QStringLiteral("strangeclient"), QStringLiteral("stranger"), QStringLiteral("DNS:client.test"));
}

RedisServer::Options TestRedisTls::serving(const QString &certificate, const QString &clients)
{
    m_port = freePort();
    RedisServer::Options options;
    options.extra = {QStringLiteral("--tls-port"),         QString::number(m_port),
                     QStringLiteral("--tls-cert-file"),    m_folder.filePath(certificate + QStringLiteral(".crt")),
                     QStringLiteral("--tls-key-file"),     m_folder.filePath(certificate + QStringLiteral(".key")),
                     QStringLiteral("--tls-ca-cert-file"), file("ca.crt"),
                     QStringLiteral("--tls-auth-clients"), clients};
    return options;
}

std::unique_ptr<RedisStore> TestRedisTls::storeFor(const QString &text, Milliseconds deadline) const
{
    RedisStore::Options options;
    options.commandDeadline = deadline;
    options.backoff = {Milliseconds{5}, Milliseconds{50}};
    return std::make_unique<RedisStore>(*parseStoreAddress(text), options, &Clock::system());
}

void TestRedisTls::connectsToATrustedServer()
{
    RedisServer server(serving(QStringLiteral("good")));
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    const auto store = storeFor(url(QStringLiteral("ca=%1&db=2").arg(file("ca.crt"))));
    await(store->open());
    await(store->command(cmd("SET", "k", "v")));
    QCOMPARE(server.cli({QStringLiteral("-n"), QStringLiteral("2"), QStringLiteral("GET"), QStringLiteral("k")}),
             QByteArray("v"));
    QVERIFY(!store->status().warnings.join(u' ').contains(u"certificate"));
    const auto byName = storeFor(url(QStringLiteral("ca=%1&sni=redis.test").arg(file("ca.crt"))));
    await(byName->open());
}

void TestRedisTls::refusesBadCertificates_data()
{
    QTest::addColumn<QString>("certificate");
    QTest::addColumn<QString>("authority");
    QTest::addColumn<QString>("serverName");
    QTest::addColumn<QString>("words");
    QTest::newRow("another name in the certificate") << "othername"
                                                     << "ca"
                                                     << ""
                                                     << "host name did not match";
    QTest::newRow("another name expected") << "good"
                                           << "ca"
                                           << "elsewhere.test"
                                           << "host name did not match";
    QTest::newRow("unknown authority") << "good"
                                       << "stranger"
                                       << ""
                                       << "certificate";
    QTest::newRow("expired") << "expired"
                             << "ca"
                             << ""
                             << "expired";
}

void TestRedisTls::refusesBadCertificates()
{
    QFETCH(QString, certificate);
    QFETCH(QString, authority);
    QFETCH(QString, serverName);
    QFETCH(QString, words);
    RedisServer server(serving(certificate));
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    QString parameters = QStringLiteral("ca=") + m_folder.filePath(authority + QStringLiteral(".crt"));
    if (!serverName.isEmpty())
        parameters += QStringLiteral("&sni=") + serverName;
    const auto store = storeFor(url(parameters));
    const Error error = errorOf(store->open());
    QCOMPARE(error.kind, ErrorKind::Authentication);
    QVERIFY2(error.message.startsWith(u"The server's certificate was refused: "), qPrintable(error.message));
    QVERIFY2(error.message.contains(words), qPrintable(error.message));
    QCOMPARE(store->status().phase, Phase::Refused);
}

void TestRedisTls::connectsInsecurelyOnlyWhenAsked()
{
    RedisServer server(serving(QStringLiteral("othername")));
    const auto strict = storeFor(url(QString()));
    QCOMPARE(errorOf(strict->open()).kind, ErrorKind::Authentication);
    const auto store = storeFor(url(QStringLiteral("insecure=1")));
    await(store->open());
    QVERIFY(store->status().warnings.constFirst().contains(u"certificate is not checked"));
}

void TestRedisTls::showsAClientCertificate()
{
    RedisServer server(serving(QStringLiteral("good"), QStringLiteral("yes")));
    const QString ca = QStringLiteral("ca=") + file("ca.crt");
    const auto with = [&](const char *name) { return ca + QStringLiteral("&cert=%1.crt&key=%1.key").arg(file(name)); };
    const auto known = storeFor(url(with("client")));
    await(known->open());
    QCOMPARE(await(known->command(cmd("PING"))), Reply::status("PONG"));
    for (const QString &parameters : {ca, with("strangeclient")}) {
        const auto store = storeFor(url(parameters));
        const Error error = errorOf(store->open());
        QCOMPARE(error.kind, ErrorKind::Authentication);
        QVERIFY2(error.text().contains(u"certificate"), qPrintable(error.text()));
    }
}

void TestRedisTls::tellsThatTheServerExpectsTls()
{
    RedisServer server(serving(QStringLiteral("good")));
    const auto store = storeFor(QStringLiteral("redis://127.0.0.1:%1").arg(m_port));
    const Error error = errorOf(store->open());
    QCOMPARE(error.kind, ErrorKind::Unavailable);
    QVERIFY2(error.text().contains(u"rediss://"), qPrintable(error.text()));
}

void TestRedisTls::tellsThatTheServerHasNoTls()
{
    RedisServer::Options options;
    options.tcp = true;
    RedisServer server(options);
    const auto store = storeFor(QStringLiteral("rediss://127.0.0.1:%1").arg(server.port()), Milliseconds{500});
    const Error error = errorOf(store->open());
    QVERIFY2(error.text().contains(u"redis:// instead of rediss://"), qPrintable(error.text()));
}

void TestRedisTls::refusesUnusableFiles_data()
{
    QTest::addColumn<QString>("parameters");
    QTest::addColumn<QString>("words");
    QTest::newRow("no CA file") << "ca=/nonexistent"
                                << "CA file /nonexistent holds no certificate";
    QTest::newRow("a key as CA") << "ca=%1.key"
                                 << "holds no certificate";
    QTest::newRow("a key as client certificate") << "cert=%1.key&key=%1.key"
                                                 << "holds no client certificate";
    QTest::newRow("a certificate as key") << "cert=%1.crt&key=%1.crt"
                                          << "holds no private key";
}

void TestRedisTls::refusesUnusableFiles()
{
    QFETCH(QString, parameters);
    QFETCH(QString, words);
    RedisServer server(serving(QStringLiteral("good")));
    const auto store = storeFor(url(parameters.replace(QStringLiteral("%1"), file("client"))));
    const Error error = errorOf(store->open());
    QCOMPARE(error.kind, ErrorKind::Usage);
    QVERIFY2(error.message.contains(words), qPrintable(error.message));
}

void TestRedisTls::carriesBigValues()
{
    RedisServer server(serving(QStringLiteral("good")));
    const auto store = storeFor(url(QStringLiteral("ca=") + file("ca.crt")));
    await(store->open());
    const QByteArray big(5'000'000, '\xff');
    await(store->command(cmd("SET", "k", big)));
    std::vector<Command> thrice{cmd("GET", "k"), cmd("GET", "k"), cmd("GET", "k")};
    const std::vector<Reply> replies = await(store->pipeline(thrice));
    for (const Reply &reply : replies)
        QVERIFY(reply.string == big);
}

QTEST_GUILESS_MAIN(TestRedisTls)
#include "tst_redis_tls.moc"
