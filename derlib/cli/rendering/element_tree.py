"""A tree of elements as lines of text and as JSON, for `derlib dump`.

The tree is written while it is walked, so a large file needs little memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import derlib
from derlib import TLV, ASN1Error, BitString, DecodeError, ObjectIdentifier, Tag
from derlib.cli.documents.damaged import elements_before
from derlib.cli.documents.elements import NESTING_LIMIT, Element, contained_element
from derlib.cli.documents.secret_parts import HIDDEN, SecretParts
from derlib.cli.output.escapes import clip, printable
from derlib.cli.output.progress import LONG, track
from derlib.cli.output.standard_output import Output
from derlib.cli.rendering import json_text
from derlib.cli.rendering.ber_forms import ber_end, ber_form, ber_members, is_valid
from derlib.cli.rendering.octets import bytes_text, characters
from derlib.cli.rendering.values import json_leaf, oid_text, text_leaf
from derlib.oids import usual_name_of

if TYPE_CHECKING:
    from derlib import ber

__all__ = ["TreeWriter"]

#: Integers are decimal up to this number of bytes, and hexadecimal up to the next; longer ones are shown as bytes.
_MAX_DECIMAL = 8
_MAX_HEXADECIMAL = 32

#: At most this many characters of a string are shown, if its contents are at most this many bytes.
_MAX_CHARACTERS = 80
_MAX_STRING_BYTES = 1 << 16

#: Deeper levels are not indented further, so that the output stays proportional to the size of a hostile file.
_MAX_INDENT = 20

#: An element of DER or of BER.
_Node: TypeAlias = "TLV | ber.Element"

_HEAD = "  offset  hl   length  element\n"

_TIMES = {"UTCTime", "GeneralizedTime", "DATE", "TIME-OF-DAY", "DATE-TIME"}
#: Values that are shown as `str` writes them, without quotes.
_NOTATIONS = {"REAL", "RELATIVE-OID", "OID-IRI", "RELATIVE-OID-IRI", "TIME", "DURATION"}


class TreeWriter:
    """Writes trees of elements.

    Parameters:
        depth: the number of levels below the outermost element; None for all.
        into: whether OCTET STRING and BIT STRING that contain an element are opened.
        is_ber: whether the trees are BER.
    """

    def __init__(self, depth: int | None, into: bool, is_ber: bool = False) -> None:
        self._depth = depth
        self._into = into
        self._is_ber = is_ber
        # Caches by tag: large files have few different tags, and formatting them is slow.
        self._names: dict[Tag, str] = {}
        self._heads: dict[Tag, str] = {}

    def write_text(
        self, root: Element, out: Output, secrets: SecretParts | None = None, place: Callable[[int], int] = int
    ) -> None:
        """Write a line for each element, without the values of `secrets`.

        `place` returns the offset to show for one in the document, such as that in BER.
        """
        out.write(out.style(_HEAD, "offset") if out.color else _HEAD)
        levels: list[tuple[Iterator[_Node], int, str]] = [(iter((root.tlv,)), root.base, "")]
        nesting = 0
        nested: list[int] = []  # The levels at which a string was opened.
        while levels:
            siblings, base, last = levels[-1]
            depth = len(levels) - 1
            deeper = self._depth is None or depth < self._depth
            indent = "  " * min(depth, _MAX_INDENT)
            for tlv in siblings:
                tag, span = tlv.tag, tlv.span
                name = self._names.get(tag) or self._name(tag)
                contained = None
                if tag.constructed:
                    shown = ""
                elif secrets and secrets.cover(*_contents(tlv, base)):
                    shown = f" {HIDDEN}"
                elif self._opens(name, nesting) and (contained := contained_element(Element(tlv, base), name)):
                    shown = " contains" if deeper else f" contains {contained.tlv.tag}"
                elif secrets and secrets.touch(*_contents(tlv, base)):
                    shown = f" {HIDDEN}"
                else:
                    shown = self._preview(tlv, name, span.content_length, out)
                if self._is_ber:
                    shown = ber_form(tlv) + shown
                out.write(
                    f"{place(base + span.offset):8} {span.header_length:3} {span.content_length:8}  "
                    f"{indent}{out.style(name, 'tag') if out.color else name}{shown}\n"
                )
                if deeper and tag.constructed:
                    end = ber_end(tlv, base, indent) if self._is_ber else ""
                    levels.append((_watched(tlv, base, root), base, end))
                    break
                if deeper and contained:
                    levels.append((iter((contained.tlv,)), contained.base, ""))
                    nested.append(len(levels))
                    nesting += 1
                    break
            else:
                if nested and nested[-1] == len(levels):
                    nested.pop()
                    nesting -= 1
                levels.pop()
                out.write(last)

    def write_damaged(
        self, data: bytes, error: DecodeError, base: int, out: Output, secrets: SecretParts | None = None
    ) -> None:
        """Write a line for each element of a document at the offset `base` that is not valid, up to its fault.

        The offset of `error` counts from the start of the file. Strings are not opened.
        """
        out.write(out.style(_HEAD, "offset") if out.color else _HEAD)
        for one in elements_before(data, error, base):
            if self._depth is not None and one.depth > self._depth:
                continue
            start = one.offset + one.header_length
            end = start + one.content_length
            shown = ""
            if one.declared is not None and one.declared != one.content_length:
                shown = f" (of {one.declared} declared bytes)"
            if secrets and not one.tag.constructed and secrets.touch(base + start, base + end):
                shown = f" {HIDDEN}{shown}"
            elif not one.tag.constructed:
                shown = self._damaged_preview(data[one.offset : end], start - one.offset, out) + shown
            name = self._names.get(one.tag) or self._name(one.tag)
            out.write(
                f"{base + one.offset:8} {one.header_length:3} {one.content_length:8}  "
                f"{'  ' * min(one.depth, _MAX_INDENT)}{out.style(name, 'tag') if out.color else name}{shown}\n"
            )

    def _damaged_preview(self, encoding: bytes, header_length: int, out: Output) -> str:
        """Return the value of a primitive element for the rest of the line, also if it is not valid."""
        try:
            tlv = derlib.parse(encoding)
        except ASN1Error:
            return f" {bytes_text(encoding[header_length:])} (invalid)"
        return self._preview(tlv, str(tlv.tag), tlv.span.content_length, out)

    def write_json(
        self, root: Element, out: Output, secrets: SecretParts | None = None, place: Callable[[int], int] = int
    ) -> None:
        """Write an object for each element, in `children` or `contains` of its parent, as `write_text` does."""
        levels: list[tuple[Iterator[_Node], int, str]] = [(iter((root.tlv,)), root.base, "")]
        nesting = 0
        separator = ""
        while levels:
            siblings, base, closing = levels[-1]
            deeper = self._depth is None or len(levels) <= self._depth
            for tlv in siblings:
                tag, span = tlv.tag, tlv.span
                name = self._names.get(tag) or self._name(tag)
                out.write(
                    f'{separator}{self._heads[tag]}, "offset": {place(base + span.offset)}, '
                    f'"header_length": {span.header_length}, '
                    f'"content_length": {span.content_length}{ber_members(tlv, base) if self._is_ber else ""}'
                )
                if tag.constructed:
                    if deeper:
                        out.write(', "children": [')
                        levels.append((_watched(tlv, base, root), base, "]}"))
                        separator = "\n"
                        break
                elif secrets and secrets.cover(*_contents(tlv, base)):
                    out.write(f', "value": {json_text.flat(HIDDEN)}')
                elif self._opens(name, nesting) and (contained := contained_element(Element(tlv, base), name)):
                    if deeper:
                        out.write(', "contains": ')
                        levels.append((iter((contained.tlv,)), contained.base, "}"))
                        nesting += 1
                        separator = ""
                        break
                elif secrets and secrets.touch(*_contents(tlv, base)):
                    out.write(f', "value": {json_text.flat(HIDDEN)}')
                else:
                    out.write(_value_json(tlv, name))
                out.write("}")
                separator = ",\n"
            else:
                levels.pop()
                out.write(closing)
                if closing == "}":
                    nesting -= 1
                separator = ",\n"

    def _name(self, tag: Tag) -> str:
        """Cache and return the name of `tag`, and cache the beginning of the JSON object of an element with it."""
        name = self._names[tag] = str(tag)
        parts = {"class": tag.tag_class, "number": tag.number, "constructed": tag.constructed}
        self._heads[tag] = json_text.flat({"type": name, "tag": parts})[:-1]
        return name

    def _opens(self, name: str, nesting: int) -> bool:
        """Return whether an element with this name is a string to open, inside `nesting` other strings."""
        return (name == "OCTET STRING" or name == "BIT STRING") and self._into and nesting < NESTING_LIMIT

    def _preview(self, tlv: _Node, name: str, length: int, out: Output) -> str:
        """Return the value for the rest of the line, with a space before it."""
        if self._is_ber and not is_valid(tlv):
            return f" {bytes_text(tlv.content)} (invalid contents)"
        writer = _PREVIEWS.get(name)
        if writer is None:
            # Any other type that has a name is a character string; other elements have a tag such as [0] as their name.
            writer = _bytes_preview if name.startswith("[") else _string_preview
        text = writer(tlv, length)
        if out.color and name == "OBJECT IDENTIFIER":
            text = out.style(text, "name")
        return text


def _contents(tlv: _Node, base: int) -> tuple[int, int]:
    """Return the offset of the contents of an element, and that of their end."""
    start = base + tlv.span.content_offset
    return start, start + tlv.span.content_length


def _watched(tlv: _Node, base: int, root: Element) -> Iterator[_Node]:
    """Return the elements of `tlv`, which show the progress in the whole file if they are many."""
    children: Iterator[_Node] = iter(tlv)
    if tlv.span.content_length < LONG:
        return children
    start = root.base + root.tlv.span.offset
    return track(children, root.tlv.span.length, "bytes", lambda child: base + child.span.offset - start)


def _boolean_preview(tlv: _Node, length: int) -> str:
    return " TRUE" if tlv.value else " FALSE"


def _integer_preview(tlv: _Node, length: int) -> str:
    if length <= _MAX_DECIMAL:
        return f" {tlv.value}"
    return f" {tlv.value:#x}" if length <= _MAX_HEXADECIMAL else f" {bytes_text(tlv.content)}"


def _null_preview(tlv: _Node, length: int) -> str:
    return ""


def _oid_preview(tlv: _Node, length: int) -> str:
    value: ObjectIdentifier = tlv.value
    name, dotted = oid_text(value), clip(value.dotted, _MAX_CHARACTERS)
    return f" {dotted}" if value.name == value.dotted else f" {name} ({dotted})"


def _bits_preview(tlv: _Node, length: int) -> str:
    unused = tlv.content[0]
    rest = bytes_text(tlv.content[1:])
    return f" {rest}, {unused} unused bits" if unused else f" {rest}"


def _time_preview(tlv: _Node, length: int) -> str:
    value = _value(tlv)
    if isinstance(value, bytes):
        # `datetime` cannot represent the time: show it as it is encoded.
        return f" {printable(value[:_MAX_CHARACTERS].decode('latin-1'))}"
    return f" {text_leaf(value)}"


def _string_preview(tlv: _Node, length: int) -> str:
    if length > _MAX_STRING_BYTES:
        return _bytes_preview(tlv)
    text = str(tlv.value)
    return f' "{printable(text[:_MAX_CHARACTERS])}"' + (
        f"... ({len(text)} characters)" if len(text) > _MAX_CHARACTERS else ""
    )


def _notation_preview(tlv: _Node, length: int) -> str:
    """Return the value as `str` writes it."""
    if length > _MAX_STRING_BYTES:
        return _bytes_preview(tlv)
    return f" {clip(printable(str(tlv.value)), _MAX_CHARACTERS)}"


def _bytes_preview(tlv: _Node, length: int = 0) -> str:
    """Return the contents in hexadecimal, or as text if they are printable ASCII."""
    return f" {characters(tlv.content) or bytes_text(tlv.content)}"


_PREVIEWS: dict[str, Callable[[_Node, int], str]] = {
    "BOOLEAN": _boolean_preview,
    "INTEGER": _integer_preview,
    "ENUMERATED": _integer_preview,
    "BIT STRING": _bits_preview,
    "OCTET STRING": _bytes_preview,
    "NULL": _null_preview,
    "OBJECT IDENTIFIER": _oid_preview,
    **dict.fromkeys(_TIMES, _time_preview),
    **dict.fromkeys(_NOTATIONS, _notation_preview),
}


def _value(tlv: _Node) -> object:
    """Return the Python value, or the contents octets if its type cannot represent it."""
    try:
        return tlv.value
    except ValueError:  # An ASN1Error, or a limit of datetime or int.
        return bytes(tlv.content)


def _value_json(tlv: _Node, name: str) -> str:
    """Return the members of the JSON object of a primitive element that have its value."""
    value = _value(tlv)
    if isinstance(value, ObjectIdentifier):
        return f', "value": "{value.dotted}", "name": {json_text.flat(usual_name_of(value))}'
    if isinstance(value, BitString):
        return f', "value": "{value.bytes.hex()}", "unused_bits": {value.unused_bits}'
    if name in _TIMES and isinstance(value, bytes):
        return f', "value": {json_text.flat(value.decode("latin-1"))}'
    return f', "value": {json_text.flat(json_leaf(value))}'
