"""What the jobs of rq_worker.py do, in the process that RQ forks for each."""
import os
import time

import redis


def multiply(a, b):
    return a * b


def note(text):
    redis.Redis(unix_socket_path=os.environ["YM_SOCKET"]).rpush("notes", text)


def fail():
    raise ValueError("the reason")


def fail_once():
    if redis.Redis(unix_socket_path=os.environ["YM_SOCKET"]).incr("tries") == 1:
        raise ValueError("not yet")


def sleep_long():
    time.sleep(600)
