"""Work in several threads at the same time, for the tests that share views, tables and buffers."""

import sys
import sysconfig
import threading
from collections.abc import Callable

# Whether this build of Python has no GIL, even if a module that does not support it has enabled one.
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def in_threads(*work: Callable[[], object]) -> None:
    """Run each function in its own thread, switching often, and raise the first error."""
    errors: list[BaseException] = []
    barrier = threading.Barrier(len(work))

    def run(each: Callable[[], object]) -> None:
        try:
            barrier.wait(60)
            each()
        except BaseException as error:
            errors.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=run, args=(each,)) for each in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
            assert not thread.is_alive()
    finally:
        sys.setswitchinterval(before)
    if errors:
        raise errors[0]
