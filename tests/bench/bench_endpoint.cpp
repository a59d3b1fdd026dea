// Pipelined commands through the endpoint of the embedded store, as ratios to a redis-server in the same run: one client,
// a unix socket each, both in memory. Also what a small key costs in memory. Rounds alternate, so that a busy machine
// slows both; the median of the ratios counts.
#include "tests/support/endpoint_server.h"
#include "tests/support/raw_socket.h"
#include "tests/support/redis_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTextStream>

#include <algorithm>

using namespace ym;
using namespace ym::test;

namespace {

constexpr int batchSize = 64;
constexpr int batches = 1500;
constexpr int rounds = 7;
constexpr int keyCount = 10'000;
constexpr int memoryKeys = 500'000;
constexpr double leastSpeed = 0.7;
constexpr double mostMemory = 1.5;

struct Load {
    const char *name;
    QList<QByteArray> words; ///< `#` stands for a number
};

/// One batch of the load, and how many replies it brings: each ends with a line.
QByteArray batchOf(const Load &load, int seed)
{
    QByteArray bytes;
    for (int i = 0; i < batchSize; ++i) {
        QList<QByteArray> words = load.words;
        for (QByteArray &word : words)
            word.replace('#', QByteArray::number((seed * 7919 + i * 104729) % keyCount));
        bytes += respRequest(words);
    }
    return bytes;
}

/// Reads the replies of one batch: simple lines and bulks.
void readReplies(RawSocket &socket, QByteArray &buffer)
{
    qsizetype at = 0;
    for (int left = batchSize; left > 0; --left) {
        qsizetype end = 0;
        const auto readMore = [&] {
            const QByteArray more = socket.readSome();
            if (more.isEmpty())
                qFatal("the server does not answer");
            buffer += more;
        };
        while ((end = buffer.indexOf('\n', at)) < 0)
            readMore();
        if (buffer[at] == '$' && buffer[at + 1] != '-') {
            const qsizetype size = QByteArrayView(buffer).sliced(at + 1, end - at - 2).toLongLong();
            while (buffer.size() < end + 1 + size + 2)
                readMore();
            end += size + 2;
        }
        at = end + 1;
    }
    buffer.remove(0, at);
}

double commandsPerSecond(const QString &path, const Load &load)
{
    RawSocket socket(path);
    std::vector<QByteArray> all;
    for (int i = 0; i < 50; ++i)
        all.push_back(batchOf(load, i));
    QByteArray buffer;
    QElapsedTimer time;
    time.start();
    for (int i = 0; i < batches; ++i) {
        socket.send(all[size_t(i) % all.size()]);
        readReplies(socket, buffer);
    }
    return double(batches) * batchSize * 1e9 / double(time.nsecsElapsed());
}

qint64 residentBytes(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/statm").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toLongLong() * 4096;
}

/// What half a million keys `key:N` with a value of eight bytes take, in bytes each.
double bytesPerKey(const QString &path, qint64 pid)
{
    RawSocket socket(path);
    socket.send(respRequest({"FLUSHALL"}));
    socket.read(5);
    const qint64 before = residentBytes(pid);
    for (int i = 0; i < memoryKeys; i += 1000) {
        QByteArray bytes;
        for (int k = i; k < i + 1000; ++k)
            bytes += respRequest({"SET", "key:" + QByteArray::number(k).rightJustified(8, '0'), "valueval"});
        socket.send(bytes);
        socket.read(5 * 1000);
    }
    return double(residentBytes(pid) - before) / memoryKeys;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    RedisServer redis;
    if (!redis.isRunning()) {
        QTextStream(stderr) << redis.error() << Qt::endl;
        return 1;
    }
    EndpointServer ours;
    QTextStream out(stdout);
    const double theirMemory = bytesPerKey(redis.socketPath(), redis.pid());
    const double ourMemory = bytesPerKey(ours.socketPath(), QCoreApplication::applicationPid());

    const QByteArray script("return redis.call('INCR', KEYS[1])");
    QByteArray sha;
    for (const QString &path : {redis.socketPath(), ours.socketPath()}) {
        RawSocket socket(path);
        socket.send(respRequest({"FLUSHALL"}) + respRequest({"SCRIPT", "LOAD", script}));
        sha = socket.read(5 + 5 + 42).mid(10, 40);
    }
    const Load loads[] = {
        {"SET", {"SET", "k:#", "valueval"}},
        {"GET", {"GET", "k:#"}},
        {"LPUSH", {"LPUSH", "l:#", "valueval"}},
        {"RPOP", {"RPOP", "l:#"}},
        {"HSET", {"HSET", "h:#", "field", "valueval"}},
        {"EVALSHA", {"EVALSHA", sha, "1", "c:#"}},
    };
    bool good = true;
    out << "commands in pipelines of " << batchSize << ", medians of " << rounds << " rounds\n";
    for (const Load &load : loads) {
        std::vector<double> ratios;
        std::vector<double> speeds;
        for (int i = 0; i < rounds; ++i) {
            const double theirs = commandsPerSecond(redis.socketPath(), load);
            speeds.push_back(commandsPerSecond(ours.socketPath(), load));
            ratios.push_back(speeds.back() / theirs);
        }
        good &= median(ratios) >= leastSpeed;
        out << QString::fromLatin1(load.name).leftJustified(10) << QString::number(median(speeds), 'f', 0).rightJustified(9)
            << "/s   " << QString::number(median(ratios), 'f', 2) << " × redis-server" << Qt::endl;
    }
    good &= ourMemory <= mostMemory * theirMemory;
    out << "a small key " << QString::number(ourMemory, 'f', 0) << " bytes, "
        << QString::number(ourMemory / theirMemory, 'f', 2) << " × redis-server\n"
        << (good ? "goals met: " : "GOAL MISSED: ") << "each ≥ " << leastSpeed << ", memory ≤ " << mostMemory << "\n";
    return application.arguments().contains(QStringLiteral("--check")) && !good ? 1 : 0;
}
