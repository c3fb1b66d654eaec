"""The parent's end of a worker process: start it, send requests, report failures. Called by bench/harness/run.py."""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from types import TracebackType
from typing import Any

from bench.harness.declare import Peer
from bench.paths import ROOT

START_TIMEOUT = 60.0


class Failure(Exception):
    """A peer did not do the work; the message says why.

    `kind` is "missing" (not installed), "unavailable", "raised", "died", "timeout", "differs".
    """

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind


def cause_of_death(returncode: int, output: str) -> str:
    """Return why a worker process ended by itself."""
    if returncode >= 0:
        why = f"ended with status {returncode}"
    else:
        why = f"killed by {signal.Signals(-returncode).name}"
        if -returncode == signal.SIGKILL:
            why += ", which the system does when memory runs out"
    return f"{why}: {output}" if output else why


class Worker:
    """A process in which one peer works; use it in a `with` statement.

    Raises:
        Failure: the peer cannot be imported.
    """

    def __init__(self, peer: Peer, timeout: float = START_TIMEOUT) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        # Equal string hashes in every process make the work of dictionaries equal.
        paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": paths}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.harness.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=environment,
        )
        self.pending = b""
        try:
            self.about = self.ask("load", timeout, module=peer.module, distribution=peer.distribution)
        except BaseException as error:
            self.close()
            if isinstance(error, Failure) and error.kind == "missing":
                why = f"not installed ({error}); {peer.remedy}"
                raise Failure("missing", why) from None
            raise

    def ask(self, do: str, timeout: float, **request: object) -> dict[str, Any]:
        """Send one request and wait for its answer.

        Raises:
            Failure: the peer raised, died, or did not answer in time. After the last two the worker has ended.
        """
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps({"do": do, **request}).encode() + b"\n")
            self.process.stdin.flush()
            line = self.line(timeout)
        except BrokenPipeError:
            raise self.ended() from None
        try:
            answer: dict[str, Any] = json.loads(line)
        except ValueError:
            self.close()
            raise Failure("died", f"sent {line[:80]!r}, which is not an answer") from None
        if "failed" in answer:
            raise Failure(answer["failed"], answer["why"])
        return answer

    def line(self, timeout: float) -> bytes:
        """Return the next line from the worker."""
        assert self.process.stdout is not None
        until = time.monotonic() + timeout
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.pending:
                if not selector.select(max(0.0, until - time.monotonic())):
                    self.close()
                    raise Failure("timeout", f"no answer within {timeout:g} s")
                received = os.read(self.process.stdout.fileno(), 65536)
                if not received:
                    raise self.ended()
                self.pending += received
        line, _, self.pending = self.pending.partition(b"\n")
        return line

    def ended(self) -> Failure:
        """Return the failure of a worker that has ended."""
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
        returncode = self.process.wait()
        self.errors.seek(0)
        lines = self.errors.read().decode("utf-8", "replace").strip().splitlines()
        return Failure("died", cause_of_death(returncode, lines[-1][:300] if lines else ""))

    def close(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        self.errors.close()

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
