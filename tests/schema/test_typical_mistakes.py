"""Typical mistakes of users: the error contains the remedy.

Other tests check which values and inputs are rejected, and where. These check the messages.
"""

import base64
import builtins
import io
import pickle
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.classes import annotated_class

import derlib
from derlib import (
    TLV,
    ASN1Error,
    BitString,
    ConstraintError,
    DecodeError,
    EncodeError,
    Explicit,
    Implicit,
    NamedBits,
    ObjectIdentifier,
    Range,
    RelativeOID,
    SchemaError,
    Sequence,
    SequenceOf,
    Size,
    Tag,
    _import_check,
    pem,
)
from derlib.cache import Cache
from derlib.schemas.extensions import ReasonFlags
from derlib.schemas.x509 import KeyUsage, Name, Validity

NOW = datetime(2026, 11, 1, tzinfo=timezone.utc)
# In UTC they are in the year 0 and in the year 10000.
FIRST = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5)))
LAST = datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-5)))


class Order(Sequence):
    number: int
    items: SequenceOf[str]


class Count:
    """An object that is not a number but has an int value, like those of other libraries."""

    def __index__(self) -> int:
        return 5


DER = Order(number=42, items=SequenceOf[str](["tea", "milk"])).encode()
PEM = pem.encode(DER, "ORDER")


@pytest.mark.parametrize(
    ("data", "remedy"),
    [
        (PEM.encode(), "PEM text: decode it with pem.one first"),
        (b"\n" + PEM.encode(), "PEM text"),
        (b"\xef\xbb\xbf" + PEM.encode(), "PEM text"),
        (b"-----BEGIN", "PEM text"),
        (b"Certificate:\r\n    Version: 1\r\n" * 100 + PEM.encode(), "PEM text"),
        (DER.hex().encode(), "hexadecimal text: decode it with bytes.fromhex(data.decode()) or `xxd -r -p` first"),
        (DER.hex(" ").upper().encode(), "hexadecimal text"),
        (base64.b64encode(DER), "base64 text: decode it with base64.b64decode or `base64 -d` first"),
        (base64.encodebytes(DER * 3), "base64 text"),
        (b"# what is this file?\n" * 4, "the input is text, not DER"),
        (b"404 page not found\n", "the input is text, not DER"),
        (b"hello", "the input is text, not DER"),
        (b"<html><body>", "the input is text, not DER"),
        (b'{"error": 1}', "the input is text, not DER"),
        (b"c0ffee", "hexadecimal text"),
        (b"", "the input is empty"),
    ],
)
def test_the_error_for_text_or_empty_input_says_so(data: bytes, remedy: str) -> None:
    for decode in (Order.decode, derlib.parse, lambda data: Order.decode(bytearray(data), copy=False)):
        with pytest.raises(ASN1Error, match=re.escape(remedy)) as caught:
            decode(data)
        assert isinstance(caught.value, DecodeError)
        assert remedy in str(caught.value.hint)
        assert f"{caught.value.detail}; {caught.value.hint} (" in str(caught.value)
        assert pickle.loads(pickle.dumps(caught.value)).hint == caught.value.hint


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"-----BEGI",
        b"0" * 15,
        DER[:-1],
        DER + b"\n",
        bytes.fromhex("7f") + b"-----BEGIN ORDER-----",
        b"0" * 63 + b"\x00" + PEM.encode(),
        b"Gr\xc3\xbc\xc3\x9fe\n-----BEGIN ORDER-----\n",
    ],
)
def test_possibly_broken_der_is_not_reported_as_text(data: bytes) -> None:
    with pytest.raises(ASN1Error) as caught:
        Order.decode(data)
    assert "text" not in str(caught.value)
    assert caught.value.hint == ("the input is empty" if data == b"" else None)


@given(
    st.text("0aF\n", min_size=16)
    | st.text("0zZ+/=\r\n\v\f", min_size=16)
    | st.text("0 \t~\x7f\x1f\ufeff\xff!", min_size=16)
)
def test_text_is_recognized_by_its_characters(text: str) -> None:
    data = text.encode()
    first = data[:64]
    hint = None
    if re.fullmatch(rb"[0-9A-Fa-f\s]*", first):
        hint = "the input is hexadecimal text: decode it with bytes.fromhex(data.decode()) or `xxd -r -p` first"
    elif re.fullmatch(rb"[A-Za-z0-9+/=\s]*", first):
        hint = "the input is base64 text: decode it with base64.b64decode or `base64 -d` first"
    elif re.fullmatch(rb"(?:\xef\xbb\xbf)?[\t\r\n -~]*", first):
        hint = "the input is text, not DER"
    if not re.fullmatch(rb"(?:\xef\xbb\xbf)?[\t\r\n -~]*", first):
        hint = None
    with pytest.raises(ASN1Error) as caught:
        Order.decode(data)
    assert caught.value.hint == hint


def test_a_begin_line_is_searched_only_at_the_start() -> None:
    with pytest.raises(DecodeError, match="the input is text, not DER"):
        Order.decode(b"# " * 40_000 + b"\n" + PEM.encode())


@pytest.mark.parametrize("before", [b"00112233", b"# a text ", b"-----BEGIN ORDER-----\n", b"QUJD"])
def test_a_rejected_value_is_not_called_text(before: bytes) -> None:
    # As large as the initial buffer of the writer, so it fills the buffer from the first to the last byte.
    derlib.encode((before * 16_384)[:16_384], bytes)
    short = Annotated[bytes, Size(1)]
    marked = Annotated[bytes, Size(1), Implicit(1, "application")]
    for value, type_ in ((b"ab", short), ([b"ab"], SequenceOf[short]), (b"a" * 0x30, marked)):
        with pytest.raises(ConstraintError) as caught:
            derlib.encode(value, type_)
        assert "text" not in str(caught.value)


def test_the_error_for_text_in_place_of_an_element_says_so() -> None:
    with pytest.raises(ConstraintError, match="the input is hexadecimal text"):
        derlib.encode(DER.hex().encode(), TLV)


MISTAKES: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "text to decode": (lambda: Order.decode(PEM), TypeError, r"got str; Path\(name\).read_bytes\(\) reads a file"),
    "a type first, a stream": (
        lambda: derlib.iter_decode(int, DER), TypeError, r"^the source comes first: iter_decode\(source, type\)$"
    ),
    "a type first, a file": (lambda: derlib.iter_decode(int, io.BytesIO(DER)), TypeError, "source comes first"),
    "a type to encode": (lambda: derlib.encode(int, 5), TypeError, r"value comes first: encode\(value, type\)"),
    "a type first, a list": (lambda: derlib.encode(SequenceOf[int], [5]), TypeError, "value comes first"),
    "no type at all": (lambda: derlib.encode(5, 6), SchemaError, "6 is not a type"),
    "a list of Python": (lambda: derlib.encode([5], list[int]), SchemaError, r"list\[int\] .*; lists are SequenceOf"),
    "a tuple with fields": (
        lambda: derlib.encode((5, "a"), tuple[int, str]), SchemaError, "; a class derived from Sequence has fields, and"
    ),
    "a dict of Python": (
        lambda: derlib.encode({}, dict[str, int]), SchemaError, "not an ASN.1 type; a class derived from Sequence has"
    ),
    "one value": (lambda: derlib.encode(1, Literal[1]), SchemaError, r"; one value of a type is .* OneOf\(...\)\]$"),
    "a path to write to": (lambda: derlib.encode_to("out.der", 5, int), TypeError, "for writing bytes, got str"),
    "bits as text": (lambda: BitString("101"), TypeError, "expected bytes for BitString, got str"),
    # bytes() of a number returns that many zero bytes.
    "bits as a number": (lambda: BitString(5), TypeError, "expected bytes for BitString, got int"),
    "bits as a count": (lambda: BitString(Count()), TypeError, "expected bytes for BitString, got Count"),
    "bits as a list": (lambda: BitString([5]), TypeError, "expected bytes for BitString, got list"),
    "an identifier of a number": (
        lambda: ObjectIdentifier.from_content(5), TypeError, "expected bytes for ObjectIdentifier, got int$"
    ),
    "an identifier of a count": (lambda: ObjectIdentifier.from_content(Count()), TypeError, "got Count$"),
    "a relative one of a number": (lambda: RelativeOID.from_content(5), TypeError, "bytes for RelativeOID, got int"),
    "PEM of a number": (lambda: pem.encode(5, "ORDER"), TypeError, "expected bytes or another buffer, got int$"),
    "PEM of a count": (lambda: pem.encode(Count(), "ORDER"), TypeError, "expected bytes or another buffer, got Count$"),
    "a half-empty octet": (lambda: BitString(b"", 1), ConstraintError, "0 to 7 unused bits, and none when it is empty"),
    "eight unused bits": (lambda: BitString(b"a", 8), ConstraintError, r"0 to 7 unused bits.*X.690 8.6.2\)$"),
    "fewer than no unused bits": (lambda: BitString(b"a", -1), ConstraintError, "0 to 7 unused bits"),
    "unused bits that are set": (lambda: BitString(b"\xff", 1), ConstraintError, r"bits .* are zero \(X.690 11.2.1\)$"),
    "names of bits": (lambda: KeyUsage(["crl_sign"]), ValueError, r"combine its members with \|: digital_signature, "),
    "bits as keyword arguments": (
        lambda: KeyUsage(digital_signature=True, crl_sign=True, key_agreement=False),
        TypeError,
        r"^KeyUsage takes one value, .* members: write KeyUsage.digital_signature \| KeyUsage.crl_sign$",
    ),
    "one bit as a keyword argument": (
        lambda: KeyUsage(crl_sign=True), TypeError, r"members: write KeyUsage.crl_sign$"
    ),
    "bits that are not set": (lambda: KeyUsage(crl_sign=False), TypeError, r"members: write KeyUsage\(0\)$"),
    "no bits at all": (
        lambda: KeyUsage(), TypeError, r"write KeyUsage.digital_signature \| KeyUsage.non_repudiation$"
    ),
    "bits as arguments": (
        lambda: KeyUsage(KeyUsage.crl_sign, KeyUsage.key_agreement), TypeError, "takes one value, a combination of its"
    ),
    "a misspelt bit": (
        lambda: KeyUsage(digitalSignature=True), TypeError, "^KeyUsage has no bit .*; did you mean 'digital_signature'?"
    ),
    "a field of another type": (
        lambda: ReasonFlags(ca=True), TypeError, "^ReasonFlags has no bit 'ca'; it has unused, key_compromise,"
    ),
    "the name of an identifier": (
        lambda: ObjectIdentifier("id-ce-cRLNumber"), EncodeError, "IDENTIFIER; it is the name of 2.5.29.20$"
    ),
    "no name of an identifier": (lambda: ObjectIdentifier("1.2.x"), EncodeError, "is not a dotted OBJECT IDENTIFIER$"),
    "a tag number that is a text": (lambda: Tag("1"), derlib.SchemaError, "expected int for a tag number, got str$"),
    "a tag number that is a float": (lambda: Tag(1.5), derlib.SchemaError, "expected int for a tag number, got float$"),
    "a tag number that is a bool": (lambda: Tag(True), derlib.SchemaError, "expected int for a tag number, got bool$"),
    "a class of tags that there is not": (
        lambda: Tag(1, "contextual"), ValueError, "one of universal, application, context, private$"
    ),
    "a value of Null": (lambda: derlib.Null(), TypeError, "only value of its type: use derlib.NULL$"),
    "a date for a time": (lambda: Validity(not_before=date(2026, 1, 1), not_after=NOW), ConstraintError, "got date$"),
    "a number for a time": (lambda: Validity(not_before=1_700_000_000, not_after=NOW), ConstraintError, "got int$"),
    "a time before all": (
        lambda: Validity(not_before=FIRST, not_after=NOW), ConstraintError,
        "in UTC is outside the years 1 to 9999 of datetime$",
    ),
    "a time after all": (
        lambda: Validity(not_before=NOW, not_after=LAST), ConstraintError,
        "in UTC is outside the years 1 to 9999 of datetime$",
    ),
    "such a time where it has one form": (
        lambda: derlib.encode(LAST, derlib.GeneralizedTime),
        ConstraintError,
        "^9999-12-31 23:00:00-05:00 in UTC is outside the years 1 to 9999 of datetime$",
    ),
    "text of another form": (
        lambda: Validity(not_before="2026-01-31", not_after=NOW), ConstraintError, "such as '20260131120000Z'"
    ),
    "a name as text": (lambda: Name.of("CN=Example"), TypeError, "mapping or pairs"),
    "an empty attribute": (
        lambda: Name.of({"CN": ""}), ConstraintError, r"^rdn_sequence.*value: UTF8String has size 0, outside SIZE \(1"
    ),
    "an attribute of another type": (
        lambda: Name.of({"CN": 5}), ConstraintError, r"no alternative of .* \| UTF8String .* accepts this int$"
    ),
    "an unknown attribute": (lambda: Name.of({"Nonsense": "x"}), ValueError, "give CN, L, .* such as emailAddress"),
    "a misspelt attribute": (lambda: Name.of({"CommonName": "x"}), ValueError, "did you mean 'commonName'"),
    "PEM arguments the wrong way round": (lambda: pem.encode("ORDER", DER), TypeError, r"encode\(der, label\)"),
    "armour of a value": (
        lambda: pem.encode(Order.decode(DER), "ORDER"), TypeError, r"buffer, got Order; pass its \.encode\(\)$"
    ),
    "armour of a text": (lambda: pem.encode("text", "ORDER"), TypeError, "buffer, got str$"),
    "armour of DER": (lambda: pem.decode(DER), derlib.PEMError, "the data looks like DER, which needs no PEM decoding"),
    "armour of nothing": (lambda: pem.decode(b""), derlib.PEMError, "^no PEM block; the data is empty$"),
    "the name of a PEM file as text": (
        lambda: pem.one("a.pem"), derlib.PEMError, r"^no PEM block; .* Path\(name\)\.read_bytes\(\) reads it$"
    ),
    "the name of a PEM file": (lambda: pem.der_of(Path("a.pem")), TypeError, "buffer, got P.*Path; read a file first$"),
    "armour of a path": (lambda: pem.decode(Path("a.pem")), TypeError, "bytes or another buffer, got P.*Path"),
    "armour of a number": (lambda: pem.der_of(5), TypeError, "expected str, bytes or another buffer, got int"),
    "another label": (lambda: pem.decode(PEM, "CRL"), derlib.PEMError, 'labelled CRL; there is "ORDER"$'),
    "many other labels": (
        lambda: pem.decode("".join(pem.encode(DER, c) for c in "AABCDE"), "X", "Y"),
        derlib.PEMError,
        'labelled X or Y; there is "A" and "B" and "C" and "D" and others$',
    ),
    "fractions that select open types": (
        lambda: derlib.OpenTypes("TYPES", {1.5: int}), SchemaError, "^TYPES: 1.5 is not an OBJECT IDENTIFIER or an int$"
    ),
    "an optional field inside Annotated": (
        lambda: annotated_class(Sequence, "Made", {"x": (Annotated[int | None, Explicit(0)], None)}),
        SchemaError,
        r"write None outside of Annotated: 'x: Annotated\[...\] \| None = None'$",
    ),
    "a default of None": (
        lambda: annotated_class(Sequence, "Made", {"x": (int, None)}), SchemaError, r"; write '\| None = None'$"
    ),
    "a default outside its range": (
        lambda: annotated_class(Sequence, "Made", {"x": (Annotated[int, Range(0, 3)], 7)}),
        SchemaError,
        r"the default 7 is not a value of INTEGER: INTEGER 7 is outside \(0..3\) \(X.680 51.4\)$",
    ),
    "data first in a cache": (
        lambda: Cache({}).decode(DER, Order), TypeError, "data: expected bytes .*, got .*; the type comes first"
    ),
    "data for a key": (lambda: Cache({}).load(Order, DER), TypeError, r"a result of Cache.key \(str\), got bytes$"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_the_error_says_what_to_do(name: str) -> None:
    call, exception, words = MISTAKES[name]
    with pytest.raises(exception, match=words) as caught:
        call()
    assert type(caught.value) is exception
    assert len(str(caught.value)) < 300


def test_encode_to_rejects_a_text_file() -> None:
    with pytest.raises(TypeError):
        derlib.encode_to(io.StringIO(), 5, int)


@pytest.mark.parametrize("marker", [Explicit(0), Range(0, 5), Size(1)])
def test_a_marker_is_not_a_type(marker: Any) -> None:
    with pytest.raises(SchemaError, match=rf"is not a type; write Annotated\[type, {type(marker).__name__}\(...\)\]"):

        class Wrong(Sequence):
            field: marker


def test_the_error_for_a_misspelt_class_keyword_names_it() -> None:
    known = "expected tag, size, fields, extensible, automatic_tags or ber"
    with pytest.raises(SchemaError, match=f"'extensable' is not a class keyword; {known}$"):

        class Wrong(Sequence, extensable=True):  # type: ignore[call-arg]
            field: int


def test_a_base_class_may_have_class_keywords_of_its_own() -> None:
    class Versioned(Sequence):
        def __init_subclass__(cls, *, version: int = 0, **keywords: Any) -> None:
            super().__init_subclass__(**keywords)
            cls.version = version

    class Message(Versioned, version=5):
        field: int

    assert Message.version == 5
    assert Message(field=1).encode().hex() == "3003020101"


@pytest.mark.parametrize("value", [0, 3, 6])
def test_a_bit_is_not_written_by_its_number_alone(value: int) -> None:
    """ASN.1 writes ``seal (3)``; a member with that value would be two bits."""

    def declare() -> None:
        class Usage(NamedBits):
            sign = 1
            seal = value

        class Key(Sequence):
            usage: Annotated[Usage, Explicit(0)]

    with pytest.raises(SchemaError, match=rf"Usage.*: {value} is not one bit; bit number n is written 1 << n"):
        declare()


def test_a_member_may_be_several_bits_that_have_names() -> None:
    class Usage(NamedBits):
        sign = 1 << 0
        seal = 1 << 3
        both = sign | seal

    assert derlib.decode(Usage, derlib.encode(Usage.both, Usage)) is Usage.both
    assert derlib.encode(Usage.both, Usage).hex() == "03020490"
    assert Usage.both.names == ("sign", "seal")


def test_a_checkout_without_a_compiled_core_says_so(tmp_path: Path) -> None:
    shutil.copytree(
        Path(derlib.__file__).parent, tmp_path / "derlib", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    )
    # Without site-packages, because the finder of an editable install would find the core of the other checkout.
    command = [sys.executable, "-S", "-c", "import derlib"]
    found = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": ""}, capture_output=True, text=True, check=False)
    assert found.returncode == 1
    last = found.stderr.splitlines()[-1]
    assert last.startswith("ImportError: ")
    assert "is not compiled" in last
    assert "'make build' there, or start Python in another folder" in last


def test_a_missing_module_other_than_the_core_is_reported_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    python_import = builtins.__import__
    for missing, message in (("derlib._core", "is not compiled"), ("decimal", "No module named 'decimal'")):

        def lacking(name: str, *rest: Any, missing: str = missing) -> Any:
            if name == "derlib._core":
                raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)
            return python_import(name, *rest)

        with monkeypatch.context() as patched:
            patched.setattr(builtins, "__import__", lacking)
            with pytest.raises(ImportError, match=message):
                runpy.run_path(_import_check.__file__)
