// ioredis: types, pipelines, transactions, scripts, waiting, subscriptions, scanning.
const assert = require("assert");
const Redis = require("ioredis");

async function main() {
    const redis = new Redis({ path: process.env.YM_SOCKET, connectionName: "ioredis" });
    assert.strictEqual(await redis.ping(), "PONG");
    assert.match(await redis.client("LIST"), /name=ioredis/);
    const bytes = Buffer.from([0, 255, 13, 10]);
    await redis.set("bytes", bytes, "EX", 100);
    assert.deepStrictEqual(await redis.getBuffer("bytes"), bytes);
    await redis.hset("hash", { a: 1, b: "zwei" });
    assert.deepStrictEqual(await redis.hgetall("hash"), { a: "1", b: "zwei" });
    await redis.zadd("scores", 1, "low", 2.5, "high");
    assert.deepStrictEqual(await redis.zrange("scores", 0, -1, "WITHSCORES"), ["low", "1", "high", "2.5"]);
    const pipeline = redis.pipeline();
    for (let i = 0; i < 1000; ++i)
        pipeline.set(`many:${i}`, i);
    assert((await pipeline.exec()).every(([error, reply]) => !error && reply === "OK"));
    const keys = new Set();
    for await (const page of redis.scanStream({ match: "many:*", count: 50 }))
        page.forEach((key) => keys.add(key));
    assert.strictEqual(keys.size, 1000);
    assert.deepStrictEqual(await redis.multi().incr("n").incr("n").exec(), [[null, 1], [null, 2]]);
    redis.defineCommand("double", { numberOfKeys: 1, lua: "return redis.call('INCRBY', KEYS[1], ARGV[1] * 2)" });
    assert.strictEqual(await redis.double("doubled", 21), 42);
    await assert.rejects(redis.lpush("bytes", "x"), /WRONGTYPE/);

    const waiting = redis.duplicate();
    const popped = waiting.blpop("jobs", 20);
    await redis.rpush("jobs", "work");
    assert.deepStrictEqual(await popped, ["jobs", "work"]);
    const listener = redis.duplicate();
    const heard = new Promise((resolve) => listener.on("pmessage", (pattern, channel, text) => resolve([channel, text])));
    await listener.psubscribe("news:*");
    await redis.publish("news:now", "today");
    assert.deepStrictEqual(await heard, ["news:now", "today"]);
    if (process.env.YM_PORT) {
        const over = new Redis(`redis://:${process.env.YM_PASSWORD}@127.0.0.1:${process.env.YM_PORT}/1`);
        assert.strictEqual(await over.set("a", 1), "OK");
        over.disconnect();
    }
    [redis, waiting, listener].forEach((client) => client.disconnect());
    console.log("done");
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
