"""`derlib dump`: the elements of any DER, each with its place, its lengths, its type and value.

Both forms are written while the tree is walked, so that a large file takes no memory to speak of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click

from derlib import TLV, BitString, Deviation, ObjectIdentifier, Tag
from derlib.cli import jsonout, options
from derlib.cli.inputs import Document
from derlib.cli.output import Output, clip, printable
from derlib.cli.run import How, Task
from derlib.cli.tree import NESTING_LIMIT, Element, element_at, inside, tag_name
from derlib.cli.values import json_leaf, octets_text, oid_text, text_leaf

__all__ = ["command"]

#: Decimal up to so many octets; beyond, nobody reads an INTEGER as a number.
_DECIMAL_OCTETS = 8

#: What is shown of a string of characters; and how many octets may be decoded to show it.
_MOST_CHARACTERS = 80
_MOST_STRING_OCTETS = 1 << 16

#: Deeper levels are indented no further: indentation must not outgrow a hostile file.
_MOST_INDENTED = 20

_HEAD = "  offset  hl   length  element\n"

_TIMES = {"UTCTime", "GeneralizedTime", "DATE", "TIME-OF-DAY", "DATE-TIME"}
_OTHERS = {"REAL", "RELATIVE-OID", "OID-IRI", "RELATIVE-OID-IRI", "TIME", "DURATION"}
_STRINGS = {
    "UTF8String",
    "NumericString",
    "PrintableString",
    "TeletexString",
    "VideotexString",
    "IA5String",
    "GraphicString",
    "VisibleString",
    "GeneralString",
    "UniversalString",
    "BMPString",
    "ObjectDescriptor",
}


class Dump:
    """The options of one dump, and its two writers.

    Parameters:
        depth: how many levels below the first are shown; None for all.
        offset: the octet where the element to be shown starts.
        into: whether OCTET STRING and BIT STRING are opened where they contain DER.
    """

    def __init__(self, depth: int | None, offset: int, into: bool) -> None:
        self._depth = depth
        self._offset = offset
        self._into = into
        # Naming a tag takes longer than looking its name up, and the large files have three tags.
        self._names: dict[Tag, str] = {}
        self._heads: dict[Tag, str] = {}

    def decode(self, document: Document, tolerate: Deviation | None) -> Element:
        """The element to be shown. Raises ASN1Error."""
        return element_at(document.der, self._offset, tolerate)

    def write_text(self, root: Element, out: Output) -> None:
        """One line for each element."""
        out.write(out.style(_HEAD, "offset") if out.color else _HEAD)
        levels: list[tuple[Iterator[TLV], int]] = [(iter((root.tlv,)), root.base)]
        nesting = 0
        nested: list[int] = []  # At which levels a string was opened.
        while levels:
            siblings, base = levels[-1]
            depth = len(levels) - 1
            deeper = self._depth is None or depth < self._depth
            indent = "  " * min(depth, _MOST_INDENTED)
            for tlv in siblings:
                tag, span = tlv.tag, tlv.span
                name = self._names.get(tag) or self._name(tag)
                contained = None
                if tag.constructed:
                    shown = ""
                elif self._opens(name, nesting) and (contained := inside(Element(tlv, base), name)):
                    shown = " contains" if deeper else f" contains {tag_name(contained.tlv.tag)}"
                else:
                    shown = self._preview(tlv, name, span.content_length, out)
                out.write(
                    f"{base + span.offset:8} {span.header_length:3} {span.content_length:8}  "
                    f"{indent}{out.style(name, 'tag') if out.color else name}{shown}\n"
                )
                if deeper and tag.constructed:
                    levels.append((iter(tlv), base))
                    break
                if deeper and contained:
                    levels.append((iter((contained.tlv,)), contained.base))
                    nested.append(len(levels))
                    nesting += 1
                    break
            else:
                if nested and nested[-1] == len(levels):
                    nested.pop()
                    nesting -= 1
                levels.pop()

    def write_json(self, root: Element, out: Output) -> None:
        """An object for each element, in `children` or `contains` of the one around it."""
        levels: list[tuple[Iterator[TLV], int, str]] = [(iter((root.tlv,)), root.base, "")]
        nesting = 0
        separator = ""
        while levels:
            siblings, base, closing = levels[-1]
            deeper = self._depth is None or len(levels) <= self._depth
            for tlv in siblings:
                tag, span = tlv.tag, tlv.span
                name = self._names.get(tag) or self._name(tag)
                out.write(
                    f'{separator}{self._heads[tag]}, "offset": {base + span.offset}, '
                    f'"header_length": {span.header_length}, '
                    f'"content_length": {span.content_length}'
                )
                if tag.constructed:
                    if deeper:
                        out.write(', "children": [')
                        levels.append((iter(tlv), base, "]}"))
                        separator = "\n"
                        break
                elif self._opens(name, nesting) and (contained := inside(Element(tlv, base), name)):
                    if deeper:
                        out.write(', "contains": ')
                        levels.append((iter((contained.tlv,)), contained.base, "}"))
                        nesting += 1
                        separator = ""
                        break
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
        """Note the name of `tag`, and how the JSON object of an element with it begins."""
        name = self._names[tag] = tag_name(tag)
        parts = {"class": tag.tag_class, "number": tag.number, "constructed": tag.constructed}
        self._heads[tag] = jsonout.flat({"type": name, "tag": parts})[:-1]
        return name

    def _opens(self, name: str, nesting: int) -> bool:
        return (
            (name == "OCTET STRING" or name == "BIT STRING")
            and self._into
            and nesting < NESTING_LIMIT
        )

    def _preview(self, tlv: TLV, name: str, length: int, out: Output) -> str:
        """The value on the rest of the line; it begins with a space where there is one."""
        writer = _PREVIEWS.get(name)
        if writer is None:
            return _octets_preview(tlv)
        text = writer(tlv, length)
        if out.color and name == "OBJECT IDENTIFIER":
            text = out.style(text, "name")
        return text


def _boolean_preview(tlv: TLV, length: int) -> str:
    return " TRUE" if tlv.value else " FALSE"


def _integer_preview(tlv: TLV, length: int) -> str:
    if length <= _DECIMAL_OCTETS:
        return f" {tlv.value}"
    return f" {tlv.value:#x}" if length <= 32 else f" {octets_text(tlv.content)}"


def _null_preview(tlv: TLV, length: int) -> str:
    return ""


def _oid_preview(tlv: TLV, length: int) -> str:
    value: ObjectIdentifier = tlv.value
    name, dotted = oid_text(value), clip(value.dotted, _MOST_CHARACTERS)
    return f" {dotted}" if value.name == value.dotted else f" {name} ({dotted})"


def _bits_preview(tlv: TLV, length: int) -> str:
    unused = tlv.content[0]
    rest = octets_text(tlv.content[1:])
    return f" {rest}, {unused} unused bits" if unused else f" {rest}"


def _time_preview(tlv: TLV, length: int) -> str:
    value = _value(tlv)
    if isinstance(value, bytes):
        # A time that Python cannot hold is shown as it stands.
        return f" {printable(value[:_MOST_CHARACTERS].decode('latin-1'))}"
    return f" {text_leaf(value)}"


def _string_preview(tlv: TLV, length: int) -> str:
    if length > _MOST_STRING_OCTETS:
        return _octets_preview(tlv)
    text = str(tlv.value)
    return f' "{printable(text[:_MOST_CHARACTERS])}"' + (
        f"... ({len(text)} characters)" if len(text) > _MOST_CHARACTERS else ""
    )


def _other_preview(tlv: TLV, length: int) -> str:
    """A type that is rare: its value as Python writes it."""
    if length > _MOST_STRING_OCTETS:
        return _octets_preview(tlv)
    return f" {clip(printable(str(tlv.value)), _MOST_CHARACTERS)}"


def _octets_preview(tlv: TLV, length: int = 0) -> str:
    """Octets in hexadecimal; as characters too, where they are nothing but printable ASCII."""
    content = tlv.content
    if 0 < len(content) <= 4 * _MOST_CHARACTERS:
        text = bytes(content)
        if text.isascii() and text.decode("ascii").isprintable() and len(text) > 3:
            return f' "{clip(printable(text.decode("ascii")), _MOST_CHARACTERS)}"'
    return f" {octets_text(content)}"


_PREVIEWS: dict[str, Callable[[TLV, int], str]] = {
    "BOOLEAN": _boolean_preview,
    "INTEGER": _integer_preview,
    "ENUMERATED": _integer_preview,
    "BIT STRING": _bits_preview,
    "NULL": _null_preview,
    "OBJECT IDENTIFIER": _oid_preview,
    **dict.fromkeys(_TIMES, _time_preview),
    **dict.fromkeys(_OTHERS, _other_preview),
    **dict.fromkeys(_STRINGS, _string_preview),
}


def _value(tlv: TLV) -> object:
    """The Python value, or the contents octets where Python's type cannot hold it."""
    try:
        return tlv.value
    except ValueError:  # ASN1Error is one; the limits of datetime and of int are others.
        return bytes(tlv.content)


def _value_json(tlv: TLV, name: str) -> str:
    """The members of a primitive element's JSON object that hold its value."""
    value = _value(tlv)
    if isinstance(value, ObjectIdentifier):
        return f', "value": "{value.dotted}", "name": {jsonout.flat(value.name)}'
    if isinstance(value, BitString):
        return f', "value": "{value.bytes.hex()}", "unused_bits": {value.unused_bits}'
    if name in _TIMES and isinstance(value, bytes):
        return f', "value": {jsonout.flat(value.decode("latin-1"))}'
    return f', "value": {jsonout.flat(json_leaf(value))}'


@click.command("dump")
@options.reading
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    metavar="N",
    help="Show N levels below the outermost element; 0 shows that one alone.",
)
@click.option(
    "--offset",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Show the element that starts at octet N only.",
)
@click.option(
    "--into/--no-into",
    default=True,
    help="Open OCTET STRING and BIT STRING that contain DER (this is so by default).",
)
def command(
    how: How,
    files: tuple[str, ...],
    depth: int | None,
    offset: int,
    into: bool,
) -> None:
    """Show the elements of any DER as a tree.

    A line has the offset of the element, the lengths of its header (hl) and of its contents, all in
    octets, then its type and its value; long values are cut. "contains" says that the octets of a
    string are DER themselves, which is shown below it; all offsets count from the start of the
    document.

    \b
    Examples:
      derlib dump server.pem
      derlib dump revoke.crl --depth 2
      derlib dump server.pem --offset 4

    \b
    With --json, each member has file (PEM: block, label, line) and either
      error    message; path, offset, rule, kind where known; line in PEM
      element  type, tag (class, number, constructed),
               offset, header_length, content_length, and one of
               children (constructed), contains (a string with DER in it),
               value (primitive), none of them below --depth;
               name (OBJECT IDENTIFIER), unused_bits (BIT STRING)
    Values are not cut: octets are hexadecimal, times ISO 8601, large integers
    "0x...".
    """
    tree = Dump(depth, offset, into)
    task = Task((), tree.decode, tree.write_text, tree.write_json, "element")
    task.run(files, how)
