"""The patterns of `derlib grep`: an object identifier, a number, an IP address, a path with wildcards, or text.

`derlib extract` takes paths, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from fnmatch import translate
from functools import lru_cache
from ipaddress import ip_network
from typing import Any, NamedTuple

import click

from derlib import TLV, Enumerated, NamedBits, NamedInteger, ObjectIdentifier, oids
from derlib._schema.open_types import contents_of_number
from derlib.cli.documents.paths import Item, Key, Path, child_items, plain_value
from derlib.cli.documents.text_forms import text_in

__all__ = ["Pattern", "has_wildcards", "items_below", "parse_path", "parse_pattern"]

#: The longest pattern or path. A pattern is compared with every item.
_MAX_CHARACTERS = 1000

# A name of a field, which can contain wildcards, an index, or an object identifier. A shell removes quotes.
_STEP = re.compile(
    r"(?:^|\.)([A-Za-z_*?$][\w*?$-]*)|\.?\[(\d{1,12}|\*)\]|\.?(\*\*)|\.?\[([\"']?)([\w.-]+)\4\]"
)
# The first fields of a certificate and a CRL have an underscore in their names; a host name has none.
_LOOKS_LIKE_A_PATH = re.compile(r"\[(\d+|\*|[\"'].*[\"'])\]|\*|^[a-z]+_[a-z_]+($|[.\[])")
_DOTTED = re.compile(r"[012](\.\d+)+")
# A number in hexadecimal with its digits, as `derlib` prints it, or as `openssl x509 -serial` prints it.
_NUMBER = re.compile(r"(?:0x|serial=)([0-9A-Fa-f]+)")
# Every Python converts this number of digits (sys.set_int_max_str_digits takes no smaller limit).
_DECIMAL = re.compile(r"-?[0-9]{1,640}")
# Bytes with colons, or 16 digits or more, such as a serial number that openssl prints; digits alone are decimal. A
# serial number that Python prints can lack its first zero.
_BYTES = re.compile(r"[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2})+|(?=[0-9]*[A-Fa-f])[0-9A-Fa-f]{16,}")
# Bytes without `0x` that are too short to be read as such, because they can be words.
_SHORT_BYTES = re.compile(r"(?=.*[0-9])(?=.*[A-Fa-f])[0-9A-Fa-f]{1,15}")
# The name of a field, or of an item of an enumeration, in snake_case or as in ASN.1: key_compromise, keyCompromise.
_NAME = re.compile(r"[a-z][A-Za-z0-9_-]*")


class Pattern(NamedTuple):
    """A pattern.

    Attributes:
        matches: whether the pattern matches an item.
        descends: whether an item below this one can match.
        needles: if not empty, a document without any of these byte strings has no match.
        note: how an ambiguous pattern was interpreted, to report if nothing is found.
        name: if not empty, the pattern can also be the name of an item of an enumeration, or of a bit, in the form
            of `_comparable`.
        at_any_depth: for a path from the outermost type, the path at any depth; else empty.
        is_path: whether the pattern is a path.
    """

    matches: Callable[[Item], bool]
    descends: Callable[[Item], bool]
    needles: tuple[bytes, ...] = ()
    note: str = ""
    name: str = ""
    at_any_depth: str = ""
    is_path: bool = False

    def with_names(self) -> Pattern:
        """Return the pattern that also matches items and bits with its name, if an enumeration has the name.

        Decode the documents first, because this loads their enumerations.
        """
        if not self.name or not _is_item_name(self.name):
            return self
        return self._replace(
            matches=lambda item: self.matches(item) or _has_name(item.value, self.name),
            descends=lambda item: True,
            needles=(),
        )

    def can_match(self, der: bytes) -> bool:
        """Return False if the document has no match; this does not decode it."""
        return not self.needles or any(needle in der for needle in self.needles)


def parse_pattern(text: str, form: str | None, ignore_case: bool) -> Pattern:
    """Return the pattern in this form, or in the first that `text` can be: "oid", "value", "path" or "text"."""
    if not text:
        raise click.BadParameter("the pattern is empty")
    if len(text) > _MAX_CHARACTERS:
        raise click.BadParameter(f"the pattern is {len(text)} characters; the limit is {_MAX_CHARACTERS}")
    # A name without its prefix, such as title, can also be a word.
    if form == "oid" or (form is None and (_DOTTED.fullmatch(text) or oids.find_registered(text))):
        return _identifier_pattern(text)
    if form in (None, "value"):
        found = _value_pattern(text, in_text=form is None, ignore_case=ignore_case)
        if found:
            return found._replace(note="") if form else found
        if form:
            raise click.BadParameter(f"{text!a:.80} is neither a number, such as 0x1a2b or 1A:2B, nor an IP address")
    if form == "path" or (form is None and _LOOKS_LIKE_A_PATH.search(text)):
        found = _path_pattern(text)
    else:
        found = _text_pattern(text, ignore_case)
        if form is None:
            found = _with_identifiers(found, text)
            if _SHORT_BYTES.fullmatch(text):
                found = found._replace(note=f"the pattern was read as text; 0x{text} is hexadecimal")
    return found if form is None else found._replace(note="", name="", at_any_depth="")


def parse_path(text: str, wildcards: bool = False) -> Path:
    """Return the steps of a path such as `tbs_certificate.extensions[3]`.

    With `wildcards`, steps can be `*` and `**`; without, they can be keys such as `extensions["2.5.29.17"]`, and the
    path can be an array, as JSON has it.
    """
    steps: list[str | int] = [] if wildcards else _steps_of_json(text)
    position = len(text) if steps else 0
    while position < len(text) and (len(text) <= _MAX_CHARACTERS or not wildcards):
        found = _STEP.match(text, position)
        if not found:
            break
        name, index, deep, _, key = found.groups()
        if key and wildcards:
            raise click.BadParameter(f"a path with {found[0]!a:.80} is for derlib extract; to find the object "
                                     f"identifier, use the pattern {key!a:.80}")
        steps.append(_key(key) if key else int(index) if index and index != "*" else name or deep or "*")
        position = found.end()
    if position < len(text) and text.startswith("...", position):
        raise click.BadParameter("the middle of this path is omitted; use the offset of the element")
    if not wildcards and "[]" in text:
        raise click.BadParameter(f"{text!a:.80} has no index; [*] is every index")
    if position < len(text) or not text:
        raise click.BadParameter(f"{text!a:.80} is not a path such as tbs_certificate.extensions[0]")
    return tuple(steps)


def has_wildcards(text: str) -> bool:
    """Return whether a path has a wildcard: `*`, `?`, `[*]` or `**`."""
    return "*" in text or "?" in text


def items_below(root: Item, pattern: Pattern) -> Iterator[Item]:
    """Yield `root` and the items below it that a pattern can match, in the order of the document."""
    pending = [iter((root,))]
    while pending:
        item = next(pending[-1], None)
        if item is None:
            pending.pop()
            continue
        yield item
        if pattern.descends(item):
            pending.append(child_items(item))


def _steps_of_json(text: str) -> list[str | int]:
    """Return the steps of an array as --json writes paths; empty if `text` is not one."""
    if not text.startswith("[") or ("," not in text and _find_identifier(text.strip("[]\"'"))):
        return []
    try:
        steps = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return steps if isinstance(steps, list) and {*map(type, steps)} <= {str, int} else []


def _key(text: str) -> Key:
    """Return the step for an object identifier with this number or name."""
    found = _find_identifier(text)
    if found is None:
        raise click.BadParameter(f"no object identifier has the number or name {text!a:.80}")
    return Key(found.dotted)


def _find_identifier(text: str) -> ObjectIdentifier | None:
    """Return the object identifier with this number or name, or None."""
    try:
        return ObjectIdentifier(oids.oid_of(text))
    except (KeyError, ValueError):
        return None


def _identifier_pattern(text: str) -> Pattern:
    wanted = _find_identifier(text)
    if wanted is None:
        raise click.BadParameter(f"no object identifier has the number or name {text!a:.80}")

    def matches(item: Item) -> bool:
        value = plain_value(item)
        return isinstance(value, ObjectIdentifier) and value == wanted

    return Pattern(matches, lambda item: True, (wanted.content,))


def _value_pattern(text: str, in_text: bool, ignore_case: bool) -> Pattern | None:
    """Return a pattern that matches a number, bytes or an IP address; None if `text` is none of them.

    With `in_text`, digits, bytes with colons and addresses are also found in character strings.
    """
    if hexadecimal := _NUMBER.fullmatch(text):
        digits = hexadecimal[1]
        return _number_pattern(int(digits, 16), bytes.fromhex(digits) if len(digits) % 2 == 0 else None)
    found, note = [], ""
    if _DECIMAL.fullmatch(text):
        found.append(_number_pattern(int(text), None))
        note = f"the pattern was read as a decimal number, and as text; 0x{text.lstrip('-')} is hexadecimal"
    if _BYTES.fullmatch(text):
        digits = text.replace(":", "")
        octets = bytes.fromhex("0" * (len(digits) % 2) + digits)
        found.append(_number_pattern(int.from_bytes(octets, "big"), octets))
        note = "the pattern was read as a number or bytes in hexadecimal, and as text"
    if address := _address_pattern(text):
        found.append(address)
    if found and in_text:
        found.append(_text_pattern(text, ignore_case))
    return _any_of(found, note) if found else None


def _any_of(patterns: list[Pattern], note: str) -> Pattern:
    """Return a pattern that matches what any of these patterns of values matches."""
    needles = tuple(needle for pattern in patterns for needle in pattern.needles)
    return Pattern(
        lambda item: any(pattern.matches(item) for pattern in patterns),
        lambda item: True,
        needles if all(pattern.needles for pattern in patterns) else (),
        note,
    )


def _number_pattern(number: int, octets: bytes | None) -> Pattern:
    """Return a pattern that matches an integer, and a string of these bytes."""

    def matches(item: Item) -> bool:
        value = plain_value(item)
        if isinstance(value, int):
            return not isinstance(value, (bool, NamedBits)) and value == number
        return octets is not None and isinstance(value, bytes) and value == octets

    contents = contents_of_number(number)
    return Pattern(matches, lambda item: True, (contents,) if octets is None else (contents, octets))


def _is_item_name(name: str) -> bool:
    """Return whether an enumeration that is loaded has an item, or named bits have a bit, of this name."""
    pending: list[type[Any]] = [Enumerated, NamedInteger, NamedBits]
    while pending:
        cls = pending.pop()
        if name in map(_comparable, cls.__members__):
            return True
        pending += cls.__subclasses__()
    return False


def _has_name(value: object, name: str) -> bool:
    """Return whether a value is an item of this name, or has a bit of this name."""
    if isinstance(value, NamedBits):
        return any(_comparable(bit) == name and value & mask for bit, mask in type(value).__members__.items())
    return isinstance(value, (Enumerated, NamedInteger)) and _comparable(value.name) == name


def _address_pattern(text: str) -> Pattern | None:
    """Return a pattern that matches a string with an IP address or network, and text that has it; None if it is none.

    An address also matches the network of name constraints that begins with it (RFC 5280 section 4.2.1.10).
    """
    try:
        network = ip_network(text)
    except ValueError:
        return None
    address = network.network_address.packed
    octets = address + network.netmask.packed if "/" in text else address
    in_text = _text_pattern(text, False)

    def matches(item: Item) -> bool:
        value = plain_value(item)
        return value == octets or _is_network(value, address, octets) or in_text.matches(item)

    return Pattern(
        matches,
        lambda item: True,
        (octets, *in_text.needles),
    )


def _is_network(value: object, address: bytes, start: bytes) -> bool:
    """Return whether a value is an address and a mask whose bits are at its beginning, and begins with `start`."""
    if not isinstance(value, bytes) or len(value) != 2 * len(address) or not value.startswith(start):
        return False
    inverted = int.from_bytes(value[len(address) :], "big") ^ ((1 << 8 * len(address)) - 1)
    return inverted & (inverted + 1) == 0


def _text_pattern(text: str, ignore_case: bool) -> Pattern:
    wanted = text.casefold() if ignore_case else text

    def matches(item: Item) -> bool:
        value = plain_value(item)
        if isinstance(value, TLV) and not value.tag.constructed:
            value = value.content
        if isinstance(value, (bytes, memoryview)):
            value = text_in(value)
        if not isinstance(value, str):
            return False
        return wanted in (value.casefold() if ignore_case else value)

    # Every character string type has one of these encodings, or a subset of one.
    encodings = ("latin-1", "utf-8", "utf-16-be", "utf-32-be")
    needles = () if ignore_case else tuple({text.encode(encoding, "ignore") for encoding in encodings})
    return Pattern(matches, lambda item: True, needles, name=_item_name(text))


def _with_identifiers(pattern: Pattern, text: str) -> Pattern:
    """Return a pattern of text that also matches the object identifiers whose names are `text` after a prefix."""
    named = oids.with_prefix(text)
    if not named:
        return pattern
    note = f"the pattern was read as text, and as the object identifier {' or '.join(named)}"
    return _any_of([pattern, *map(_identifier_pattern, named)], note)._replace(name=pattern.name)


def _item_name(text: str) -> str:
    """Return `text` in the form of `_comparable` if it can be the name of an item, else an empty text."""
    return _comparable(text) if _NAME.fullmatch(text) else ""


@lru_cache(maxsize=4096)
def _comparable(name: str) -> str:
    """Return a name in the form that key_compromise, keyCompromise and key-compromise have in common."""
    return name.replace("_", "").replace("-", "").lower()


def _path_pattern(text: str) -> Pattern:
    """Return a pattern that matches paths as an automaton: its states are the numbers of pattern steps consumed."""
    steps = parse_path(text, wildcards=True)
    expressions = [step if step == "**" or isinstance(step, int) else re.compile(translate(step)) for step in steps]

    def skip_double_stars(states: set[int]) -> frozenset[int]:
        """Add the states after each `**`, which can match no step at all."""
        for state, expression in enumerate(expressions):
            if state in states and expression == "**":
                states.add(state + 1)
        return frozenset(states)

    def advance(state: int, step: str | int) -> int | None:
        """Return the state after `step` of a path, or None."""
        wanted = expressions[state] if state < len(expressions) else None
        if wanted == "**":
            return state
        # `*` matches an index, too.
        fits = wanted == step if isinstance(wanted, int) else (
            isinstance(wanted, re.Pattern) and wanted.fullmatch("*" if isinstance(step, int) else step)
        )
        return state + 1 if fits else None

    @lru_cache(maxsize=256)
    def states_of(path: Path) -> frozenset[int]:
        """Return the states after all steps of `path`."""
        before = states_of(path[:-1]) if path else frozenset({0})
        after = {advance(state, path[-1]) for state in before} if path else {0}
        return skip_double_stars({state for state in after if state is not None})

    is_deep = steps[0] == "**"
    return Pattern(
        lambda item: len(expressions) in states_of(item.path),
        lambda item: any(state < len(expressions) for state in states_of(item.path)),
        note="" if is_deep else "the pattern was read as a path from the outermost type",
        name=_item_name(text),
        at_any_depth="" if is_deep else f"**.{text}",
        is_path=True,
    )
