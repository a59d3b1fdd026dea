// Store URLs: what is read, what is refused and with which words, and that no password is ever repeated.
#include "core/store/store_address.h"

#include <QTest>

using namespace ym;

Q_DECLARE_METATYPE(ym::StoreAddress)

class TestStoreAddress : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void neverRepeatsAPassword_data();
    void neverRepeatsAPassword();
    void writesWhatItReads_data();
    void writesWhatItReads();
    void writesNoPassword();
};

namespace {

StoreAddress server(const QString &host, quint16 port = 6379, int database = 0, const QString &user = {},
                    const QString &password = {})
{
    StoreAddress address;
    address.kind = StoreAddress::Kind::Tcp;
    address.host = host;
    address.port = port;
    address.database = database;
    address.user = user;
    address.password = password;
    return address;
}

StoreAddress of(
    StoreAddress::Kind kind, void (*change)(StoreAddress &) = [](StoreAddress &) {})
{
    StoreAddress address;
    address.kind = kind;
    change(address);
    return address;
}

} // namespace

void TestStoreAddress::reads_data()
{
    using Kind = StoreAddress::Kind;
    QTest::addColumn<QString>("url");
    QTest::addColumn<StoreAddress>("expected");
    QTest::newRow("the default workspace") << "embedded:" << of(Kind::Embedded);
    QTest::newRow("a workspace folder") << "embedded:/home/me/work"
                                        << of(Kind::Embedded, [](auto &a) { a.folder = "/home/me/work"; });
    QTest::newRow("a relative folder") << "embedded:work" << of(Kind::Embedded, [](auto &a) { a.folder = "work"; });
    QTest::newRow("a folder with slashes")
        << "embedded:///home/me" << of(Kind::Embedded, [](auto &a) { a.folder = "/home/me"; });
    QTest::newRow("memory") << "memory:" << of(Kind::Memory);
    QTest::newRow("a host") << "redis://localhost" << server("localhost");
    QTest::newRow("blanks around") << "  redis://localhost \n" << server("localhost");
    QTest::newRow("capital scheme") << "REDIS://localhost" << server("localhost");
    QTest::newRow("host and slash") << "redis://localhost/" << server("localhost");
    QTest::newRow("host, port and database") << "redis://localhost:6380/7" << server("localhost", 6380, 7);
    QTest::newRow("largest port and database") << "redis://h:65535/65535" << server("h", 65535, 65535);
    QTest::newRow("database as parameter") << "redis://h?db=3" << server("h", 6379, 3);
    QTest::newRow("password only") << "redis://:secret@h" << server("h", 6379, 0, "", "secret");
    QTest::newRow("user and password") << "redis://me:secret@h:1/2" << server("h", 1, 2, "me", "secret");
    QTest::newRow("user only") << "redis://me@h" << server("h", 6379, 0, "me");
    QTest::newRow("colon in the password") << "redis://me:a:b@h" << server("h", 6379, 0, "me", "a:b");
    QTest::newRow("escaped password") << "redis://me:p%40s%2Fs%3a%25@h" << server("h", 6379, 0, "me", "p@s/s:%");
    QTest::newRow("escaped letters beyond ASCII")
        << "redis://:%C3%A4@h" << server("h", 6379, 0, "", QString::fromUtf8("ä"));
    QTest::newRow("IPv4") << "redis://127.0.0.1:1" << server("127.0.0.1", 1);
    QTest::newRow("IPv6") << "redis://[::1]:6380/1" << server("::1", 6380, 1);
    QTest::newRow("IPv6 without port") << "redis://[fe80::1%25eth0]" << server("fe80::1%eth0");
    QTest::newRow("unix socket") << "unix:/run/redis.sock"
                                 << of(Kind::Unix, [](auto &a) { a.path = "/run/redis.sock"; });
    QTest::newRow("unix socket with slashes")
        << "unix:///run/r.sock" << of(Kind::Unix, [](auto &a) { a.path = "/run/r.sock"; });
    QTest::newRow("unix socket and database") << "unix:/r?db=4" << of(Kind::Unix, [](auto &a) {
        a.path = "/r";
        a.database = 4;
    });
    QTest::newRow("unix socket with a question mark")
        << "unix:/a%3Fb" << of(Kind::Unix, [](auto &a) { a.path = "/a?b"; });
    QTest::newRow("unix socket with user and password") << "unix://me:pw@/r" << of(Kind::Unix, [](auto &a) {
        a.path = "/r";
        a.user = "me";
        a.password = "pw";
    });
    QTest::newRow("TLS with everything") << "rediss://h?ca=/ca.pem&cert=/c.pem&key=/k.pem&sni=name&insecure=1&db=2"
                                         << of(Kind::Tls, [](auto &a) {
                                                a.host = "h";
                                                a.caFile = "/ca.pem";
                                                a.certificateFile = "/c.pem";
                                                a.keyFile = "/k.pem";
                                                a.serverName = "name";
                                                a.insecureTls = true;
                                                a.database = 2;
                                            });
}

void TestStoreAddress::reads()
{
    QFETCH(QString, url);
    QFETCH(StoreAddress, expected);
    const Result<StoreAddress> read = parseStoreAddress(url);
    QVERIFY2(read, read ? "" : qPrintable(read.error().text()));
    QCOMPARE(*read, expected);
}

void TestStoreAddress::refuses_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("words");
    QTest::newRow("nothing") << ""
                             << "empty";
    QTest::newRow("plain host") << "localhost"
                                << "Write redis://localhost.";
    QTest::newRow("plain host and port") << "localhost:6379"
                                         << "Write redis://localhost:6379.";
    QTest::newRow("plain host, port and database") << "localhost:6379:1"
                                                   << "Write redis://localhost:6379/1.";
    QTest::newRow("plain path") << "/run/redis.sock"
                                << "Write unix:PATH";
    QTest::newRow("plain IPv6") << "[::1]:6379"
                                << "redis://[::1]:6379";
    QTest::newRow("plain open bracket") << "[::1"
                                        << "redis://[::1]:6379";
    QTest::newRow("another scheme") << "http://localhost/"
                                    << "redis://HOST:PORT/DB";
    QTest::newRow("no slashes") << "redis:localhost"
                                << "Two slashes";
    QTest::newRow("no host") << "redis://"
                             << "host is missing";
    QTest::newRow("port without host") << "redis://:6379"
                                       << "host is missing";
    QTest::newRow("open bracket") << "redis://[::1"
                                  << "closing bracket";
    QTest::newRow("words in brackets") << "redis://[local]"
                                       << "not an IPv6 address";
    QTest::newRow("text behind brackets") << "redis://[::1]6379"
                                          << ":PORT";
    QTest::newRow("two at signs") << "redis://user:p@ss@h"
                                  << "%40";
    QTest::newRow("port and database by colon") << "redis://localhost:6379:1"
                                                << "too many colons";
    QTest::newRow("bare IPv6 in a URL") << "redis://::1"
                                        << "in brackets";
    QTest::newRow("port 0") << "redis://h:0"
                            << "port must be a number from 1 to 65535";
    QTest::newRow("port 65536") << "redis://h:65536"
                                << "port must be a number from 1 to 65535";
    QTest::newRow("port abc") << "redis://h:abc"
                              << "port must be a number from 1 to 65535";
    QTest::newRow("port +1") << "redis://h:+1"
                             << "port must be";
    QTest::newRow("port empty") << "redis://h:"
                                << "port must be";
    QTest::newRow("database -1") << "redis://h/-1"
                                 << "database must be a number from 0 to 65535";
    QTest::newRow("database 99999") << "redis://h/99999"
                                    << "database must be a number from 0 to 65535";
    QTest::newRow("database with path") << "redis://h/1/2"
                                        << "database must be";
    QTest::newRow("database twice") << "redis://h/1?db=1"
                                    << "twice";
    QTest::newRow("blank in the host") << "redis://lo cal"
                                       << "no host name has";
    QTest::newRow("broken escape") << "redis://:a%zz@h"
                                   << "%25";
    QTest::newRow("zero byte") << "redis://:a%00@h"
                               << "zero byte";
    QTest::newRow("unknown parameter") << "redis://h?timeout=3"
                                       << "Known are db, ca";
    QTest::newRow("TLS parameter without TLS") << "redis://h?ca=/x"
                                               << "rediss://";
    QTest::newRow("certificate without key") << "rediss://h?cert=/x"
                                             << "go together";
    QTest::newRow("insecure maybe") << "rediss://h?insecure=maybe"
                                    << "must be 1 or 0";
    QTest::newRow("parameter without value") << "rediss://h?ca="
                                             << "has no value";
    QTest::newRow("unix without path") << "unix:"
                                       << "path of the socket is missing";
    QTest::newRow("unix with host") << "unix://host/path"
                                    << "no host";
    QTest::newRow("unix path too long") << "unix:/" + QString(120, u'a') << "107";
    QTest::newRow("unix with TLS") << "unix:/r?ca=/x"
                                   << "TLS only";
    QTest::newRow("something behind memory") << "memory:x"
                                             << "Nothing may follow";
}

void TestStoreAddress::refuses()
{
    QFETCH(QString, url);
    QFETCH(QString, words);
    const Result<StoreAddress> read = parseStoreAddress(url);
    QVERIFY(!read);
    QCOMPARE(read.error().kind, ErrorKind::Usage);
    QVERIFY2(read.error().text().contains(words), qPrintable(read.error().text()));
}

void TestStoreAddress::neverRepeatsAPassword_data()
{
    QTest::addColumn<QString>("url");
    QTest::newRow("two at signs") << "redis://user:hunter2@x@h";
    QTest::newRow("slash in the password") << "redis://user:hunter2/x@h";
    QTest::newRow("question mark in the password") << "redis://user:hunter2?x@h";
    QTest::newRow("password taken for a port") << "redis://user:hunter2";
    QTest::newRow("bad port behind it") << "redis://user:hunter2@h:x";
    QTest::newRow("broken escape in it") << "redis://user:hunter2%@h";
    QTest::newRow("unknown scheme") << "redi://user:hunter2@h";
    QTest::newRow("no scheme") << "user:hunter2@h:6379";
    QTest::newRow("as a parameter") << "redis://h?password=hunter2";
    QTest::newRow("as a parameter's name") << "redis://h?hunter2";
    QTest::newRow("unix host") << "unix://user:hunter2@host/path";
    QTest::newRow("unix without path") << "unix://user:hunter2@";
}

void TestStoreAddress::neverRepeatsAPassword()
{
    QFETCH(QString, url);
    const Result<StoreAddress> read = parseStoreAddress(url);
    QVERIFY(!read);
    QVERIFY2(!read.error().text().contains(u"hunter2"), qPrintable(read.error().text()));
}

void TestStoreAddress::writesWhatItReads_data()
{
    QTest::addColumn<QString>("url");
    for (const char *url :
         {"embedded:", "embedded:/a%20b/%C3%A4", "memory:", "redis://h", "redis://me@h:6380/7", "redis://[::1]:6380",
          "redis://[fe80::1%25eth0]", "unix:/run/r.sock?db=3", "unix://me@/run/r.sock", "unix:/a%3Fb",
          "rediss://h?ca=/c.pem&cert=/a%26b&key=/k&sni=n&insecure=1", "redis://a%40b@h"})
        QTest::newRow(url) << QString::fromLatin1(url);
}

void TestStoreAddress::writesWhatItReads()
{
    QFETCH(QString, url);
    const Result<StoreAddress> read = parseStoreAddress(url);
    QVERIFY2(read, read ? "" : qPrintable(read.error().text()));
    QCOMPARE(toUrl(*read), url);
}

void TestStoreAddress::writesNoPassword()
{
    QCOMPARE(toUrl(*parseStoreAddress("redis://me:hunter2@h")), QStringLiteral("redis://me@h"));
    QCOMPARE(toUrl(*parseStoreAddress("redis://:hunter2@h")), QStringLiteral("redis://h"));
    QCOMPARE(toUrl(*parseStoreAddress("unix://me:hunter2@/r")), QStringLiteral("unix://me@/r"));
}

QTEST_APPLESS_MAIN(TestStoreAddress)
#include "tst_store_address.moc"
