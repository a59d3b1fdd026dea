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
    void sendClaim(int count, const QByteArray &token)
    {
        const QList<QByteArray> leases{hero::keys::lease("python"), hero::keys::claims("python")};
        sendScript("claim", leases,
                   {QByteArray::number(count), "default", "1", "30000", token, "RIGHT", "1", "python", "1", queue});
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
    static constexpr const char *stamp = "2026-11-21T00:00:00.000Z";
    static constexpr const char *run = R"(["finished","python:default:1","",0,0,0,0,-1,"ok",""])";

    std::unique_ptr<redisContext, decltype(&redisFree)> m_redis;
    QList<QByteArray> m_loaded;
    int m_awaited = 0;
    int m_seed = 0;
};

} // namespace ym::test
