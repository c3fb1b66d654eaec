"""The public functions: `values`, `encodings`, `malformed`."""

from __future__ import annotations

import builtins
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

import derlib
from derlib._suggestions import nearest
from derlib.errors import ASN1Error
from derlib.inspect import Kind, error_kinds
from derlib.strategies._draw import elements
from derlib.strategies._locations import Location, locations, replaced
from derlib.strategies._mutations import Mutation, mutations_of
from derlib.strategies._types import Type, type_of
from derlib.strategies._violations import Violation, draw_violation, violations_of

T = TypeVar("T")
SEEDS = st.integers(0, 999)
# The largest number of bytes that repr shows. Hypothesis warns of long representations.
MAX_SHOWN = 2000


@dataclass(frozen=True, repr=False)
class Malformed:
    """An encoding with one fault, and the error that `decode` raises for it.

    Attributes:
        encoding: the invalid encoding.
        kind: the `kind` of the `DecodeError`, such as ``"integer-not-minimal"``.
        rule: its `rule`, the clause that is violated, such as ``"X.690 8.3.2"``.
        path: its `path`, from the outermost type to the element at fault.
        offset: its `offset`.
        description: a description of the change.
        original: the valid encoding before the change.

    >>> import derlib
    >>> from derlib.strategies import malformed
    >>> from hypothesis import find
    >>> bad = find(malformed(int, kinds={"integer-not-minimal"}), lambda _: True)
    >>> try:
    ...     derlib.decode(int, bad.encoding)
    ... except derlib.DecodeError as error:
    ...     print(error.kind == bad.kind, error.rule == bad.rule, error.path == bad.path)
    True True True
    """

    encoding: bytes
    kind: str
    rule: str
    path: tuple[str | int, ...]
    offset: int
    description: str
    original: bytes

    def __repr__(self) -> str:
        shown = [f"{name}={getattr(self, name)!r}" for name in ("kind", "rule", "path", "offset", "description")]
        more = len(self.encoding) - MAX_SHOWN
        encoding = f"{self.encoding[:MAX_SHOWN]!r} and {more:,} more" if more > 0 else repr(self.encoding)
        return f"Malformed(encoding={encoding}, {', '.join(shown)})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the repr: without this method, hypothesis prints all fields in full."""
        printer.text(repr(self))


@overload
def values(type: type[T]) -> SearchStrategy[T]: ...
@overload
def values(type: Any) -> SearchStrategy[Any]: ...
def values(type: Any) -> SearchStrategy[Any]:
    """Return a strategy of values of a type, as `decode` returns them: views of classes, `int`, `str` and so on.

    ``derlib.encode(value, type)`` accepts each value, and the result decodes to an equal value. Every field can be
    read: `datetime` can represent every time.

    Args:
        type: any type expression: a schema class, `int`, ``SequenceOf[...]``, ``Annotated[...]``, a union.

    Raises:
        SchemaError: `type` is not a type, or has no values of finite size.

    >>> from hypothesis import find
    >>> from derlib.schemas.x509 import Validity
    >>> find(values(Validity), lambda validity: validity.not_after.year > 2040).not_before.year
    2000
    """
    type_ = type_of(type)
    encoded = elements(type_, False)

    # Not `map`: hypothesis would print the call, with the whole type, in place of a value such as <Colour.red: 0>.
    @st.composite
    def decoded(draw: DrawFn) -> Any:
        return derlib.decode(type, draw(encoded).encoding)

    if _is_union(type_):
        # Several alternatives can accept a value; `encode` takes the first.
        return decoded().filter(lambda value: _round_trips(type, value))
    return decoded()


def _is_union(type_: Type) -> bool:
    while type_.kind == Kind.EXPLICIT:
        type_ = type_.element
    return type_.kind == Kind.UNION


def _round_trips(type: Any, value: Any) -> bool:
    try:
        again = derlib.decode(type, derlib.encode(value, type))
    except ASN1Error:
        return False
    return bool(again == value) and builtins.type(again) is builtins.type(value)


def encodings(type: Any) -> SearchStrategy[bytes]:
    """Return a strategy of valid DER encodings of a type, including rare forms.

    Args:
        type: any type expression, as `values` takes it.

    Raises:
        SchemaError: `type` is not a type, or has no values of finite size.

    >>> from hypothesis import find
    >>> find(encodings(int), lambda encoding: len(encoding) > 3).hex()
    '02020080'
    """
    return elements(type_of(type), True).map(lambda element: element.encoding)


def malformed(type: Any, *, kinds: Iterable[str] | None = None) -> SearchStrategy[Malformed]:
    r"""Return a strategy of encodings with exactly one fault.

    ``derlib.decode(type, malformed.encoding)`` raises a `DecodeError` with the kind, rule, path and offset of the
    `Malformed`.

    Args:
        type: any type expression, as `values` takes it.
        kinds: the kinds of error to cause, such as ``{"set-of-order"}``; None for all that the type can have. If it
            cannot have any of them, hypothesis reports that no example exists.

    Raises:
        SchemaError: `type` is not a type, or has no values of finite size.
        TypeError: `kinds` is a str.
        ValueError: a kind does not exist.

    >>> from hypothesis import find
    >>> find(malformed(bool, kinds={"boolean-true"}), lambda _: True).description
    'TRUE is 01'
    """
    type_ = type_of(type)
    if isinstance(kinds, str):
        raise TypeError(f"kinds: expected a set of names, such as {{'integer-empty', 'utf8'}}, got str {kinds!r:.40}")
    wanted = None if kinds is None else frozenset(kinds)
    unknown = sorted((wanted or frozenset()) - set(error_kinds()))
    if unknown:
        near = nearest(unknown[0], error_kinds())
        remedy = f"did you mean {near!r}?" if near else "docs/rules.md lists the kinds"
        raise ValueError(f"{unknown[0]!r} is not a kind of error; {remedy}")
    return _malformed(type_, wanted)


@st.composite
def _malformed(draw: DrawFn, type_: Type, wanted: frozenset[str] | None) -> Malformed:
    # Drawn before the element, so that the kind of fault stays the same while the element shrinks.
    kind_seed, description_seed, location_seed = draw(SEEDS), draw(SEEDS), draw(SEEDS)
    element = draw(elements(type_, True))
    faults: dict[str, dict[str, list[tuple[Location, Mutation | Violation]]]] = {}
    for location in locations(element):
        found: list[Mutation | Violation] = [*mutations_of(location), *violations_of(location)]
        for fault in found:
            if wanted is None or fault.kind in wanted:
                faults.setdefault(fault.kind, {}).setdefault(fault.description, []).append((location, fault))
    if not faults:
        reject()
    # Choose the kind of fault before the location, because faults that every element can have are the most frequent.
    of_kind = faults[_choose(faults, kind_seed)]
    candidates = of_kind[_choose(of_kind, description_seed)]
    location, chosen = candidates[location_seed % len(candidates)]
    made = draw_violation(draw, location, chosen) if isinstance(chosen, Violation) else chosen
    octets, offset = replaced(location, made.encoding)
    clause = error_kinds()[made.kind]
    return Malformed(octets, made.kind, clause, made.path, offset + made.shift, made.description, element.encoding)


def _choose(names: Iterable[str], seed: int) -> str:
    """Return one of the names. The choice does not change if other names are removed."""
    return min(names, key=lambda name: (zlib.crc32(f"{seed} {name}".encode()), name))
