# Takes half a minute and says so all the while: to watch, and to stop.
import signal
import sys
import time


def leave(*_):
    print("asked to stop: leaving in order", flush=True)
    sys.exit(1)


signal.signal(signal.SIGTERM, leave)
for second in range(30, 0, -1):
    print(f"{second} seconds to go", flush=True)
    time.sleep(1)
print("done")
