// Hero's scripts in plain blocking loops on hiredis: what a worker with nothing else to do would reach.
#pragma once

#include "core/protocol/hero/keys.h"
#include "core/protocol/hero/scripts.h"

#include <QElapsedTimer>
#include <QList>
#include <QString>

#include <hiredis.h>

#include <memory>
#include <thread>
#include <vector>

namespace ym::test {

/// Submits by plain commands in pipelines, and makes the same claims and ends as a worker with so many slots.
class HiredisLoop {
public:
    explicit HiredisLoop(const QString &socket)
        : m_socket(socket.toUtf8())
        , m_redis(redisConnectUnix(m_socket.constData()), &redisFree)
    {
    }

    /// Writes and queues jobs, a thousand in a pipeline; returns the seconds.
    double submit(int jobs)
    {
        QElapsedTimer time;
        time.start();
        for (int i = 0; i < jobs; ++i) {
            const QByteArray id = "loop-" + QByteArray::number(i);
            send({"HSET",
                  hero::keys::job(id),
                  "status",
                  "dispatched",
                  "updated_at",
                  stamp,
                  "attempt",
                  "0",
                  "dependents",
                  "[]",
                  "id",
                  id,
                  "script",
                  "print(1)",
                  "script_type",
                  "python",
                  "timeout",
                  "300",
                  "concurrent",
                  "true",
                  "env_vars",
                  "{}",
                  "caller_id",
                  "",
                  "context_id",
                  "",
                  "retries",
                  "0",
                  "prerequisites",
                  "[]",
                  "created_at",
                  stamp});
            send({"LPUSH", queue, id});
            if (i % 1000 == 999 || i + 1 == jobs)
                receiveAll();
        }
        return double(time.nsecsElapsed()) / 1e9;
    }

    /// Claims and finishes until `jobs` are done, `slotCount` at once; returns the seconds.
    double drain(int jobs, int slotCount)
    {
        QElapsedTimer time;
        time.start();
        Held held;
        for (int done = 0; done < jobs; done += int(held.ids.size())) {
            if (!held.ids.isEmpty())
                sendFinish(held);
            const QByteArray token = "seed" + QByteArray::number(++m_seed);
            sendClaim(slotCount, token);
            if (!held.ids.isEmpty())
                receive();
            held = {token, idsIn(receive())};
            if (held.ids.isEmpty())
                break;
        }
        if (!held.ids.isEmpty()) {
            sendFinish(held);
            receive();
        }
        return double(time.nsecsElapsed()) / 1e9;
    }

    /// As drain(), by plain commands in pipelines instead of scripts, with no look at what they answer: what the server
    /// takes for the reading and writing alone. Nothing else may touch the queue meanwhile.
    double drainWithoutScripts(int jobs, int slotCount)
    {
        QElapsedTimer time;
        time.start();
        for (int done = 0; done < jobs; done += slotCount) {
            send({"LRANGE", queue, QByteArray::number(-slotCount), "-1"});
            const Reply ids = receive();
            if (ids->elements == 0)
                break;
            QList<QByteArray> leases{"ZADD", hero::keys::lease("python")};
            QList<QByteArray> claims{"HSET", hero::keys::claims("python")};
            QList<QByteArray> ended;
            for (size_t i = 0; i < ids->elements; ++i) {
                const QByteArray id(ids->element[i]->str, qsizetype(ids->element[i]->len));
                leases << "1" << id;
                claims << id << QByteArray(sameToken) + "|" + queue;
                ended << id;
                send({"HMGET", hero::keys::job(id), "status", "script", "script_type", "timeout", "concurrent",
                      "env_vars", "caller_id", "context_id", "attempt"});
                send({"HSET", hero::keys::job(id), "status", "started", "claim", sameToken, "claimed_by",
                      "python:default:1", "started_at", stamp, "updated_at", stamp, "attempt", "1"});
            }
            send(leases);
            send(claims);
            send({"RPOP", queue, QByteArray::number(slotCount)});
            receiveAll();
            for (const QByteArray &id : ended) {
                send({"HMGET", hero::keys::job(id), "status", "claim", "dependents"});
                send({"HSET", hero::keys::job(id), "status", "finished", "output", "ok", "updated_at", stamp,
                      "finished_at", stamp, "run_1", run});
                send({"LPUSH", hero::keys::reply(id), "ok"});
                send({"PEXPIRE", hero::keys::reply(id), "300000"});
            }
            send(QList<QByteArray>{"ZREM", hero::keys::lease("python")} + ended);
            send(QList<QByteArray>{"HDEL", hero::keys::claims("python")} + ended);
            send({"HINCRBY", hero::keys::stats(queue), "finished", QByteArray::number(ended.size())});
            receiveAll();
        }
        return double(time.nsecsElapsed()) / 1e9;
    }

    /// Microseconds from a submit to its claim, for each of so many jobs: the claim stands in the server behind a wait,
    /// and whoever submits and whoever claims do nothing else.
    std::vector<double> trips(int jobs, int pauseMs)
    {
        HiredisLoop worker(QString::fromUtf8(m_socket));
        load("submit_plain");
        worker.load("claim"); // before a wait is in the way
        worker.load("finish");
        std::vector<double> micros;
        for (int i = 0; i < jobs; ++i) {
            const QByteArray token = "trip" + QByteArray::number(i);
            worker.send({"BLMOVE", queue, queue, "RIGHT", "RIGHT", "5"});
            worker.sendClaim(1, token);
            worker.flush();
            std::this_thread::sleep_for(std::chrono::milliseconds{pauseMs});
            QElapsedTimer time;
            time.start();
            sendSubmit("trip-" + QByteArray::number(i));
            flush();
            worker.receive();
            const Held held{token, idsIn(worker.receive())};
            micros.push_back(double(time.nsecsElapsed()) / 1e3);
            receive();
            worker.sendFinish(held);
            worker.receive();
        }
        return micros;
    }

private:
    struct Held {
        QByteArray token;
        QList<QByteArray> ids;
    };
    using Reply = std::unique_ptr<redisReply, decltype(&freeReplyObject)>;

    void send(const QList<QByteArray> &words)
    {
        std::vector<const char *> texts;
        std::vector<size_t> sizes;
        for (const QByteArray &word : words) {
            texts.push_back(word.constData());
            sizes.push_back(size_t(word.size()));
        }
        redisAppendCommandArgv(m_redis.get(), int(words.size()), texts.data(), sizes.data());
        ++m_awaited;
    }
    void flush()
    {
        for (int isDone = 0; isDone == 0;)
            redisBufferWrite(m_redis.get(), &isDone);
    }
    Reply receive()
    {
        void *reply = nullptr;
        if (redisGetReply(m_redis.get(), &reply) != REDIS_OK)
            qFatal("the server is gone");
        --m_awaited;
        return {static_cast<redisReply *>(reply), &freeReplyObject};
    }
    void receiveAll()
    {
        while (m_awaited > 0)
            receive();
    }
    const Script *load(const char *name)
    {
        const Script *script = hero::script(name);
        if (!m_loaded.contains(script->sha)) {
            Reply loaded(static_cast<redisReply *>(redisCommand(m_redis.get(), "SCRIPT LOAD %b",
                                                                script->text.constData(), size_t(script->text.size()))),
                         &freeReplyObject);
            m_loaded.append(script->sha);
        }
        return script;
    }
    void sendScript(const char *name, const QList<QByteArray> &keyList, const QList<QByteArray> &args)
    {
        const Script *script = load(name);
        send(QList<QByteArray>{"EVALSHA", script->sha, QByteArray::number(keyList.size())} + keyList + args);
    }
    /// A job alone, as a producer queues it.
    void sendSubmit(const QByteArray &id)
    {
        sendScript("submit_plain", {hero::keys::job(id)},
                   {"1",      queue,           "9",   "script",     "print(1)", "script_type",
                    "python", "timeout",       "300", "concurrent", "true",     "env_vars",
                    "{}",     "caller_id",     "",    "context_id", "",         "retries",
                    "0",      "prerequisites", "[]",  "0"});
    }
    void sendClaim(int count, const QByteArray &token)
    {
        const QList<QByteArray> leases{hero::keys::lease("python"), hero::keys::claims("python")};
        sendScript(
            "claim", leases,
            {QByteArray::number(count), "default", "1", "30000", token, "RIGHT", "1", "python", "1", "1", queue});
    }
    void sendFinish(const Held &held)
    {
        const QList<QByteArray> keyList{hero::keys::lease("python"), hero::keys::claims("python")};
        QList<QByteArray> args{"300000", "1",        "python", QByteArray::number(held.ids.size()),
                               "1",      held.token, queue,    "python:default:1",
                               "",       "finished", "run_1"};
        for (const QByteArray &id : held.ids)
            args << id << "ok"
                 << "1" << run;
        sendScript("finish", keyList, args);
    }
    static QList<QByteArray> idsIn(const Reply &reply)
    {
        QList<QByteArray> ids;
        for (size_t i = 1; i < reply->elements; ++i) {
            const redisReply *list = reply->element[i];
            for (size_t part = 3; part < list->elements; part += 2)
                ids.append(QByteArray(list->element[part]->str, qsizetype(list->element[part]->len)));
        }
        return ids;
    }

    static constexpr const char *queue = "hero:q:work:type:python";
    static constexpr const char *sameToken = "0123456789abcdef0123456789abcdef";
    static constexpr const char *stamp = "2026-11-21T00:00:00.000Z";
    static constexpr const char *run = R"(["finished","python:default:1","",0,0,0,0,-1,"ok",""])";

    QByteArray m_socket;
    std::unique_ptr<redisContext, decltype(&redisFree)> m_redis;
    QList<QByteArray> m_loaded;
    int m_awaited = 0;
    int m_seed = 0;
};

} // namespace ym::test
