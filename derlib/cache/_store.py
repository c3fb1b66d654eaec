"""A folder as a store: `DirectoryStore`, for `Cache` or for whoever wants a mapping that outlives a crash.

Each value is a file. A reader sees a value whole or not at all, whatever happens to writers, because a value is

1. written aside, under a name that no value has, in the folder where it belongs,
2. brought to the disk (fsync), since a rename may otherwise reach the disk before what it names,
3. renamed, which POSIX and Windows do in one step, over an older value too,
4. and the folder is brought to the disk, so that the value is there after a power failure.

There are no locks. Of two writers of one name the last wins. A writer that is killed leaves at most the file that it
wrote aside; later writers remove such a file when it is old.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator, MutableMapping
from pathlib import Path

__all__ = ["DirectoryStore"]

# One case only, as some file systems do not tell cases apart; no dot, no separator, so no way out of the folder.
_NAME = re.compile("[a-z0-9][a-z0-9_-]{0,199}", re.ASCII)
_FOLDER = re.compile("[0-9a-f]{2}", re.ASCII)
_ASIDE = ".aside-"
# In seconds. Long beyond any writer that is alive; one that is not is told by an OSError, and no value is harmed.
_LEFTOVER_AGE = 3600
_WINDOWS = os.name == "nt"
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class DirectoryStore(MutableMapping[str, bytes]):
    """A mapping of names to octets in the files of a folder; safe under concurrent writers and crashes.

    Args:
        path: the folder, made if it is not there. It and all in it are the user's alone (0700, 0600); a folder that
            exists keeps its permissions.

    Names have 1 to 200 characters of ``a-z``, ``0-9``, ``_`` and ``-`` and begin with a letter or digit. Setting
    another name is a `ValueError`; there is nothing to be found under it. What the file system refuses is its
    `OSError`, and the value that was there stays. Setting returns when the value is on the disk.

    >>> import tempfile
    >>> from derlib.cache import DirectoryStore
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = DirectoryStore(folder)
    ...     store["greeting"] = b"hello"
    ...     dict(store)
    {'greeting': b'hello'}
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._swept: set[Path] = set()
        _make_folder(self.path)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    def __getitem__(self, name: str) -> bytes:
        try:
            return _read(self._find(name))
        except FileNotFoundError:
            raise KeyError(name) from None

    def __setitem__(self, name: str, value: bytes) -> None:
        if not _is_name(name):
            raise ValueError("a name has 1 to 200 characters of a-z, 0-9, _ and -, the first no _ or -")
        with memoryview(value) as octets:
            self._keep(_place(self.path, name), octets.cast("B"))

    def __delitem__(self, name: str) -> None:
        path = self._find(name)
        try:
            path.unlink()
        except FileNotFoundError:
            raise KeyError(name) from None
        _sync_folder(path.parent)

    def __contains__(self, name: object) -> bool:
        return _is_name(name) and _place(self.path, name).is_file()

    def __iter__(self) -> Iterator[str]:
        """Each name; one that comes or goes meanwhile may be missed or told."""
        for folder in _entries(self.path):
            if _FOLDER.fullmatch(folder.name) and folder.is_dir():
                for entry in _entries(folder.path):
                    # A file that somebody copied to a wrong folder is not found by its name, so it is not told.
                    if _is_name(entry.name) and _folder_of(entry.name) == folder.name and entry.is_file():
                        yield entry.name

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _find(self, name: str) -> Path:
        if not _is_name(name):
            raise KeyError(name)
        return _place(self.path, name)

    def _keep(self, path: Path, octets: memoryview) -> None:
        folder = path.parent
        if folder not in self._swept:
            _make_folder(folder)
            _sweep(folder)
            self._swept.add(folder)
        aside = folder / f"{_ASIDE}{secrets.token_hex(16)}"
        try:
            file = os.open(aside, _CREATE, 0o600)
        except FileNotFoundError:
            # Somebody removed the folder since it was swept.
            _make_folder(folder)
            file = os.open(aside, _CREATE, 0o600)
        try:
            try:
                _write(file, octets)
                os.fsync(file)
            finally:
                os.close(file)
            os.replace(aside, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(aside)
            raise
        _sync_folder(folder)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def _folder_of(name: str) -> str:
    """One of 256 folders. Of a digest, since the names of a cache begin alike."""
    return hashlib.blake2b(name.encode("ascii"), digest_size=1).hexdigest()


def _place(path: Path, name: object) -> Path:
    return path / _folder_of(str(name)) / str(name)


def _entries(path: str | os.PathLike[str]) -> list[os.DirEntry[str]]:
    """What is in a folder, in order; nothing where it is gone."""
    try:
        with os.scandir(path) as found:
            return sorted(found, key=lambda entry: entry.name)
    except FileNotFoundError:
        return []


def _read(path: Path) -> bytes:
    """All of a file. What stands there may be none: to open a pipe would wait for a writer, and a device has no end."""
    with open(os.open(path, _READ), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "this is no regular file", str(path))
        return file.read()


def _write(file: int, octets: memoryview) -> None:
    """Write all: the system may take a part at a time."""
    while octets:
        octets = octets[os.write(file, octets) :]


def _make_folder(path: Path) -> None:
    """Make a folder and those above it, each known to the one above before anything is put into it."""
    if path.is_dir():
        return
    if path.parent != path:
        _make_folder(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)
    _sync_folder(path.parent)


def _sync_folder(path: Path) -> None:
    """Bring the names in a folder to the disk, where that can be done."""
    if _WINDOWS:
        return
    try:
        file = os.open(path, os.O_RDONLY)
    except PermissionError:
        # A folder above the store may be one in which we make names without seeing them.
        return
    try:
        os.fsync(file)
    except OSError as error:
        # Some network file systems have no fsync of a folder, and say so.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(file)


def _sweep(folder: Path) -> None:
    """Remove what killed writers left. A file of a living one is younger, unless that writer slept for an hour."""
    oldest = time.time() - _LEFTOVER_AGE
    for entry in _entries(folder):
        if entry.name.startswith(_ASIDE):
            # Another process may remove it first, and what cannot be removed harms nobody.
            with contextlib.suppress(OSError):
                if entry.stat(follow_symlinks=False).st_mtime < oldest:
                    os.unlink(entry.path)
