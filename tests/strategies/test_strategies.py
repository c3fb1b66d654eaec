"""The strategies keep their promises for every class of derlib.schemas and for generated types."""

import contextlib
import functools
import json
import math
import operator
import pickle
import shutil
import subprocess
import sys
from random import Random
from types import FunctionType
from typing import Annotated, Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, seed, settings
from hypothesis import strategies as st
from support.examples import thorough
from support.generated import schemas
from support.schema_classes import EVERY_CLASS, draw_few_elements

import derlib
import derlib.schemas
from derlib import (
    Choice,
    Containing,
    DefinedBy,
    Deviation,
    Enumerated,
    ExactReal,
    Explicit,
    GeneralizedTime,
    Implicit,
    NamedBits,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    PrintableString,
    Range,
    SchemaError,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
    UTCTime,
)
from derlib.errors import ConstraintViolation
from derlib.inspect import Kind
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate, Extension, Name
from derlib.strategies import (
    Malformed,
    _constrained,
    _contents,
    _draw,
    _elements,
    _min_depth,
    encodings,
    malformed,
    values,
)


def shown(part: object) -> str:
    """Return the id of a parameter. The processes of a test run must agree on it, so it has no addresses."""
    return "wanted" if isinstance(part, FunctionType) else str(part)


# For examples of any size: they are not shrunk.
FIRST_FOUND = settings(
    max_examples=5000, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)


def check_value(cls: Any, value: Any, *, importable: bool = True) -> None:
    octets = derlib.encode(value, cls)
    assert value.encode() == octets
    assert cls.decode(octets) == value
    native = value.to_native()
    assert cls.from_native(native).encode() == octets
    text = value.to_json()
    json.loads(text)
    assert cls.from_json(text) == value
    if importable:
        assert pickle.loads(pickle.dumps(value)) == value


def check_malformed(type_: Any, bad: Malformed) -> None:
    with contextlib.suppress(derlib.UnrepresentableError):
        derlib.decode(type_, bad.original)
    with pytest.raises(derlib.DecodeError) as caught:
        derlib.decode(type_, bad.encoding)
    error = caught.value
    assert (error.kind, error.rule, error.path, error.offset) == (bad.kind, bad.rule, bad.path, bad.offset), bad


@EVERY_CLASS
def test_values_of_each_class_round_trip_in_every_format(cls, monkeypatch):
    draw_few_elements(monkeypatch)

    @thorough(15)
    @given(values(cls))
    def check(value):
        assert type(value) is cls
        check_value(cls, value)

    check()


@EVERY_CLASS
def test_malformed_predicts_the_error_for_each_class(cls, monkeypatch):
    draw_few_elements(monkeypatch)

    @thorough(30)
    @given(malformed(cls))
    def check(bad):
        check_malformed(cls, bad)

    check()


def test_a_string_of_an_opaque_open_type_can_contain_anything():
    table = OpenTypes("table", {"2.999.1": Annotated[OctetString, Containing(int)]}, on_mismatch="opaque")

    class Property(Sequence):
        kind: ObjectIdentifier
        value: Annotated[Any, DefinedBy("kind", table)]

    @thorough(100)
    @given(malformed(Property))
    def check(bad):
        check_malformed(Property, bad)

    check()


@thorough(150)
@given(schemas(), st.data())
def test_values_of_any_type_round_trip(cls, data):
    octets = data.draw(encodings(cls))
    assert cls.decode(octets).encode() == octets
    value = data.draw(values(cls))
    check_value(cls, value, importable=False)


@thorough(500)
@given(schemas(), st.data())
def test_malformed_predicts_the_error_for_any_type(cls, data):
    check_malformed(cls, data.draw(malformed(cls)))


EACH_BUT_OPEN_TYPE = functools.reduce(
    operator.or_, (deviation for deviation in Deviation if deviation is not Deviation.OPEN_TYPE)
)
TOLERABLE = [
    "boolean-true", "default-encoded", "integer-not-minimal", "length-not-minimal", "set-of-order", "set-order",
]


@thorough(300)
@given(schemas(), st.data())
def test_a_tolerated_deviation_is_recorded_with_its_offset(cls, data):
    bad = data.draw(malformed(cls, kinds=TOLERABLE))
    try:
        value = cls.decode(bad.encoding, tolerate=EACH_BUT_OPEN_TYPE)
    except ConstraintViolation as error:
        # Single values of constructed types are compared by their encodings (docs/deviations.md).
        if error.kind != "single-value":
            raise
        return
    # The list around the element can be out of order now, which is recorded, too.
    assert (bad.kind, bad.rule, bad.offset) in [(one.kind, one.rule, one.offset) for one in value.deviations]


class Tree(Sequence):
    number: int
    children: "SequenceOf[Tree]"


class Both(Choice):
    leaf: Annotated[int, Implicit(0)]
    branch: Annotated["Pair", Explicit(1)]


class Pair(Sequence):
    left: Both
    right: Both


EXPRESSIONS = [
    bool, int, str, bytes, derlib.TLV, derlib.Null, UTCTime, GeneralizedTime, UTCTime | GeneralizedTime,
    Annotated[UTCTime | GeneralizedTime, Explicit(0)], derlib.BitString | OctetString, ObjectIdentifier | str,
    SequenceOf[UTCTime | GeneralizedTime], SetOf[SetOf[int]], SequenceOf[Annotated[str, Size(1, 64)]],
    Annotated[int, Explicit(2**60 - 1, "private")], Annotated[bytes, Size(1000)], Annotated[str, Size(5000, 6000)],
    Annotated[SequenceOf[int], Size(200)], Tree, Both, Pair,
    derlib.Real, derlib.RelativeOID, derlib.OIDIRI, derlib.RelativeOIDIRI, derlib.ISOTime, derlib.Date,
    derlib.TimeOfDay, derlib.DateTime, derlib.Duration, derlib.Date | derlib.DateTime, SetOf[derlib.Real],
    derlib.External, derlib.EmbeddedPDV, derlib.CharacterString,
    Annotated[derlib.External | derlib.EmbeddedPDV, Explicit(2)], SequenceOf[Annotated[derlib.External, Implicit(0)]],
]


@pytest.mark.parametrize("hint", EXPRESSIONS, ids=str)
def test_any_type_expression_can_be_drawn(hint):
    @thorough(60)
    @given(values(hint), encodings(hint), malformed(hint))
    def check(value, octets, bad):
        again = derlib.decode(hint, derlib.encode(value, hint))
        assert again == value
        assert type(again) is type(value)
        derlib.parse(octets)
        check_malformed(hint, bad)

    check()


@pytest.mark.parametrize("cls", [Certificate, CertificateList], ids=lambda cls: cls.__name__)
def test_openssl_reads_encodings(cls):
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("openssl is not installed")

    @thorough(20)
    @given(encodings(cls))
    def check(octets):
        subprocess.run([program, "asn1parse", "-inform", "DER", "-noout"], input=octets, check=True,
                       capture_output=True)

    check()


# Types, and a property that one of their values must have.

STRICT = OpenTypes("STRICT", {"2.999.1": int, "2.999.2": PrintableString})
LENIENT = OpenTypes("LENIENT", {"2.999.1": int}, on_mismatch="opaque")


class Envelope(Sequence):
    kind: ObjectIdentifier
    content: Annotated[Any, OctetString, DefinedBy("kind", STRICT)]


class Attribute(Sequence):
    kind: ObjectIdentifier
    values: SetOf[Annotated[Any, DefinedBy("kind", LENIENT)]]


class Algorithm(Sequence):
    kind: ObjectIdentifier = ObjectIdentifier("2.999.2")
    parameters: Annotated[Any, DefinedBy("kind", STRICT), Explicit(0)] | None = None


class Signed(Sequence):
    algorithm: Algorithm
    signature: Annotated[Any, derlib.BitString, DefinedBy("algorithm.kind", STRICT)]


class Usage(NamedBits):
    sign = 1 << 0
    wrap = 1 << 2


class Colour(Enumerated):
    red = 0
    green = 1


class Item(Sequence):
    amount: Annotated[int, Range(-5, 300)] = 7
    note: str | None = None


WANTED = [
    (Annotated[int, Range(-5, 300)], lambda value: value == -5),
    (Annotated[int, Range(-5, 300)], lambda value: value == 300),
    (int, lambda value: value.bit_length() > 2000),
    (int, lambda value: value == -(2**63)),
    (bytes, lambda value: len(value) == 0),
    (bytes, lambda value: len(value) == 128),
    (bytes, lambda value: len(value) > 255),
    (Annotated[str, Size(3, 500)], lambda value: len(value) == 3),
    (Annotated[str, Size(3, 500)], lambda value: len(value) == 500),
    (derlib.BitString, lambda value: len(value) > 8 * 127),
    (derlib.BitString, lambda value: value.unused_bits == 3),
    (SequenceOf[int], lambda value: len(value) > 127),
    (Annotated[SequenceOf[int], Size(0, 40)], lambda value: len(value) == 40),
    (SetOf[int], lambda value: len(set(value)) >= 3),
    (UTCTime, lambda value: value.year == 1950),
    (UTCTime, lambda value: value.year == 2049 and value.month == 12 and value.second == 59),
    (GeneralizedTime, lambda value: value.year == 9999 and value.microsecond),
    (GeneralizedTime, lambda value: value.year == 1),
    (Usage, lambda value: value == 0),
    (Usage, lambda value: value > Usage.wrap),
    (Colour, lambda value: value is Colour.green),
    (Item, lambda value: value.amount == 7 and value.note is None),
    (Item, lambda value: value.amount == 8),
    (Envelope, lambda value: isinstance(value.content, str) and value.content),
    (Envelope, lambda value: isinstance(value.content, int) and value.content),
    (Envelope, lambda value: isinstance(value.content, bytes)),
    (Attribute, lambda value: {type(item) for item in value.values} == {int, derlib.TLV}),
    (Algorithm, lambda value: value.kind.dotted == "2.999.2" and isinstance(value.parameters, str)),
    (Signed, lambda value: isinstance(value.signature, int) and isinstance(value.algorithm.parameters, int)),
    (derlib.TLV, lambda value: value.tag.number >= 2**14 and value.children),
    (Tree, lambda value: value.children and value.children[0].children),
    (Extension, lambda value: value.critical and not isinstance(value.extn_value, bytes)),
    (derlib.Real, lambda value: value == -math.inf and not isinstance(value, ExactReal)),
    (derlib.Real, lambda value: value == 0 and math.copysign(1, value) == -1),
    (derlib.Real, lambda value: isinstance(value, ExactReal) and value.base == 10 and value.exponent < -(10**16)),
    (derlib.Real, lambda value: isinstance(value, ExactReal) and value.base == 2 and value.exponent == 2**63 - 1),
    (derlib.Real, lambda value: isinstance(value, ExactReal) and value.base == 2 and value.mantissa < -(2**500)),
    (derlib.Real, lambda value: not isinstance(value, ExactReal) and 0 < abs(value) < 1e-300),
    (derlib.RelativeOID, lambda value: len(value.arcs) == 1 and value.arcs[0] > 2**100),
    (derlib.OIDIRI, lambda value: value.count("/") == 3 and not value.isascii()),
    (derlib.Date, lambda value: value.year == 1582),
    (derlib.TimeOfDay, lambda value: value.isoformat() == "23:59:59"),
    (derlib.Duration, lambda value: "T" in value and "Y" in value and "." in value),
    (derlib.ISOTime, lambda value: value.startswith("R") and value.count("/") == 2 and "W" in value),
    (derlib.External, lambda value: value.direct_reference is not None and value.indirect_reference is None),
    (derlib.External, lambda value: value.direct_reference is None and value.data_value_descriptor is not None),
    (derlib.EmbeddedPDV, lambda value: "ContextNegotiation(" in repr(value)),
    (derlib.TLV, lambda value: value.tag.number == 8 and value.tag.tag_class == "universal"),
]


@pytest.mark.parametrize(("hint", "wanted"), WANTED, ids=shown)
def test_edge_cases_are_drawn(hint, wanted):
    find(values(hint), wanted, settings=FIRST_FOUND, random=Random(0))


BEYOND = [
    (GeneralizedTime, lambda octets: octets[2:6] == b"0000"),
    (GeneralizedTime, lambda octets: octets.endswith(b"60Z")),
    (derlib.TimeOfDay, lambda octets: octets.endswith(b"240000")),
    (derlib.DateTime, lambda octets: octets.endswith(b"60")),
    (derlib.Real, lambda octets: octets == b"\x09\x01\x42"),
]


@pytest.mark.parametrize(("hint", "wanted"), BEYOND, ids=shown)
def test_encodings_include_values_that_python_cannot_represent(hint, wanted):
    assert find(encodings(hint), wanted, random=Random(0))


# A type, a property, and the smallest value that has it.
SMALLEST = [
    (SequenceOf[int], lambda value: sum(value) > 1000, "SequenceOf[int]([1001])"),
    (str, lambda value: len(value) > 2, "'000'"),
    (Tree, lambda value: len(value.children) == 1, "Tree(number=0, children=SequenceOf[Tree]([Tree(number=0, "
     "children=SequenceOf[Tree]([]))]))"),
    (Item, lambda value: value.note is not None, "Item(amount=7, note='')"),
    (Both, lambda value: True, "Both(leaf=0)"),
    (Envelope, lambda value: isinstance(value.content, str),
     "Envelope(kind=ObjectIdentifier('2.999.2'), content='')"),
    (derlib.Real, lambda value: True, "0.0"),
    (derlib.OIDIRI, lambda value: True, "'/0'"),
]


def searches():
    """Return three seeded searches. Shrinking can stop early, so one of them must reach the smallest example."""
    return (Random(seed) for seed in (1, 2, 0))


@pytest.mark.parametrize(("hint", "wanted", "smallest"), SMALLEST, ids=shown)
def test_examples_shrink(hint, wanted, smallest):
    found = (repr(find(values(hint), wanted, random=random)) for random in searches())
    assert smallest in found


def test_the_simplest_certificate_is_small():
    # The first example is the simplest one, and shrinking ends there.
    first = settings(max_examples=1, phases=[Phase.generate])
    assert len(find(encodings(Certificate), lambda octets: True, settings=first)) < 110


def test_structures_shrink_to_a_few_bytes():
    found = (
        find(malformed(Name), lambda bad: bad.kind == "set-of-order", settings=thorough(3000), random=random)
        for random in searches()
    )
    assert any(len(bad.encoding) < 40 for bad in found)


class Endless(Sequence):
    more: "Endless"


def test_a_type_without_finite_values_is_a_schema_error():
    with pytest.raises(SchemaError, match="no value of finite size"):
        find(values(Endless), lambda value: True)
    with pytest.raises(SchemaError):
        values("int")


def test_each_primitive_kind_has_an_entry():
    elsewhere = {Kind.EXPLICIT, Kind.ANY, *_elements.FIELDS, *_elements.LISTS,
                 *_elements.CHOICES, *_elements.OPEN}
    assert set(Kind) == elsewhere | set(_contents.PRIMITIVES)


def test_a_kind_without_an_entry_is_a_schema_error(monkeypatch):
    monkeypatch.delitem(_contents.PRIMITIVES, Kind.NULL)
    for cached in (_contents.contents_of, _constrained.primitive, _min_depth.min_depths, _draw.elements):
        cached.cache_clear()
    with pytest.raises(SchemaError, match="cannot draw NULL: PRIMITIVES"):
        find(values(derlib.Null), lambda value: True)


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("import derlib, derlib.schemas.x509; print('hypothesis' in sys.modules)", "False"),
        ("sys.modules['hypothesis'] = None\ntry: import derlib.strategies\n"
         "except ImportError as error: print(error)", "derlib.strategies needs hypothesis: pip install hypothesis"),
    ],
)
def test_only_the_strategies_import_hypothesis(code, output):
    ran = subprocess.run([sys.executable, "-c", f"import sys\n{code}"], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == output


def test_an_import_error_inside_hypothesis_is_passed_on(tmp_path):
    (tmp_path / "hypothesis.py").write_text("import a_part_of_hypothesis")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\ntry: import derlib.strategies\n"
        "except ModuleNotFoundError as error: print(error)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "No module named 'a_part_of_hypothesis'\n"


@pytest.mark.parametrize("seed", [7, 28, 85, 126, 161])
def test_a_list_shrinks_to_the_relevant_element(seed):
    """Searches with these seeds begin with a list of the largest drawn size, which once did not shrink."""
    found = find(
        values(SequenceOf[int]), lambda numbers: max(numbers, default=0) > 100, random=Random(seed),
        settings=settings(database=None),
    )
    assert list(found) == [101]


def test_extensions_of_certificates_usually_have_known_identifiers() -> None:
    # The names and the key before them use up the budget.
    known: list[bool] = []

    @settings(max_examples=60, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(values(Certificate))
    def collect(certificate: Certificate) -> None:
        known.extend(each.extn_id.name != each.extn_id.dotted for each in certificate.extensions or ())

    collect()
    assert sum(known) > len(known) / 2 > 5


def test_a_property_of_certificates_sees_the_extensions_of_every_day() -> None:
    seen = {"keyUsage": 0, "basicConstraints": 0, "subjectAltName": 0, "dns_names": 0}

    @settings(max_examples=50, database=None, phases=[Phase.generate])
    @given(values(Certificate))
    def collect(certificate: Certificate) -> None:
        for name in seen:
            found = certificate.dns_names if name == "dns_names" else certificate.get(name)
            seen[name] += found not in (None, ())

    # Several short runs: the examples of one run are like each other, so two long runs can differ by a factor of three.
    for number in range(8):
        seed(number)(collect)()
    assert min(seen["keyUsage"], seen["basicConstraints"], seen["subjectAltName"]) >= 6, seen
    # About 70 of 400; a tenth is enough.
    assert seen["dns_names"] >= 40, seen
