"""BER encodings of a value: `ber_encodings`, `random_ber`, `to_cer`.

They are made from the DER encoding and the type, independently of `derlib.ber`, which converts in the other direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, NamedTuple, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

import derlib
from derlib import TLV
from derlib.inspect import Kind
from derlib.strategies._ber_forms import CanonicalForms, Forms, RandomForms, is_string
from derlib.strategies._draw import elements, key_of_contents
from derlib.strategies._elements import CHOICES, CONSTRUCTED, FIELDS, LISTS, UNKNOWN, canonical
from derlib.strategies._match import alternative
from derlib.strategies._read import numbered
from derlib.strategies._types import Type, packed_tag, type_of

# The kinds of universal types whose contents octets have more than one form in BER, by their tag numbers.
UNIVERSAL_KINDS = {
    1: Kind.BOOLEAN,
    3: Kind.BIT_STRING,
    4: Kind.OCTET_STRING,
    7: Kind.LATIN1_STRING,
    9: Kind.REAL,
    12: Kind.UTF8_STRING,
    18: Kind.NUMERIC_STRING,
    19: Kind.PRINTABLE_STRING,
    20: Kind.LATIN1_STRING,
    21: Kind.LATIN1_STRING,
    22: Kind.IA5_STRING,
    23: Kind.UTC_TIME,
    24: Kind.GENERALIZED_TIME,
    25: Kind.LATIN1_STRING,
    26: Kind.VISIBLE_STRING,
    27: Kind.LATIN1_STRING,
    28: Kind.UNIVERSAL_STRING,
    30: Kind.BMP_STRING,
}
SET_NUMBER = 17

# The components of a SEQUENCE or SET, with its type: open types in it find their selector there.
Scope: TypeAlias = "tuple[Type, Sequence[tuple[int, TLV]]] | None"


class BEREncoding(NamedTuple):
    """A value in DER, and in BER: what `ber_encodings` draws.

    Attributes:
        der: the DER encoding.
        ber: a BER encoding of the same value; sometimes it is the DER encoding.

    >>> import derlib
    >>> encoding = BEREncoding(der=bytes.fromhex("0101ff"), ber=bytes.fromhex("01820001 05"))
    >>> derlib.decode(bool, encoding.ber, rules="ber") == derlib.decode(bool, encoding.der)
    True
    """

    der: bytes
    ber: bytes


def ber_encodings(type: Any) -> SearchStrategy[BEREncoding]:
    """Return a strategy of values in DER, each with a random BER encoding (X.690 8).

    The BER has indefinite lengths, lengths with leading zeros, strings in segments, components with their DEFAULT
    value, SETs in any order, and the other forms of BOOLEAN, BIT STRING, REAL, UTCTime and GeneralizedTime. Values of
    classes that `derlib.ber` keeps, such as embedded certificates, stay DER. So do encodings inside strings.

    Args:
        type: any type expression, as `values` takes it.

    Raises:
        SchemaError: `type` is not a type, or has no values of finite size.

    >>> from derlib import SequenceOf, ber
    >>> from hypothesis import given
    >>> @given(ber_encodings(SequenceOf[bool]))
    ... def test_convert(encoding: BEREncoding) -> None:
    ...     assert ber.convert(encoding.ber, SequenceOf[bool]).der == encoding.der
    >>> test_convert()
    """
    return _ber_encodings(type_of(type))


@st.composite
def _ber_encodings(draw: DrawFn, type_: Type) -> BEREncoding:
    der = draw(elements(type_, True)).encoding
    # Hypothesis shrinks the numbers of this generator towards zero, and zeros lead to DER.
    return BEREncoding(der, _encode(type_, der, RandomForms(draw(st.randoms(use_true_random=False)))))


def random_ber(type: Any, der: bytes, random: Random) -> bytes:
    """Return a random BER encoding of a value, as `ber_encodings` draws it.

    Args:
        type: any type expression, as `values` takes it; `derlib.TLV` if the type is not known.
        der: the DER encoding of the value.
        random: makes the choices.

    Raises:
        ASN1Error: `der` is not a valid DER encoding of the type.
        SchemaError: `type` is not a type.

    >>> from random import Random
    >>> from derlib import OctetString
    >>> random_ber(OctetString, bytes.fromhex("0403616263"), Random(329)).hex()
    '24800401610401620401630000'
    """
    derlib.decode(type, der)
    return _encode(type_of(type), der, RandomForms(random))


def to_cer(type: Any, der: bytes) -> bytes:
    """Return the CER encoding of a value (X.690 9).

    Values of classes that `derlib.ber` keeps stay DER.

    Args:
        type: any type expression, as `values` takes it.
        der: the DER encoding of the value.

    Raises:
        ASN1Error: `der` is not a valid DER encoding of the type.
        SchemaError: `type` is not a type.

    >>> to_cer(bool, b"\\x01\\x01\\xff").hex()
    '0101ff'
    """
    derlib.decode(type, der)
    return _encode(type_of(type), der, CanonicalForms())


def _encode(type_: Type, der: bytes, forms: Forms) -> bytes:
    return _Encoding(forms, type_).element(type_, derlib.parse(der), None)


class _Encoding:
    """Encodes a value again, with `forms` choosing the form of each element."""

    def __init__(self, forms: Forms, outermost: Type) -> None:
        self.forms = forms
        self.outermost = outermost

    def element(self, type_: Type, tlv: TLV, scope: Scope) -> bytes:
        """Return another encoding of an element."""
        kind, tag = type_.kind, packed_tag(tlv.tag)
        if getattr(type_.info.cls, "__ber__", None) is not None and type_ is not self.outermost:
            return tlv.encode()
        if kind in CHOICES:
            number = alternative(type_, tag)
            return self.untyped(tlv) if number == UNKNOWN else self.element(type_.types[number], tlv, scope)
        if kind == Kind.OPEN:
            return self.open_value(type_, tlv, scope)
        if kind == Kind.ANY:
            return self.untyped(tlv)
        if kind in FIELDS:
            return self.forms.constructed(tag, b"".join(self.components(type_, tlv.children)))
        if kind in LISTS or kind == Kind.EXPLICIT:
            parts = [self.element(type_.element, child, scope) for child in tlv.children]
            ordered = self.forms.set_of_order(parts) if kind == Kind.SET_OF else parts
            return self.forms.constructed(tag, b"".join(ordered))
        return self.primitive(kind, tag, bytes(tlv.content))

    def primitive(self, kind: Kind, tag: int, contents: bytes) -> bytes:
        """Return another encoding of a primitive element."""
        contents = self.forms.contents(kind, contents)
        return self.forms.string(kind, tag, contents) if is_string(kind) else self.forms.primitive(tag, contents)

    def open_value(self, type_: Type, tlv: TLV, scope: Scope) -> bytes:
        """Return a BER encoding of an open type; if its type is unknown or may not match, as a value without a type."""
        selector = None if scope is None else _selected(*scope, type_.selector)
        target, may_mismatch = type_.entries().get(selector, (None, True)) if selector is not None else (None, True)
        if target is None:
            return self.untyped(tlv)
        if not may_mismatch:
            return self.element(target, tlv, None)
        # If the value matches its type, the conversion keeps the encodings of some classes in it as they are.
        return tlv.encode() if _has_kept_class(target) else self.untyped(tlv)

    def components(self, type_: Type, children: Iterable[TLV]) -> list[bytes]:
        """Return other encodings of the components of a SEQUENCE or SET, sometimes with those that have defaults."""
        present = numbered(type_, children)
        encoded = list(present)
        numbers = {number for number, _ in present}
        for number, default in enumerate(type_.defaults):
            if default is not None and number not in numbers and self.forms.includes_default():
                encoded.append((number, derlib.parse(default)))
        is_set = type_.kind == Kind.SET
        encoded.sort(key=lambda part: canonical(packed_tag(part[1].tag)) if is_set else _position(type_, part[0]))
        types = [type_of(Any) if number == UNKNOWN else type_.types[number] for number, _ in encoded]
        scope = type_, present
        parts = [self.element(part, tlv, scope) for part, (_, tlv) in zip(types, encoded, strict=True)]
        if is_set:
            keys = [_lowest_tag(part, tlv) for part, (_, tlv) in zip(types, encoded, strict=True)]
            return self.forms.set_order(list(zip(keys, parts, strict=True)))
        return parts

    def untyped(self, tlv: TLV) -> bytes:
        """Return another encoding of an element whose type is unknown: only in forms that its tag makes certain."""
        tag = packed_tag(tlv.tag)
        is_universal = tlv.tag.tag_class == "universal"
        if not tag & CONSTRUCTED:
            kind = UNIVERSAL_KINDS.get(tlv.tag.number) if is_universal else None
            contents = bytes(tlv.content)
            return self.forms.primitive(tag, contents) if kind is None else self.primitive(kind, tag, contents)
        parts = [self.untyped(child) for child in tlv.children]
        if is_universal and tlv.tag.number == SET_NUMBER and len({child.tag for child in tlv.children}) == 1:
            # Elements with equal tags are those of a SET OF. With other tags, it can also be a SET.
            parts = self.forms.set_of_order(parts)
        return self.forms.constructed(tag, b"".join(parts))


def _has_kept_class(type_: Type) -> bool:
    """Return whether a type is, or contains, a class whose values `derlib.ber` keeps."""
    seen: set[Type] = set()
    waiting = [type_]
    while waiting:
        inner = waiting.pop()
        if inner in seen:
            continue
        seen.add(inner)
        if getattr(inner.info.cls, "__ber__", None) is not None:
            return True
        waiting += inner.types
        waiting += [target for target, _ in inner.entries().values()]
        if inner.kind in LISTS or inner.kind == Kind.EXPLICIT:
            waiting.append(inner.element)
    return False


def _selected(type_: Type, children: Sequence[tuple[int, TLV]], selector: tuple[str, ...]) -> bytes | None:
    """Return the key of the value that a selector leads to, as in `Type.entries`; None if it is absent."""
    found: TLV | None = None
    for name in selector:
        number = type_.names.index(name)
        found = next((tlv for other, tlv in children if other == number), None)
        default = type_.defaults[number]
        if found is None and default is not None:
            found = derlib.parse(default)
        if found is None:
            return None
        type_, found = _inside_tags(type_.types[number], found)
        children = numbered(type_, found.children) if type_.kind in FIELDS else []
    return None if found is None else key_of_contents(type_, bytes(found.content))


def _inside_tags(type_: Type, tlv: TLV) -> tuple[Type, TLV]:
    """Return the element inside the explicit tags and alternatives of a component, with its type."""
    while type_.kind == Kind.EXPLICIT or type_.kind in CHOICES:
        if type_.kind == Kind.EXPLICIT:
            type_, tlv = type_.element, tlv.children[0]
        else:
            number = alternative(type_, packed_tag(tlv.tag))
            if number == UNKNOWN:
                break
            type_ = type_.types[number]
    return type_, tlv


def _position(type_: Type, number: int) -> float:
    """Return the key that orders the components of a SEQUENCE: unknown additions come before `extension_index`."""
    return number if number != UNKNOWN else (type_.extension_index or 0) - 0.5


def _lowest_tag(type_: Type, tlv: TLV) -> tuple[int, int]:
    """Return the key that orders a component of a SET in CER (X.690 9.3): of a CHOICE, its lowest tag."""
    if type_.kind in CHOICES and type_.alternatives:
        return min(map(canonical, type_.alternatives))
    return canonical(packed_tag(tlv.tag))
