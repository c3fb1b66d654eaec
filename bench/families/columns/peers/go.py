"""Go's crypto/x509, in a program of its own: certificates.go, built once for each version of Go.

The program measures itself with one core (GOMAXPROCS=1), so a run has neither the start of a process nor a pipe.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench.families.columns.fields import FIELDS
from bench.harness import Task, Unavailable
from bench.paths import BUILD

SOURCE = Path(__file__).with_name("certificates.go")
USUAL = "/usr/local/go/bin"


@cache
def compiler() -> str:
    """Return the path of the `go` command. Raises Unavailable if it is missing."""
    found = shutil.which("go") or shutil.which("go", path=USUAL)
    if found is None:
        raise Unavailable(f"Go is not installed: no `go` in the search path or {USUAL}")
    return found


@cache
def version() -> str:
    """Return the version of Go, such as '1.26.8'."""
    return (
        subprocess.run([compiler(), "env", "GOVERSION"], check=True, capture_output=True, text=True)
        .stdout.strip()
        .removeprefix("go")
    )


def built() -> Path:
    """Return the program, which is compiled if it is missing or older than its source."""
    program = BUILD / f"certificates-go{version()}"
    if not program.exists() or program.stat().st_mtime < SOURCE.stat().st_mtime:
        unfinished = program.with_suffix(f".{os.getpid()}.new")
        environment = {**os.environ, "GOTOOLCHAIN": "local", "GO111MODULE": "off", "CGO_ENABLED": "0"}
        command = [compiler(), "build", "-o", str(unfinished), str(SOURCE)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode:
            raise RuntimeError(f"go build: {done.stderr}")
        unfinished.replace(program)
    return program


@dataclass
class Measured(Task):
    """A task whose call returns the nanoseconds that the program measured."""

    def run(self) -> float:
        """Return the figure of the program."""
        return float(str(self.call()))


def certificates(path: str) -> Task:
    """Parse every certificate, and read its fields into a slice for each field."""
    environment = {**os.environ, "GOMAXPROCS": "1"}
    pipe = subprocess.PIPE
    process = subprocess.Popen([built(), path], env=environment, stdin=pipe, stdout=pipe, text=True)
    assert process.stdin
    assert process.stdout
    requests, answers = process.stdin, process.stdout

    def ask(request: str) -> str:
        requests.write(f"{request}\n")
        requests.flush()
        answer = answers.readline()
        if not answer:
            raise RuntimeError(f"the Go program ended with status {process.wait()}")
        return answer

    def facts(_: object) -> Iterator[object]:
        for _ in range(int(ask("facts"))):
            row = json.loads(answers.readline())
            yield tuple(row[name] for name in FIELDS)

    return Measured(lambda: int(ask("run")), facts)
