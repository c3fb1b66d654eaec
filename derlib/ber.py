"""Conversion of BER and CER to DER: `convert` returns DER, with a record of every change.

`decode` accepts BER with ``rules="ber"``; this module shows what was changed. `parse` returns the elements of BER as
they are, without a schema.
"""

from __future__ import annotations

import collections.abc
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from derlib import _core
from derlib._brief import brief, got
from derlib._core import Converted, Element, Plan, Span
from derlib._core import parse_ber as parse
from derlib._options import Limits
from derlib._paths import Path, parse_path, plans_at
from derlib._schema.compiler import plan_of
from derlib._schema.metaclass import SchemaType
from derlib.errors import DecodeError

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Change", "Converted", "Element", "Kept", "convert", "parse"]

collections.abc.Sequence.register(_core.Changes)


class Change(NamedTuple):
    """A difference between the input and the DER, as a DER rule that the input violated.

    Attributes:
        kind: the violated rule, as in `DecodeError.kind`, for example ``"length-indefinite"``.
        rule: the clause of this rule, for example ``"X.690 10.1"``.
        path: field names and indexes that lead to the element in the converted value; empty without a type.
        input: the position of the element in the input. End-of-contents octets are after the end of the span.
        output: the position of the element in the DER; an empty span where a DEFAULT value was left out.

    >>> from derlib import ber
    >>> [change] = ber.convert(bytes.fromhex("24 80 0401 61 0401 62 0000")).changes
    >>> change.kind, change.rule
    ('string-constructed', 'X.690 10.2')
    >>> change.input.length, change.output.length
    (8, 4)
    """

    kind: str
    rule: str
    path: tuple[str | int, ...]
    input: Span
    output: Span


class Kept(NamedTuple):
    """An element that a conversion copied unchanged, because signatures cover its bytes.

    Attributes:
        path: as in `Change`.
        input, output: the position of the element in the input and in the DER.
        error: None if the element is DER of its type; otherwise the `DecodeError`, which was not raised.

    >>> from derlib import Sequence, ber
    >>> class Signed(Sequence, ber="keep"):
    ...     number: int
    >>> class Message(Sequence):
    ...     signed: Signed
    >>> [kept] = ber.convert(bytes.fromhex("3080 3080 020105 0000 0000"), Message).kept
    >>> print(kept.path, kept.input.offset, kept.error)
    ('signed',) 2 signed at offset 2: the indefinite length form (80) is not DER (X.690 10.1)
    """

    path: tuple[str | int, ...]
    input: Span
    output: Span
    error: DecodeError | None


def convert(
    data: Buffer,
    type: Any = None,
    *,
    keep: Iterable[Any] = (),
    limits: Limits | None = None,
    prefix: bool = False,
    signed_attributes: str = "refuse",
) -> Converted:
    r"""Convert BER or CER to DER.

    The result is valid DER and a valid value of the type, except for kept elements with an `error` in
    `Converted.kept`.

    Args:
        data: `bytes` or another buffer. DER is returned without changes and without a copy.
        type: the type of the value; None if it is not known. Then elements are converted by their universal tags, and
            `Converted.ambiguous` lists those that may be strings with an IMPLICIT tag.
        keep: elements to copy unchanged, besides values of classes with ``ber="keep"``, such as certificates and CRLs:
            schema classes, and paths such as ``"content.certificates[*]"`` or ``("content", "certificates", "*")``,
            where ``*`` is any index. The outermost value is always converted.
        limits: as in `decode`; segments of strings count as elements.
        prefix: True accepts bytes after the value; `Converted.consumed` is where they start.
        signed_attributes: "refuse" raises an error if signed or authenticated attributes of CMS are not DER (RFC 5652
            5.3); "convert" converts them. Signatures cover their DER encoding.

    Raises:
        DecodeError: `data` is not BER of this type, or has no DER encoding. The error has the offset in `data`.
        LimitError: `data` exceeds a limit.
        KeyError: `type` has no part at a path in `keep`.
        TypeError, ValueError: another argument is wrong, such as a path in `keep` without a `type`.

    >>> from derlib import ber
    >>> converted = ber.convert(bytes.fromhex("30 80 24 80 04 01 61 04 01 62 00 00 00 00"))
    >>> converted.der.hex(" ")
    '30 04 04 02 61 62'
    >>> [change.kind for change in converted.changes]
    ['length-indefinite', 'string-constructed']
    """
    if signed_attributes not in ("refuse", "convert"):
        raise ValueError(f"expected 'refuse' or 'convert' for signed_attributes, got {signed_attributes!r}")
    plan = _core.ANY_PLAN if type is None else plan_of(type)
    types, paths = _keep_rules(plan, keep)
    return _core.convert_ber(plan, data, limits, prefix, signed_attributes == "convert", types, paths)


def _keep_rules(plan: Plan, keep: Iterable[Any]) -> tuple[tuple[Plan, ...], tuple[Path, ...]]:
    """Return the plans of the types to keep, and the paths."""
    types: list[Plan] = []
    paths: list[Path] = []
    for item in (keep,) if isinstance(keep, (str, SchemaType)) else keep:
        if isinstance(item, SchemaType):
            types.append(plan_of(item))
        elif type(item) in (str, tuple):
            paths.append(_kept_path(plan, item))
        else:
            raise TypeError(f"keep: expected schema classes and paths, got {got(item)}")
    return tuple(types), tuple(paths)


def _kept_path(plan: Plan, item: str | tuple[Any, ...]) -> Path:
    """Return the path of an element to keep."""
    path = parse_path(item)
    if not path:
        raise ValueError("keep: the outermost value is always converted")
    if plan is _core.ANY_PLAN:
        raise ValueError(f"keep: the path {brief(item)} needs a type")
    plans_at(plan, path)
    return path
