"""derlib.cache over three kinds of store: decode, find and detect a changed CRL, and derive values from it."""

import logging
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

from bench.harness import Task
from bench.paths import BUILD
from derlib.cache import Cache, DirectoryStore
from derlib.schemas.crl import CertificateList

SECRET = "a secret that only this benchmark has"
Store = MutableMapping[str, bytes]

# Changed entries are logged. The message is discarded here, so that writing it is not measured.
logging.getLogger("derlib.cache").addHandler(logging.NullHandler())
logging.getLogger("derlib.cache").propagate = False


class SQLiteStore(MutableMapping[str, bytes]):
    """A table in a file, as in docs/cache.md: each value is on the disk when it is set."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("CREATE TABLE IF NOT EXISTS entry (name TEXT PRIMARY KEY, bytes BLOB)")

    def __getitem__(self, name: str) -> bytes:
        found = self.connection.execute("SELECT bytes FROM entry WHERE name = ?", (name,)).fetchone()
        if found is None:
            raise KeyError(name)
        encoded: bytes = found[0]
        return encoded

    def __setitem__(self, name: str, encoded: bytes) -> None:
        self.connection.execute("REPLACE INTO entry VALUES (?, ?)", (name, encoded))

    def __delitem__(self, name: str) -> None:
        self.connection.execute("DELETE FROM entry WHERE name = ?", (name,))

    def __iter__(self) -> Iterator[str]:
        return (name for (name,) in self.connection.execute("SELECT name FROM entry"))

    def __len__(self) -> int:
        count: int = self.connection.execute("SELECT count(*) FROM entry").fetchone()[0]
        return count


# On the disk of the inputs, because /tmp may be in memory. A worker is killed when its work is done and cannot remove
# its own folder, so the next worker removes it.
FOLDERS = BUILD / "stores"


def folder() -> Path:
    """Create an empty folder, and remove those of processes that have ended."""
    for left in FOLDERS.glob("*-*"):
        try:
            os.kill(int(left.name.partition("-")[0]), 0)
        except ProcessLookupError:
            shutil.rmtree(left, ignore_errors=True)
        except PermissionError:
            pass  # It is alive and belongs to another user.
    FOLDERS.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=FOLDERS))


STORES: dict[str, Callable[[], Store]] = {
    "memory": dict,
    "directory": lambda: DirectoryStore(folder()),
    "sqlite": lambda: SQLiteStore(folder() / "store.db"),
}


def serials(crl: Any) -> Iterator[int]:
    """Yield the facts of a CRL: all its serial numbers."""
    return (entry.user_certificate for entry in crl.tbs_cert_list.revoked_certificates)


def decode(path: str) -> Task:
    """Decode without a cache."""
    encoded = Path(path).read_bytes()
    return Task(lambda: CertificateList.decode(encoded), serials)


def missing(store: str, secret: str | None) -> Callable[[str], Task]:
    """Return the operation for a CRL that is not in the store: decode and store it."""

    def task(path: str) -> Task:
        encoded, stored = Path(path).read_bytes(), STORES[store]()
        cache = Cache(stored, secret)
        return Task(lambda _: cache.decode(CertificateList, encoded), serials, setup=stored.clear)

    return task


def hitting(store: str, secret: str | None) -> Callable[[str], Task]:
    """Return the operation for a CRL that is in the store, whose bytes the caller has."""

    def task(path: str) -> Task:
        encoded, cache = Path(path).read_bytes(), Cache(STORES[store](), secret)
        cache.decode(CertificateList, encoded)
        return Task(lambda: cache.decode(CertificateList, encoded), serials)

    return task


def loading(store: str, secret: str | None) -> Callable[[str], Task]:
    """Return the operation for a CRL in the store for which the caller has only the key."""

    def task(path: str) -> Task:
        encoded, cache = Path(path).read_bytes(), Cache(STORES[store](), secret)
        cache.decode(CertificateList, encoded)
        key = cache.key(CertificateList, encoded)
        return Task(lambda: cache.load(CertificateList, key), serials)

    return task


def forging(store: str, secret: str | None) -> Callable[[str], Task]:
    """Return the operation for an entry whose last bit was changed: detect and replace it."""

    def task(path: str) -> Task:
        encoded, stored = Path(path).read_bytes(), STORES[store]()
        cache = Cache(stored, secret)
        cache.decode(CertificateList, encoded)
        [(name, entry)] = stored.items()
        forged = entry[:-1] + bytes((entry[-1] ^ 1,))

        def forge() -> None:
            stored[name] = forged

        return Task(lambda _: cache.decode(CertificateList, encoded), serials, setup=forge)

    return task


def index_of(crl: Any) -> Any:
    """Return an index of the entries by serial number."""
    return crl.tbs_cert_list.revoked_certificates.index_by("user_certificate")


def table_of(crl: Any) -> dict[int, Any]:
    """Return a dict of Python values: the date of each serial number."""
    return {entry.user_certificate: entry.revocation_date for entry in crl.tbs_cert_list.revoked_certificates}


def facts_of_index(index: Any) -> Iterator[object]:
    """Yield the dates of some serial numbers, present and absent."""
    for serial in range(1, 2**23, 9973):
        entry = index.find(serial)
        yield entry and str(entry.revocation_date)


def facts_of_table(table: dict[int, Any]) -> Iterator[object]:
    """Yield the whole table."""
    return ((serial, str(date)) for serial, date in table.items())


Facts = Callable[[Any], Iterator[object]]


def making(make: Callable[[Any], Any], facts: Facts) -> Callable[[str], Task]:
    """Return the operation that computes a value without a cache."""

    def task(path: str) -> Task:
        encoded = Path(path).read_bytes()
        return Task(lambda: make(CertificateList.decode(encoded)), facts)

    return task


def deriving(make: Callable[[Any], Any], facts: Facts) -> Callable[[str], Task]:
    """Return the operation for a value that is not in the store: compute, pickle, sign and store it."""

    def task(path: str) -> Task:
        encoded, stored = Path(path).read_bytes(), STORES["memory"]()
        cache = Cache(stored, SECRET)
        return Task(lambda _: cache.derive(CertificateList, encoded, make, name="it"), facts, setup=stored.clear)

    return task


def finding(make: Callable[[Any], Any], facts: Facts) -> Callable[[str], Task]:
    """Return the operation for a value that is in the store: verify the signature and unpickle it."""

    def task(path: str) -> Task:
        encoded, cache = Path(path).read_bytes(), Cache(STORES["memory"](), SECRET)
        cache.derive(CertificateList, encoded, make, name="it")
        return Task(lambda: cache.derive(CertificateList, encoded, make, name="it"), facts)

    return task


make_index, derive_index, find_index = (task(index_of, facts_of_index) for task in (making, deriving, finding))
make_table, derive_table, find_table = (task(table_of, facts_of_table) for task in (making, deriving, finding))
miss_memory, miss_memory_signed = missing("memory", None), missing("memory", SECRET)
hit_memory, hit_memory_signed = hitting("memory", None), hitting("memory", SECRET)
load_memory, load_memory_signed = loading("memory", None), loading("memory", SECRET)
forged_memory, forged_memory_signed = forging("memory", None), forging("memory", SECRET)
miss_directory, miss_directory_signed = missing("directory", None), missing("directory", SECRET)
hit_directory, hit_directory_signed = hitting("directory", None), hitting("directory", SECRET)
load_directory, load_directory_signed = loading("directory", None), loading("directory", SECRET)
forged_directory, forged_directory_signed = forging("directory", None), forging("directory", SECRET)
miss_sqlite, miss_sqlite_signed = missing("sqlite", None), missing("sqlite", SECRET)
hit_sqlite, hit_sqlite_signed = hitting("sqlite", None), hitting("sqlite", SECRET)
load_sqlite, load_sqlite_signed = loading("sqlite", None), loading("sqlite", SECRET)
forged_sqlite, forged_sqlite_signed = forging("sqlite", None), forging("sqlite", SECRET)
