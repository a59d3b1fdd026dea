// bee-queue.
const Queue = require("bee-queue");
const measure = require("./measure.js");

const redis = { path: process.env.YM_SOCKET };
const settings = { redis, getEvents: false, sendEvents: false, storeJobs: false, removeOnSuccess: true };
const queue = new Queue("bench", { ...settings, isWorker: false });

measure({
    ready: () => queue.ready(),
    single: () => queue.createJob({ script: "print(1)" }).save(),
    async bulk(count) {
        for (let done = 0; done < count; done += 1000)
            await queue.saveAll(Array.from({ length: Math.min(1000, count - done) }, () => queue.createJob({ script: "print(1)" })));
    },
    work(concurrency, onStart, onEnd) {
        const worker = new Queue("bench", settings);
        worker.process(concurrency, async () => onStart());
        worker.on("succeeded", onEnd);
    },
});
