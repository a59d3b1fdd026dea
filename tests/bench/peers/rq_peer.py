# RQ, with the worker that does not fork for each job: the fastest that it has.
import json
import logging
import os
import subprocess
import sys
import time

import redis
import rq

connection = redis.Redis(unix_socket_path=os.environ["YM_SOCKET"])
queue = rq.Queue("bench", connection=connection)


def job(submitted=None):
    if submitted:
        connection.rpush("bench:micros", round((time.monotonic() - submitted) * 1e6))


def worker():
    logging.disable(logging.CRITICAL)
    return rq.SimpleWorker([queue], connection=connection)


def main():
    mode, amount = sys.argv[1], int(sys.argv[2])
    module = "rq_peer.job"
    if mode == "worker":
        worker().work(logging_level="CRITICAL")
        return
    start, used = time.monotonic(), time.process_time()
    if mode == "single":
        for _ in range(amount):
            queue.enqueue(module, result_ttl=0)
    elif mode == "bulk":
        for done in range(0, amount, 1000):
            queue.enqueue_many([rq.Queue.prepare_data(module, result_ttl=0) for _ in range(min(1000, amount - done))])
    elif mode == "process":
        worker().work(burst=True, logging_level="CRITICAL", max_jobs=amount)
    else:
        print(json.dumps({"micros": latencies(amount, module)}))
        return
    print(json.dumps({"seconds": time.monotonic() - start, "cpu": time.process_time() - used}))


def latencies(amount, module):
    micros = []
    process = subprocess.Popen([sys.executable, __file__, "worker", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for i in range(amount + 1):
            queue.enqueue(module, time.monotonic(), result_ttl=0)
            took = int(connection.blpop("bench:micros", timeout=60)[1])
            if i > 0:  # the first one waited for the process to start
                micros.append(took)
            time.sleep(0.005)
    finally:
        process.terminate()
        process.wait()
    return micros


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    main()
