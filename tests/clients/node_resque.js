// node-resque: a real worker and its scheduler run jobs now and later; a failed one waits in the list of failures.
const assert = require("assert");
const Redis = require("ioredis");
const { Queue, Scheduler, Worker } = require("node-resque");

async function main() {
    const connect = () => ({ redis: new Redis({ path: process.env.YM_SOCKET, maxRetriesPerRequest: null }), namespace: "resque" });
    const results = [];
    let wake = () => {};
    const jobs = {
        add: { perform: async (a, b) => { results.push(a + b); wake(); return a + b; } },
        fail: { perform: async () => { throw new Error("the reason"); } },
    };
    const until = async (condition) => {
        while (!(await condition()))
            await new Promise((resolve) => { wake = resolve; setTimeout(resolve, 50); });
    };
    const queue = new Queue({ connection: connect() }, jobs);
    await queue.connect();
    for (let i = 0; i < 20; ++i)
        await queue.enqueue("math", "add", [i, i]);
    await queue.enqueue("math", "fail", []);
    await queue.enqueueIn(500, "math", "add", [100, 100]);
    assert.strictEqual(await queue.length("math"), 21);

    const scheduler = new Scheduler({ connection: connect(), timeout: 200 });
    await scheduler.connect();
    await scheduler.start();
    const worker = new Worker({ connection: connect(), queues: ["math"], timeout: 100 }, jobs);
    await worker.connect();
    await worker.start();
    await until(() => results.length === 21);
    assert.strictEqual(results.reduce((a, b) => a + b, 0), 380 + 200);
    await until(async () => (await queue.failedCount()) === 1);
    assert.strictEqual((await queue.failed(0, -1))[0].error, "the reason");
    assert.strictEqual(Object.keys(await queue.workers()).length, 1);
    assert.strictEqual((await queue.stats()).processed, "21");
    await worker.end();
    await scheduler.end();
    assert.strictEqual(Object.keys(await queue.workers()).length, 0);
    await queue.end();
    console.log("done");
}

main().then(() => process.exit(0), (error) => {
    console.error(error);
    process.exit(1);
});
