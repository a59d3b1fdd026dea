// The endpoint's request parser: pieces of any size, limits, garbage.
#include "core/store/embedded/endpoint/request_parser.h"
#include "tests/support/raw_socket.h"

#include <QDir>
#include <QRandomGenerator>
#include <QTest>

using namespace ym::embedded;
using ym::test::respRequest;

namespace {

using Outcome = RequestParser::Outcome;

/// What a parser makes of bytes: the requests, and the error at the end.
struct Parsed {
    QList<QList<QByteArray>> requests;
    bool isBroken = false;
    QByteArray error;

    bool operator==(const Parsed &) const = default;
};

/// Feeds `bytes` in pieces of `size`.
Parsed parsed(const QByteArray &bytes, qsizetype size, RequestLimits limits = {})
{
    RequestParser parser;
    parser.setLimits(limits);
    Parsed result;
    for (qsizetype at = 0; at < bytes.size() && !result.isBroken; at += size) {
        const QByteArray piece = bytes.mid(at, size); // a place of its own: reading behind it is found out
        parser.feed(piece);
        Outcome outcome = Outcome::Complete;
        while ((outcome = parser.next()) == Outcome::Complete)
            result.requests.append(parser.words());
        parser.park();
        result.isBroken = outcome == Outcome::Broken;
    }
    result.error = parser.error();
    return result;
}

QByteArray conversation()
{
    return respRequest({"SET", "key", QByteArray("a\r\n\0b", 5)}) + "PING 'a b' \"\\x00c\"\r\n" + "*0\r\n\r\n*-1\r\n"
        + respRequest({"", ""}) + respRequest({"GET", QByteArray(700, 'k')}) + "INCR n\n" + respRequest({"PING"});
}

} // namespace

class TestRequestParser : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsPiecesOfEverySize();
    void readsEverySplit();
    void gathersLargeWords();
    void refusesTooMuch_data();
    void refusesTooMuch();
    void reservesOnlyWhatComes();
    void staysBroken();
    void survivesGarbage();
    void survivesTheCorpus();
};

void TestRequestParser::readsPiecesOfEverySize()
{
    const QByteArray bytes = conversation();
    const Parsed whole = parsed(bytes, bytes.size());
    QVERIFY(!whole.isBroken);
    QCOMPARE(whole.requests.size(), 6);
    QCOMPARE(whole.requests[0], (QList<QByteArray>{"SET", "key", QByteArray("a\r\n\0b", 5)}));
    QCOMPARE(whole.requests[1], (QList<QByteArray>{"PING", "a b", QByteArray("\0c", 2)}));
    QCOMPARE(whole.requests[2], (QList<QByteArray>{"", ""}));
    for (qsizetype size = 1; size < bytes.size(); ++size)
        QVERIFY2(parsed(bytes, size) == whole, qPrintable(QString::number(size)));
}

void TestRequestParser::readsEverySplit()
{
    const QByteArray bytes = conversation();
    const Parsed whole = parsed(bytes, bytes.size());
    for (qsizetype split = 1; split < bytes.size(); ++split) {
        RequestParser parser;
        QList<QList<QByteArray>> requests;
        for (const QByteArray &piece : {bytes.first(split), bytes.sliced(split)}) {
            parser.feed(piece);
            while (parser.next() == Outcome::Complete)
                requests.append(parser.words());
            parser.park();
        }
        QVERIFY2(requests == whole.requests, qPrintable(QString::number(split)));
        QCOMPARE(parser.heldBytes(), 0);
    }
}

void TestRequestParser::gathersLargeWords()
{
    QByteArray large(300'000, Qt::Uninitialized);
    for (qsizetype i = 0; i < large.size(); ++i)
        large[i] = char(i * 7);
    const QByteArray bytes = respRequest({"SET", large, large.first(40'000), "x"}) + respRequest({"PING"});
    for (const qsizetype size : {1, 2, 777, 16'384, 65'536, 1'000'000}) {
        const Parsed result = parsed(bytes, size);
        QCOMPARE(result.requests.size(), 2);
        QVERIFY(result.requests[0] == (QList<QByteArray>{"SET", large, large.first(40'000), "x"}));
    }
}

void TestRequestParser::refusesTooMuch_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("isTrusted");
    QTest::addColumn<QByteArray>("error");
    QTest::newRow("bulk over the limit") << QByteArray("*1\r\n$1001\r\n") << true << QByteArray("invalid bulk length");
    QTest::newRow("count over 31 bits") << QByteArray("*2147483648\r\n") << true
                                        << QByteArray("invalid multibulk length");
    QTest::newRow("all words together") << respRequest(QList<QByteArray>(40, QByteArray(100, 'x'))) << true
                                        << QByteArray();
    QTest::newRow("many words before AUTH") << QByteArray("*11\r\n") << false
                                            << QByteArray("unauthenticated multibulk length");
    QTest::newRow("a large word before AUTH") << QByteArray("*1\r\n$16385\r\n") << false
                                              << QByteArray("unauthenticated bulk length");
}

void TestRequestParser::refusesTooMuch()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, isTrusted);
    QFETCH(QByteArray, error);
    RequestLimits limits;
    limits.bulk = isTrusted ? 1000 : 1'000'000;
    limits.request = 4000;
    limits.isTrusted = isTrusted;
    const Parsed result = parsed(bytes, bytes.size(), limits);
    QVERIFY(result.isBroken);
    QCOMPARE(result.error, error);
    QVERIFY(result.requests.isEmpty());
}

void TestRequestParser::reservesOnlyWhatComes()
{
    RequestParser parser;
    parser.feed("*2000000000\r\n$500000000\r\nabc");
    QCOMPARE(parser.next(), Outcome::Incomplete);
    parser.park();
    QVERIFY(parser.heldBytes() < 100);
    QVERIFY(parser.words().capacity() < 10'000);
}

void TestRequestParser::staysBroken()
{
    RequestParser parser;
    parser.feed("*1\r\n:4\r\n");
    QCOMPARE(parser.next(), Outcome::Broken);
    QCOMPARE(parser.error(), "expected '$', got ':'");
    parser.park();
    parser.feed("PING\r\n");
    QCOMPARE(parser.next(), Outcome::Broken);
}

/// Whatever comes, the result does not depend on how it is cut.
void TestRequestParser::survivesGarbage()
{
    QRandomGenerator random(20251121);
    static constexpr char letters[] = "*$\r\n0123456789-'\"\\x ab\0\xff";
    for (int round = 0; round < 20'000; ++round) {
        QByteArray bytes(random.bounded(1, 60), Qt::Uninitialized);
        for (char &letter : bytes)
            letter = letters[random.bounded(int(sizeof letters) - 1)];
        const Parsed whole = parsed(bytes, bytes.size());
        QVERIFY2(parsed(bytes, 1) == whole, bytes.toHex().constData());
        QVERIFY2(parsed(bytes, 3) == whole, bytes.toHex().constData());
    }
}

/// What the fuzzer found worth keeping.
void TestRequestParser::survivesTheCorpus()
{
    const QDir corpus(QStringLiteral(YM_FUZZ_CORPUS "/request_parser"));
    const QStringList names = corpus.entryList(QDir::Files);
    QVERIFY(!names.isEmpty());
    for (const QString &name : names) {
        QFile file(corpus.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY2(parsed(bytes, 1) == parsed(bytes, std::max<qsizetype>(1, bytes.size())), qPrintable(name));
    }
}

QTEST_GUILESS_MAIN(TestRequestParser)
#include "tst_request_parser.moc"
