"""`derlib.pretty`, and how notebooks and rich show values: as `derlib show` does, or each element with its position."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from html import escape
from itertools import islice
from typing import Any

from derlib import _core
from derlib._brief import brief, cut
from derlib._core import TLV, ObjectIdentifier
from derlib._schema.classes import fields
from derlib.errors import UnrepresentableError

__all__ = ["html", "pretty", "rich_parts"]

INDENT = "  "
MOST_LINES = 1000
# The elements of a list, or the entries of a CRL, that notebooks and rich show.
FEW_ELEMENTS = 10
TEXT_LIMIT = 96
# Deeper levels are not indented further, so that the output stays linear in the size of the value.
MOST_INDENTED = 20
# The text in place of a secret.
HIDDEN = "(hidden)"


def pretty(value: Any, *, positions: bool = False, elements: int = 10, secrets: bool = False) -> str:
    """Return a value as text for people.

    Certificates, CRLs and other known structures are shown as `derlib show` shows them. In values of your own schemas,
    of LDAP and of SNMP, OCTET STRINGs that are printable ASCII are text in quotation marks, as in `derlib dump`.
    Private keys are hidden unless `secrets` is True. `repr` hides nothing.

    Args:
        value: a value of a schema class, a `TLV`, or a list or tuple of them.
        positions: True shows every field and element as it is encoded. Each line begins with the offset of the element
            in the decoded buffer, and the lengths of its header and contents, in bytes.
        elements: the largest number of entries of a CRL that are shown; with positions, of elements of each list, of a
            `TLV`, or of unknown additions. If there are more, a line has their number.
        secrets: True shows private keys and other secrets. By default, "(hidden)" replaces them, also in DER of an
            unknown type that has the form of a private key.

    >>> import derlib
    >>> class Point(derlib.Sequence):
    ...     x: int
    ...     names: derlib.SequenceOf[str]
    >>> point = Point(x=7, names=derlib.SequenceOf[str](["a", "b"]))
    >>> print(derlib.pretty(point))
    x: 7
    names:
      - a
      - b
    >>> print(derlib.pretty(point, positions=True))
    0+2+11      Point
    2+2+1         x: 7
    5+2+6         names: 2 elements
    7+2+1           [0]: 'a'
    10+2+1          [1]: 'b'
    """
    if not positions and (isinstance(value, _core.View) or _is_plain_list(value)):
        return "\n".join(_summary(value, elements, secrets))
    lines = []
    for span, depth, text in _Lines(elements, secrets).of(value, "", 0, _span_of(value), not isinstance(value, bytes)):
        position = f"{span.offset}+{span.header_length}+{span.content_length}" if span is not None else ""
        lines.append((f"{position:<12}" if positions else "") + INDENT * min(depth, MOST_INDENTED) + text)
    return "\n".join(lines)


class _Text(list[str]):
    """The lines of a summary; it has the methods of the command line's output that the summaries use."""

    line = list.append

    def style(self, text: str, name: str) -> str:
        """Return `text` without a colour."""
        return text

    def remark(self, option: str) -> str:
        """Return nothing: there is no option."""
        return ""


def _summary(value: Any, elements: int, secrets: bool = False) -> list[str]:
    """Return the lines for people."""
    from derlib.cli.documents.known_contents import schema_names
    from derlib.cli.rendering.certificate import certificate_text
    from derlib.cli.rendering.crl_summary import crl_text
    from derlib.cli.rendering.for_people import for_people
    from derlib.cli.rendering.values import lines

    _core.check_stack()
    out: Any = _Text()
    names = list(schema_names(type(value)))
    if "x509.Certificate" in names:
        certificate_text(out, value)
    elif "crl.CertificateList" in names:
        crl_text(out, value, elements)
    else:
        level = for_people(secrets=secrets, short=True, hidden=HIDDEN)

        def level_or_list(value: Any) -> Any:
            return iter(value) if _is_plain_list(value) else level(value)

        rest = lines(value, level_or_list, text=True)
        out += islice(rest, MOST_LINES)
        if next(rest, None) is not None:
            out.append("and more")
        return list(out)
    return [line.removeprefix(INDENT) for line in out]


def html(value: Any) -> str:
    """Return the lines of `pretty` as HTML for Jupyter: a tree whose parts can be closed. It has no script.

    A line with indented lines after it becomes a `<details>` element.
    """
    lines = _summary(value, FEW_ELEMENTS)
    depths = [len(line) - len(line.lstrip()) for line in lines]
    name = type(value).__name__
    made = [f'<details open style="font-family: monospace"><summary>{escape(name)}</summary>']
    around = [-1]
    for i, line in enumerate(lines):
        while depths[i] <= around[-1]:
            around.pop()
            made.append("</details>")
        text = escape(line.strip())
        if i + 1 < len(lines) and depths[i + 1] > depths[i]:
            around.append(depths[i])
            made.append(f'<details open style="margin-left: 1.5em"><summary>{text}</summary>')
        else:
            made.append(f'<div style="margin-left: 1.5em; white-space: pre-wrap">{text}</div>')
    return "".join(made) + "</details>" * len(around)


def rich_parts(value: Any) -> Iterator[Any]:
    """Yield the parts of a value for the library rich: (name, value) of fields, and the first elements of lists."""
    if isinstance(value, _core.ListView):
        count = len(value)
        for index in range(min(count, FEW_ELEMENTS)):
            yield _part(value, index)
        if count > FEW_ELEMENTS:
            yield "more", count - FEW_ELEMENTS
    elif isinstance(value, _core.ChoiceView):
        if value.alternative is None:
            yield value.value
        else:
            yield value.alternative, _part(value, value.alternative)
    else:
        from derlib.cli.documents.secret_parts import secrets_of

        cls: Any = type(value)  # For mypy, a class is not hashable.
        secrets = secrets_of(cls)
        for field in fields(type(value)):
            if value.span(field.name) is not None:
                yield field.name, HIDDEN if field.name in secrets else _part(value, field.name)
        yield from value.unknown_additions[:FEW_ELEMENTS]


def _is_plain_list(value: Any) -> bool:
    """Return whether a value is a list or tuple of Python, such as `Certificate.subject_alt_names`."""
    return type(value) in (list, tuple)


def _span_of(value: Any) -> Any:
    if isinstance(value, TLV):
        return value.span
    return value.span() if isinstance(value, _core.View) else None


class _Lines:
    """Yields (span, depth, text) of a value and everything inside it: `elements` of each list, without secrets."""

    def __init__(self, elements: int, secrets: bool) -> None:
        self._elements = elements
        self._secrets = secrets

    def of(self, value: Any, label: str, depth: int, span: Any, text: bool) -> Iterator[tuple[Any, int, str]]:
        """Yield the lines of `value`; its own begins with `label`. With `text`, OCTET STRINGs can be text."""
        if not self._secrets and _is_secret(value):
            yield span, depth, label + HIDDEN
        elif isinstance(value, TLV):
            yield from self._tlv(value, label, depth, text)
        else:
            yield from self._value(value, label, depth, span, text)

    def _value(self, value: Any, label: str, depth: int, span: Any, text: bool) -> Iterator[tuple[Any, int, str]]:
        """Yield the lines of a value that is not a secret."""
        from derlib.cli.rendering.octets import has_text

        _core.check_stack()
        cls: Any = type(value)  # For mypy, a class is not hashable.
        text = has_text(cls, text)
        if isinstance(value, _core.SequenceView):
            yield span, depth, f"{label}{'' if label else type(value).__name__}".removesuffix(": ")
            for field in fields(type(value)):
                inner = value.span(field.name)
                if inner is not None:
                    yield from self._child(value, field.name, f"{field.name}: ", depth + 1, inner, text)
            additions = value.unknown_additions
            for addition in additions[: self._elements]:
                yield from self.of(addition, "unknown addition: ", depth + 1, addition.span, text)
            yield from self._more(len(additions), depth + 1)
        elif isinstance(value, _core.ChoiceView):
            if value.alternative is None:
                yield from self.of(value.value, f"{label}unknown alternative: ", depth, span, text)
                return
            inner = value.span(value.alternative)
            yield from self._child(value, value.alternative, f"{label}{value.alternative}: ", depth, inner, text)
        elif isinstance(value, _core.ListView):
            count = len(value)
            name = label or f"{type(value).__name__}: "
            yield span, depth, f"{name}{count} element{'' if count == 1 else 's'}"
            for index in range(min(count, self._elements)):
                yield from self._child(value, index, f"[{index}]: ", depth + 1, value.span(index), text)
            yield from self._more(count, depth + 1)
        elif depth == 0 and _is_plain_list(value):
            yield None, 0, f"{len(value)} element{'' if len(value) == 1 else 's'}"
            for index, each in enumerate(value[: self._elements]):
                yield from self.of(each, f"[{index}]: ", 1, _span_of(each), text)
            yield from self._more(len(value), 1)
        else:
            yield span, depth, label + _leaf(value, text)

    def _tlv(self, value: TLV, label: str, depth: int, text: bool) -> Iterator[tuple[Any, int, str]]:
        """Yield the lines of an element without a schema, which is not a secret."""
        _core.check_stack()
        if value.tag.constructed:
            yield value.span, depth, f"{label}{value.tag}"
            rest = iter(value)
            for element in islice(rest, self._elements):
                yield from self._tlv(element, "", depth + 1, text)
            yield from self._more(self._elements + sum(1 for _ in rest), depth + 1)
        else:
            yield value.span, depth, label + _leaf(value, text)

    def _more(self, count: int, depth: int) -> Iterator[tuple[Any, int, str]]:
        """Yield the line of the number of elements that are not shown, if there are any."""
        if count > self._elements:
            yield None, depth, f"... {count - self._elements} more"

    def _child(
        self, value: Any, step: str | int, label: str, depth: int, span: Any, text: bool
    ) -> Iterator[tuple[Any, int, str]]:
        """Yield the lines of a field, alternative or element."""
        from derlib.cli.rendering.octets import has_fixed_size

        cls: Any = type(value)  # For mypy, a class is not hashable.
        if not self._secrets and _is_secret_field(value, step):
            yield span, depth, label + HIDDEN
        else:
            part = _part(value, step)
            is_text = text and not (isinstance(part, bytes) and has_fixed_size(cls, step))
            yield from self.of(part, label, depth, span, is_text)


def _is_secret(value: Any) -> bool:
    """Return whether bytes or an element without a schema have the form of a private key."""
    from derlib.cli.documents.key_forms import has_key, looks_like_key

    return looks_like_key(value) if isinstance(value, TLV) else isinstance(value, bytes) and has_key(value)


def _is_secret_field(value: Any, step: str | int) -> bool:
    """Return whether a field or alternative of a class holds a secret."""
    from derlib.cli.documents.secret_parts import is_secret_field

    return isinstance(step, str) and is_secret_field(value, step)


def _part(value: Any, step: str | int) -> Any:
    """Return a field, alternative or element; for a time that `datetime` cannot represent, its text."""
    try:
        if isinstance(step, int):
            return value[step]
        return value.value if isinstance(value, _core.ChoiceView) else getattr(value, step)
    except UnrepresentableError:
        return bytes(value.raw(step)).decode("latin-1")


def _leaf(value: Any, text: bool) -> str:
    """Return a value without parts as text of bounded length; with `text`, the characters of bytes that are text."""
    if isinstance(value, TLV):
        try:
            inner = value.value
        except UnrepresentableError:
            inner = bytes(value.content).decode("latin-1")
        return f"{value.tag}: {_leaf(inner, text)}"
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, ObjectIdentifier):
        name, dotted = value.name, value.dotted
        shown = cut(dotted, TEXT_LIMIT)
        return shown if name == dotted else f"{name} ({shown})"
    if isinstance(value, bytes):
        from derlib.cli.rendering.octets import characters

        if text and (found := characters(value)):
            return found
        shown = value[: TEXT_LIMIT // 3].hex(" ")
        more = " ..." if len(value) > TEXT_LIMIT // 3 else ""
        return f"{len(value)} byte{'' if len(value) == 1 else 's'} {shown}{more}".rstrip()
    return brief(value, TEXT_LIMIT)
