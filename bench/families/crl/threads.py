"""The same work in one or two threads. Called by peers of the family `crl`."""

import sysconfig
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from bench.harness import Task

LOOPS = 5
# Whether two threads of this Python make objects at the same time.
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def in_threads(call: Callable[[bytes], object], data: bytes, threads: int) -> Task:
    """Return a task that calls a function in each thread, with a buffer of its own, as if there were two downloads."""
    buffers = [data, bytes(bytearray(data))][:threads]
    pool = ThreadPoolExecutor(threads)

    def repeatedly(encoded: bytes) -> None:
        # Several calls in one job, because waking a thread takes a part of a millisecond.
        for _ in range(LOOPS):
            call(encoded)

    def run() -> None:
        for job in [pool.submit(repeatedly, encoded) for encoded in buffers]:
            job.result()

    return Task(run, loops=1, per=LOOPS)
