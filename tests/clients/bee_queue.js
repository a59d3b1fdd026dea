// bee-queue: a real worker runs jobs with progress, retries and delays, and its producer hears of them.
const assert = require("assert");
const Queue = require("bee-queue");

async function main() {
    const redis = { path: process.env.YM_SOCKET };
    const worker = new Queue("sums", { redis, activateDelayedJobs: true, delayedDebounce: 50 });
    const producer = new Queue("sums", { redis, isWorker: false });
    await Promise.all([worker.ready(), producer.ready()]);
    let failures = 0;
    worker.process(4, async (job) => {
        if (job.data.failsOnce && failures++ === 0)
            throw new Error("not yet");
        if (job.data.fails)
            throw new Error("the reason");
        job.reportProgress({ half: true });
        return job.data.a + job.data.b;
    });

    const end = (job) =>
        new Promise((resolve) => {
            job.on("succeeded", (result) => resolve(result));
            job.on("failed", (error) => resolve(error.message));
        });
    const submit = async (job) => {
        const over = end(job);
        await job.save();
        return over;
    };
    const jobs = [];
    for (let i = 0; i < 100; ++i)
        jobs.push(submit(producer.createJob({ a: i, b: 1 })));
    assert.deepStrictEqual(await Promise.all(jobs), Array.from({ length: 100 }, (_, i) => i + 1));
    assert.strictEqual(await submit(producer.createJob({ fails: true })), "the reason");
    assert.strictEqual(await submit(producer.createJob({ failsOnce: true, a: 1, b: 1 }).retries(2)), 2);
    assert.strictEqual(await submit(producer.createJob({ a: 2, b: 2 }).delayUntil(Date.now() + 300)), 4);
    const job = producer.createJob({ a: 3, b: 3 });
    const progress = new Promise((resolve) => job.on("progress", resolve));
    assert.strictEqual(await submit(job), 6);
    assert.deepStrictEqual(await progress, { half: true });
    const health = await producer.checkHealth();
    assert.strictEqual(health.succeeded, 103);
    assert.strictEqual(health.failed, 1);
    assert.strictEqual(health.waiting + health.active + health.delayed, 0);
    assert.strictEqual((await producer.getJob(job.id)).status, "succeeded");
    assert.strictEqual(await worker.checkStalledJobs(), 0);
    await Promise.all([worker.close(), producer.close()]);
    console.log("done");
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
