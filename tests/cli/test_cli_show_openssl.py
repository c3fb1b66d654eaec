"""`derlib show` names each file that openssl writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("click", reason="click, the extra derlib[cli], is not installed")

from support import openssl_files, openssl_modes
from support.commands import run, run_json
from support.openssl import CONTENT, ENCRYPTED, OTHER, SIGNED, OpenSSL

from derlib.cli.documents.document_types import TYPES, DocumentType
from derlib.schemas.cms import ContentInfo

CMS = [(ContentInfo, arguments) for arguments in (*SIGNED.values(), *ENCRYPTED.values(), *OTHER.values())]
FILES = [*openssl_files.FILES.values(), *((cls, line.split()) for cls, line in openssl_modes.MODES)]
UNSORTED = [(ContentInfo, line.split()) for line in openssl_modes.UNSORTED]


@pytest.fixture(scope="module")
def prepared(openssl: OpenSSL) -> OpenSSL:
    """The program, in a folder with everything that the arguments name."""
    openssl_modes.prepare(openssl)
    (openssl.folder / "many.conf").write_text(openssl_files.MANY, encoding="utf-8")
    return openssl


@pytest.mark.parametrize("rows", [FILES, UNSORTED], ids=["DER and PEM", "BER"])
def test_each_file_is_named(prepared: OpenSSL, empty_folder: None, rows: list[tuple[Any, Any]]) -> None:
    for cls, arguments in rows:
        check(cls, prepared(*arguments, stdin=CONTENT), " ".join(arguments))


def test_each_mail_is_named(prepared: OpenSSL, empty_folder: None) -> None:
    """`openssl smime` and `openssl cms` write mails, unless an option says otherwise."""
    commands = [arguments for _, arguments in FILES if arguments[0] in ("smime", "cms") and "DER" in arguments]
    assert len(commands) > 30
    for arguments in commands:
        as_mail = ["SMIME" if each == "DER" else each for each in arguments]
        check(ContentInfo, prepared(*as_mail, stdin=CONTENT), " ".join(as_mail))


@pytest.mark.parametrize("stream", [False, True], ids=["DER", "BER"])
def test_each_cms_object_is_named(openssl: OpenSSL, empty_folder: None, stream: bool) -> None:
    for cls, arguments in CMS:
        # openssl 3.0 fails when it streams an object with RSASSA-PSS.
        if not (stream and "rsa_padding_mode:pss" in arguments):
            check(cls, openssl.cms(arguments, stream=stream), " ".join(arguments))


def check(cls: Any, octets: bytes, arguments: str) -> None:
    """Check what is shown of a file."""
    type_ = type_of(cls)
    Path("file").write_bytes(octets)
    output = run("show", "file").output
    assert "(opaque)" not in output, arguments
    lines = output.splitlines()
    assert f"  type:           {type_.title}" in lines, arguments
    [shown] = run_json("show", "file")
    assert shown["object"]["type"] == type_.name, arguments
    assert shown["object"]["value"], arguments


def type_of(cls: Any) -> DocumentType:
    """Return the type of the files that are of this class."""
    return next(type_ for type_ in TYPES.values() if type_.schema is cls)
