# The first job: shows what a script gets and how its output arrives while it runs.
import os
import sys
import time

print(f"Hello from job {os.environ.get('JOB_ID', '?')}")
print(f"called by {os.environ.get('CALLER_ID') or 'nobody'}, attempt {os.environ.get('JOB_ATTEMPT', '1')}")
for step in range(1, 4):
    print(f"step {step} of 3", flush=True)
    time.sleep(0.2)
print("Python", sys.version.split()[0], "says goodbye")
