"""RQ: a real worker takes jobs from two queues, with failures, retries, dependencies, schedules and its registries."""
import datetime
import os
import sys

import redis
import rq
from rq.registry import FailedJobRegistry, FinishedJobRegistry, ScheduledJobRegistry

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rq_jobs  # noqa: E402

r = redis.Redis(unix_socket_path=os.environ["YM_SOCKET"])
high = rq.Queue("high", connection=r)
low = rq.Queue("low", connection=r)
product = low.enqueue(rq_jobs.multiply, 6, 7)
after = low.enqueue(rq_jobs.multiply, 2, 3, depends_on=product)
first = high.enqueue(rq_jobs.note, "high")
failing = high.enqueue(rq_jobs.fail)
flaky = high.enqueue(rq_jobs.fail_once, retry=rq.Retry(max=2))
slow = low.enqueue(rq_jobs.sleep_long, job_timeout=1)
later = low.enqueue_at(datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1), rq_jobs.note, "later")
assert len(low) == 2 and high.job_ids[0] == first.id
assert later.id in ScheduledJobRegistry(queue=low)

worker = rq.Worker([high, low], connection=r, name="foreign")
assert worker.work(burst=True, logging_level="WARNING")
assert product.result == 42 and product.get_status() == "finished"
assert after.result == 6
assert failing.get_status(refresh=True) == "failed" and failing.id in FailedJobRegistry(queue=high)
assert "the reason" in failing.exc_info
assert flaky.get_status(refresh=True) == "finished"
assert slow.get_status(refresh=True) == "failed" and "timeout" in slow.exc_info.lower()
assert product.id in FinishedJobRegistry(queue=low)
assert len(low) == 0 and len(high) == 0
assert not rq.Worker.all(connection=r)

FailedJobRegistry(queue=high).requeue(failing.id)
assert high.job_ids == [failing.id]
later.cancel()
assert later.get_status() == "canceled"
print("done")
