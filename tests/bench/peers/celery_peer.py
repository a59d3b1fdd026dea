# Celery, with results off and the chatter between workers off.
import json
import os
import subprocess
import sys
import time

import celery
import redis

path = os.environ["YM_SOCKET"]
app = celery.Celery("celery_peer", broker="redis+socket://" + path)
app.conf.update(task_ignore_result=True, worker_prefetch_multiplier=64, worker_send_task_events=False, broker_pool_limit=1)
connection = redis.Redis(unix_socket_path=path)
amount = int(os.environ.get("YM_AMOUNT", "0"))
done = 0
started = used = 0.0


@app.task(name="job")
def job(submitted=None):
    global done, started, used
    if submitted:
        connection.rpush("bench:micros", round((time.monotonic() - submitted) * 1e6))
        return
    done += 1
    if done == 1:
        started, used = time.monotonic(), time.process_time()
    if done == amount:
        result = {"seconds": time.monotonic() - started, "cpu": time.process_time() - used}
        connection.rpush("bench:result", json.dumps(result))


class Worker:
    """A worker process in which one thread runs the jobs, or several."""

    def __init__(self, jobs, concurrency):
        pool = ["solo"] if concurrency == 1 else ["threads", "-c", str(concurrency)]
        command = [sys.executable, "-m", "celery", "-A", "celery_peer", "worker", "-l", "ERROR", "--without-gossip",
                   "--without-mingle", "--without-heartbeat", "-P"] + pool
        folder = os.path.dirname(os.path.abspath(__file__))
        self.process = subprocess.Popen(command, cwd=folder, env={**os.environ, "YM_AMOUNT": str(jobs)},
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def enqueue(count):
    with app.producer_pool.acquire(block=True) as producer:
        for _ in range(count):
            job.apply_async(producer=producer)


def latencies(count):
    micros = []
    with Worker(0, 1):
        for i in range(count + 1):
            job.delay(time.monotonic())
            took = int(connection.blpop("bench:micros", timeout=60)[1])
            if i > 0:  # the first one waited for the process to start
                micros.append(took)
            time.sleep(0.005)
    return micros


def main():
    mode, count = sys.argv[1], int(sys.argv[2])
    if mode == "process":
        with Worker(count, int(sys.argv[3])):
            print(connection.blpop("bench:result", timeout=60)[1].decode())
    elif mode == "latency":
        print(json.dumps({"micros": latencies(count)}))
    else:  # it has nothing for many at once
        start = time.monotonic()
        enqueue(count)
        print(json.dumps({"seconds": time.monotonic() - start}))


if __name__ == "__main__":
    main()
