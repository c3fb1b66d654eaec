"""What pyderasn's documentation published of a CRL of the same shape. Called by the family `crl`.

These are no measurements of ours, and of another machine, interpreter and time. asn1crypto is among them and among our
peers: its figures are the bridge between the two.
"""

from bench.harness import Published

SOURCE = "pyderasn 6.1, documentation, page Performance"
MACHINE = "Intel Core i5-6200U 2.3 GHz, 8 GB, FreeBSD 12.0"
PYTHON = "CPython 3.6.6"
DECODE, ENCODE, MEMORY = "decode CRL of 8.72 MiB", "encode it", "memory used, decode and encode"
DUMPS, LOADS, PICKLED, SIZE = "pickle.dumps", "pickle.loads", "memory used, pickle", "size of the pickle"


def published(work: str, library: str, value: float, unit: str = "s", note: str = "") -> Published:
    """One cell of their tables."""
    return Published(work, library, value, unit, PYTHON, MACHINE, SOURCE, note, "asn1crypto 1.3.0")


PUBLISHED = (
    published(DECODE, "pyasn1 0.4.8", 1353),
    published(DECODE, "asn1crypto 1.3.0", 27.5),
    published(DECODE, "asn1crypto 1.3.0, compiled by Cython", 15.6),
    published(DECODE, "pyderasn 6.1", 33.2),
    published(DECODE, "pyderasn 6.1, compiled by Cython", 23),
    published(ENCODE, "pyasn1 0.4.8", 37.5),
    published(ENCODE, "asn1crypto 1.3.0", 25.7),
    published(ENCODE, "asn1crypto 1.3.0, compiled by Cython", 15.8),
    published(ENCODE, "pyderasn 6.1", 7.6),
    published(ENCODE, "pyderasn 6.1, compiled by Cython", 5.9),
    published(MEMORY, "pyasn1 0.4.8", 1645, "MiB"),
    published(MEMORY, "asn1crypto 1.3.0", 876, "MiB"),
    published(MEMORY, "asn1crypto 1.3.0, compiled by Cython", 880, "MiB"),
    published(MEMORY, "pyderasn 6.1", 560, "MiB"),
    published(MEMORY, "pyderasn 6.1, compiled by Cython", 561, "MiB"),
    published(DUMPS, "asn1crypto 1.3.0", 7.9),
    published(DUMPS, "pyderasn 6.1", 82),
    published(LOADS, "asn1crypto 1.3.0", 8.3),
    published(LOADS, "pyderasn 6.1", 17),
    published(PICKLED, "asn1crypto 1.3.0", 2474, "MiB"),
    published(PICKLED, "pyderasn 6.1", 3010, "MiB"),
    published(SIZE, "asn1crypto 1.3.0", 174.8, "MiB"),
    published(SIZE, "pyderasn 6.1", 110.5, "MiB"),
)
