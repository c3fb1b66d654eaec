"""hashlib: what the digest of a key costs by itself, with the hash that derlib.cache uses and with others."""

import hashlib
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.harness import Task


def version() -> str:
    """That of Python."""
    return platform.python_version()


def digesting(make: Callable[[bytes], Any]) -> Callable[[str], Task]:
    """A digest of 32 octets."""

    def task(path: str) -> Task:
        octets = Path(path).read_bytes()
        return Task(lambda: make(octets).hexdigest())

    return task


blake2b = digesting(lambda octets: hashlib.blake2b(octets, digest_size=32))
blake2s = digesting(lambda octets: hashlib.blake2s(octets, digest_size=32))
sha256 = digesting(hashlib.sha256)
sha3_256 = digesting(hashlib.sha3_256)
