// The endpoint against a real redis-server: the same bytes in, the same bytes out.
#include "tests/support/endpoint_server.h"
#include "tests/support/raw_socket.h"
#include "tests/support/redis_server.h"

#include <QTest>

using namespace ym::test;

namespace {

/// All that a server says to `bytes`. A large answer needs a QUIT at the end: redis-server drops what it could not send
/// when it sees that nothing more comes.
QByteArray converse(const QString &path, const QByteArray &bytes)
{
    RawSocket socket(path);
    socket.send(bytes);
    if (!bytes.endsWith(respRequest({"QUIT"})))
        socket.endSending();
    return socket.readToEnd();
}

QByteArray requests(std::initializer_list<QList<QByteArray>> all)
{
    QByteArray bytes;
    for (const QList<QByteArray> &words : all)
        bytes += respRequest(words);
    return bytes;
}

} // namespace

class TestEndpointBytes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void equals_data();
    void equals();

private:
    RedisServer m_redis;
    EndpointServer m_ours;
};

void TestEndpointBytes::initTestCase()
{
    QVERIFY2(m_redis.isRunning(), qPrintable(m_redis.error()));
}

void TestEndpointBytes::equals_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char *name, const QByteArray &bytes) { QTest::newRow(name) << bytes; };

    row("inline command", "PING\r\n");
    row("inline with a line feed alone", "PING\nPING hello\n");
    row("inline quotes", "ECHO \"a\\x41\\n\\q b\"\r\nECHO 'it\\'s'\r\n");
    row("inline blanks and empty lines", "\r\n   \r\n  ECHO   x  \r\n\r\n");
    row("inline unbalanced quotes", "ECHO \"abc\r\nPING\r\n");
    row("inline quote in a word", "ECHO a\"b\"c\r\n");
    row("inline with a zero byte", QByteArray("PING\0\r\n", 7));
    row("inline too long", QByteArray(70'000, 'a'));
    row("empty multibulk", "*0\r\n*-1\r\nPING\r\n");
    row("count is no number", "*a\r\nPING\r\n");
    row("count with a leading zero", "*01\r\n$4\r\nPING\r\n");
    row("count too large", "*2147483648\r\n");
    row("count string too long", "*" + QByteArray(70'000, '1'));
    row("not a bulk", "*1\r\n+PING\r\n");
    row("not a bulk but a control character", "*1\r\n\x01PING\r\n");
    row("bulk without a mark", "*1\r\n\r\n");
    row("bulk length negative", "*1\r\n$-1\r\n");
    row("bulk length is no number", "*1\r\n$x\r\n");
    row("bulk length too large", "*1\r\n$536870913\r\n");
    row("bulk length string too long", "*1\r\n$" + QByteArray(70'000, '1'));
    row("garbage", QByteArray("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n\n", 13));
    row("a browser", "POST / HTTP/1.1\r\nHost: localhost\r\n\r\nPING\r\n");
    row("a browser's host", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\nPING\r\n");
    row("good before bad", "PING\r\n*1\r\n$4\r\nPING\r\n*1\r\n:4\r\nPING\r\n");
    row("line ends are not looked at", "*1\r\n$4\r\nPINGxx*1\r\n$4\r\nPING\r\n");
    row("empty words", requests({{"ECHO", ""}, {"SET", "", ""}, {"GET", ""}, {""}}));
    row("binary", requests({{"ECHO", QByteArray("\0\r\n\xff", 4)}, {"SET", "b", QByteArray("\r\n\0", 3)}, {"GET", "b"}}));
    row("a large word", requests({{"SET", "large", QByteArray(300'000, 'x')}, {"GET", "large"}, {"STRLEN", "large"}, {"QUIT"}}));
    row("many words", [] {
        QList<QByteArray> words{"RPUSH", "many"};
        for (int i = 0; i < 5000; ++i)
            words.append(QByteArray::number(i));
        return requests({words, {"LRANGE", "many", "0", "-1"}, {"QUIT"}});
    }());
    row("unknown command", requests({{"NOPE"}, {"nope", "a", "b\r\nc"}, {"CLIENT", "nope"}, {"GET"}}));
    row("error with a line end", requests({{"EVAL", "return redis.error_reply('A\\r\\nB')", "0"}}));
    row("nils", requests({{"GET", "none"}, {"BLPOP", "none", "0.001"}, {"LPOP", "none", "2"}}));

    row("ping", requests({{"PING"}, {"PING", "x"}, {"PING", "x", "y"}, {"ECHO", "x"}, {"ECHO"}}));
    row("quit", requests({{"PING"}, {"QUIT"}, {"PING"}}));
    row("quit with more", requests({{"QUIT", "now"}}));
    row("hello with a wrong version", requests({{"HELLO", "4"}, {"HELLO", "x"}, {"HELLO", "1"}}));
    row("hello with wrong options", requests({{"HELLO", "2", "NOPE"}, {"HELLO", "2", "AUTH", "x"}, {"HELLO", "2", "SETNAME"}}));
    row("hello with a bad name", requests({{"HELLO", "2", "SETNAME", "a b"}, {"CLIENT", "GETNAME"}}));
    row("auth where none is needed", requests({{"AUTH", "x"}, {"AUTH", "default", "x"}, {"AUTH", "nobody", "x"},
                                               {"AUTH", "a", "b", "c"}, {"AUTH"}}));
    row("names", requests({{"CLIENT", "GETNAME"}, {"CLIENT", "SETNAME", "me"}, {"CLIENT", "GETNAME"},
                           {"CLIENT", "SETNAME", "a b"}, {"CLIENT", "SETNAME", ""}, {"CLIENT", "GETNAME"}}));
    row("reset", requests({{"MULTI"}, {"SET", "r", "1"}, {"RESET"}, {"EXEC"}, {"GET", "r"}, {"SUBSCRIBE", "a"}, {"RESET"},
                           {"GET", "r"}}));
    row("client reply", requests({{"CLIENT", "REPLY", "SKIP"}, {"PING", "skipped"}, {"PING", "1"}, {"CLIENT", "REPLY", "OFF"},
                                  {"PING", "2"}, {"CLIENT", "REPLY", "SKIP"}, {"PING", "3"}, {"CLIENT", "REPLY", "ON"},
                                  {"PING", "4"}, {"CLIENT", "REPLY", "NOPE"}, {"CLIENT", "REPLY"}}));
    row("client kill refused", requests({{"CLIENT", "KILL"}, {"CLIENT", "KILL", "1.2.3.4:5"}, {"CLIENT", "KILL", "ID"},
                                         {"CLIENT", "KILL", "ID", "0"}, {"CLIENT", "KILL", "ID", "x"},
                                         {"CLIENT", "KILL", "TYPE", "x"}, {"CLIENT", "KILL", "USER", "x"},
                                         {"CLIENT", "KILL", "SKIPME", "x"}, {"CLIENT", "KILL", "ADDR", "x"},
                                         {"CLIENT", "KILL", "TYPE", "pubsub"}, {"CLIENT", "KILL", "ID", "999999"}}));
    row("client list refused", requests({{"CLIENT", "LIST", "x"}, {"CLIENT", "LIST", "TYPE", "x"}, {"CLIENT", "LIST", "ID", "x"},
                                         {"CLIENT", "LIST", "ID"}, {"CLIENT", "LIST", "TYPE", "master"},
                                         {"CLIENT", "LIST", "ID", "999999"}}));
    row("client unblock", requests({{"CLIENT", "UNBLOCK", "99999"}, {"CLIENT", "UNBLOCK", "x"}, {"CLIENT", "UNBLOCK", "1", "x"}}));
    row("client pause refused", requests({{"CLIENT", "PAUSE", "x"}, {"CLIENT", "PAUSE", "-1"}, {"CLIENT", "PAUSE", "1", "x"},
                                          {"CLIENT", "UNPAUSE"}}));
    row("client others", requests({{"CLIENT", "NO-EVICT", "on"}, {"CLIENT", "NO-EVICT", "x"}, {"CLIENT", "GETREDIR"},
                                   {"CLIENT", "TRACKINGINFO"}, {"CLIENT", "TRACKING", "off"}, {"CLIENT", "TRACKING", "x"}}));
    row("messages", requests({{"SUBSCRIBE", "a", "b"}, {"PSUBSCRIBE", "c*"}, {"PING"}, {"PING", "x"}, {"GET", "k"},
                              {"CLIENT", "LIST"}, {"UNSUBSCRIBE", "a"}, {"UNSUBSCRIBE", "b"}, {"PUNSUBSCRIBE"}, {"PING"},
                              {"UNSUBSCRIBE"}}));
    row("a transaction", requests({{"MULTI"}, {"SET", "t", "1"}, {"INCR", "t"}, {"LPUSH", "t", "x"}, {"EXEC"}}));
    row("a transaction that is refused", requests({{"MULTI"}, {"NOPE"}, {"SET", "t"}, {"EXEC"}, {"EXEC"}, {"DISCARD"}}));
    row("whoami", requests({{"ACL", "WHOAMI"}}));
    row("monitor is told OK", requests({{"MONITOR"}}));
}

void TestEndpointBytes::equals()
{
    QFETCH(QByteArray, bytes);
    const QByteArray theirs = converse(m_redis.socketPath(), bytes);
    const QByteArray ours = converse(m_ours.socketPath(), bytes);
    QCOMPARE(ours, theirs);
}

QTEST_GUILESS_MAIN(TestEndpointBytes)
#include "tst_endpoint_bytes.moc"
