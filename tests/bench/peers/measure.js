// What the two scripts in JavaScript share: the modes, times and the line that is printed.
const now = () => Number(process.hrtime.bigint()) / 1e9;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/// `library` has single(), bulk(count), work(concurrency, onStart) and end().
async function measure(library) {
    const [mode, amount, concurrency] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4] || 1)];
    const result = {};
    if (mode === "single" || mode === "bulk") {
        await library.ready();
        const start = now();
        if (mode === "bulk") await library.bulk(amount);
        else for (let i = 0; i < amount; ++i) await library.single();
        result.seconds = now() - start;
    } else if (mode === "process") {
        let left = amount;
        let start = 0;
        let used;
        await new Promise((resolve) => {
            const onStart = () => {
                if (start) return;
                start = now();
                used = process.cpuUsage();
            };
            library.work(concurrency, onStart, () => --left === 0 && resolve());
        });
        result.seconds = now() - start;
        used = process.cpuUsage(used);
        result.cpu = (used.user + used.system) / 1e6;
    } else {
        let started;
        await library.ready();
        library.work(1, () => started(now()), () => {});
        result.micros = [];
        for (let i = 0; i < amount; ++i) {
            await sleep(5); // the worker is idle again
            const start = new Promise((resolve) => (started = resolve));
            const submitted = now();
            library.single();
            result.micros.push(Math.round(((await start) - submitted) * 1e6));
        }
    }
    console.log(JSON.stringify(result));
    process.exit(0);
}

module.exports = measure;
