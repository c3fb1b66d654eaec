"""The same work in one or two threads. Called by peers of the family `crl`."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from bench.harness import Task

LOOPS = 5


def in_threads(call: Callable[[bytes], object], data: bytes, threads: int) -> Task:
    """So many threads, each with a buffer in a place of its own, as two downloads would be."""
    buffers = [data, bytes(bytearray(data))][:threads]
    pool = ThreadPoolExecutor(threads)

    def repeatedly(octets: bytes) -> None:
        # Several times in one job: waking a thread takes a part of a millisecond and is not the question.
        for _ in range(LOOPS):
            call(octets)

    def run() -> None:
        for job in [pool.submit(repeatedly, octets) for octets in buffers]:
            job.result()

    return Task(run, loops=1, per=LOOPS)
