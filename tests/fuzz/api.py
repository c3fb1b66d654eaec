"""Call everything that derlib offers with valid, wrong and hostile arguments, and look for what must never happen.

    python -m fuzz.api SECONDS [--seed N]             fuzz for so long; N is the seed of the first child process
    python -m fuzz.api fixed [--seed N]               run `CHILDREN` child processes
    python -m fuzz.api --replay SEED [--steps 3,17]   one child's steps, or some of them, in this process

Each child process takes `STEPS` steps, which are calls (`tests/fuzz/calls.py`) with values of `tests/fuzz/hostile.py`.
It writes each call into shared memory before it makes it, so that the call that crashes a process is known. A finding
is a crash, a report of a sanitizer, a call that takes too much time or memory, an exception that no argument may cause,
or a value that contradicts itself. It is printed with the fewest steps found that still lead to it. All that a child
does follows from its seed; the digest of all calls shows it.
"""

from __future__ import annotations

import argparse
import faulthandler
import math
import mmap
import os
import re
import resource
import signal
import struct
import sys
import tempfile
import time
import traceback
import warnings
import zlib
from typing import Any, NamedTuple

from .calls import Caller, known_values
from .hostile import encodings
from .schemas import CLASSES
from .targets import fixed_keys

STEPS = 1000                    # of a child process
CHILDREN = 20                   # of a fixed run: about a minute under the sanitizers
CHECK_EVERY = 50                # steps between two checks of the library
PROCESSOR_SECONDS = 20          # of one step, and seconds of waiting in one:
WAITING_SECONDS = 120
MEMORY = 512 << 20              # bytes that a child may use beyond those that it starts with
LINES, WIDTH = 40, 600          # the last calls that are stored, and how many bytes of each
TOTALS = struct.Struct("qqq")   # after them: the calls, the number of the last step, the digest
REDUCING_SECONDS = 60
ADDRESS = re.compile(rb"(?<=0x)[0-9a-f]+")      # differs from run to run
FOUND = 3                       # exit status of a child with a finding


class Outcome(NamedTuple):
    finding: str                # what was found, "" for nothing
    calls: int
    last: int                   # the number of the last step
    report: str                 # the last calls, and the output of the process
    digest: int                 # of the descriptions of all calls


class Log:
    """The last calls of a child, in memory that outlives it."""

    def __init__(self, *, echo: bool = False) -> None:
        self.memory = mmap.mmap(-1, LINES * WIDTH + TOTALS.size)
        self.lines = self.calls = self.last = self.digest = 0
        self.echo = echo

    def write(self, text: str) -> None:
        if text.startswith("step "):
            self.last = int(text[5:])
        else:
            self.calls += 1
        octets = text.encode("utf-8", "backslashreplace")
        self.digest = zlib.crc32(ADDRESS.sub(b"", octets), self.digest)
        line = b"%8d %b" % (self.lines, octets[: WIDTH - 10])
        at = self.lines % LINES * WIDTH
        self.memory[at : at + WIDTH] = line.ljust(WIDTH, b"\0")
        self.lines += 1
        self.memory[-TOTALS.size :] = TOTALS.pack(self.calls, self.last, self.digest)
        if self.echo:
            os.write(2, line + b"\n")

    def text(self) -> str:
        kept = [self.memory[at : at + WIDTH].rstrip(b"\0") for at in range(0, LINES * WIDTH, WIDTH)]
        return "\n".join(line.decode("utf-8", "replace") for line in sorted(kept) if line)


def memory_used() -> int:
    """Return the peak memory of this process in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def run_steps(seed: int, steps: Any, log: Log, known: Any, every: int) -> str:
    """Make the steps in this process, and return the first finding."""
    caller = Caller(seed, log.write)
    most = memory_used() + MEMORY
    sys.unraisablehook = lambda one: caller.check_exception(one.exc_value, "None")
    for number in steps:
        signal.setitimer(signal.ITIMER_PROF, PROCESSOR_SECONDS)
        signal.alarm(WAITING_SECONDS)
        caller.step(number)
        if number % every == 0 or number == steps[-1]:
            caller.check_library(known)
        if memory_used() > most:
            caller.found.append(f"more than {MEMORY} bytes of memory are in use")
        if caller.found:
            return caller.found[0]
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.alarm(0)
    return ""


def in_child(seed: int, steps: Any, known: Any, every: int = CHECK_EVERY) -> Outcome:
    """Make the steps in a child process."""
    log = Log()
    with tempfile.TemporaryFile() as output:
        if (process := os.fork()) == 0:
            status = FOUND
            try:
                os.dup2(output.fileno(), 1)
                os.dup2(output.fileno(), 2)
                finding = run_steps(seed, steps, log, known, every)
                os.write(2, finding.encode("utf-8", "backslashreplace"))
                status = FOUND if finding else 0
            except BaseException:
                os.write(2, traceback.format_exc().encode("utf-8", "backslashreplace"))
            finally:
                os._exit(status)
        _, status = os.waitpid(process, 0)
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    code = os.waitstatus_to_exitcode(status)
    calls, last, digest = TOTALS.unpack(log.memory[-TOTALS.size :])
    summary = [line for line in text.splitlines() if line.startswith("SUMMARY") or "runtime error" in line]
    name = signal.Signals(-code).name if code < 0 else "".join([*summary, *text.splitlines()[-1:]][:1])
    name = ADDRESS.sub(b"", name.encode()).decode()
    return Outcome(f"{code} {name}" if code else "", calls, last, f"{log.text()}\n{text[-6000:]}", digest)


def reduced(seed: int, outcome: Outcome, known: Any) -> tuple[list[int], Outcome]:
    """Return the fewest steps found in a minute that lead to the same finding, and their result."""
    start = time.monotonic()
    steps = list(range(outcome.last + 1))
    attempts = [steps[-count:] for count in (1, 4, 16, 64) if count < len(steps)]
    size = len(steps)
    while attempts and time.monotonic() - start < REDUCING_SECONDS:
        fewer = attempts.pop(0)
        again = in_child(seed, fewer, known, 1)
        fewer_do = again.finding == outcome.finding
        if fewer_do:
            steps, outcome, attempts = fewer, again, []
        if not attempts and (fewer_do or size > 1):
            size = min(size, len(steps)) // 2 or 1
            attempts = [steps[:at] + steps[at + size :] for at in range(0, len(steps) - 1, size)]
    return steps, outcome


def fuzz(seconds: float, children: int, seed: int, known: Any) -> int:
    """Run children until the time is over, or this many; print their findings, and return the number of findings."""
    start = time.monotonic()
    calls = digest = 0
    findings: set[str] = set()
    done = 0
    while time.monotonic() - start < seconds and done < children:
        outcome = in_child(seed + done, range(STEPS), known)
        calls += outcome.calls
        digest = zlib.crc32(outcome.digest.to_bytes(4, "big"), digest)
        if outcome.finding and outcome.finding not in findings:
            findings.add(outcome.finding)
            steps, outcome = reduced(seed + done, outcome, known)
            print(f"A FINDING: {outcome.finding}\n{outcome.report}\n"
                  f"python -m fuzz.api --replay {seed + done} --steps {','.join(map(str, steps))}\n", flush=True)
        done += 1
    print(f"api: {calls} calls in {done} processes from seed {seed}, digest {digest:08x}, {len(findings)} findings")
    return len(findings)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("seconds", nargs="?", default="fixed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--children", type=int, default=CHILDREN, help="of a fixed run")
    parser.add_argument("--replay", type=int)
    parser.add_argument("--steps")
    options = parser.parse_args()
    if sys.flags.hash_randomization:
        # The order of a set depends on the seed, too.
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "fuzz.api", *sys.argv[1:]])
    warnings.simplefilter("ignore")
    for number in (signal.SIGPROF, signal.SIGALRM):
        faulthandler.register(number, file=2, chain=True)
    known = known_values()
    for class_ in CLASSES:
        encodings(class_)                           # cached for all child processes
    with tempfile.TemporaryDirectory() as folder, fixed_keys():
        os.chdir(folder)
        if options.replay is None:
            if options.seconds == "fixed":
                return 1 if fuzz(math.inf, options.children, options.seed, known) else 0
            return 1 if fuzz(float(options.seconds), sys.maxsize, options.seed, known) else 0
        steps = list(map(int, options.steps.split(","))) if options.steps else range(STEPS)
        finding = run_steps(options.replay, steps, Log(echo=True), known, 1)
        print(finding or "nothing found")
        return 1 if finding else 0


if __name__ == "__main__":
    sys.exit(main())
