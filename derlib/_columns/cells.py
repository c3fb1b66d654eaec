"""The types of columns: which cells the values at some places can have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

from derlib._brief import brief, got, on_one_line
from derlib._columns.paths import Place, contents_of, find_places, without_tags
from derlib._core import ColumnLeaf, ColumnProgram, Kind, Plan, ValueText
from derlib._options import Deviation
from derlib._schema.open_types import contents_of_number
from derlib.oids import ATTRIBUTE_SHORT_NAMES, registered, usual_name_of

__all__ = ["Column", "add", "arrow_type"]

_TEXT_KINDS = (
    Kind.KIND_OBJECT_IDENTIFIER, Kind.KIND_UTF8_STRING, Kind.KIND_NUMERIC_STRING, Kind.KIND_PRINTABLE_STRING,
    Kind.KIND_IA5_STRING, Kind.KIND_VISIBLE_STRING, Kind.KIND_LATIN1_STRING, Kind.KIND_BMP_STRING,
    Kind.KIND_UNIVERSAL_STRING, Kind.KIND_OID_IRI, Kind.KIND_RELATIVE_OID_IRI, Kind.KIND_TIME, Kind.KIND_DATE,
    Kind.KIND_TIME_OF_DAY, Kind.KIND_DATE_TIME, Kind.KIND_DURATION,
)  # fmt: skip
_OCTETS = (Kind.KIND_OCTET_STRING, Kind.KIND_BIT_STRING)
_TIMES = (Kind.KIND_UTC_TIME, Kind.KIND_GENERALIZED_TIME)
_INTEGERS = (Kind.KIND_INTEGER, Kind.KIND_NAMED_INTEGER, Kind.KIND_ENUMERATED)

#: The types that a column of each kind can have, the usual one first.
_CHOICES: dict[int, tuple[str, ...]] = {
    Kind.KIND_BOOLEAN: ("bool", "encoding"),
    **dict.fromkeys(_INTEGERS, ("int64", "text", "hexadecimal", "binary", "decimal", "decimal256", "bits", "encoding")),
    Kind.KIND_NAMED_BITS: ("int64", "binary", "encoding"),
    **dict.fromkeys(_TIMES, ("timestamp", "text", "encoding")),
    **dict.fromkeys(_TEXT_KINDS, ("text", "binary", "encoding")),
    Kind.KIND_BIT_STRING: ("binary", "encoding"),
    Kind.KIND_OCTET_STRING: ("binary", "encoding"),
    Kind.KIND_OPEN_OCTETS: ("binary", "encoding"),
    Kind.KIND_OPEN_BITS: ("binary", "encoding"),
    Kind.KIND_REAL: ("encoding", "binary"),
    Kind.KIND_RELATIVE_OID: ("binary", "encoding"),
    Kind.KIND_CHOICE: ("encoding", "alternative", "display"),
}
_LEAVES = {
    "int64": ColumnLeaf.LEAF_INTEGER,
    "decimal": ColumnLeaf.LEAF_DECIMAL,
    "decimal256": ColumnLeaf.LEAF_DECIMAL256,
    "bits": ColumnLeaf.LEAF_BITS,
    "bool": ColumnLeaf.LEAF_BOOLEAN,
    "timestamp": ColumnLeaf.LEAF_TIME,
    "text": ColumnLeaf.LEAF_TEXT,
    "dictionary": ColumnLeaf.LEAF_DICTIONARY,
    "display": ColumnLeaf.LEAF_TEXT,
    "hexadecimal": ColumnLeaf.LEAF_HEXADECIMAL,
    "binary": ColumnLeaf.LEAF_CONTENTS,
    "attributes": ColumnLeaf.LEAF_ATTRIBUTES,
    "alternative": ColumnLeaf.LEAF_ALTERNATIVE,
    "encoding": ColumnLeaf.LEAF_ENCODING,
    "offset": ColumnLeaf.LEAF_OFFSET,
    "size": ColumnLeaf.LEAF_SIZE,
}
#: The leaves whose cells have short names of attribute types, or names of numbers.
_NAMED_LEAVES = (ColumnLeaf.LEAF_TEXT, ColumnLeaf.LEAF_DICTIONARY, ColumnLeaf.LEAF_ATTRIBUTES)
#: The types that the columns of all values can have.
_PLACES = ("offset", "size")
_ARROW_TYPES: dict[int, str] = {
    ColumnLeaf.LEAF_INTEGER: "int64",
    ColumnLeaf.LEAF_BOOLEAN: "bool",
    ColumnLeaf.LEAF_TIME: "timestamp[s, UTC]",
    ColumnLeaf.LEAF_TEXT: "utf8",
    ColumnLeaf.LEAF_DICTIONARY: "dictionary<utf8>",
    ColumnLeaf.LEAF_HEXADECIMAL: "utf8",
    ColumnLeaf.LEAF_DISPLAY: "utf8",
    ColumnLeaf.LEAF_CONTENTS: "binary",
    ColumnLeaf.LEAF_ENCODING: "binary",
    ColumnLeaf.LEAF_DECIMAL: "decimal128(38, 0)",
    ColumnLeaf.LEAF_DECIMAL256: "decimal256(76, 0)",
    ColumnLeaf.LEAF_FIXED: "fixed_size_binary[{}]",
    ColumnLeaf.LEAF_ATTRIBUTES: "list<struct<rdn: int64, type: utf8, value: utf8>>",
    ColumnLeaf.LEAF_ALTERNATIVE: "struct<alternative: utf8, value: utf8>",
    ColumnLeaf.LEAF_BITS: "int64",
    ColumnLeaf.LEAF_OFFSET: "int64",
    ColumnLeaf.LEAF_SIZE: "int64",
    ColumnLeaf.LEAF_INPUT: "int64",
    ColumnLeaf.LEAF_ERROR: "utf8",
    ColumnLeaf.LEAF_ERROR_OFFSET: "int64",
    ColumnLeaf.LEAF_ERROR_RULE: "utf8",
}

#: The most bytes of a fixed-size cell, as in core/columns/program.pxi.
_WIDTH_LIMIT = 1024

ColumnType = Literal[
    "int64", "decimal", "decimal256", "bits", "bool", "timestamp", "text", "dictionary", "display",
    "hexadecimal", "binary", "attributes", "alternative", "encoding", "offset", "size",
]  # fmt: skip


#: The name of each alternative of a CHOICE, a `ValueText`, words, and whether these are for reading.
Alternatives = tuple[tuple[str, int, "dict[bytes, str] | None", bool], ...]


class Column(NamedTuple):
    """A column of `columns`: the path of its values, and the type of its cells if it is not the usual one.

    Args:
        path: where the values are, such as ``"tbs_cert_list.revoked_certificates[*].user_certificate"``.
            A tuple of paths or columns, if the value can be at several places; the first of them in the encoding is
            the cell.
        type: `"int64"`, `"decimal"` (an INTEGER of up to 38 digits), `"decimal256"` (up to 76 digits), `"bits"` (the
            length of an INTEGER in bits), `"bool"`, `"timestamp"`, `"text"` (of an INTEGER the name of the number, or
            its decimal form), `"dictionary"` (text, each once in a batch), `"hexadecimal"` (of an INTEGER: text such
            as 0x0a), `"display"` (of a name: text with the usual names of all attribute types; of a CHOICE: the
            alternative and its value as `derlib.pretty` shows them), `"binary"` (contents octets; of a BIT STRING
            without the count of unused bits), `"attributes"` (of a name: a list of structs), `"alternative"` (of a
            CHOICE: a struct), `"encoding"` (the whole element), or `"offset"` and `"size"` (where the whole element is
            in the input, in bytes; null for a DEFAULT value). None for the usual type of the value.
        words: the text or the number of each OBJECT IDENTIFIER, by its dotted form. Others are dotted or null. For a
            name, the short names of the attribute types, instead of those of RFC 4514.
        width: of a `"binary"` column: the size of all its values in bytes, from 1 to 1,024. A shorter INTEGER is
            extended to it. Any other value of another size is null.

    >>> Column("serial_number", "binary").type
    'binary'
    """

    path: str | tuple[str | Column, ...]
    type: ColumnType | None = None
    words: Mapping[str, str] | Mapping[str, int] | None = None
    width: int | None = None


def arrow_type(leaf: int, width: int) -> str:
    """Return the Arrow type of a column."""
    return _ARROW_TYPES[leaf].format(width)


def add(program: ColumnProgram, name: str, column: Column, tolerate: Deviation | None = None) -> None:
    """Add a column to a program. `tolerate` are the deviations that the inputs may have."""
    sources = [column] if isinstance(column.path, str) else _sources(column)
    paths: list[tuple[tuple[int, int, bytes | None], ...]] = []
    leaves: list[int] = []
    types: list[str] = []
    words: dict[bytes, Any] = {}
    alternatives: list[Alternatives] = []
    shown: Callable[[bytes], str] | None = None
    for source in sources:
        places = find_places(program.plan, source.path)
        leaf = _leaf(places, source)
        if leaf in _NAMED_LEAVES and source.words is None:
            for place in places:
                words.update(_words_of(place.plan, source.type))
        for place in places if leaf in (ColumnLeaf.LEAF_ALTERNATIVE, ColumnLeaf.LEAF_DISPLAY) else ():
            is_shown = leaf == ColumnLeaf.LEAF_DISPLAY
            shown = _shown(place.plan, tolerate) if is_shown else None
            alternatives.append(_alternatives(place.plan, is_shown))
            if alternatives[-1] != alternatives[0]:
                raise ValueError("the values are of CHOICEs with different alternatives")
        words.update((contents_of(oid), word) for oid, word in (source.words or {}).items())
        paths += [place.steps for place in places]
        leaves += [leaf] * len(places)
        types.append(arrow_type(leaf, source.width or 0))
        if types[-1] != types[0]:
            raise ValueError(f"the values have the types {types[0]} and {types[-1]}")
    program.add(
        name,
        leaves[0],
        tuple(paths),
        words or None,
        tuple(leaves),
        sources[0].width or 0,
        alternatives[0] if alternatives else None,
        any(source.type == "display" for source in sources),
        shown,
    )


def _sources(column: Column) -> list[Column]:
    """Return the columns of one path each whose values are those of a column of several paths."""
    if not isinstance(column.path, tuple) or not column.path:
        raise TypeError(f"expected a path, or a tuple of paths, got {got(column.path)}")
    return [one if isinstance(one, Column) else column._replace(path=one) for one in column.path]


def _shown(plan: Plan, tolerate: Deviation | None) -> Callable[[bytes], str]:
    """Return the function that returns the text of the encoding of a CHOICE for people."""

    def shown(der: bytes) -> str:
        from derlib._pretty import pretty

        return on_one_line(pretty(plan.type.decode(der, tolerate=tolerate)).splitlines())

    return shown


def _alternatives(plan: Plan, is_shown: bool) -> Alternatives:
    """Return the name of each alternative of a CHOICE, and how its value becomes text."""
    found: list[tuple[str, int, dict[bytes, str] | None, bool]] = []
    for name, alternative in zip(plan.names, plan.plans, strict=True):
        one = without_tags(alternative)
        words: dict[bytes, str] | None = None
        if _is_name(one):
            kind, words = ValueText.VALUE_TEXT, _display_names() if is_shown else _short_names()
        elif one.kind in _OCTETS:
            # As `derlib show` prints it.
            other = ValueText.VALUE_SHOWN if is_shown else ValueText.VALUE_HEXADECIMAL
            kind = ValueText.VALUE_ADDRESS if name == "ip_address" else other
        elif is_shown:
            is_text = one.kind in _TEXT_KINDS and one.kind != Kind.KIND_OBJECT_IDENTIFIER
            kind = ValueText.VALUE_TEXT if is_text else ValueText.VALUE_SHOWN
        elif _reads_as_text(one):
            kind, words = ValueText.VALUE_TEXT, _names_of_numbers(one) or None
        else:
            kind = ValueText.VALUE_ENCODING
        found.append((name, kind, words, is_shown))
    return tuple(found)


def _reads_as_text(plan: Plan) -> bool:
    """Return whether a column of a type can be text; of a CHOICE, if all its alternatives can, without names."""
    plan = without_tags(plan)
    if plan.kind in (Kind.KIND_CHOICE, Kind.KIND_UNION):
        return all(one.kind in (*_TEXT_KINDS, *_TIMES) for one in map(without_tags, plan.plans))
    return "text" in _CHOICES.get(plan.kind, ())


def _words_of(plan: Plan, wanted: ColumnType | None) -> dict[bytes, str]:
    """Return the names of the attribute types in a name, or those of numbers."""
    if not _is_name(plan):
        return _names_of_numbers(plan)
    if wanted != "display":
        return _short_names()
    return _display_names()


def _display_names() -> dict[bytes, str]:
    """Return the usual names of all attribute types, by their contents octets."""
    return {contents_of(oid): usual_name_of(oid) for oid in registered()} | _short_names()


@cache
def _short_names() -> dict[bytes, str]:
    """Return the short names of RFC 4514 by the contents octets of the attribute types."""
    return {contents_of(oid): name for oid, name in ATTRIBUTE_SHORT_NAMES.items()}


def _names_of_numbers(plan: Plan) -> dict[bytes, str]:
    """Return the names of the numbers of an ENUMERATED or INTEGER by their contents octets; empty for other types."""
    if plan.kind not in (Kind.KIND_NAMED_INTEGER, Kind.KIND_ENUMERATED):
        return {}
    return {contents_of_number(number): name for name, number in plan.type.__members__.items()}


def _leaf(places: list[Place], column: Column) -> int:
    """Return how the values become cells."""
    choices = [_choices(place.plan, column.words) for place in places]
    common = [one for one in choices[0] if all(one in other for other in choices)] + list(_PLACES)
    if "display" in common and len({_is_name(place.plan) for place in places}) > 1:
        common.remove("display")
    if "text" in common:
        common.insert(common.index("text") + 1, "dictionary")
    wanted = column.type
    if wanted is None:
        wanted = common[0]  # type: ignore[assignment]
    elif wanted not in common:
        name = " or ".join(dict.fromkeys(place.plan.name for place in places[:3]))
        if wanted not in _LEAVES:
            raise ValueError(f"{brief(wanted)} is not a type of columns; they are {', '.join(_LEAVES)}")
        raise ValueError(f"a column of {name} has the type {' or '.join(common)}, not {wanted}")
    if column.width is None:
        if wanted == "display" and not _is_name(places[0].plan):
            return ColumnLeaf.LEAF_DISPLAY
        return _LEAVES[wanted]  # type: ignore[index]
    if wanted != "binary":
        raise ValueError(f"width is for columns of the type binary, not {wanted}")
    if type(column.width) is not int or not 1 <= column.width <= _WIDTH_LIMIT:
        raise ValueError(f"width is an int from 1 to {_WIDTH_LIMIT}, got {brief(column.width)}")
    return ColumnLeaf.LEAF_FIXED


def _choices(plan: Plan, words: Mapping[str, str] | Mapping[str, int] | None) -> tuple[str, ...]:
    """Return the types that a column of values of a type can have."""
    if _is_name(plan):
        return "text", "display", "attributes", "encoding"
    if words is not None:
        if plan.kind != Kind.KIND_OBJECT_IDENTIFIER:
            raise ValueError(f"words apply to OBJECT IDENTIFIER and Name, not to {plan.name}")
        if all(isinstance(word, str) for word in words.values()):
            return ("text",)
        if any(not isinstance(word, int) or not -(1 << 63) <= word < 1 << 63 for word in words.values()):
            raise ValueError("words: expected str values, or int values of 64 bits")
        return ("int64",)
    return _CHOICES.get(plan.kind, ("encoding",))


def _is_name(plan: Plan) -> bool:
    """Return whether a type is a distinguished name: SEQUENCE OF SET OF SEQUENCE {type, value}, or a CHOICE of it."""
    plan = without_tags(plan)
    if plan.kind == Kind.KIND_CHOICE and len(plan.plans) == 1:
        plan = without_tags(plan.plans[0])
    level = without_tags(plan.element) if plan.kind == Kind.KIND_SEQUENCE_OF else plan
    attribute = without_tags(level.element) if level.kind == Kind.KIND_SET_OF else plan
    return (
        attribute.kind == Kind.KIND_SEQUENCE
        and len(attribute.plans) == 2
        and attribute.plans[0].kind == Kind.KIND_OBJECT_IDENTIFIER
        and attribute.plans[1].kind in (Kind.KIND_OPEN, Kind.KIND_ANY)
        and attribute is not plan
    )
