#include "core/protocol/hero/access_rules.h"

#include "core/protocol/hero/keys.h"

namespace ym::hero {

namespace {

using Rules = QList<QByteArray>;

Rules words(const char *text)
{
    return QByteArray(text).simplified().split(' ');
}

// What every connection sends before it does anything.
constexpr char greeting[] = "+hello +auth +ping +echo +select +reset +quit +client|setname +client|id +client|getname +info "
                            "+role +time";
constexpr char looking[] = "+dbsize +type +exists +ttl +pttl +scan +hget +hmget +hgetall +hlen +hexists +hstrlen +hscan "
                           "+hkeys +llen +lrange +lindex +lpos +get +strlen +getrange +mget +scard +sscan +smembers +zcard "
                           "+zscore +zrange +zrangebyscore +zscan +eval_ro +evalsha_ro +memory|usage +object|encoding "
                           "+slowlog|len";
constexpr char dispatching[] =
    "+hset +hmset +hsetnx +hincrby +hdel +lpush +rpush +lrem +ltrim +lmove +blmove +blpop +brpop +del +unlink +rename "
    "+expire +pexpire +persist +set +zadd +zrem +sadd +srem +multi +exec +discard +watch +unwatch +eval +evalsha "
    "+script|load +script|exists";
constexpr char working[] =
    "+client|unblock +type +exists +hset +hmset +hget +hmget +hgetall +hlen +hincrby +hdel +hexists +hstrlen +blpop "
    "+brpop +blmove +lpop +rpop "
    "+lrem +llen +lrange +lindex +lpos +zadd +zrem +zscore +zcard +set +get +mget +pttl +multi +exec +discard +eval "
    "+evalsha +script|load +script|exists";

Rules dispatcherRules()
{
    // Both families, because a dispatcher routes to either. KEYS, FLUSHALL, CONFIG SET and all administration stay out.
    return Rules{"resetchannels"} + words("~hero:job:* ~hero:work_queue:* ~hero:stop_queue:* ~hero:reply:* ~hero:q:* ~hero:meta:*")
        + Rules{"-@all"} + words(greeting) + words(looking) + words(dispatching);
}

Rules viewerRules()
{
    return Rules{"resetchannels", "%R~hero:*", "-@all"} + words(greeting) + words(looking);
}

/// The queues of a worker's place at every level, each with its priorities.
Rules servedPatterns(const QByteArray &type, const WorkerIdentity &who)
{
    Rules patterns;
    const auto add = [&patterns](const Target &place) {
        patterns << '~' + keys::work(place) << '~' + keys::work(place) + ":prio:*";
    };
    add({type, {}, {}, 1, {}});
    add({type, who.group, {}, 1, {}});
    add({type, who.group, who.instance.isEmpty() ? QByteArray("*") : who.instance, 1, {}});
    return patterns;
}

Rules workerRules(WorkerIdentity who)
{
    if (who.group.isEmpty())
        who.group = keys::defaultGroup;
    const QByteArray instance = who.instance.isEmpty() ? QByteArray("*") : who.instance;
    Rules rules{"resetchannels", '~' + keys::jobPattern()};
    QByteArray dead;
    for (const QByteArray &type : who.types) {
        rules += servedPatterns(type, who);
        rules << '~' + keys::lease(type) << '~' + keys::claims(type) << '~' + keys::control({type, {}, {}, 1, {}}) + '*'
              << '~' + keys::presence(type, who.group, instance);
        dead += " ~" + keys::dead(type);
    }
    if (!who.legacyId.isEmpty()) // the legacy queues of types and actors stand among the jobs
        rules << '~' + keys::legacyWork(LegacyQueue::Worker, {{}, {}, {}, 1, who.legacyId})
              << '~' + keys::legacyStop(who.legacyId);
    rules << "%R~" + keys::delayed() << "-@all";
    rules += words(greeting) + words(working);
    // A worker may answer whom it works for, bury what cannot be read and leave retries where whoever dispatches finds
    // them, but queues nothing itself.
    rules << "(%W~hero:q:reply:* %W~hero:reply:* -@all +lpush +rpush +expire +pexpire)"
          << '(' + dead.mid(1) + " -@all +lpush +ltrim +lrem)" << "(~" + keys::types() + " -@all +sadd)"
          << "(~" + keys::delayed() + " -@all +zadd)"
          << "(~hero:meta:queue:stats:* -@all +hincrby)"
          << "(%R~hero:reply:* %R~hero:q:reply:* -@all +exists +type)";
    return rules;
}

} // namespace

QList<QByteArray> accessRules(AccessRole role, const WorkerIdentity &who)
{
    switch (role) {
    case AccessRole::Viewer:
        return viewerRules();
    case AccessRole::Worker:
        return workerRules(who);
    case AccessRole::Dispatcher:
        break;
    }
    return dispatcherRules();
}

} // namespace ym::hero
