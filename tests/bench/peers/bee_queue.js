// bee-queue.
const Queue = require("bee-queue");
const measure = require("./measure.js");

const redis = { path: process.env.YM_SOCKET };
// With YM_KEEPS the job stays and who queued it is told, as ours does it and as the library does it when nothing is said.
const frugal = process.env.YM_KEEPS ? {} : { sendEvents: false, removeOnSuccess: true };
const settings = { redis, getEvents: false, storeJobs: false, ...frugal };
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
