# Fails at its first attempt and works at the second: run it with one retry.
import os

attempt = int(os.environ.get("JOB_ATTEMPT", "1"))
if attempt == 1:
    raise RuntimeError("the first attempt always fails")
print(f"attempt {attempt} works")
