"""`to_asn1` writes a module for any schema; compiling it gives the same types."""

from __future__ import annotations

import pickle
import re
import sys
import types
from types import ModuleType
from typing import Annotated, Any

import pytest
from asn1.comparison import Comparison
from asn1.modules import load, rfc_groups
from hypothesis import assume, given
from support import generated
from support.examples import thorough
from support.generated import schemas
from support.schema_classes import CLASSES

import derlib
from derlib import (
    Alphabet,
    ExactReal,
    Explicit,
    Extensible,
    Field,
    Implicit,
    OneOf,
    Range,
    Real,
    Sequence,
    Size,
    WithComponent,
    WithComponents,
    asn1,
    inspect,
)
from derlib.asn1.text.names import component_identifier, item_identifier
from derlib.asn1.text.values import NotationError

GROUPS = rfc_groups()


def round_trip(cls: Any) -> list[str]:
    """Return the differences between a type and the one that its text compiles to."""
    made = asn1.load(asn1.to_asn1(cls))
    # The name of a class of derlib, as Deviation, gets an underscore; a type that is not a class is named Type.
    names = [cls.__name__, f"{cls.__name__}_", "Type"] if isinstance(cls, type) else ["Type"]
    name = next(name for name in names if hasattr(made, name))
    return Comparison(markers=True).compare(getattr(made, name), cls, name)


class Reals(Sequence, automatic_tags=True):
    a: Real = "0.75"  # type: ignore[assignment]
    b: Real = 0.75
    c: Real = 1e300
    d: Real = -0.0
    e: Real = ExactReal(3, 2, 5000)


def test_defaults_of_real_keep_their_base() -> None:
    # X.680 21.6: a number in decimal notation has base 10.
    text = asn1.to_asn1(Reals)
    assert "REAL DEFAULT 0.75," in text
    assert "REAL DEFAULT { mantissa 3, base 2, exponent -2 }," in text
    again = asn1.load(text)
    assert asn1.to_asn1(again.Reals) == text
    for cls in (Reals, again.Reals):
        # The other numbers of the same size have another base, so they are encoded.
        assert cls(a="0.75", b=0.75, c=1e300, d=-0.0, e=ExactReal(3, 2, 5000)).encode() == bytes.fromhex("3000")
        assert cls(a=0.75, b="0.75").encode().hex() == "300e800380fe03810703" + b"75.E-2".hex()


def test_a_module() -> None:
    class Colour(derlib.Enumerated, extensible=True):
        red = 0
        dark_blue = 5

    class Flags(derlib.NamedBits):
        first = 1 << 0
        last = 1 << 4

    class Inner(derlib.Choice):
        number: Annotated[int, Range(0, 9)]
        names: Annotated[derlib.SetOf[derlib.PrintableString], Size(1, None), Implicit(3)]

    class Outer(derlib.Sequence, extensible=True):
        kind_of_thing: Colour = Colour.dark_blue
        flags: Annotated[Flags, Implicit(0)] | None = None
        inner: Annotated[Inner, Explicit(1)]
        code: Annotated[derlib.IA5String, Alphabet("A-F"), Size(4)] = "AAAA"

    text = asn1.to_asn1(Outer, module="Example")
    assert (
        text
        == """\
Example DEFINITIONS EXPLICIT TAGS ::= BEGIN

Outer ::= SEQUENCE {
    kindOfThing   Colour DEFAULT darkBlue,
    flags         [0] IMPLICIT Flags OPTIONAL,
    inner         [1] Inner,
    code          IA5String (SIZE (4)) (FROM ("A".."F")) DEFAULT "AAAA",
    ... }

Colour ::= ENUMERATED { red(0), darkBlue(5), ... }

Flags ::= BIT STRING { first(0), last(4) }

Inner ::= CHOICE {
    number   INTEGER (0..9),
    names    [3] IMPLICIT SET (SIZE (1..MAX)) OF PrintableString }

END
"""
    )
    assert round_trip(Outer) == []


TABLE = derlib.OpenTypes("TABLE", {"1.2": int, "1.4": derlib.TLV}, on_mismatch="opaque")


def holder_of(place: Any, kind: str, content: Any) -> Any:
    """Return a class with a DEFAULT that has an open type in a place: an element or a string."""

    class Inner(derlib.Sequence):
        kind: derlib.ObjectIdentifier
        contents: derlib.SetOf[Annotated[Any, place, derlib.DefinedBy("kind", TABLE)]]

    class Outer(derlib.Sequence):
        inner: Inner = Inner(kind=kind, contents=[content])

    return Outer


NULL_ELEMENT = derlib.parse(b"\5\0")
OPEN_STRINGS: list[tuple[Any, str, Any, str]] = [
    (derlib.OctetString, "1.2", 5, "'020105'H"),
    (derlib.BitString, "1.2", 5, "'020105'H"),
    (derlib.OctetString, "1.4", NULL_ELEMENT, "'0500'H"),
    # The object set is extensible, so another key can have any type.
    (derlib.OctetString, "1.3", b"\5\0", "'0500'H"),
    (derlib.BitString, "1.3", derlib.BitString(b"\5\0"), "'0500'H"),
]


@pytest.mark.parametrize(("place", "kind", "content", "text"), OPEN_STRINGS)
def test_defaults_with_an_encoding_in_a_string(place: Any, kind: str, content: Any, text: str) -> None:
    cls = holder_of(place, kind, content)
    written = asn1.to_asn1(cls)
    assert f"contents {{ {text} }} }}" in written
    assert asn1.load(written).Outer().inner.encode() == cls().inner.encode()


WITHOUT_NOTATION: list[tuple[Any, str, Any, str]] = [
    # X.682 11: the contents of a string with CONTAINING are an encoding.
    (derlib.OctetString, "1.3", b"zz",
     "b'zz', which is not an encoding, after CONTAINING (X.682 11): at offset 0: ANY (7a 7a) declares 122"),
    (derlib.OctetString, "1.3", b"",
     "b'', which is not an encoding, after CONTAINING (X.682 11): at offset 0: the input ends"),
    (derlib.BitString, "1.3", b"zz",
     "b'zz', which is not an encoding, after CONTAINING (X.682 11): at offset 0: ANY (7a 7a) declares 122"),
    # As whole octets, it is an encoding, and was written so.
    (derlib.BitString, "1.3", derlib.BitString(b"\5\0", 1),
     "b'\\x05\\x00', which is not an encoding, after CONTAINING (X.682 11): it has 15 bits"),
    # X.682 10: the object set gives the type for a key that it has.
    (derlib.OctetString, "1.2", NULL_ELEMENT,
     "b'\\x05\\x00', which is not of its type, in ASN.1 notation (X.682 10)"),
    (derlib.BitString, "1.2", NULL_ELEMENT,
     "b'\\x05\\x00', which is not of its type, in ASN.1 notation (X.682 10)"),
]  # fmt: skip


@pytest.mark.parametrize(("place", "kind", "content", "reason"), WITHOUT_NOTATION)
def test_defaults_without_an_encoding_in_a_string(place: Any, kind: str, content: Any, reason: str) -> None:
    """They were written, but X.682 does not allow them: the compiler rejected them, or read another value."""
    with pytest.raises(
        NotationError, match=re.escape(f"Outer.inner.contents[0]: derlib cannot write {reason}")
    ) as caught:
        asn1.to_asn1(holder_of(place, kind, content))
    assert caught.value.path == ("Outer", "inner", "contents", 0)
    assert caught.value.detail.startswith(f"derlib cannot write {reason}")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.path) == (str(caught.value), caught.value.path)


def test_a_default_that_is_not_of_its_type_cannot_be_written() -> None:
    class Inner(derlib.Sequence):
        kind: derlib.ObjectIdentifier
        content: Annotated[Any, derlib.DefinedBy("kind", TABLE)]

    def text(content: object) -> str:
        class Outer(derlib.Sequence):
            inner: Inner = Inner(kind="1.2", content=content)

        return asn1.to_asn1(Outer)

    def text_inside_a_string(content: object) -> str:
        class Outer(derlib.Sequence):
            inner: Annotated[derlib.OctetString, derlib.Containing(Inner)] = Inner(kind="1.2", content=content)  # type: ignore[assignment]

        return asn1.to_asn1(Outer)

    assert "DEFAULT { kind {1 2}, content INTEGER : 5 }" in text(5)
    assert "DEFAULT '300606012A020105'H" in text_inside_a_string(5)
    for write in (text, text_inside_a_string):
        with pytest.raises(ValueError, match=r"Outer\.inner\.content: derlib cannot .*, which is not of its type"):
            write(NULL_ELEMENT)


def groups_of_classes() -> list[list[Any]]:
    """Return the classes of the schemas in groups in which each has its own name, which it keeps in a module."""
    groups: list[dict[str, Any]] = []
    for cls in CLASSES:
        group = next((each for each in groups if cls.__name__ not in each), None)
        if group is None:
            groups.append({cls.__name__: cls})
        else:
            group[cls.__name__] = cls
    return [list(group.values()) for group in groups]


def sizes(text: str) -> dict[str, int]:
    """Return the number of characters that the definition of each type of a module needs, with those that it uses."""
    definitions = {part.split()[0].replace("-", "_"): part for part in text.split("\n\n")[1:-1]}
    used = {
        name: {each.replace("-", "_") for each in re.findall(r"\b[A-Z][\w-]*", part)} & definitions.keys()
        for name, part in definitions.items()
    }
    found = {}
    for name in definitions:
        needed, todo = {name}, [name]
        while todo:
            new = used[todo.pop()] - needed
            needed |= new
            todo.extend(new)
        found[name] = sum(len(definitions[each]) for each in needed)
    return found


@pytest.mark.parametrize("classes", groups_of_classes(), ids=lambda classes: f"{len(classes)} classes")
def test_every_class_of_the_schemas(classes: list[Any]) -> None:
    # Half of the classes refer to all extensions, in 130,000 characters: they are compiled together, the others alone,
    # too.
    text = asn1.to_asn1(*classes)
    made = asn1.load(text)
    size = sizes(text)
    comparison = Comparison(markers=True)
    for cls in classes:
        name = next(name for name in (cls.__name__, f"{cls.__name__}_") if hasattr(made, name))
        assert comparison.compare(getattr(made, name), cls, name) == []
        if size[cls.__name__] < 10_000:
            assert round_trip(cls) == []


def test_values_of_real_inside_a_default() -> None:
    class Number(derlib.Sequence):
        kind: derlib.ObjectIdentifier
        value: Annotated[Any, derlib.DefinedBy("kind", derlib.OpenTypes("T", {"2.999.1": derlib.Real}))]

    class Holder(derlib.Sequence):
        number: Number = Number(kind="2.999.1", value=1.0)

    assert round_trip(Holder) == []


def test_random_schemas(monkeypatch: pytest.MonkeyPatch) -> None:
    # Others are keywords of Python, or have characters that no identifier has: `to_asn1` rejects them.
    monkeypatch.setattr(generated, "FIELD_NAMES", ("first", "second", "number", "kind"))
    # The compiler leaves out the lower bound of named bits, whose trailing zero bits do not count (X.680 22.7).
    allowed = re.compile(r": size 0\.\.(\w+), not \d+\.\.\1$")

    @thorough(300)
    @given(schemas())
    def check(cls: Any) -> None:
        try:
            text = asn1.to_asn1(cls)
        except ValueError as error:
            # A value can be an element of an unknown type, or of a union inside a value.
            assume("derlib cannot write" not in str(error) or "the name" in str(error))
            raise
        made = asn1.load(text)
        found = Comparison(markers=True).compare(
            made.Type if hasattr(made, "Type") else getattr(made, cls.__name__), cls, "T"
        )
        assert [line for line in found if not allowed.search(line)] == []

    check()


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_compiled_modules_of_rfcs(group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code, _ = asn1.compile_sources(GROUPS[group])
    made = ModuleType(f"compiled_{group}")
    monkeypatch.setitem(sys.modules, made.__name__, made)
    exec(code, vars(made))
    classes = [value for value in vars(made).values() if isinstance(value, type) and hasattr(value, "__plan__")]
    classes = [cls for cls in classes if cls.__module__ == made.__name__]
    again = asn1.load(asn1.to_asn1(*classes))
    comparison = Comparison(markers=True)
    for cls in classes:
        assert comparison.compare(getattr(again, cls.__name__), cls, cls.__name__) == []


@pytest.mark.parametrize(
    "type_",
    [
        Annotated[int, Range(0, 5) | Range(10, None)],
        Annotated[int, ~OneOf(3)],
        Annotated[bytes, Size(4) | Size(16)],
        Annotated[derlib.SequenceOf[int], WithComponent(Range(0, 9)), Size(2, 3)],
        Annotated[derlib.IA5String, Alphabet("\t -~")],
        Annotated[derlib.BMPString, Alphabet("a-zα-ω")],
        Annotated[derlib.UTF8String, OneOf('say "yes"', "no")],
        int | bool | derlib.SequenceOf[derlib.Null],
        derlib.External,
        derlib.TLV,
        Annotated[derlib.OctetString, derlib.Containing(int)],
    ],
    ids=str,
)
def test_types_without_a_name(type_: Any) -> None:
    assert round_trip(type_) == []


DEFAULTS: list[tuple[Any, Any, str]] = [
    (bool, True, "TRUE"),
    (int, -5, "-5"),
    (derlib.OctetString, b"\x0a\xbc", "'0ABC'H"),
    (derlib.BitString, derlib.BitString(b"\xa0", 4), "'1010'B"),
    (derlib.BitString, derlib.BitString(b"", 0), "''B"),
    (derlib.ObjectIdentifier, derlib.ObjectIdentifier("2.999.3"), "{2 999 3}"),
    (str, 'say "yes"', '"say ""yes"""'),
    (derlib.Null, derlib.NULL, "NULL"),
    (derlib.SequenceOf[int], [1, 2], "{ 1, 2 }"),
    (derlib.SequenceOf[int], [], "{ }"),
    (derlib.Real, float("-inf"), "MINUS-INFINITY"),
    # X.680 34.3 has no braces for these types, so a soft hyphen is in the text.
    (derlib.OIDIRI, "/ISO/a\xadb", '"/ISO/a\xadb"'),
    (derlib.RelativeOIDIRI, "a\xadb", '"a\xadb"'),
]


@pytest.mark.parametrize(("type_", "value", "text"), DEFAULTS, ids=[row[2] for row in DEFAULTS])
def test_defaults(type_: Any, value: Any, text: str) -> None:
    fields: dict[str, Any] = {"__annotations__": {"x": type_}, "x": value, "__module__": __name__}
    cls = type("Holder", (derlib.Sequence,), fields)
    assert f"DEFAULT {text} }}" in asn1.to_asn1(cls)
    assert round_trip(cls) == []


CONTROLS: list[tuple[Any, str, str]] = [
    (derlib.IA5String, "\0abc", '{ {0, 0}, "abc" }'),
    (derlib.IA5String, "\r\n", "{ {0, 13}, {0, 10} }"),
    (derlib.IA5String, "\x7f", "{ {7, 15} }"),
    (derlib.UTF8String, 'a"\n\u2028', '{ "a""", {0, 0, 0, 10}, {0, 0, 32, 40} }'),
    (derlib.UTF8String, "\U000e0001", "{ {0, 14, 0, 1} }"),
    (derlib.BMPString, "\t", "{ {0, 0, 0, 9} }"),
    (derlib.GeneralString, "a\x1b", '{ "a", {0, 0, 0, 27} }'),
    # It is a GraphicString with another tag (X.680 48.3).
    (derlib.ObjectDescriptor, "\x1b", "{ {0, 0, 0, 27} }"),
]


@pytest.mark.parametrize(("type_", "value", "text"), CONTROLS, ids=[row[2] for row in CONTROLS])
def test_characters_that_cannot_be_printed(type_: Any, value: str, text: str) -> None:
    cls = types.new_class("Holder", (derlib.Sequence,), {"fields": [Field("x", type_, default=value)]})
    assert f"DEFAULT {text} }}" in asn1.to_asn1(cls)
    assert round_trip(cls) == []
    assert asn1.load(asn1.to_asn1(cls)).Holder().x == value
    one = Annotated[type_, OneOf(value)]
    assert f"({text})" in asn1.to_asn1(one).replace("((", "(").replace("))", ")")
    assert round_trip(one) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tbsCertificate", "tbsCertificate compiles to tbs_certificate"),
        ("CN", "cn compiles to cn"),
        ("größe", "grE compiles to gr_e"),
    ],
)
def test_names_without_an_identifier_are_an_error(name: str, message: str) -> None:
    """They became other names, so that the text compiled to another class."""
    message = f"derlib cannot write the name {name!r} in ASN.1 notation: {message}; rename it"
    members = {name: 0}
    for field in (
        Field(name, int),
        Field("x", derlib.Enumerated("Kind", members)),
        Field("x", derlib.NamedInteger("Kind", members)),
    ):
        for base in (derlib.Sequence, derlib.Choice):
            cls = types.new_class("Holder", (base,), {"fields": [field]})
            with pytest.raises(ValueError, match=re.escape(message)):
                asn1.to_asn1(cls)


def test_a_class_with_two_explicit_tags_is_a_reference() -> None:
    made = load("A ::= [1] SEQUENCE { a [2] A OPTIONAL, b [3] B OPTIONAL } B ::= [4] A")
    text = asn1.to_asn1(made.A)
    assert "a   [2] A OPTIONAL" in text
    assert asn1.to_asn1(asn1.load(text).A) == text


def test_names_that_asn1_reserves_get_a_number() -> None:
    class SET(derlib.Sequence):  # the name of a class, which ASN.1 reserves
        class_: int
        if_: bool = False
        a_1: int = 0

    text = asn1.to_asn1(SET)
    assert "SET-2 ::= SEQUENCE {" in text
    assert "class   INTEGER" in text
    assert Comparison().compare(asn1.load(text).SET_2, SET, "SET") == []


@pytest.mark.parametrize(
    "name", ["tbs_cert_list", "crl_number", "a_1", "x509", "utf8_string", "ca", "encode_", "class_"]
)
def test_identifiers_compile_to_the_same_names(name: str) -> None:
    made = load(f"T ::= SEQUENCE {{ {component_identifier(name)} INTEGER }}")
    assert [field.name for field in derlib.fields(made.T)] == [name]
    if name == "encode_":
        # Only a class with methods needs the underscore.
        with pytest.raises(ValueError, match="encode compiles to encode; rename it"):
            item_identifier(name)
        return
    made = load(f"T ::= ENUMERATED {{ {item_identifier(name)}(0) }}")
    assert list(made.T.__members__) == [name]


def test_open_types_become_an_object_set() -> None:
    table = derlib.OpenTypes("MY_TYPES", {"2.999.1": int, "2.999.2": derlib.SequenceOf[bool]})

    class Typed(derlib.Sequence):
        kind: derlib.ObjectIdentifier
        value: Annotated[Any, derlib.DefinedBy("kind", table)]

    text = asn1.to_asn1(Typed)
    assert "kind    TYPE-IDENTIFIER.&id ({MyTypes})" in text
    assert "value   TYPE-IDENTIFIER.&Type ({MyTypes}{@kind})" in text
    assert "{ SEQUENCE OF BOOLEAN IDENTIFIED BY {2 999 2} }," in text
    assert round_trip(Typed) == []


NOTE = Field("note", Annotated[str, Implicit(0)], optional=True)
NUMBER = Field("number", Annotated[int, Implicit(1)], default=5)
NULL = Field("null", derlib.Null)

MARKERS: list[tuple[Any, list[Any], str]] = [
    # the base class, its fields and markers, the names of the components in the text
    (derlib.Sequence, [NULL, ...], "null ..."),
    (derlib.Sequence, [NULL, ..., NOTE], "null ... note"),
    (derlib.Sequence, [..., NOTE, NUMBER], "... note number"),
    (derlib.Sequence, [NUMBER, ..., NOTE, ..., NULL], "number ... note ... null"),
    (derlib.Sequence, [NUMBER, ..., ..., NULL], "number ... ... null"),
    (derlib.Sequence, [NUMBER, ..., NOTE, ...], "number ... note"),
    (derlib.Sequence, [..., NOTE, ..., NULL], "... note ... null"),
    (derlib.Set, [NUMBER, ..., NOTE], "number ... note"),
    (derlib.Set, [NUMBER, ..., NOTE, ..., NULL], "number ... note ... null"),
    (derlib.Choice, [NULL, ...], "null ..."),
    (derlib.Choice, [NULL, ..., Field("b", bool), Field("i", int)], "null ... b i"),
    # X.680 29.1 has neither a CHOICE of additions only, nor alternatives after a second marker.
    (derlib.Choice, [..., NULL, Field("b", bool)], "null b ..."),
    (derlib.Choice, [NULL, ..., Field("b", bool), ..., Field("i", int)], "null b i ..."),
    # Additions come together: X.680 25.1 has only one place for them.
    (derlib.Sequence, [..., NOTE, ..., NUMBER, Field("late", bool, default=False, addition=True)],
     "note number ... late"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("base", "fields", "expected"), MARKERS, ids=[f"{base.__name__}: {text}" for base, _, text in MARKERS]
)
def test_extension_markers_and_additions(base: Any, fields: list[Any], expected: str) -> None:
    cls = types.new_class("Marked", (base,), {"fields": fields})
    text = asn1.to_asn1(cls)
    assert " ".join(re.findall(r"^    ([a-z]+|\.\.\.)", text, re.MULTILINE)) == expected
    assert Comparison().compare(asn1.load(text).Marked, cls, "Marked") == []
    names = expected.split("... ")[1].split() if "... " in expected else []
    made = derlib.fields(asn1.load(text).Marked)
    assert [field.name for field in made if field.addition] == names


def test_additions_of_annotated_classes() -> None:
    class Hello(derlib.Sequence, extensible=True):
        version: int
        note: Annotated[str, Implicit(0), derlib.Addition()] | None = None

    class Longer(Hello):
        last: bool

    class Gap(derlib.Sequence, extensible="last"):
        version: int
        last: bool

    assert "version   INTEGER,\n    ...,\n    note      [0] IMPLICIT UTF8String OPTIONAL }" in asn1.to_asn1(Hello)
    assert "    note      [0] IMPLICIT UTF8String OPTIONAL,\n    ...,\n    last      BOOLEAN }" in asn1.to_asn1(Longer)
    assert "    version   INTEGER,\n    ...,\n    ...,\n    last      BOOLEAN }" in asn1.to_asn1(Gap)
    for cls in (Hello, Longer, Gap):
        assert round_trip(cls) == []
    made = asn1.load(asn1.to_asn1(Longer)).Longer
    octets = bytes.fromhex("300c 020109 800161 850100 0101ff")
    assert made.decode(octets).to_native() == Longer.decode(octets).to_native()


class Row(derlib.SequenceOf[int], size=Size(1, 9)):
    pass


class Ticket(derlib.Sequence, tag=Explicit(1, "application")):
    number: int


EXTENSIBLE: list[tuple[Any, str]] = [
    (Annotated[int, Extensible(Range(0, 9))], "INTEGER (0..9, ...)"),
    (Annotated[int, Range(0, 99), Extensible(Range(0, 9) | OneOf(12))], "INTEGER (0..99) ((0..9) | (12), ...)"),
    (Annotated[int, Extensible(Range(0, 9)), Extensible(~OneOf(3))], "INTEGER (0..9, ...) (ALL EXCEPT (3), ...)"),
    (Annotated[bytes, Extensible(Size(1, 4)), Implicit(0)], "[0] IMPLICIT OCTET STRING (SIZE (1..4), ...)"),
    (Annotated[bytes, Extensible(Size(1, 4)), Explicit(0)], "[0] OCTET STRING (SIZE (1..4), ...)"),
    (
        Annotated[derlib.ObjectIdentifier, Extensible(OneOf("2.999.1"))],
        # "({" begins a table constraint.
        "OBJECT IDENTIFIER (({2 999 1}), ...)",
    ),
    (
        Annotated[derlib.OctetString, derlib.Containing(int), Extensible(Size(3))],
        "OCTET STRING (CONTAINING INTEGER) (SIZE (3), ...)",
    ),
    (
        Annotated[int, Extensible(Range(0, 9))] | Annotated[str, Extensible(Alphabet("a-z"))],
        'CHOICE {\n    integer      INTEGER (0..9, ...),\n    utf8string   UTF8String (FROM ("a".."z"), ...) }',
    ),
    (
        Annotated[derlib.SetOf[Annotated[int, Extensible(Range(0, 9))]], Size(3)],
        "SET (SIZE (3)) OF INTEGER (0..9, ...)",
    ),
    (Annotated[derlib.SetOf[int], Extensible(Size(1))], "SET (SIZE (1), ...) OF INTEGER"),
    (
        Annotated[derlib.SetOf[int], Extensible(Size(1)), Extensible(WithComponent(Range(0, 9)))],
        "SET ((SIZE (1)) ^ (WITH COMPONENT (0..9)), ...) OF INTEGER",
    ),
    # Only one constraint can be before OF, and as a part of it, the extensible one would make all of it extensible.
    (Annotated[derlib.SetOf[int], Size(1, 9), Extensible(Size(1))], "SET (SIZE (1..9)) OF INTEGER"),
    (Annotated[Row, Extensible(Size(1, 2))], "Row (SIZE (1..2), ...)"),
    (Annotated[Ticket, Extensible(WithComponents(number=OneOf(1)))],
     "Ticket (WITH COMPONENTS { ..., number (1) }, ...)"),
    (Annotated[Ticket, WithComponents(number=OneOf(1))], "Ticket (WITH COMPONENTS { ..., number (1) })"),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "expected"), EXTENSIBLE, ids=[row[1] for row in EXTENSIBLE])
def test_constraints_with_an_extension_marker(type_: Any, expected: str) -> None:
    assert f"Type ::= {expected}\n" in asn1.to_asn1(type_)
    assert round_trip(type_) == []


def test_an_explicit_tag_keeps_the_constraint_outside_of_it() -> None:
    made = asn1.load(asn1.to_asn1(Annotated[Ticket, WithComponents(number=OneOf(1))]))
    assert derlib.encode({"number": 1}, made.Type) == Ticket(number=1).encode()
    with pytest.raises(derlib.ConstraintError):
        derlib.encode({"number": 2}, made.Type)


def test_mistakes() -> None:
    with pytest.raises(ValueError, match="is not the name of a module"):
        asn1.to_asn1(int, module="shop")
    with pytest.raises(derlib.SchemaError):
        asn1.to_asn1(int, 5)
    assert asn1.to_asn1(module="Empty") == "Empty DEFINITIONS EXPLICIT TAGS ::= BEGIN\n\nEND\n"


def test_the_text_is_the_same_each_time() -> None:
    assert asn1.to_asn1(*CLASSES[:40]) == asn1.to_asn1(*CLASSES[:40])
    assert inspect.type_info(CLASSES[0])
