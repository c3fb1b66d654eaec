"""The files of folders, and the encodings in files."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from stat import S_ISREG

from derlib import pem
from derlib.errors import PEMError

__all__ = ["FileInputs", "files_in"]

#: How many files back `FileInputs` knows which file an encoding is from. Columns read fewer of them ahead.
_REMEMBERED = 1 << 16


def files_in(folder: str | os.PathLike[str], failed: Callable[[OSError], object]) -> Iterator[str]:
    """Yield the paths of the regular files in a folder and in the folders in it, in the order of their names.

    `failed` is called with the error of a folder that cannot be read, and of a link whose file does not exist.
    """
    for path, folders, files in os.walk(folder, onerror=failed):
        folders.sort()
        for file in (os.path.join(path, name) for name in sorted(files)):
            try:
                is_regular = S_ISREG(os.stat(file).st_mode)
            except OSError as error:
                failed(error)
                continue
            if is_regular:
                yield file


class FileInputs:
    """An iterator of the encodings in files and folders.

    A PEM file has an encoding for each block, any other file is one.

    Args:
        paths: the paths.
        skip_invalid: whether a PEM block that is not valid is an empty encoding, instead of a `PEMError`.
    """

    def __init__(self, paths: Iterable[str | os.PathLike[str]], *, skip_invalid: bool) -> None:
        self._skip_invalid = skip_invalid
        self._recent: deque[tuple[int, str]] = deque(maxlen=_REMEMBERED)
        self._encodings = self._read(paths)

    def __iter__(self) -> Iterator[bytes]:
        return self._encodings

    def __next__(self) -> bytes:
        return next(self._encodings)

    def place(self, number: int) -> str:
        """Return the path of the file that has the encoding with this number, counted from 0."""
        return next((path for first, path in reversed(self._recent) if first <= number), f"input {number}")

    def _read(self, paths: Iterable[str | os.PathLike[str]]) -> Iterator[bytes]:
        count = 0
        for given in paths:
            for path in files_in(given, _raise) if os.path.isdir(given) else [os.fspath(given)]:
                self._recent.append((count, path))
                for encoding in self._encodings_of(path):
                    yield encoding
                    count += 1

    def _encodings_of(self, path: str) -> Iterator[bytes]:
        data = Path(path).read_bytes()
        if not pem.is_pem(data):
            yield data
            return
        for block in pem.each(data):
            if not isinstance(block, PEMError):
                yield block.der
            elif self._skip_invalid:
                yield b""
            else:
                raise PEMError(f"{block.detail} ({path})", block.line)


def _raise(error: OSError) -> None:
    raise error
