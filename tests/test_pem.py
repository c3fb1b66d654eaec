"""PEM (RFC 7468): the accepted and rejected texts, the line of an error, and linear time."""

from __future__ import annotations

import base64
import copy
import pickle
import re
import textwrap
from collections import deque

import pytest

from derlib import ASN1Error, PEMError, pem
from derlib.pem import PEMBlock

DER = bytes.fromhex("300a02010102020100020103")
TEXT = pem.encode(DER, "THING")
BASE64 = base64.b64encode(DER).decode()


def armoured(body: str, begin: str = "THING", end: str = "THING") -> str:
    return f"-----BEGIN {begin}-----\n{body}\n-----END {end}-----\n"


SOUND = {
    "as encoded": TEXT,
    "CRLF": TEXT.replace("\n", "\r\n"),
    "CR": TEXT.replace("\n", "\r"),
    "no end of the last line": TEXT.rstrip("\n"),
    "white space ends the lines": TEXT.replace("\n", " \t \n"),
    "blank lines inside": armoured(f"\n \n{BASE64}\n\t\n"),
    "empty lines between the lines": TEXT.replace("\n", "\r\r\n"),
    "one character a line": armoured("\n".join(BASE64)),
    "padding on a line of its own": armoured(BASE64.rstrip("=") + "\n" + "=" * BASE64.count("=")),
    "text before and after": f"Subject: somebody\n\n{TEXT}that was it -----END\n",
    "text that is not ASCII": f"Autorité de côté\n{TEXT}",
    "text with dashes at the start of a line": f"-----\n---- BEGIN X ----\n{TEXT}",
    "a BEGIN line after other words is text": f"as in -----BEGIN X-----\n  - -----BEGIN X-----\n{TEXT}",
    "an indented line that is not a BEGIN line is text": f"  -----BEGIN X----- begins a block\n{TEXT}",
    "a byte order mark": f"\N{ZERO WIDTH NO-BREAK SPACE}{TEXT}",
    "indented by spaces": textwrap.indent(TEXT, "  "),
    "indented by a tab, CRLF": textwrap.indent(TEXT, "\t").replace("\n", "\r\n"),
    "indented, CR": textwrap.indent(TEXT, " ").replace("\n", "\r"),
    "indented by more than 80 characters": "ca: |\n" + textwrap.indent(TEXT, " " * 1000),
    "each line indented in its own way":
        f"\n \t-----BEGIN THING-----\n{BASE64[:5]}\n    {BASE64[5:]} \n\t-----END THING-----",
    "indented, with blank lines inside": textwrap.indent(armoured(f"\n  \n{BASE64}\n"), "  ", lambda line: True),
    "indented, the END line is not": f"  -----BEGIN THING-----\n  {BASE64}\n-----END THING-----",
}


@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND.keys())
def test_valid_blocks_are_read(text: str) -> None:
    assert [(block.label, block.der) for block in pem.blocks(text)] == [("THING", DER)]
    assert pem.decode(text.encode()) == [DER]
    assert pem.is_pem(text)


FAULTY = {
    "no END": ("x\n-----BEGIN THING-----\n" + BASE64, 2, "no END"),
    "BEGIN inside": ("-----BEGIN THING-----\n" + TEXT, 1, "no END"),
    "another END": (
        armoured(BASE64, end="THINGS"),
        3,
        'END "THINGS" closes the block "THING" of line 1',
    ),
    "END in other case": (armoured(BASE64, end="Thing"), 3, "closes"),
    "dashes inside": ("-----BEGIN THING-----\n-----\n-----END THING-----", 2, "dashes"),
    "BEGIN with four dashes": ("\n\n-----BEGIN THING----\n", 3, "BEGIN line"),
    "BEGIN with more after it": ("-----BEGIN THING----- x\n", 1, "BEGIN line"),
    "END with four dashes": (armoured(BASE64).rstrip("-\n") + "----", 3, "END line"),
    "label with two spaces": (armoured(BASE64, begin="A  B", end="A  B"), 1, "BEGIN line"),
    "label that ends with a dash": (armoured(BASE64, begin="A-", end="A-"), 1, "BEGIN line"),
    "empty": (armoured(""), 1, "empty"),
    "nothing but white space": (armoured(" \n \n"), 1, "empty"),
    "a stranger": (armoured(f"{BASE64}\nMAA*"), 3, "byte 2a"),
    "the URL alphabet": (armoured("MA-_"), 2, "byte 2d"),
    "NUL": (armoured("MA\x00A"), 2, "byte 00"),
    "no ASCII": (armoured("MAAé"), 2, "byte c3"),
    "indented": (armoured(f"\n {BASE64}"), 3, "white space"),
    "END is indented, but BEGIN is not": (
        f"-----BEGIN THING-----\n  {BASE64}\n  -----END THING-----\n",
        3,
        "the END line is indented, but the BEGIN line is not$",
    ),
    "white space inside an indented line": (textwrap.indent(armoured("MA\nA ="), "  "), 3, "white space"),
    "dashes in an indented block": ("  -----BEGIN THING-----\n  -----\n  -----END THING-----", 2, "dashes"),
    "no END of an indented block": (f"x\n  -----BEGIN THING-----\n  {BASE64}\n", 2, "no END"),
    "an indented block with pad bits": (textwrap.indent(armoured("MB=="), "  "), 2, "pad bits"),
    "white space inside a line": (armoured("MA A="), 2, "white space"),
    "three of a group": (armoured("MAA"), 2, "group of four"),
    "padding, then one of a group": (armoured("MAA=\nM"), 2, "padding"),
    "padding in the middle": (armoured("MA==\nMAA="), 2, "padding"),
    "padding alone": (armoured("===="), 2, "group of four"),
    "three paddings": (armoured("M==="), 2, "group of four"),
    "bits after one octet": (armoured("MB=="), 2, "pad bits of the last base64 digit"),
    "bits after two octets": (armoured("MAB="), 2, "pad bits of the last base64 digit"),
    "headers": (
        armoured(f"Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n{BASE64}"),
        2,
        r"RFC 1421 headers \(Proc-Type\)",
    ),
    "headers after CRLF": (armoured(f"\r\nVersion: 1\r\n\r\n{BASE64}"), 3, r"\(Version\)"),
}


@pytest.mark.parametrize(("text", "line", "message"), FAULTY.values(), ids=FAULTY.keys())
def test_errors_have_their_line(text: str, line: int, message: str) -> None:
    with pytest.raises(PEMError, match=message) as caught:
        list(pem.blocks(text))
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")
    assert isinstance(caught.value, ASN1Error)


@pytest.mark.parametrize("end_of_line", ["\n", "\r\n", "\r"])
def test_lines_are_counted_through_text_and_blocks(end_of_line: str) -> None:
    text = f"one\ntwo\n{TEXT}six\n{TEXT}{TEXT}".replace("\n", end_of_line)
    assert [block.line for block in pem.blocks(text)] == [3, 7, 10]
    with pytest.raises(PEMError) as caught:
        list(pem.blocks(text + f"-----BEGIN X-----{end_of_line}*"))
    assert caught.value.line == 13


def test_blocks_come_before_the_fault_after_them() -> None:
    found = pem.blocks(TEXT + "-----BEGIN X-----\n")
    assert next(found) == PEMBlock("THING", DER, 1)
    with pytest.raises(PEMError):
        next(found)


@pytest.mark.parametrize("damage", ["-----BEGIN A-----\n?\n-----END A-----\n", "-----BEGIN A-----\nAAAA\n"])
def test_blocks_after_a_fault_are_read_if_it_is_given_to_a_function(damage: str) -> None:
    whole = pem.encode(b"\5\0", "A")
    found: list[PEMError] = []
    blocks = list(pem.blocks(damage + whole + damage + whole + damage, "A", on_error=found.append))
    size, step = damage.count("\n"), damage.count("\n") + 3
    assert [(block.der, block.line) for block in blocks] == [(b"\5\0", size + 1), (b"\5\0", step + size + 1)]
    assert [(error.line - 1) // step for error in found] == [0, 1, 2]
    with pytest.raises(TypeError, match=r"^on_error: expected a function, got str; write on_error=print$"):
        list(pem.blocks(whole, on_error="null"))  # type: ignore[arg-type]


def test_labels_select_and_others_are_not_decoded() -> None:
    text = (
        pem.encode(b"\x05\x00", "A")
        + armoured("Proc-Type: 4,ENCRYPTED\n\nMAA=")
        + pem.encode(b"\1", "B-1 C")
    )
    assert pem.decode(text, "B-1 C", "A") == [b"\x05\x00", b"\1"]
    assert pem.decode(text, "A") == [b"\x05\x00"]
    with pytest.raises(PEMError, match="1421"):
        pem.decode(text)


def test_data_that_end_inside_a_begin_line_are_an_error() -> None:
    text = pem.encode(DER, "A")
    for cut in ("-----B", "-----BEG", "-----BEGIN", "\n  -----BEGI"):
        for found in (pem.numbered(text + cut), pem.numbered((text + cut).encode(), "A")):
            (_, block), (number, error) = found
            assert isinstance(block, pem.PEMBlock)
            assert (number, str(error)) == (2, f"line {4 + cut.count(chr(10))}: the data ends inside a BEGIN line")
    for note in ("-----", "------------", "-----\n", "a note-----BEGIN"):
        assert len(list(pem.numbered(text + note))) == 1


def test_data_without_any_block_is_an_error() -> None:
    for data, message in (
        (b"just text", r"^no PEM block$"),
        ("just\ntext", r"^no PEM block$"),
        (DER, r"^no PEM block labelled A; the data looks like DER, which needs no PEM decoding$"),
        (b"pem\n'-----BEGIN A-----", r"^no PEM block; other characters are before BEGIN in line 2, such as quotation"),
    ):
        labels = ("A",) if data is DER else ()
        for read in (pem.decode, lambda *arguments: list(pem.blocks(*arguments))):
            with pytest.raises(PEMError, match=message):
                read(data, *labels)
        found: list[PEMError] = []
        assert list(pem.blocks(data, *labels, on_error=found.append)) == []
        assert re.search(message, str(found[0]))
    # A text whose blocks have other labels is valid.
    assert list(pem.blocks(TEXT, "X", "Y")) == []
    with pytest.raises(PEMError, match="no PEM block labelled X or Y") as caught:
        pem.decode(TEXT, "X", "Y")
    assert caught.value.line == 0


def test_a_label_can_be_empty() -> None:
    assert pem.decode(pem.encode(DER, ""), "") == [DER]


@pytest.mark.parametrize("length", [1, 2, 3, 47, 48, 49, 96, 1000])
def test_encode_survives_a_round_trip_and_has_64_columns(length: int) -> None:
    der = bytes(range(256)) * 4
    text = pem.encode(der[:length], "X509 CRL")
    assert list(pem.blocks(text)) == [PEMBlock("X509 CRL", der[:length], 1)]
    lines = text.splitlines()
    assert all(len(line) == 64 for line in lines[1:-2])
    assert text.endswith("-----END X509 CRL-----\n")


@pytest.mark.parametrize("label", ["A  B", " A", "A-", "é", "A\nB", "\N{ARABIC-INDIC DIGIT ONE}"])
def test_encode_rejects_invalid_labels(label: str) -> None:
    with pytest.raises(ValueError, match="label"):
        pem.encode(DER, label)


def test_encode_rejects_empty_input() -> None:
    with pytest.raises(ValueError, match="der is empty"):
        pem.encode(b"", "A")


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_any_buffer_is_accepted(kind: type) -> None:
    data = kind(TEXT.encode())
    assert pem.is_pem(data)
    assert pem.decode(data) == [DER]
    assert pem.encode(kind(DER), "THING") == TEXT


def test_der_is_not_pem_even_with_pem_in_it() -> None:
    text = f"\n{TEXT}".encode()
    assert not pem.is_pem(b"")
    assert not pem.is_pem(DER)
    assert not pem.is_pem(b"\x04" + bytes([len(text)]) + text)
    assert not pem.is_pem(b"\x30\x82\x01\x00" + text)
    assert not pem.is_pem("words -----BEGIN X-----")


@pytest.mark.parametrize(
    "data",
    [DER, bytearray(DER), memoryview(DER), TEXT, TEXT.encode()],
    ids=["bytes", "bytearray", "memoryview", "text", "octets of text"],
)
def test_der_of_accepts_der_and_pem(data: bytes | bytearray | memoryview | str) -> None:
    found = pem.der_of(data, "THING")
    assert found == [DER]
    assert type(found[0]) is bytes


@pytest.mark.parametrize("data", [DER, bytearray(DER), TEXT, TEXT.encode(), TEXT + pem.encode(b"\x05\x00", "OTHER")])
def test_one_returns_der(data: bytes | bytearray | str) -> None:
    found = pem.one(data, "THING")
    assert found == DER
    assert type(found) is bytes


def test_one_refuses_several_blocks() -> None:
    with pytest.raises(PEMError, match=r'^2 PEM blocks labelled "THING", expected one; pem.der_of returns all'):
        pem.one(TEXT + TEXT, "THING")
    with pytest.raises(PEMError, match=r'^3 PEM blocks labelled "THING", expected one'):
        pem.one(TEXT * 3)
    with pytest.raises(
        PEMError, match=r'^2 PEM blocks labelled "THING" and "OTHER", expected one; pass the label of one of them$'
    ):
        pem.one(TEXT + pem.encode(b"\x05\x00", "OTHER"))
    with pytest.raises(PEMError, match=r"^no PEM block labelled OTHER; there is"):
        pem.one(TEXT, "OTHER")


def test_a_text_is_never_returned_as_der() -> None:
    for read in (pem.one, pem.der_of):
        with pytest.raises(PEMError, match=r"^no PEM block; the data is text, not DER$"):
            read(b"From: ann@example.org\nSubject: hello\n\nhello\n")
    # Every byte of an element can be a printable character: this is one with an application tag.
    printable = b"A" + bytes([0x40]) + b"-" * 64
    assert pem.one(printable) == printable
    # `decode` has hints for these.
    assert pem.one(b"0500") == b"0500"
    assert pem.one(BASE64.encode()) == BASE64.encode()


def test_pem_is_never_returned_as_der() -> None:
    with pytest.raises(PEMError, match="no PEM block labelled OTHER"):
        pem.der_of(TEXT.encode(), "OTHER")
    with pytest.raises(PEMError, match=r"^line 2: "):
        pem.der_of(armoured("A").encode())
    with pytest.raises(PEMError, match=r"^no PEM block$"):
        pem.der_of("just\ntext")
    with pytest.raises(PEMError, match=r"^no PEM block; if this is the name of a file, "):
        pem.der_of("just text")


def test_lone_surrogates_are_text_like_any_other() -> None:
    assert pem.decode("\ud800\n" + TEXT) == [DER]


def test_messages_are_short_whatever_the_label() -> None:
    with pytest.raises(PEMError) as caught:
        list(pem.blocks(armoured("MAA=", begin="A" * 100_000, end="B" * 100_000)))
    assert len(str(caught.value)) < 300


def test_the_error_survives_pickle_and_copy() -> None:
    error = PEMError("wrong", 7)
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (type(other), str(other), other.line) == (PEMError, "line 7: wrong", 7)


MANY = 300_000
LONG = {
    "BEGIN lines": "-----BEGIN X-----\n" * MANY,
    "BEGIN lines that are none": "-----BEGIN \n" * MANY,
    "BEGIN in the middle of lines": " -----BEGIN X-----" * MANY,
    "lines of dashes": "-----BEGIN X-----\n" + "-----\n" * MANY,
    "dashes": "-----BEGIN X" + "-" * MANY * 10,
    "a label of letters and dashes": "-----BEGIN " + "a-" * MANY * 5 + "\n",
    "white space": "-----BEGIN X-----\n" + " " * MANY * 10 + "\n-----END X-----",
    "white space, then one letter": "-----BEGIN X-----\n" + " " * MANY * 10 + "A\n-----END X-----",
    "blank lines": "-----BEGIN X-----\n" + "\n" * MANY * 10 + "-----END X-----",
    "padding": "-----BEGIN X-----\n" + "=" * MANY * 10 + "\n-----END X-----",
    "padded lines": "-----BEGIN X-----\n" + "MA==\n" * MANY + "-----END X-----",
    "a header's name": "-----BEGIN X-----\n" + "A" * MANY * 10 + ":\n-----END X-----",
    "header lines": "-----BEGIN X-----\n" + "A: b\n" * MANY + "-----END X-----",
    "strangers": "-----BEGIN X-----\n" + "*\n" * MANY + "-----END X-----",
    "END lines": "-----END X-----\n" * MANY,
    "END lines in one line": "-----END X-----" * MANY,
    "END and BEGIN lines in one line": "-----BEGIN X-----\n" + "-----END X----------BEGIN X-----" * MANY,
    "blocks without a line end between them": "-----BEGIN X-----\nMAA=\n-----END X-----" * MANY,
    "indented BEGIN lines": " -----BEGIN X-----\n" * MANY,
    "deeply indented BEGIN lines": (" " * 1000 + "-----BEGIN X-----\n") * (MANY // 100),
    "an indented block of white space": " -----BEGIN X-----\n" + " " * MANY * 10 + "\n" + " \n" * MANY,
    "indented END lines after a BEGIN line": "-----BEGIN X-----\n" + " -----END X-----\n" * MANY,
    "white space between words and a BEGIN line": ("x" + " " * 1000 + "-----BEGIN X-----") * (MANY // 100),
    "one bad line in a long block": "-----BEGIN X-----\n"
    + f"{'A' * 64}\n" * MANY
    + "*\n-----END X-----",
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
def test_long_invalid_input_takes_linear_time(text: str) -> None:
    # A reader with quadratic time would not finish: these texts have up to ten million characters.
    data = text.encode()
    pem.is_pem(data)
    lines = text.count("\n") + 1
    fault = None
    deque(pem.blocks(data, on_error=lambda error: None), maxlen=0)
    found: list[PEMBlock] = []
    try:
        found = list(pem.blocks(data))
    except PEMError as error:
        fault = error
    assert fault is None or (fault.line <= lines and len(str(fault)) < 500)
    assert fault is None or fault.line or "no PEM block" in str(fault)
    assert all(block.line <= lines for block in found)


def test_many_blocks_take_linear_time() -> None:
    last = deque(pem.blocks(TEXT * 100_000), maxlen=1)
    assert last == deque([PEMBlock("THING", DER, 299_998)])


def test_der_is_not_copied():
    der = bytes.fromhex("3003020105")
    assert pem.der_of(der)[0] is der


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("before", ["", "a note\n"])
def test_a_text_in_utf16_is_named(encoding: str, before: str) -> None:
    data = (before + TEXT).encode(encoding)
    for read in (pem.one, pem.der_of, pem.decode):
        with pytest.raises(PEMError, match=r"^no PEM block; the data is text in UTF-16: save it as UTF-8"):
            read(data)
    assert pem.one(data.decode(encoding)) == DER


def test_der_that_contains_a_text_in_utf16_is_der() -> None:
    text = TEXT.encode("utf-16-be")
    for der in (bytes([0x1E, 0x81, len(text)]) + text, bytes([0xFF, 0xFE, 0x01, len(text)]) + text[:-2] + b"\0\0"):
        assert pem.one(der) == der


def test_an_indented_text_is_pem_and_no_der() -> None:
    for text in (textwrap.indent(TEXT, "  "), textwrap.indent(TEXT, "\t").encode()):
        assert pem.is_pem(text)
        assert pem.one(text) == DER
        assert pem.der_of(text, "THING") == [DER]
        with pytest.raises(PEMError, match=r'^no PEM block labelled OTHER; there is "THING"$'):
            pem.one(text, "OTHER")
    assert not pem.is_pem("x" + " " * 200 + "-----BEGIN X-----")
    assert not pem.is_pem("\n  -----BEGIN X----- begins a block")
    assert not pem.is_pem(b"\x0c\x14\n  -----BEGIN X-----")


BEGIN_LINE, END_LINE = "-----BEGIN THING-----", "-----END THING-----"
STRAY = 'the END line of "THING" has no BEGIN line'


@pytest.mark.parametrize("end_of_line", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("space", ["", " ", "\t "])
@pytest.mark.parametrize(
    ("text", "valid", "errors"),
    [
        (f"{TEXT}{BASE64}\n{END_LINE}\n{TEXT}", [1, 6], [(5, STRAY)]),
        (f"{END_LINE}\n{BASE64}\n{END_LINE}", [], [(1, STRAY), (3, STRAY)]),
        (f"note: {TEXT}{TEXT}", [4], [(3, STRAY)]),
        (f"{TEXT}  {END_LINE}\nas in {END_LINE}\n", [1], [(4, STRAY)]),
        # An END line and a BEGIN line that are one line.
        (TEXT.rstrip() + "=" + TEXT + TEXT, [1, 3, 6], []),
        ("=".join([TEXT.rstrip()] * 3) + "\n" + TEXT, [1, 3, 5, 8], []),
        (textwrap.indent("=".join([TEXT.rstrip()] * 3), "  ") + "\n" + TEXT, [1, 3, 5, 8], []),
        (f"{END_LINE}={TEXT}{TEXT}", [1, 4], [(1, STRAY)]),
        (armoured(BASE64, end="THINGS").rstrip() + "=" + TEXT, [3], [(3, 'END "THINGS" closes')]),
        (TEXT.rstrip() + f"={BEGIN_LINE}\n{BASE64}\n", [1], [(3, 'the block "THING" has no END line')]),
        (TEXT.rstrip() + f"={BEGIN_LINE}\n {BASE64}\n{END_LINE}", [1], [(4, "white space is only allowed")]),
        (TEXT.rstrip() + f"={BEGIN_LINE}x\n{BASE64}\n{END_LINE}", [1], [(3, "the BEGIN line is invalid")]),
        (TEXT.rstrip() + f"-={TEXT}", [3], [(3, "the END line is invalid")]),
        # The END line of a BEGIN line that was reported.
        (f"{BEGIN_LINE}\n-----\n{END_LINE}\n{END_LINE}\n", [], [(2, "a line of dashes"), (4, STRAY)]),
        (f"{BEGIN_LINE}x\n{END_LINE}\n{END_LINE}\n", [], [(1, "the BEGIN line is invalid"), (3, STRAY)]),
        (f" {BEGIN_LINE}\n{BASE64}\n {END_LINE}\n{END_LINE}\n", [1], [(4, STRAY)]),
        (f"{BEGIN_LINE}\n{BASE64}\n {END_LINE}\n{END_LINE}\n", [], [(3, "byte 2d")]),
        # The indented block after one that has no END line.
        (f"{BEGIN_LINE}\n{BASE64}\n" + textwrap.indent(TEXT, " ") + TEXT, [3, 6], [(1, 'the block "THING" has no')]),
        (f"{BEGIN_LINE}\n{TEXT}{END_LINE}\n", [2], [(1, 'the block "THING" has no END line'), (5, STRAY)]),
        (
            f"{BEGIN_LINE}\n" + textwrap.indent(TEXT * 2, " ") + f"{END_LINE}\n",
            [2, 5],
            [(1, 'the block "THING" has no END line'), (8, STRAY)],
        ),
        (f"{BEGIN_LINE}\n{BASE64}\nas in {BEGIN_LINE}\n{END_LINE}\n", [], [(3, "byte 2d")]),
    ],
)
def test_no_block_is_lost_because_of_its_boundaries(
    text: str, valid: list[int], errors: list[tuple[int, str]], space: str, end_of_line: str
) -> None:
    text = text.replace("-=-", f"-{space}-").replace("\n", end_of_line)
    for labels in ((), ("THING",)):
        found: list[PEMError] = []
        read = list(pem.blocks(text, *labels, on_error=found.append))
        assert [(block.der, block.line) for block in read] == [(DER, line) for line in valid]
        assert [error.line for error in found] == [line for line, _ in errors]
        assert all(error.detail.startswith(message) for error, (_, message) in zip(found, errors, strict=True))
        if errors:
            with pytest.raises(PEMError, match=re.escape(errors[0][1])):
                pem.decode(text, *labels)


def test_stray_end_lines_of_other_labels_are_text() -> None:
    text = f"{END_LINE}\n" + pem.encode(b"\5\0", "A") + END_LINE
    assert pem.decode(text, "A") == [b"\5\0"]


OLDER = [
    ("CERTIFICATE", ["X509 CERTIFICATE", "X.509 CERTIFICATE"]),
    ("CERTIFICATE REQUEST", ["NEW CERTIFICATE REQUEST"]),
    ("PKCS7", ["PKCS #7 SIGNED DATA"]),
    ("CMS", ["PKCS7", "PKCS #7 SIGNED DATA"]),
]


@pytest.mark.parametrize(("label", "older"), OLDER)
def test_a_label_selects_the_older_labels_of_the_same_structure(label: str, older: list[str]) -> None:
    for written in (label, *older):
        text = pem.encode(DER, written)
        assert pem.one(text, label) == DER
        assert pem.der_of(text.encode(), label) == pem.decode(text, label) == [DER]
        assert [block.label for block in pem.blocks(text, "OTHER", label)] == [written]
        # An older label selects no newer one.
        if written != label:
            with pytest.raises(PEMError, match=f'^no PEM block labelled {written}; there is "{label}"$'):
                pem.one(pem.encode(DER, label), written)
    with pytest.raises(PEMError, match=f'^no PEM block labelled {label} or A; there is "B"$'):
        pem.one(pem.encode(DER, "B"), label, *older, "A")
    text = "".join(pem.encode(DER, written) for written in (label, *older))
    assert pem.decode(text, label) == [DER] * (len(older) + 1)
    with pytest.raises(PEMError, match=r"^\d PEM blocks labelled .*, expected one; pem.der_of returns all of them$"):
        pem.one(text, label)


@pytest.mark.parametrize(
    ("label", "other"),
    [
        ("X509 CRL", "CRL"),
        ("PKCS7", "CERTIFICATE CHAIN"),
        ("PKCS7", "CMS"),
        ("CERTIFICATE", "TRUSTED CERTIFICATE"),
        ("PRIVATE KEY", "RSA PRIVATE KEY"),
        ("DH PARAMETERS", "X9.42 DH PARAMETERS"),
    ],
)
def test_other_labels_are_not_equivalent(label: str, other: str) -> None:
    with pytest.raises(PEMError, match=f"^no PEM block labelled {label}; there is"):
        pem.one(pem.encode(DER, other), label)


@pytest.mark.parametrize("data", [b"", bytearray(), memoryview(b""), "", b"\xef\xbb\xbf"])
def test_empty_data_are_not_der(data: bytes | bytearray | memoryview | str) -> None:
    for read in (pem.one, pem.der_of, pem.decode):
        with pytest.raises(PEMError, match=r"^no PEM block; the data is empty$"):
            read(data)
        with pytest.raises(PEMError, match=r"^no PEM block labelled CERTIFICATE; the data is empty$"):
            read(data, "CERTIFICATE")


@pytest.mark.parametrize("indentation", [" ", "\t", " " * 200])
def test_an_indented_block_beside_others_is_not_lost(indentation: str) -> None:
    text = TEXT + "ca: |\n" + textwrap.indent(TEXT, indentation) + TEXT
    size = TEXT.count("\n")
    assert [(block.der, block.line) for block in pem.blocks(text, "THING")] == [
        (DER, line) for line in (1, size + 2, 2 * size + 2)
    ]
    assert list(pem.blocks(text, "ANOTHER")) == []
