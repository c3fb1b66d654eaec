"""Python itself with the same bytes: search, copy, pickle, hash."""

import hashlib
import pickle
from pathlib import Path

from bench.families.crl.threads import in_threads
from bench.harness import Task

# Six bytes that differ from each other and do not occur in a CRL of this shape.
ABSENT = b"\xff\xfe\xfd\xfc\xfb\xfa"


def find(path: str) -> Task:
    """Search for absent bytes."""
    data = Path(path).read_bytes()
    assert ABSENT not in data
    return Task(lambda: data.find(ABSENT))


def copy(path: str) -> Task:
    """Copy into a new buffer."""
    encoded = memoryview(Path(path).read_bytes())
    return Task(lambda: bytes(encoded))


def data(path: str) -> Task:
    """Return the input itself, for its size."""
    content = Path(path).read_bytes()
    return Task(lambda: content)


def dumps(path: str) -> Task:
    """Pickle the bytes."""
    data = Path(path).read_bytes()
    return Task(lambda: pickle.dumps(data, 5))


def loads(path: str) -> Task:
    """Unpickle the bytes."""
    pickled = pickle.dumps(Path(path).read_bytes(), 5)
    return Task(lambda: pickle.loads(pickled))


def in_one_thread(path: str) -> Task:
    """Hash in one thread; hashlib releases the GIL."""
    return in_threads(lambda encoded: hashlib.sha1(encoded).digest(), Path(path).read_bytes(), 1)


def in_two_threads(path: str) -> Task:
    """Hash in two threads, which shows what the machine allows."""
    return in_threads(lambda encoded: hashlib.sha1(encoded).digest(), Path(path).read_bytes(), 2)
