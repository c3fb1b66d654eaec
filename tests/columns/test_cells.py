"""Cells that are not the values themselves, and columns whose values can be at several places."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import arrow

import derlib
from derlib import Column, DefinedBy, Explicit, ObjectIdentifier, OpenTypes, Sequence, SequenceOf, SetOf
from derlib._core import ColumnLeaf, ColumnProgram, ColumnStep, ColumnStream
from derlib.schemas.cms import ContentInfo, SignedData
from derlib.schemas.x509 import SubjectPublicKeyInfo

KINDS = OpenTypes("KINDS")


class Number(Sequence):
    number: int


class Algorithm(Sequence):
    algorithm: ObjectIdentifier
    parameters: Annotated[Any, DefinedBy("algorithm", KINDS)] | None = None


class Key(Sequence):
    algorithm: Annotated[Algorithm, Explicit(0)]
    key: Annotated[derlib.OctetString, DefinedBy("algorithm.algorithm", KINDS)]
    more: SequenceOf[Algorithm] | None = None
    inner: Annotated[Key, Explicit(1)] | None = None


KINDS.register("1.2.3", Number)
KINDS.register("1.2.4", int)
KINDS.register("1.2.5", SequenceOf[Algorithm])


def read(type: Any, data: Any, **paths: Any) -> dict[str, list[Any]]:
    return arrow.table(derlib.columns(type, data, paths))


@given(st.lists(st.integers() | st.sampled_from([s << n for n in (0, 1, 7, 8, 63, 64, 900) for s in (1, -1)])))
def test_bits_are_those_of_int(numbers):
    data = derlib.encode(numbers, SequenceOf[int])
    bits = [number.bit_length() for number in numbers]
    assert read(SequenceOf[int], data, bits=Column("[*]", "bits")) == {"bits": bits}
    assert read(SequenceOf[int], data, bits=Column("[]", "bits")) == {"bits": [bits]}


@given(st.lists(st.integers() | st.sampled_from([s << n for n in (0, 7, 8, 15, 16, 63, 64, 900) for s in (1, -1)])))
def test_hexadecimal_has_an_even_number_of_digits(numbers):
    data = derlib.encode(numbers, SequenceOf[int])
    texts = []
    for number in numbers:
        digits = f"{abs(number):x}"
        texts.append(f"{'-0x' if number < 0 else '0x'}{'0' * (len(digits) % 2)}{digits}")
    column = Column("[*]", "hexadecimal")
    assert derlib.columns(SequenceOf[int], b"", {"a": column}).schema == {"a": "utf8"}
    assert read(SequenceOf[int], data, a=column) == {"a": texts}
    assert read(SequenceOf[int], data, a=Column("[]", "hexadecimal")) == {"a": [texts]}


def test_only_integers_are_hexadecimal():
    with pytest.raises(ValueError, match="has the type binary or encoding or offset or size, not hexadecimal"):
        derlib.columns(Key, b"", {"a": Column("key", "hexadecimal")})


def test_a_duration_has_its_p():
    text = "P29M20DT3H50M"
    data = derlib.encode([text], SequenceOf[derlib.Duration])
    assert read(SequenceOf[derlib.Duration], data, text="[*]") == {"text": [text]}


def algorithm(oid: str, parameters: Any = None) -> dict[str, Any]:
    return {"algorithm": oid, "parameters": parameters}


KEYS = [
    Key(algorithm=algorithm("1.2.3", {"number": 5}), key={"number": 6}),
    Key(algorithm=algorithm("1.2.4", 7), key=8, more=[algorithm("1.2.3", {"number": 9}), algorithm("1.2.4", 10)]),
    Key(algorithm=algorithm("1.2.3"), key={"number": -1}, more=[], inner=Key(algorithm=algorithm("1.2.4"), key=1)),
]
SIGNED_DATA = SignedData(
    version=1, digest_algorithms=[], encap_content_info={"e_content_type": "1.2.840.113549.1.7.1"}, signer_infos=[]
)
DATA = [key.encode() for key in KEYS]


@pytest.mark.parametrize(
    ("path", "expected"),
    {
        # A key of the SEQUENCE itself, or of what selects the type of its open type.
        '["1.2.3"].number': [6, None, -1],
        '["1.2.4"].key': [None, 8, None],
        'algorithm["1.2.3"].number': [5, None, None],
        'algorithm["1.2.4"].parameters': [None, 7, None],
        'more["1.2.3"].number': [None, 9, None],
        'more[]["1.2.3"].number': [None, [9], []],
        'more[]["1.2.4"].parameters': [None, [10], []],
        'inner["1.2.4"].key': [None, None, 1],
        # Each of two places can have the value.
        ('["1.2.3"].number', '["1.2.4"].key'): [6, 8, -1],
        ('algorithm["1.2.3"].number', 'inner["1.2.4"].key', 'algorithm["1.2.4"].parameters'): [5, 7, 1],
        (Column('["1.2.3"].number', "bits"), '["1.2.4"].key'): [3, 8, 1],
        # One value is a list of one item.
        ('more[]["1.2.4"].parameters', '["1.2.3"].number'): [[6], [10], [-1]],
    }.items(),
)
def test_values_that_a_key_selects(path, expected):
    assert read(Key, DATA, value=path if isinstance(path, str) else Column(path)) == {"value": expected}
    rows = derlib.encode(KEYS, SequenceOf[Key])
    if not isinstance(path, tuple):
        path = path if path.startswith("[") else f".{path}"
        assert read(SequenceOf[Key], rows, value=f"[*]{path}") == {"value": expected}


class Tagged(Sequence):
    """Explicit tags around the key and the value."""

    kind: Annotated[ObjectIdentifier, Explicit(0)]
    value: Annotated[Any, DefinedBy("kind", KINDS), Explicit(1)]


class Attribute(Sequence):
    kind: ObjectIdentifier
    values: Annotated[SetOf[Annotated[Any, DefinedBy("kind", KINDS)]], Explicit(0)]


class Nested(SequenceOf["Nested"]):
    """A list of lists of itself."""


class WithNested(Sequence):
    kind: ObjectIdentifier
    nested: Nested


@pytest.mark.parametrize(
    ("path", "expected"),
    {
        '["1.2.3"].number': [5, None],
        '["1.2.4"]': [None, 6],
        '["1.2.4"].kind': [None, "1.2.4"],
    }.items(),
)
def test_a_key_selects_a_value_in_an_explicit_tag(path, expected):
    values = [Tagged(kind="1.2.3", value={"number": 5}), Tagged(kind="1.2.4", value=6)]
    assert read(Tagged, [value.encode() for value in values], value=path) == {"value": expected}
    rows = derlib.encode(values, SequenceOf[Tagged])
    assert read(SequenceOf[Tagged], rows, value=f"[*]{path}") == {"value": expected}
    assert read(SequenceOf[Tagged], rows, value=f"[1]{path}") == {"value": expected[1:]}
    # The first element with the key.
    assert read(SequenceOf[Tagged], rows, value=path) == {"value": [one for one in expected if one is not None]}


def test_a_key_selects_the_version_of_signed_data():
    data = ContentInfo(content_type="1.2.840.113549.1.7.2", content=SIGNED_DATA).encode()
    assert read(ContentInfo, data, version='["1.2.840.113549.1.7.2"].version') == {"version": [1]}
    with pytest.raises(KeyError, match=r"\[OBJECT IDENTIFIER\], instead of the field, selects"):
        read(ContentInfo, data, version="content.version")


def test_a_key_selects_the_values_of_an_attribute():
    rows = derlib.encode([{"kind": "1.2.4", "values": [7, 8]}, {"kind": "1.2.3", "values": []}], SequenceOf[Attribute])
    assert read(SequenceOf[Attribute], rows, values='[*]["1.2.4"][]') == {"values": [[7, 8], None]}
    assert read(SequenceOf[Attribute], rows, value='[*]["1.2.4"][1]') == {"value": [8, None]}
    assert read(SequenceOf[Attribute], rows, values='["1.2.4"].values[]') == {"values": [[7, 8]]}


def test_a_list_of_itself_has_no_names_and_no_keys():
    data = WithNested(kind="1.2.3", nested=[[], [[]]]).encode()
    assert read(WithNested, data, kind='["1.2.3"].kind', inner="nested[1][0]") == {"kind": ["1.2.3"], "inner": [b"0\0"]}
    for path in ("nested.name", 'nested["1.2.3"]', '["1.2.3"].nested.name'):
        with pytest.raises(KeyError, match="is not a part of Nested"):
            derlib.columns(WithNested, b"", {"a": path})


def test_the_key_of_an_element_is_not_that_of_an_element_in_it():
    with pytest.raises(KeyError, match="'number' is not a part"):
        derlib.columns(Key, b"", {"a": '["1.2.3"].inner.key.number'})
    with pytest.raises(KeyError, match="'number' is not a part"):
        derlib.columns(Key, b"", {"a": 'algorithm["1.2.3"].algorithm.number'})
    field, selected, type = ColumnStep.STEP_FIELD, ColumnStep.STEP_SELECTED, ColumnStep.STEP_TYPE
    path = ((selected, 1, bytes.fromhex("2a03")), (field, 3, None), (field, 1, None), (type, 0, None))
    program = ColumnProgram(Key.__plan__)
    with pytest.raises(derlib.SchemaError, match="step 4 of a path does not fit Key"):
        program.add("a", ColumnLeaf.LEAF_ENCODING, (path,))
    with pytest.raises(derlib.SchemaError, match="cannot be added"):
        program.add("b", ColumnLeaf.LEAF_ENCODING, ())
    with pytest.raises(ValueError, match="was rejected"):
        ColumnStream(program, iter(()), 1, False)
    ColumnProgram(Key.__plan__).add("a", ColumnLeaf.LEAF_ENCODING, ((path[0], *path[2:]),))


def test_a_second_key_is_that_of_the_value_that_the_first_one_selects():
    data = Key(algorithm=algorithm("1.2.5", [algorithm("1.2.4", 3), algorithm("1.2.3")]), key=[]).encode()
    assert read(Key, data, a='algorithm["1.2.5"]["1.2.4"].parameters') == {"a": [3]}
    assert read(Key, data, a='algorithm["1.2.5"][]["1.2.3"].algorithm') == {"a": [["1.2.3"]]}


WORDS = {"1.2.3": "three", "1.2.840.113549.1.1.1": "RSA"}


def test_words_replace_object_identifiers():
    text = Column("algorithm.algorithm", None, WORDS)
    number = Column("algorithm.algorithm", "int64", {"1.2.3": 3, "1.2.5": -(1 << 63)})
    assert read(Key, DATA, text=text, number=number) == {"text": ["three", "1.2.4", "three"], "number": [3, None, 3]}
    rows = derlib.encode([algorithm("1.2.3"), algorithm("1.2.9")] * 300, SequenceOf[Algorithm])
    text, number = Column("[*].algorithm", None, WORDS), Column("[*].algorithm", None, {"1.2.9": 9})
    result = read(SequenceOf[Algorithm], rows, text=text, number=number)
    assert result == {"text": ["three", "1.2.9"] * 300, "number": [None, 9] * 300}


@pytest.mark.parametrize(
    ("column", "error", "message"),
    [
        (Column("key", None, WORDS), ValueError, "words apply to OBJECT IDENTIFIER and Name, not to OCTET STRING"),
        (Column("algorithm.algorithm", "binary", WORDS), ValueError, "has the type text"),
        (Column("algorithm.algorithm", "text", {"1.2": 3}), ValueError, "has the type int64"),
        (Column("algorithm.algorithm", None, {"x": "y"}), ValueError, "'x' is not an OBJECT IDENTIFIER"),
        (Column("algorithm.algorithm", None, {"1.2.3": 1 << 63}), ValueError, "str values, or int values of 64 bits"),
        (Column("algorithm.algorithm", None, {"1.2.3": 1, "1.2.4": "a"}), ValueError, "str values, or int values"),  # type: ignore[dict-item]
        (Column(()), TypeError, "expected a path, or a tuple of paths"),
        (Column((Column(("key",)),)), TypeError, "expected a path, got tuple"),
        (Column(("algorithm.algorithm", '["1.2.4"].key')), ValueError, "types utf8 and int64"),
        (Column(("more[*].algorithm", "algorithm.algorithm")), ValueError, "in the rows, and others are not"),
        (Column((Column('more[*]["1.2.3"].number', "bits"), 'more[*]["1.2.4"].parameters')), ValueError, "same way"),
    ],
)
def test_wrong_columns_are_refused(column, error, message):
    with pytest.raises(error, match=message):
        derlib.columns(Key, b"", {"a": column})


def test_the_size_of_keys():
    modulus = SubjectPublicKeyInfo(
        algorithm={"algorithm": "1.2.840.113549.1.1.1", "parameters": None},
        subject_public_key={"modulus": 1 << 2047, "public_exponent": 65537},
    )
    column = Column('["1.2.840.113549.1.1.1"].modulus', "bits")
    assert read(SubjectPublicKeyInfo, modulus.encode(), size=column) == {"size": [2048]}


class Colour(derlib.Enumerated):
    red = 0
    dark_blue = 300


class Later(derlib.Enumerated, extensible=True):
    red = 0


class Version(derlib.NamedInteger):
    v1 = 0
    v2 = 1


@given(st.lists(st.integers() | st.sampled_from([s << n for n in (0, 7, 30, 63, 64, 900, 8190) for s in (1, -1)])))
def test_text_of_numbers_is_that_of_int(numbers):
    data = derlib.encode(numbers, SequenceOf[int])
    text = [str(number) for number in numbers]
    assert read(SequenceOf[int], data, text=Column("[*]", "text")) == {"text": text}
    assert read(SequenceOf[int], data, text=Column("[]", "text")) == {"text": [text]}


def test_numbers_of_more_than_8192_bits_have_no_text():
    numbers = [(1 << 8192) - 1, -(1 << 8192), 1 << 8199, -(1 << 8200)]
    data = derlib.encode(numbers, SequenceOf[int])
    columns = derlib.columns(SequenceOf[int], data, {"text": Column("[*]", "text")})
    assert arrow.table(columns) == {"text": [str(numbers[0]), str(numbers[1]), None, None]}
    assert columns.lost == {"text": 2}


def test_text_of_numbers_with_names():
    data = derlib.encode([Colour.red, Colour.dark_blue], SequenceOf[Colour])
    assert read(SequenceOf[Colour], data, text=Column("[*]", "text")) == {"text": ["red", "dark_blue"]}
    data = derlib.encode([1, 5, 0], SequenceOf[Version])
    assert read(SequenceOf[Version], data, text=Column("[*]", "text")) == {"text": ["v2", "5", "v1"]}
    items = [Later.red, Later(105), Later(-1), Later(1 << 255)]
    data = derlib.encode(items, SequenceOf[Later])
    for kind in ("text", "dictionary"):
        assert read(SequenceOf[Later], data, text=Column("[*]", kind)) == {"text": list(map(str, items))}


class Placed(Sequence):
    number: Annotated[int, Explicit(0)]
    kind: int | str
    size: int = 7


def placed(size: int) -> Placed:
    return Placed(number=size, kind="a" * (size % 9) if size % 2 else size, size=size % 8)


@given(st.lists(st.integers(min_value=0, max_value=1 << 70).map(placed), max_size=200))
def test_offset_and_size_are_those_of_the_encoding(rows):
    data = derlib.encode(rows, SequenceOf[Placed])
    for field in ("number", "kind", "size"):
        paths = {type: Column(f"[*].{field}", type) for type in ("offset", "size", "encoding")}
        cells = read(SequenceOf[Placed], data, **paths).values()
        for offset, size, encoding, row in zip(*cells, rows, strict=True):
            if field == "size" and row.size == 7:
                # A DEFAULT value is not in the input.
                assert (offset, size) == (None, None)
            else:
                assert data[offset : offset + size] == encoding


@pytest.mark.parametrize("threads", [1, 3])
def test_offsets_count_from_the_start_of_each_input(threads):
    rows = [placed(number) for number in range(70_000)]
    # A list that threads divide, and a short one.
    data = [derlib.encode(rows, SequenceOf[Placed]), derlib.encode(rows[:3], SequenceOf[Placed])]
    assert len(data[0]) > 1 << 20
    paths = {type: Column("[*]", type) for type in ("offset", "size")}
    columns = derlib.columns(SequenceOf[Placed], [*data, data[0]], paths, input_column="input", threads=threads)
    result = arrow.table(columns)
    cells = zip(result["input"], result["offset"], result["size"], strict=True)
    encodings = [data[number % 2][offset : offset + size] for number, offset, size in cells]
    assert encodings == [row.encode() for row in [*rows, *rows[:3], *rows]]
