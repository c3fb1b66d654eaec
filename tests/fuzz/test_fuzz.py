"""Run each fuzz target and the API fuzzer for a moment: their seeds pass, and they still work."""

from __future__ import annotations

import inspect
import itertools
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

import derlib
from derlib import _core
from derlib._schema.open_types import reading_order

from . import replay as plain
from .mutate import mutate
from .run import mutator
from .schemas import CLASSES, Bag, Frame, Hello, Reading, Strings
from .seeds import number_of, seeds, thinned
from .targets import TARGETS, chosen


@pytest.mark.parametrize("name", TARGETS)
def test_the_seeds_of_a_target_and_changes_to_them_pass(name):
    for data in plain.fixed(name):
        plain.run(name, data)


def test_fuzzing_for_a_time_goes_on_until_it_is_over(monkeypatch):
    times = iter([0.0, 1.0, 2.0, 3.0])
    monkeypatch.setattr(plain.time, "monotonic", lambda: next(times))
    monkeypatch.setattr(plain, "inputs", lambda name, seed: itertools.repeat(b""))
    assert plain.replay("pem_text", 3) == 3


DIGESTS = """
from fuzz import replay, seeds

# All of them take ten seconds.
seeds.CLASSES, seeds.OWN = [*seeds.OWN, seeds.Certificate, seeds.CertificateList], seeds.OWN[:5]
for name in replay.TARGETS:
    print(name, replay.digest(replay.fixed(name)))
"""


def test_the_inputs_do_not_depend_on_the_order_of_sets_and_on_imported_modules():
    # Hypothesis draws constants of imported modules, and string hashes are random.
    digests = started("-c", DIGESTS, PYTHONHASHSEED="1")
    assert digests.count("\n") == len(TARGETS)
    assert started("-c", f"import derlib.asn1, derlib.cli.app\n{DIGESTS}", PYTHONHASHSEED="2") == digests


def started(*arguments: str, **environment: str) -> str:
    """Return the output of a Python process that can import these modules."""
    path = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, *arguments], env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_mutations_keep_the_maximum_size():
    data = bytes.fromhex("3009 0203010001 0402 0500")
    made = {mutate(data, 40, seed) for seed in range(500)}
    assert max(map(len, made)) <= 40
    assert len(made) > 100


@pytest.mark.parametrize("most", [100, 1000])
def test_thinned_seeds_keep_those_with_unknown_additions(most):
    # One seed in six was used, whatever its type. Three of 2000 had additions, so the code that reads additions never
    # ran with a buffer that changed.
    kept = thinned(sorted(seeds("changing", shared=False), key=len), most)
    assert len(kept) <= most + len(CLASSES)
    assert {number_of(class_) for class_ in (Hello, Frame, Bag, Reading)} <= {octets[:2] for octets in kept}
    assert most == 100 or sum(has_additions(octets) for octets in kept) >= 16


def has_additions(seed: bytes) -> bool:
    """Return whether a seed of `changing` is a value with unknown additions at its top level, once or twice."""
    octets = seed[12:]
    try:
        return bool(chosen(seed).decode(octets[: len(octets) // (1 + seed[11])]).unknown_additions)
    except (ValueError, AttributeError):
        return False


def test_columns_that_are_left_out_are_not_compared():
    # `Strings` has more columns than are read: for its field `bmp`, one of text without a dictionary.
    TARGETS["columns"].run(number_of(Strings) + b"\0\0" + Strings(bmp="A").encode())


def test_a_buffer_changes_at_the_offsets_in_the_seed(monkeypatch):
    seen = []
    monkeypatch.setattr("fuzz.targets.touch", lambda value: seen.append(bytes(value.raw("version"))))
    octets = Hello(version=5).encode()
    for changes in (bytes(9), b"\0\4\7" * 3):
        TARGETS["changing"].run(number_of(Hello) + changes + b"\0" + octets)
    assert seen[-1] == b"\7"


def test_the_fuzzer_changes_headers_too():
    change = mutator(4, lambda data, size: data, mutate)
    octets = bytes.fromhex("3003020105")
    fronts = {change(bytes(4) + octets, 50, seed)[:4] for seed in range(200)}
    assert len(fronts) > 10
    assert all(len(change(bytes(4) + octets, 12, seed)) <= 12 for seed in range(200))


# The API fuzzer.

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the calls are made in forked processes")


@needs_fork
def test_no_call_of_a_short_run_is_a_finding_and_all_follow_from_the_seed():
    first, second = (
        started("-m", "fuzz.api", "--children", "2", "--seed", "7", PYTHONHASHSEED=seed) for seed in ("1", "2")
    )
    assert re.fullmatch(r"api: \d+ calls in 2 processes from seed 7, digest [0-9a-f]{8}, 0 findings\n", first)
    assert second == first


def crash() -> None:
    os.abort()


def hang() -> None:
    while True:
        pass


def wait() -> None:
    time.sleep(1000)


def fill() -> None:
    # The child process frees memory of its parent, too: this is more than that, so that its peak grows.
    hold = bytearray(512 << 20)
    del hold



def break_() -> None:
    raise SystemError("error return without exception set")


def forget() -> None:
    raise UnboundLocalError


@needs_fork
@pytest.mark.parametrize(("fault", "finding"), [
    (crash, "-6 SIGABRT"), (hang, "-27 SIGPROF"), (wait, "-14 SIGALRM"), (fill, "bytes of memory are in use"),
    (break_, "SystemError: error return"), (forget, "UnboundLocalError"),
])
def test_a_fault_in_one_step_is_reported_with_that_step_alone(monkeypatch, fault, finding):
    from . import api, calls

    # Only the limit under test is short, because a sanitizer makes the other steps slow.
    monkeypatch.setattr(api, "PROCESSOR_SECONDS", 0.2 if fault is hang else 60)
    monkeypatch.setattr(api, "WAITING_SECONDS", 1 if fault is wait else 500)
    monkeypatch.setattr(api, "MEMORY", 16 << 20)

    def step(caller: calls.Caller, number: int) -> None:
        caller.log(f"step {number}")
        caller.call(lambda: (f"call {number}", fault if number == 5 else int, (), {}))

    monkeypatch.setattr(calls.Caller, "step", step)
    outcome = api.in_child(0, range(9), [])
    assert finding in outcome.finding
    assert "call 5" in outcome.report
    assert outcome.last == 5
    assert api.reduced(0, outcome, [])[0] == [5]


@needs_fork
def test_the_log_keeps_the_last_calls():
    from . import api

    log = api.Log()
    for number in range(api.LINES + 5):
        log.write(f"step {number}")
        log.write(f"call {number} {api.WIDTH * chr(0x416)}")    # cut within a character
    lines = log.text().splitlines()
    assert len(lines) == api.LINES
    assert (lines[-2][9:], lines[-1][9:17]) == (f"step {number}", f"call {number} ")
    assert (log.calls, log.last) == (number + 1, number)


@needs_fork
def test_a_value_that_contradicts_itself_is_a_finding(monkeypatch):
    from . import calls

    caller = calls.Caller(0, lambda text: None)
    wrong = derlib.Tag(1)
    for value, contradicts in ((wrong, True), (derlib.Tag(2), False)):
        monkeypatch.setattr(calls, "check_again", lambda one: one is not wrong or derlib.fields(one))
        caller.found.clear()
        caller.call(lambda value=value: ("Tag", lambda: value, (), {}))
        assert bool(caller.found) is contradicts


@needs_fork
def test_the_calls_cover_all_public_names():
    from . import calls

    functions, classes, tables = calls.subjects()
    public = {getattr(derlib, name) for name in derlib.__all__ if inspect.isroutine(getattr(derlib, name))}
    assert public <= set(functions)
    # `derlib.json` imports it. A list with a length of 2**62 would keep it busy.
    assert reading_order not in functions
    assert {derlib.Lookup, derlib.Limits, _core.Plan, _core.ListIterator, derlib.LimitError} <= set(classes)
    assert tables
    # The types of arguments are in the stub, for Python functions in their signatures.
    assert [one.name for one in calls.parameters(derlib.SequenceOf, "index_by", None)] == ["field"]
    assert "IO[bytes]" in [one.annotation for one in calls.parameters(None, "encode_to", derlib.encode_to)]
