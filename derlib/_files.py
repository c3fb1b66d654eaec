"""The files of folders, and the encodings in files."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from stat import S_ISREG
from typing import Any, NamedTuple

from derlib import pem
from derlib._core import INVALID_PEM
from derlib._options import Deviation
from derlib._value_ranges import CERTIFICATES, CRLS, Split, signed_data_and_rest, splitting
from derlib.errors import PEMError

__all__ = ["FileEncoding", "FileInputs", "encodings_in", "files_in", "files_of", "in_file", "raise_error"]

#: How many files back `FileInputs` knows which file an encoding is from. Columns read fewer of them ahead.
_REMEMBERED = 1 << 16
#: The identifier octet of the list in a SignedData that can have values of a type, by its module and name.
_LISTS = {("derlib.schemas.x509", "Certificate"): CERTIFICATES, ("derlib.schemas.crl", "CertificateList"): CRLS}


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


def files_of(paths: Iterable[str | os.PathLike[str]], failed: Callable[[OSError], object]) -> Iterator[str]:
    """Yield the paths that are not folders, and for each folder the paths of `files_in`."""
    for path in paths:
        if os.path.isdir(path):
            yield from files_in(path, failed)
        else:
            yield os.fspath(path)


class FileEncoding(NamedTuple):
    """An encoding in a file.

    Attributes:
        file: the path of the file.
        block: the number of the PEM block, of the DER value, or of the value in a SignedData, from 1; None if the file
            has no other.
        der: the encoding; empty if the PEM block is not valid.
        error: why the PEM block is not valid, or None.
    """

    file: str
    block: int | None
    der: bytes
    error: PEMError | None = None


def encodings_in(file: str, type: Any, tolerate: Deviation | None = None) -> Iterator[FileEncoding]:
    """Yield the encodings of a type in a file: the blocks of a PEM file, or the values in another.

    In place of a SignedData, such as a .p7b file, yield the certificates or CRLs in it if `type` is theirs. They are
    found by their headers, as by `derlib.schemas.cms.encoded_certificates`. A SignedData without them is one encoding.
    Data after the last value or SignedData are an invalid encoding, unless `tolerate` has `TRAILING_DATA`.

    Raises:
        OSError: the file cannot be read.
    """
    identifier = _LISTS.get((getattr(type, "__module__", ""), getattr(type, "__name__", "")))
    for encoding in _blocks_in(file, Path(file).read_bytes(), splitting(tolerate)):
        found = None if identifier is None else signed_data_and_rest(encoding.der, identifier, tolerate)
        if not found:
            yield encoding
            continue
        for number, each in enumerate(found, 1):
            block = encoding.block or (number if len(found) > 1 else None)
            yield FileEncoding(file, block, encoding.der[each.start : each.stop])


def _blocks_in(file: str, data: bytes, split: Split) -> Iterator[FileEncoding]:
    if not pem.is_pem(data):
        ranges = split(data, False)
        for number, one in enumerate(ranges, 1):
            yield FileEncoding(file, number if len(ranges) > 1 else None, data[one.start : one.stop])
        return
    is_alone = pem.is_single(data)
    for number, block in pem.numbered(data):
        place = file, None if is_alone else number
        if isinstance(block, PEMError):
            yield FileEncoding(*place, b"", block)
        else:
            yield FileEncoding(*place, block.der)


def in_file(error: PEMError, file: str) -> PEMError:
    """Return an error with the path of its file."""
    return PEMError(f"{error.detail} ({file})", error.line)


class FileInputs:
    """An iterator of the encodings in files and folders.

    Args:
        paths: the paths.
        type: the type of the encodings, as for `encodings_in`.
        unread: called with the error of each file or folder that cannot be read; None raises it.
        skip_invalid: whether a PEM block that is not valid is `INVALID_PEM`, instead of a `PEMError`.
        tolerate: the deviations, as for `encodings_in`.
    """

    def __init__(
        self,
        paths: Iterable[str | os.PathLike[str]],
        type: Any,
        *,
        unread: Callable[[OSError], object] | None = None,
        skip_invalid: bool,
        tolerate: Deviation | None = None,
    ) -> None:
        self._type = type
        self._tolerate = tolerate
        self._unread = unread or raise_error
        self._skip_invalid = skip_invalid
        self._recent: deque[tuple[int, str]] = deque(maxlen=_REMEMBERED)
        self._encodings = self._read(paths)

    def __iter__(self) -> Iterator[object]:
        return self._encodings

    def __next__(self) -> object:
        return next(self._encodings)

    def place(self, number: int) -> str:
        """Return the path of the file that has the encoding with this number, counted from 0."""
        return next((path for first, path in reversed(self._recent) if first <= number), f"input {number}")

    def _read(self, paths: Iterable[str | os.PathLike[str]]) -> Iterator[object]:
        count = 0
        for path in files_of(paths, self._unread):
            self._recent.append((count, path))
            try:
                for encoding in encodings_in(path, self._type, self._tolerate):
                    if encoding.error is not None and not self._skip_invalid:
                        raise in_file(encoding.error, path)
                    yield encoding.der if encoding.error is None else INVALID_PEM
                    count += 1
            except OSError as error:
                self._unread(error)


def raise_error(error: OSError) -> None:
    raise error
