// Hero's scripts in a plain blocking loop on hiredis: what a worker with nothing else to do would reach.
#pragma once

#include "core/protocol/hero/keys.h"
#include "core/protocol/hero/scripts.h"

#include <QElapsedTimer>
#include <QList>
#include <QString>

#include <hiredis.h>

#include <memory>
#include <vector>

namespace ym::test {

/// Submits by plain commands in pipelines, and makes the same claims and ends as a worker with so many slots.
class HiredisLoop {
public:
    explicit HiredisLoop(const QString &socket)
        : m_redis(redisConnectUnix(socket.toUtf8().constData()), &redisFree)
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
                  "id",
                  id,
                  "caller_id",
                  "",
                  "context_id",
                  "",
                  "script_type",
                  "python",
                  "script",
                  "print(1)",
                  "timeout",
                  "300",
                  "retries",
                  "0",
                  "concurrent",
                  "true",
                  "env_vars",
                  "{}",
                  "prerequisites",
                  "[]",
                  "created_at",
                  stamp,
                  "updated_at",
                  stamp,
                  "dependents",
                  "[]",
                  "status",
                  "dispatched"});
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
        std::vector<Held> held;
        for (int done = 0; done < jobs; done += int(held.size())) {
            if (!held.empty())
                sendFinish(held);
            sendClaim(slotCount);
            if (!held.empty())
                receive();
            held = claimsIn(receive());
            if (held.empty())
                break;
        }
        if (!held.empty()) {
            sendFinish(held);
            receive();
        }
        return double(time.nsecsElapsed()) / 1e9;
    }

private:
    struct Held {
        QByteArray id;
        QByteArray token;
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
    void sendScript(const char *name, const QList<QByteArray> &keyList, const QList<QByteArray> &args)
    {
        const Script *script = hero::script(name);
        if (!m_loaded.contains(script->sha)) {
            Reply loaded(static_cast<redisReply *>(redisCommand(m_redis.get(), "SCRIPT LOAD %b",
                                                                script->text.constData(), size_t(script->text.size()))),
                         &freeReplyObject);
            m_loaded.append(script->sha);
        }
        send(QList<QByteArray>{"EVALSHA", script->sha, QByteArray::number(keyList.size())} + keyList + args);
    }
    void sendClaim(int count)
    {
        const QList<QByteArray> leases{hero::keys::lease("python"), hero::keys::claims("python")};
        sendScript("claim", leases,
                   {QByteArray::number(count), "default", "1", "30000", "seed" + QByteArray::number(++m_seed), "RIGHT",
                    "1", "python", "1", queue});
    }
    void sendFinish(const std::vector<Held> &held)
    {
        const QList<QByteArray> keyList{hero::keys::lease("python"), hero::keys::claims("python")};
        QList<QByteArray> args{"300000", "1", "python"};
        for (const Held &one : held)
            args << "1" << one.id << one.token << "finished"
                 << "ok"
                 << ""
                 << "1" << run;
        sendScript("finish", keyList, args);
    }
    static std::vector<Held> claimsIn(const Reply &reply)
    {
        std::vector<Held> held;
        for (size_t i = 1; i < reply->elements; ++i) {
            const redisReply *const *parts = reply->element[i]->element;
            held.push_back({QByteArray(parts[0]->str, qsizetype(parts[0]->len)),
                            QByteArray(parts[1]->str, qsizetype(parts[1]->len))});
        }
        return held;
    }

    static constexpr const char *queue = "hero:q:work:type:python";
    static constexpr const char *stamp = "2026-11-21T00:00:00.000Z";
    static constexpr const char *run = R"(["finished","python:default:1","",0,0,0,0,-1,"ok",""])";

    std::unique_ptr<redisContext, decltype(&redisFree)> m_redis;
    QList<QByteArray> m_loaded;
    int m_awaited = 0;
    int m_seed = 0;
};

} // namespace ym::test
