"""The certificates of the family `columns`: a file of encodings, one after the other, created once.

Called by the declaration of the family and by its peers, so it imports what it needs only when it creates the file.
"""

from collections.abc import Iterator
from pathlib import Path

from bench.paths import BUILD, write

COUNT = 100_000
QUICK_COUNT = 2_000


def certificates_file(count: int) -> str:
    """Return the file of certificates similar to those of web servers."""
    path = BUILD / f"certificates-{count}.der"
    if not path.exists():
        from random import Random

        from bench.make_tables import SEED, valid_certificate

        random = Random(SEED)
        write(path, b"".join(valid_certificate(random) for _ in range(count)))
    return str(path)


def small_certificates() -> str:
    """Return a file that suffices to import modules and compile schemas."""
    return certificates_file(50)


def encodings(path: str) -> Iterator[bytes]:
    """Yield the certificates of a file, each with a header of four bytes, while it is read."""
    with Path(path).open("rb") as file:
        while header := file.read(4):
            assert header[:2] == b"\x30\x82"
            yield header + file.read(int.from_bytes(header[2:], "big"))
