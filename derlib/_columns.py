"""`derlib.columns`: tables from DER, for Arrow, Polars, DuckDB and pandas.

The core reads the values without making Python objects of them (derlib/core/columns). This module finds the steps of
each path in the type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any, Literal, NamedTuple

from derlib import _core
from derlib._brief import brief, cut, got
from derlib._core import ColumnLeaf, ColumnProgram, ColumnStep, ColumnStream, Kind, Plan
from derlib._options import Limits
from derlib._paths import LISTS, STRUCTURES, any_index
from derlib._schema.compiler import plan_of
from derlib.oids import ATTRIBUTE_SHORT_NAMES

__all__ = ["Column", "Columns", "columns"]

_NAME, _INDEX, _EACH, _KEY = r"[^\W\d]\w*", r"\[(?:[0-9]{1,18}|\*)\]", r"\[\]", r"\[(?:\"[0-9.]+\"|'[0-9.]+')\]"
_TEXT = re.compile(rf"(?:{_NAME}|{_INDEX}|{_EACH}|{_KEY})(?:\.{_NAME}|{_INDEX}|{_EACH}|{_KEY})*")
_STEP = re.compile(r"[\"']([0-9.]+)[\"']|([0-9]+(?=\]))|(\*)|(\[\])|(\w+)")
_OID = re.compile(r"[0-2](?:\.[0-9]+)+")
_EVERY = "[]"

_OPEN_TYPES = (Kind.KIND_OPEN, Kind.KIND_OPEN_OCTETS, Kind.KIND_OPEN_BITS)
_TEXT_KINDS = (
    Kind.KIND_OBJECT_IDENTIFIER, Kind.KIND_UTF8_STRING, Kind.KIND_NUMERIC_STRING, Kind.KIND_PRINTABLE_STRING,
    Kind.KIND_IA5_STRING, Kind.KIND_VISIBLE_STRING, Kind.KIND_LATIN1_STRING, Kind.KIND_BMP_STRING,
    Kind.KIND_UNIVERSAL_STRING, Kind.KIND_OID_IRI, Kind.KIND_RELATIVE_OID_IRI, Kind.KIND_TIME, Kind.KIND_DATE,
    Kind.KIND_TIME_OF_DAY, Kind.KIND_DATE_TIME, Kind.KIND_DURATION,
)  # fmt: skip
_TIMES = (Kind.KIND_UTC_TIME, Kind.KIND_GENERALIZED_TIME)
_INTEGERS = (Kind.KIND_INTEGER, Kind.KIND_NAMED_INTEGER, Kind.KIND_ENUMERATED)

#: The types that a column of each kind can have, the usual one first.
_CHOICES: dict[int, tuple[str, ...]] = {
    Kind.KIND_BOOLEAN: ("bool", "encoding"),
    **dict.fromkeys(_INTEGERS, ("int64", "binary", "encoding")),
    Kind.KIND_NAMED_BITS: ("int64", "binary", "encoding"),
    **dict.fromkeys(_TIMES, ("timestamp", "text", "encoding")),
    **dict.fromkeys(_TEXT_KINDS, ("text", "binary", "encoding")),
    Kind.KIND_BIT_STRING: ("binary", "encoding"),
    Kind.KIND_OCTET_STRING: ("binary", "encoding"),
    Kind.KIND_OPEN_OCTETS: ("binary", "encoding"),
    Kind.KIND_OPEN_BITS: ("binary", "encoding"),
    Kind.KIND_REAL: ("encoding", "binary"),
    Kind.KIND_RELATIVE_OID: ("binary", "encoding"),
}
_LEAVES = {
    "int64": ColumnLeaf.LEAF_INTEGER,
    "bool": ColumnLeaf.LEAF_BOOLEAN,
    "timestamp": ColumnLeaf.LEAF_TIME,
    "text": ColumnLeaf.LEAF_TEXT,
    "binary": ColumnLeaf.LEAF_CONTENTS,
    "encoding": ColumnLeaf.LEAF_ENCODING,
}
_ARROW_TYPES: dict[int, str] = {
    ColumnLeaf.LEAF_INTEGER: "int64",
    ColumnLeaf.LEAF_BOOLEAN: "bool",
    ColumnLeaf.LEAF_TIME: "timestamp[s, UTC]",
    ColumnLeaf.LEAF_TEXT: "utf8",
    ColumnLeaf.LEAF_CONTENTS: "binary",
    ColumnLeaf.LEAF_ENCODING: "binary",
    ColumnLeaf.LEAF_INPUT: "int64",
    ColumnLeaf.LEAF_ERROR: "utf8",
    ColumnLeaf.LEAF_ERROR_OFFSET: "int64",
    ColumnLeaf.LEAF_ERROR_RULE: "utf8",
}

ColumnType = Literal["int64", "bool", "timestamp", "text", "binary", "encoding"]


class Column(NamedTuple):
    """A column of `columns`: the path of its values, and the type of its cells if it is not the usual one.

    Args:
        path: where the values are, such as ``"tbs_cert_list.revoked_certificates[*].user_certificate"``.
        type: `"int64"`, `"bool"`, `"timestamp"`, `"text"`, `"binary"` (contents octets; of a BIT STRING without the
            count of unused bits) or `"encoding"` (the whole element). None for the usual type of the value.

    >>> Column("serial_number", "binary").type
    'binary'
    """

    path: str
    type: ColumnType | None = None


class Columns:
    """The columns of `columns`. It has the Arrow PyCapsule interface, so Arrow libraries read it as a table.

    Attributes:
        schema: the Arrow type of each column, by name.

    >>> import derlib
    >>> table = derlib.columns(derlib.SequenceOf[int], bytes.fromhex("3006020101020102"), {"number": "[*]"})
    >>> table.schema
    {'number': 'int64'}
    """

    __slots__ = (
        "_batch_rows",
        "_inputs",
        "_limits",
        "_null_on_error",
        "_program",
        "_read",
        "_stream",
        "_threads",
        "schema",
    )

    schema: dict[str, str]

    def __init__(
        self,
        program: ColumnProgram,
        inputs: Iterable[Any],
        null_on_error: bool,
        batch_rows: int,
        limits: Limits | None,
        threads: int,
    ) -> None:
        self._program = program
        self._inputs = inputs
        self._null_on_error = null_on_error
        self._batch_rows = batch_rows
        self._limits = limits
        self._threads = threads
        self._read = False
        self._stream: ColumnStream | None = None
        self.schema = {
            name: f"list<{_ARROW_TYPES[leaf]}>" if listed else _ARROW_TYPES[leaf]
            for name, leaf, listed, _ in program.columns
        }

    @property
    def error(self) -> BaseException | None:
        """The exception that ended the last reading, or None.

        Arrow libraries raise an exception of their own, which has its message.
        """
        return None if self._stream is None else self._stream.error

    @property
    def lost(self) -> dict[str, int]:
        """The number of values that the last reading made null because their column cannot hold them, by column.

        These are the times that `datetime` cannot hold either (year 0 and leap seconds) and, with `on_error="null"`,
        integers that do not fit int64.
        """
        counts = (0,) * len(self.schema) if self._stream is None else self._stream.lost
        return dict(zip(self.schema, counts, strict=True))

    def __arrow_c_schema__(self) -> object:
        """Return the Arrow schema in a PyCapsule."""
        return self._program.schema_capsule()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return a stream of record batches in a PyCapsule. The requested schema is not used, as Arrow allows."""
        inputs = iter(self._inputs)
        if inputs is self._inputs:
            if self._read:
                raise ValueError("the inputs were an iterator, which has been read; pass a list to read them again")
            self._read = True
        self._stream = ColumnStream(
            self._program, inputs, self._batch_rows, self._null_on_error, self._limits, self._threads
        )
        return self._stream.capsule()

    def __repr__(self) -> str:
        return f"Columns({', '.join(f'{name}: {type}' for name, type in self.schema.items())})"


def columns(
    type: Any,
    data: Any,
    paths: Mapping[str, str | Column],
    *,
    on_error: Literal["raise", "null"] = "raise",
    input_column: str | None = None,
    batch_rows: int = 65536,
    limits: Limits | None = None,
    threads: int = 1,
) -> Columns:
    """Read parts of DER values as columns of a table, without a Python object for each value.

    Each input is validated as `decode` does. `pyarrow.table`, `polars.DataFrame`, DuckDB and pandas take the result,
    which reads the inputs when they ask for batches.

    A path has names of fields and alternatives, and these steps for a list: ``[*]`` makes each element a row, ``[3]``
    takes one element, ``[]`` makes a list column, and ``["2.5.29.17"]`` takes the first element with this OBJECT
    IDENTIFIER, and then the value that it selects. A field name after a list means ``[]``, as does a second ``[*]``.
    Paths without ``[*]`` repeat in each row of their input.

    Args:
        type: a schema class, or another type that `decode` takes.
        data: one encoding, or an iterable of encodings, in which None is a missing value.
        paths: the path of each column, or a `Column`, by name.
        on_error: `"raise"` stops at the first input that is not valid. `"null"` gives it a row of nulls, and adds the
            columns `error` (the kind of the `DecodeError`), `error_offset` and `error_rule`.
        input_column: the name of a column with the number of the input that a row comes from.
        batch_rows: the most rows of a batch.
        limits: the limits of each input.
        threads: the number of threads. They divide the inputs, and the elements of one large list. The rows and errors
            are the same; batches can have fewer rows, and more inputs are read ahead.

    Raises:
        KeyError: the type has no part at a path. The message has the name that is most similar.
        ValueError: a path or an option is not valid.

    >>> import derlib
    >>> from derlib.schemas.crl import CertificateList
    >>> entries = "tbs_cert_list.revoked_certificates[*]"
    >>> derlib.columns(CertificateList, [], {
    ...     "serial": derlib.Column(f"{entries}.user_certificate", "binary"),
    ...     "date": f"{entries}.revocation_date",
    ...     "reason": f'{entries}.crl_entry_extensions["2.5.29.21"]',
    ... })
    Columns(serial: binary, date: timestamp[s, UTC], reason: int64)
    """
    plan = plan_of(type)
    if on_error not in ("raise", "null"):
        raise ValueError(f"on_error: expected 'raise' or 'null', got {brief(on_error)}")
    if isinstance(data, str):
        raise TypeError("expected bytes, or an iterable of bytes, got str")
    if not isinstance(batch_rows, int) or not 1 <= batch_rows < 1 << 31:
        raise ValueError(f"batch_rows is an int from 1 to {(1 << 31) - 1}, got {brief(batch_rows)}")
    if not isinstance(threads, int) or not 1 <= threads <= 256:
        raise ValueError(f"threads is an int from 1 to 256, got {brief(threads)}")
    program = ColumnProgram(plan)
    names = list(paths)
    for name, wanted in paths.items():
        if not isinstance(name, str) or "\0" in name:
            raise TypeError(f"expected the name of a column, got {got(name)}")
        column = wanted if isinstance(wanted, Column) else Column(wanted)
        try:
            _add(program, name, column)
        except (KeyError, ValueError) as error:
            message = error.args[0] if error.args else ""
            raise error.__class__(f"column {name!r}: {message}") from None
    own: list[tuple[str, int]] = [] if input_column is None else [(input_column, ColumnLeaf.LEAF_INPUT)]
    if on_error == "null":
        own += [
            ("error", ColumnLeaf.LEAF_ERROR),
            ("error_offset", ColumnLeaf.LEAF_ERROR_OFFSET),
            ("error_rule", ColumnLeaf.LEAF_ERROR_RULE),
        ]
    for name, leaf in own:
        if name in names:
            raise ValueError(f"there are two columns with the name {name!r}")
        names.append(name)
        program.add(name, leaf, ())
    inputs = [data] if isinstance(data, (bytes, bytearray, memoryview)) or not hasattr(data, "__iter__") else data
    return Columns(program, inputs, on_error == "null", batch_rows, limits, threads)


# A path through the type: the steps of the program, the type that they lead to, and the key of the list element that
# they are in, as contents octets.
class _Place(NamedTuple):
    plan: Plan
    steps: tuple[tuple[int, int, bytes | None], ...]
    key: bytes | None
    around: Plan | None  # the element that the key selected, while the path is directly in it


def _add(program: ColumnProgram, name: str, column: Column) -> None:
    """Add a column to a program."""
    steps = _parsed(column.path)
    places = [_Place(program.plan, (), None, None)]
    rows = False
    for position, step in enumerate(steps):
        if step == any_index:
            step, rows = (_EVERY if rows else any_index), True
        found = [place for one in places for place in _after(one, step)]
        if not found:
            raise KeyError(_no_part(step, position, places))
        places = found
    places = [place for one in places for place in _values(one)]
    leaf = _leaf(places, column)
    names = leaf == ColumnLeaf.LEAF_TEXT and _is_name(places[0].plan)
    program.add(name, leaf, tuple(place.steps for place in places), _short_names() if names else None)


@cache
def _short_names() -> dict[bytes, str]:
    """Return the short names of RFC 4514 by the contents octets of the attribute types."""
    return {_contents(oid): name for oid, name in ATTRIBUTE_SHORT_NAMES.items()}


def _parsed(path: Any) -> list[str | int | bytes]:
    """Return the steps of a path: names, indexes, `*`, `[]`, and keys as bytes."""
    if type(path) is not str:
        raise TypeError(f"expected a path, got {got(path)}")
    if not _TEXT.fullmatch(path):
        raise ValueError(
            f"expected a path such as 'entries[*].name' or 'extensions[\"2.5.29.17\"].dns_name', got {brief(path)}"
        )
    steps: list[str | int | bytes] = []
    for key, index, star, each, name in _STEP.findall(path):
        if key:
            steps.append(_contents(key))
        elif index:
            steps.append(int(index))
        else:
            steps.append(star or each or name)
    return steps


def _contents(oid: str) -> bytes:
    """Return the contents octets of an OBJECT IDENTIFIER in the dotted form."""
    if not _OID.fullmatch(oid):
        raise ValueError(f"{brief(oid)} is not an OBJECT IDENTIFIER")
    return _core.ObjectIdentifier(oid).content


def _without_tags(plan: Plan) -> Plan:
    plan.ready()
    while plan.kind == Kind.KIND_EXPLICIT:
        plan = plan.element
        plan.ready()
    return plan


def _inside(place: _Place) -> Iterator[_Place]:
    """Yield the places of the values in a place: in explicit tags, unions, and open types that a key selects."""
    plan = _without_tags(place.plan)
    if plan.kind == Kind.KIND_UNION:
        for index, one in enumerate(plan.plans):
            yield from _inside(
                place._replace(plan=one, steps=(*place.steps, (ColumnStep.STEP_ALTERNATIVE, index, None)))
            )
        return
    if plan.kind in _OPEN_TYPES:
        selected = plan.contained
        if selected is None and plan.table is not None and place.key is not None and place.around is not None:
            selected = plan.table.plans.get(place.key, (None,))[0]
        if selected is not None:
            steps = (*place.steps, (ColumnStep.STEP_TYPE, 0, None))
            yield from _inside(_Place(selected, steps, None, None))
            return
    yield place._replace(plan=plan)


def _after(place: _Place, step: str | int | bytes) -> Iterator[_Place]:
    """Yield the places to which a step leads."""
    for inside in _inside(place):
        plan = inside.plan
        if plan.kind in LISTS:
            yield from _element(inside, step)
        elif isinstance(step, str) and plan.kind in STRUCTURES and step in plan.names:
            yield _field(inside, plan.names.index(step))
        elif isinstance(step, str) and plan.kind == Kind.KIND_CHOICE and step in plan.names:
            index = plan.names.index(step)
            yield _Place(plan.plans[index], (*inside.steps, (ColumnStep.STEP_ALTERNATIVE, index, None)), None, None)
        elif isinstance(step, (str, int)) and plan.kind in STRUCTURES and inside.around is plan:
            # The value that the key selects.
            selected = _selected_field(plan)[1]
            if selected is not None:
                yield from _after(_field(inside, selected), step)


def _field(place: _Place, index: int) -> _Place:
    """Return the place of a field."""
    steps = (*place.steps, (ColumnStep.STEP_FIELD, index, None))
    selected = place.around is place.plan
    return _Place(place.plan.plans[index], steps, place.key if selected else None, place.around if selected else None)


def _element(place: _Place, step: str | int | bytes) -> Iterator[_Place]:
    """Yield the place of elements of a list."""
    element = place.plan.element
    if step in (any_index, _EVERY) or isinstance(step, int):
        op = ColumnStep.STEP_INDEX if isinstance(step, int) else ColumnStep.STEP_ROWS
        if step == _EVERY:
            op = ColumnStep.STEP_EACH
        number = step if isinstance(step, int) else 0
        yield _Place(element, (*place.steps, (op, number, None)), place.key, place.around)
    elif isinstance(step, bytes):
        element = _without_tags(element)
        if element.kind == Kind.KIND_SEQUENCE:
            field = _selected_field(element)[0]
            if field is not None:
                yield _Place(element, (*place.steps, (ColumnStep.STEP_KEY, field, step)), step, element)
    else:
        each = _Place(element, (*place.steps, (ColumnStep.STEP_EACH, 0, None)), place.key, place.around)
        yield from _after(each, step)


def _selected_field(plan: Plan) -> tuple[int | None, int | None]:
    """Return the number of the field with the key of an element, and that of the open type that it selects."""
    for index, one in enumerate(plan.plans):
        inner = _without_tags(one)
        while inner.kind in LISTS:
            inner = _without_tags(inner.element)
        if inner.kind in _OPEN_TYPES and len(inner.selector) == 1:
            selector = inner.selector[0]
            if plan.plans[selector].kind == Kind.KIND_OBJECT_IDENTIFIER:
                return selector, index
    for index, one in enumerate(plan.plans):
        if one.kind == Kind.KIND_OBJECT_IDENTIFIER:
            return index, None
    return None, None


def _values(place: _Place) -> Iterator[_Place]:
    """Yield the places of the values at the end of a path."""
    for inside in _inside(place):
        index = _selected_field(inside.plan)[1] if inside.around is inside.plan else None
        if index is None:
            yield inside
        else:
            yield from _inside(_field(inside, index))


def _leaf(places: list[_Place], column: Column) -> int:
    """Return how the values become cells."""
    choices = [
        ("text", "encoding") if _is_name(place.plan) else _CHOICES.get(place.plan.kind, ("encoding",))
        for place in places
    ]
    common = [one for one in choices[0] if all(one in other for other in choices)]
    wanted = column.type
    if wanted is None:
        wanted = common[0]  # type: ignore[assignment]
    elif wanted not in common:
        name = " or ".join(dict.fromkeys(place.plan.name for place in places[:3]))
        if wanted not in _LEAVES:
            raise ValueError(f"{brief(wanted)} is not a type of columns; they are {', '.join(_LEAVES)}")
        raise ValueError(f"a column of {name} has the type {' or '.join(common)}, not {wanted}")
    return _LEAVES[wanted]  # type: ignore[index]


def _is_name(plan: Plan) -> bool:
    """Return whether a type is a distinguished name: SEQUENCE OF SET OF SEQUENCE {type, value}, or a CHOICE of it."""
    plan = _without_tags(plan)
    if plan.kind == Kind.KIND_CHOICE and len(plan.plans) == 1:
        plan = _without_tags(plan.plans[0])
    level = _without_tags(plan.element) if plan.kind == Kind.KIND_SEQUENCE_OF else plan
    attribute = _without_tags(level.element) if level.kind == Kind.KIND_SET_OF else plan
    return (
        attribute.kind == Kind.KIND_SEQUENCE
        and len(attribute.plans) == 2
        and attribute.plans[0].kind == Kind.KIND_OBJECT_IDENTIFIER
        and attribute.plans[1].kind in (Kind.KIND_OPEN, Kind.KIND_ANY)
        and attribute is not plan
    )


def _no_part(step: str | int | bytes, position: int, places: list[_Place]) -> str:
    """Return the message for a step that leads nowhere, with the nearest name."""
    names: list[str] = []
    types: list[str] = []
    lists = False
    waiting = [inside for place in places for inside in _inside(place)]
    while waiting:
        place = waiting.pop(0)
        plan = place.plan
        types.append(plan.name)
        if plan.kind in LISTS:
            lists = True
            waiting += _inside(_Place(plan.element, (), place.key, place.around))
        elif plan.kind in (*STRUCTURES, Kind.KIND_CHOICE):
            names += plan.names
            index = _selected_field(plan)[1] if place.around is plan else None
            if index is not None:
                waiting += _inside(_field(place, index))
    text = " or ".join(dict.fromkeys(types[:3]))
    shown = f"[{_dotted(step)}]" if isinstance(step, bytes) else f"[{step}]" if isinstance(step, int) else step
    near = get_close_matches(step, names, 1) if isinstance(step, str) else []
    if near:
        return f"{shown!r} is not a part of {text}; did you mean {near[0]!r}?"
    if names and isinstance(step, str) and step not in (any_index, _EVERY):
        return f"{shown!r} is not a part of {text}; it has {cut(', '.join(dict.fromkeys(names)), 200)}"
    return f"{shown!r} is not a part of {text}" + ("" if lists else ", which is not a list")


def _dotted(contents: bytes) -> str:
    return str(_core.ObjectIdentifier.from_content(contents))
