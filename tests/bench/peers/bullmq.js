// BullMQ.
const { Queue, Worker } = require("bullmq");
const measure = require("./measure.js");

const connection = { path: process.env.YM_SOCKET, maxRetriesPerRequest: null };
const options = { removeOnComplete: true };
const queue = new Queue("bench", { connection });

measure({
    ready: () => queue.waitUntilReady(),
    single: () => queue.add("job", { script: "print(1)" }, options),
    async bulk(count) {
        for (let done = 0; done < count; done += 1000) {
            const jobs = Math.min(1000, count - done);
            await queue.addBulk(Array.from({ length: jobs }, () => ({ name: "job", data: { script: "print(1)" }, opts: options })));
        }
    },
    work(concurrency, onStart, onEnd) {
        const worker = new Worker("bench", async () => onStart(), { connection, concurrency });
        worker.on("completed", onEnd);
    },
});
