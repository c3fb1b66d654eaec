"""What users of the strategies call: `values`, `encodings`, `malformed`."""

from __future__ import annotations

import builtins
import functools
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeVar, overload

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from derlib._core import Kind, Plan, decode_plan, encode_plan, fault_kinds
from derlib._schema.compiler import plan_of
from derlib.errors import ASN1Error
from derlib.strategies._breaks import Break, breaks_of
from derlib.strategies._draw import elements
from derlib.strategies._sites import Site, sites, spliced
from derlib.strategies._violations import Violation, broken, violations_of

T = TypeVar("T")
LOTS = st.integers(0, 999)
# So many octets are shown whole: nobody reads more, and Hypothesis warns of what is shown at length.
SHOWN = 2000


@dataclass(frozen=True, repr=False)
class Malformed:
    """An encoding with one fault, and the error that `decode` raises for it.

    Attributes:
        octets: what to decode.
        kind: the `kind` of the `DecodeError`, such as ``"integer-not-minimal"``.
        rule: its `rule`, the clause that is broken, such as ``"X.690 8.3.2"``.
        path: its `path`, from the outermost type to the element at fault.
        offset: its `offset`.
        what: what was done, in words.
        original: the valid encoding that was changed.

    >>> import derlib
    >>> from derlib.strategies import malformed
    >>> from hypothesis import find
    >>> bad = find(malformed(int, kinds={"integer-not-minimal"}), lambda _: True)
    >>> try:
    ...     derlib.decode(int, bad.octets)
    ... except derlib.DecodeError as error:
    ...     print(error.kind == bad.kind, error.rule == bad.rule, error.path == bad.path)
    True True True
    """

    octets: bytes
    kind: str
    rule: str
    path: tuple[str | int, ...]
    offset: int
    what: str
    original: bytes

    def __repr__(self) -> str:
        shown = [f"{name}={getattr(self, name)!r}" for name in ("kind", "rule", "path", "offset", "what")]
        more = len(self.octets) - SHOWN
        octets = f"{self.octets[:SHOWN]!r} and {more:,} more" if more > 0 else repr(self.octets)
        return f"Malformed(octets={octets}, {', '.join(shown)})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Hypothesis shows all fields of a dataclass that does not say this itself, whatever its repr is."""
        printer.text(repr(self))


@overload
def values(type: type[T]) -> SearchStrategy[T]: ...
@overload
def values(type: Any) -> SearchStrategy[Any]: ...
def values(type: Any) -> SearchStrategy[Any]:
    """Values of a type, as decoding gives them: views of classes, `int`, `str`, `datetime` and so on.

    ``derlib.encode(value, type)`` takes each, and what that decodes to is equal. All of them can be read to the last
    field: there is no time among them that `datetime` cannot hold.

    Args:
        type: any type expression: a schema class, `int`, ``SequenceOf[...]``, ``Annotated[...]``, a union.

    Raises:
        SchemaError: `type` is not a type, or has no values of finite size.

    >>> from hypothesis import find
    >>> from derlib.schemas.x509 import Validity
    >>> find(values(Validity), lambda validity: validity.not_after.year > 2040).not_before.year
    2000
    """
    plan = plan_of(type)
    decoded = elements(plan, False).map(lambda element: decode_plan(plan, element.octets))
    if _is_union(plan):
        # A value may be one of several alternatives, of which `encode` takes the first.
        return decoded.filter(lambda value: _comes_back(plan, value))
    return decoded


def _is_union(plan: Plan) -> bool:
    while plan.kind == Kind.KIND_EXPLICIT:
        plan = plan.element
    return plan.kind == Kind.KIND_UNION


def _comes_back(plan: Plan, value: Any) -> bool:
    try:
        again = decode_plan(plan, encode_plan(plan, value))
    except ASN1Error:
        return False
    return bool(again == value) and builtins.type(again) is builtins.type(value)


def encodings(type: Any) -> SearchStrategy[bytes]:
    """Valid DER encodings of a type, rare forms among them.

    Args:
        type: any type expression, as `values` takes it.

    Raises:
        SchemaError: `type` is not a type, or has no values of finite size.

    >>> from hypothesis import find
    >>> find(encodings(int), lambda octets: len(octets) > 3).hex()
    '02020080'
    """
    return elements(plan_of(type), True).map(lambda element: element.octets)


def malformed(type: Any, *, kinds: Iterable[str] | None = None) -> SearchStrategy[Malformed]:
    r"""Encodings with exactly one fault: ``derlib.decode(type, malformed.octets)`` raises a `DecodeError`.

    The error has the kind, rule, path and offset of the `Malformed`.

    Args:
        type: any type expression, as `values` takes it.
        kinds: the kinds of error to cause, such as ``{"set-of-order"}``; None for all that the type has. Those that it
            has not leave nothing to draw, which hypothesis reports.

    Raises:
        SchemaError: `type` is not a type, or has no values of finite size.
        TypeError: `kinds` is a text, not a set of them.
        ValueError: there is no such kind.

    >>> from hypothesis import find
    >>> find(malformed(bool, kinds={"boolean-true"}), lambda _: True)
    Malformed(octets=b'\x01\x01\x01', kind='boolean-true', rule='X.690 11.1', path=(), offset=0, what='TRUE is 01')
    """
    plan = plan_of(type)
    if isinstance(kinds, str):
        raise TypeError(f"kinds is a set of names, such as {{'integer-empty', 'utf8'}}, not the text {kinds!r:.40}")
    wanted = None if kinds is None else frozenset(kinds)
    unknown = sorted((wanted or frozenset()) - set(_rules()))
    if unknown:
        near = "".join(f"; did you mean {name!r}?" for name in get_close_matches(unknown[0], _rules(), 1))
        raise ValueError(f"there is no error of kind {unknown[0]!r}{near or '; docs/rules.md has them all'}")
    return _malformed(plan, wanted)


@functools.lru_cache(maxsize=1)
def _rules() -> dict[str, str]:
    return {kind: rule for kind, _, rule in fault_kinds()}


@st.composite
def _malformed(draw: DrawFn, plan: Plan, wanted: frozenset[str] | None) -> Malformed:
    # Drawn before the element and apart from it: what is broken stays the same while the element shrinks.
    kind_lot, what_lot, place = draw(LOTS), draw(LOTS), draw(LOTS)
    element = draw(elements(plan, True))
    ways: dict[str, dict[str, list[tuple[Site, Break | Violation]]]] = {}
    for site in sites(element):
        found: list[Break | Violation] = [*breaks_of(site), *violations_of(site)]
        for way in found:
            if wanted is None or way.kind in wanted:
                ways.setdefault(way.kind, {}).setdefault(way.what, []).append((site, way))
    if not ways:
        reject()
    # First what is broken, then where: else the rules that every element has would hide the others.
    of_kind = ways[_by_lot(ways, kind_lot)]
    places = of_kind[_by_lot(of_kind, what_lot)]
    site, chosen = places[place % len(places)]
    made = broken(draw, site, chosen) if isinstance(chosen, Violation) else chosen
    octets, offset = spliced(site, made.octets)
    return Malformed(octets, made.kind, _rules()[made.kind], made.path, offset + made.shift, made.what, element.octets)


def _by_lot(names: Iterable[str], lot: int) -> str:
    """One of the names; the same one when others are missing."""
    return min(names, key=lambda name: (zlib.crc32(f"{lot} {name}".encode()), name))
