"""redis-py: types, pipelines with WATCH, scripts, locks, subscriptions, waiting, scanning, inspection."""
import os
import threading

import redis

r = redis.Redis(unix_socket_path=os.environ["YM_SOCKET"], client_name="redis-py", health_check_interval=1)
assert r.ping()
assert r.client_getname() == "redis-py"
assert any(c["name"] == "redis-py" for c in r.client_list())
assert r.info()["redis_version"].startswith("7.")
assert "used_memory" in r.info("memory")

assert r.set("text", b"\x00\xff", ex=100) and r.get("text") == b"\x00\xff" and 0 < r.ttl("text") <= 100
assert r.set("text", "no", nx=True) is None
assert r.incrby("n", 41) == 41 and r.incrbyfloat("n", 0.5) == 41.5
assert r.hset("hash", mapping={"a": 1, "b": "zwei"}) == 2 and r.hgetall("hash") == {b"a": b"1", b"b": b"zwei"}
assert r.rpush("list", *range(5)) == 5 and r.lrange("list", 1, 2) == [b"1", b"2"]
assert r.lmove("list", "other", "LEFT", "RIGHT") == b"0"
assert r.sadd("set", "x", "y") == 2 and r.smembers("set") == {b"x", b"y"}
assert r.zadd("scores", {"low": 1, "high": 2.5}) == 2
assert r.zrange("scores", 0, -1, withscores=True, desc=True) == [(b"high", 2.5), (b"low", 1.0)]
assert r.type("scores") == b"zset" and r.object("encoding", "n") in (b"embstr", b"raw")
assert r.exists("hash", "list", "nothing") == 2
assert r.memory_usage("hash") > 0

# A counter that two clients raise: WATCH sees the other's change.
with r.pipeline() as pipe:
    pipe.watch("counter")
    r.set("counter", 10)
    pipe.multi()
    pipe.set("counter", 1)
    try:
        pipe.execute()
        raise SystemExit("the transaction went through")
    except redis.WatchError:
        pass
assert r.transaction(lambda pipe: (pipe.multi(), pipe.incr("counter"), pipe.incr("counter")), "counter") == [11, 12]
with r.pipeline(transaction=False) as pipe:
    for i in range(1000):
        pipe.set(f"many:{i}", i)
    assert all(pipe.execute())
assert len(set(r.scan_iter("many:*", count=50))) == 1000

double = r.register_script("return redis.call('INCRBY', KEYS[1], ARGV[1] * 2)")
assert double(keys=["doubled"], args=[4]) == 8
r.script_flush()
assert double(keys=["doubled"], args=[4]) == 16
with r.lock("lock", timeout=10) as lock:
    assert lock.owned() and not r.lock("lock").acquire(blocking=False)
    lock.extend(10)
assert not r.exists("lock")

waiting = threading.Thread(target=lambda: r.rpush("answers", *[r.blpop("jobs", timeout=20)[1]]))
waiting.start()
r.rpush("jobs", "work")
waiting.join()
assert r.lpop("answers") == b"work"
assert r.blpop("jobs", timeout=1) is None

listener = r.pubsub(ignore_subscribe_messages=True)
listener.subscribe("news")
listener.psubscribe("__keyspace@0__:watched*")
heard = []
while r.pubsub_numsub("news") != [(b"news", 1)] or r.pubsub_numpat() < 1:
    listener.get_message(timeout=0.01)
r.publish("news", "today")
r.set("watched", 1)
for message in listener.listen():
    heard.append(message["data"])
    if len(heard) == 2:
        break
assert heard == [b"today", b"set"], heard
listener.close()

try:
    r.lpush("text", 1)
    raise SystemExit("a list command worked on a string")
except redis.ResponseError as error:
    assert str(error).startswith("WRONGTYPE"), error

if "YM_PORT" in os.environ:
    port = int(os.environ["YM_PORT"])
    over_port = redis.Redis(host="127.0.0.1", port=port, password=os.environ["YM_PASSWORD"], db=2, decode_responses=True)
    assert over_port.set("over", "port") and over_port.get("over") == "port" and not r.exists("over")
    assert redis.Redis(host="127.0.0.1", port=port, username="default", password=os.environ["YM_PASSWORD"]).ping()
    for wrong in (redis.Redis(host="127.0.0.1", port=port), redis.Redis(host="127.0.0.1", port=port, password="wrong")):
        try:
            wrong.ping()
            raise SystemExit("a client without the password came in")
        except (redis.AuthenticationError, redis.ResponseError) as error:
            assert "Authentication required" in str(error) or "WRONGPASS" in str(error), error
print("done")
