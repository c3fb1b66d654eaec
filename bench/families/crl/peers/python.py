"""What Python itself does with the same octets: a search, a copy, a pickle, a hash."""

import hashlib
import pickle
from pathlib import Path

from bench.families.crl.threads import in_threads
from bench.harness import Task

# Six octets that differ from each other and do not occur in a CRL of this shape.
ABSENT = b"\xff\xfe\xfd\xfc\xfb\xfa"


def find(path: str) -> Task:
    """A search for octets that are not there."""
    data = Path(path).read_bytes()
    assert ABSENT not in data
    return Task(lambda: data.find(ABSENT))


def copy(path: str) -> Task:
    """A copy into a new buffer."""
    octets = memoryview(Path(path).read_bytes())
    return Task(lambda: bytes(octets))


def octets(path: str) -> Task:
    """The input itself, for its size."""
    data = Path(path).read_bytes()
    return Task(lambda: data)


def dumps(path: str) -> Task:
    """Pickle the octets."""
    data = Path(path).read_bytes()
    return Task(lambda: pickle.dumps(data, 5))


def loads(path: str) -> Task:
    """Unpickle the octets."""
    pickled = pickle.dumps(Path(path).read_bytes(), 5)
    return Task(lambda: pickle.loads(pickled))


def in_one_thread(path: str) -> Task:
    """A hash that needs no lock, in one thread."""
    return in_threads(lambda octets: hashlib.sha1(octets).digest(), Path(path).read_bytes(), 1)


def in_two_threads(path: str) -> Task:
    """The same in two threads: it shows what this machine can give."""
    return in_threads(lambda octets: hashlib.sha1(octets).digest(), Path(path).read_bytes(), 2)
