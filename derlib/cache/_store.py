"""`DirectoryStore`: a mapping in the files of a folder, safe under concurrent writers and crashes.

Each value is a file. A reader sees a whole value or none. To store a value, a writer

1. writes a temporary file in the folder of the value,
2. flushes it to the disk (fsync), because a rename can otherwise reach the disk before the contents,
3. renames it to its final name, which POSIX and Windows do atomically, also over an older value,
4. flushes the folder, so that the value exists after a power failure.

The store uses no locks. If two writers store the same name, the last one wins. A writer that is killed leaves at most
its temporary file, which later writers remove when it is old.
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

# Lower case only, because some file systems ignore case. No dot and no separator, so a name cannot leave the folder.
_NAME = re.compile("[a-z0-9][a-z0-9_-]{0,199}", re.ASCII)
_FOLDER = re.compile("[0-9a-f]{2}", re.ASCII)
_TEMPORARY = ".temporary-"
# In seconds, far longer than a writer needs. A writer whose file was removed gets an OSError; no value is lost.
_MAX_TEMPORARY_AGE = 3600
_WINDOWS = os.name == "nt"
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class DirectoryStore(MutableMapping[str, bytes]):
    """A mapping of names to bytes in the files of a folder. It is safe under concurrent writers and crashes.

    Args:
        path: the folder. It is created if it does not exist. New folders and files are accessible to the user only
            (0700, 0600); an existing folder keeps its permissions.

    Names have 1 to 200 characters of ``a-z``, ``0-9``, ``_`` and ``-`` and begin with a letter or digit. Setting
    another name raises `ValueError`, and no value has one. Errors of the file system are raised as `OSError`, and an
    older value remains. Setting returns when the value is on the disk.

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
        self._cleaned_folders: set[Path] = set()
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
            raise ValueError(
                f"{name!r:.80} is not a name: expected 1 to 200 characters of a-z, 0-9, _ and -, "
                "the first of them a letter or digit"
            )
        with memoryview(value) as contents:
            self._write_file(_path_of(self.path, name), contents.cast("B"))

    def __delitem__(self, name: str) -> None:
        path = self._find(name)
        try:
            path.unlink()
        except FileNotFoundError:
            raise KeyError(name) from None
        _sync_folder(path.parent)

    def __contains__(self, name: object) -> bool:
        return _is_name(name) and _path_of(self.path, name).is_file()

    def __iter__(self) -> Iterator[str]:
        """Yield each name. Names that are added or removed meanwhile can be missing or included."""
        for folder in _entries(self.path):
            if _FOLDER.fullmatch(folder.name) and folder.is_dir():
                for entry in _entries(folder.path):
                    # A file in the wrong folder cannot be found by its name, so it is not yielded.
                    if _is_name(entry.name) and _folder_of(entry.name) == folder.name and entry.is_file():
                        yield entry.name

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _find(self, name: str) -> Path:
        if not _is_name(name):
            raise KeyError(name)
        return _path_of(self.path, name)

    def _write_file(self, path: Path, contents: memoryview) -> None:
        """Write a file with the steps that the head of this module describes."""
        folder = path.parent
        if folder not in self._cleaned_folders:
            _make_folder(folder)
            _remove_leftovers(folder)
            self._cleaned_folders.add(folder)
        temporary = folder / f"{_TEMPORARY}{secrets.token_hex(16)}"
        try:
            file = os.open(temporary, _CREATE, 0o600)
        except FileNotFoundError:
            # The folder was removed after it was cleaned.
            _make_folder(folder)
            file = os.open(temporary, _CREATE, 0o600)
        try:
            try:
                _write_all(file, contents)
                os.fsync(file)
            finally:
                os.close(file)
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        _sync_folder(folder)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def _folder_of(name: str) -> str:
    """Return one of 256 folders, by a digest of the name, because the names of a cache begin with the same digits."""
    return hashlib.blake2b(name.encode("ascii"), digest_size=1).hexdigest()


def _path_of(store: Path, name: object) -> Path:
    return store / _folder_of(str(name)) / str(name)


def _entries(path: str | os.PathLike[str]) -> list[os.DirEntry[str]]:
    """Return the sorted entries of a folder, or none if it does not exist."""
    try:
        with os.scandir(path) as found:
            return sorted(found, key=lambda entry: entry.name)
    except FileNotFoundError:
        return []


def _read(path: Path) -> bytes:
    """Return the contents of a regular file. Do not wait for the writer of a pipe, and do not read a device."""
    with open(os.open(path, _READ), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return file.read()


def _write_all(file: int, contents: memoryview) -> None:
    """Write all bytes: the system can write a part at a time."""
    while contents:
        contents = contents[os.write(file, contents) :]


def _make_folder(path: Path) -> None:
    """Create a folder and its parents. Each is flushed into its parent before anything is put into it."""
    if path.is_dir():
        return
    if path.parent != path:
        _make_folder(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)
    _sync_folder(path.parent)


def _sync_folder(path: Path) -> None:
    """Flush the names in a folder to the disk, if the system can."""
    if _WINDOWS:
        return
    try:
        file = os.open(path, os.O_RDONLY)
    except PermissionError:
        # A parent folder can be writable but not readable.
        return
    try:
        os.fsync(file)
    except OSError as error:
        # Some network file systems do not support fsync of a folder.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(file)


def _remove_leftovers(folder: Path) -> None:
    """Remove old temporary files, which are from killed writers."""
    oldest = time.time() - _MAX_TEMPORARY_AGE
    for entry in _entries(folder):
        if entry.name.startswith(_TEMPORARY):
            # Another process can remove it first. A file that cannot be removed does no harm.
            with contextlib.suppress(OSError):
                if entry.stat(follow_symlinks=False).st_mtime < oldest:
                    os.unlink(entry.path)
