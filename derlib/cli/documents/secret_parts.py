"""The parts of a document that hold private keys or other secrets, as ranges of its bytes, for the commands to hide.

In a document of a known type, these are the fields of some classes, and strings with the form of a key. In other DER
and BER with the form of a key, they are the contents of all primitive elements except identifiers and short numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import derlib
from derlib import TLV, ASN1Error, BitString, DecodeError, Tag
from derlib._identify import is_secret
from derlib.cli.deviations import ALL_DEVIATIONS
from derlib.cli.documents.elements import NESTING_LIMIT, Element, contained_element
from derlib.cli.documents.key_forms import has_key, has_key_form, holds_key, looks_like_key
from derlib.cli.documents.known_contents import schema_names
from derlib.cli.documents.paths import Item, child_items, plain_value, root_item

if TYPE_CHECKING:
    from derlib import ber
    from derlib._document_types import DocumentType
    from derlib.cli.documents.files import Document

__all__ = ["HIDDEN", "SecretParts", "hide_key", "is_secret_field", "secret_parts", "secrets_of", "shown_value"]

#: The text in place of a secret.
HIDDEN = "(hidden; --secrets shows it)"

#: The types of documents with secrets in the fields of the outermost structure.
_SECRET_TYPES = frozenset({"key", "rsa-key", "ec-key", "dsa-key", "session"})

_PQ_KEYS = ("MLDSA44", "MLDSA65", "MLDSA87", "MLKEM512", "MLKEM768", "MLKEM1024")

#: The fields that hold secrets, by module and class.
_SECRETS: dict[str, frozenset[str]] = {
    "keys.PrivateKeyInfo": frozenset({"private_key", "unknown_additions"}),
    "keys.RSAPrivateKey": frozenset(
        {"private_exponent", "prime1", "prime2", "exponent1", "exponent2", "coefficient", "other_prime_infos"}
    ),
    "keys.ECPrivateKey": frozenset({"private_key"}),
    "keys.DSAPrivateKey": frozenset({"private_key"}),
    "keys.ValidationParams": frozenset({"seed"}),
    **{f"keys_pq.{name}PrivateKey": frozenset({"seed", "expanded_key", "both"}) for name in _PQ_KEYS},
    "pkcs12.SecretBag": frozenset({"secret_value"}),
    "openssl.SSLSession": frozenset({"master_key"}),
}

#: The universal types whose contents are not secret: BOOLEAN, NULL, OBJECT IDENTIFIER.
_PUBLIC = frozenset({1, 5, 6})
_BIT_STRING, _OCTET_STRING = Tag(3, "universal"), Tag(4, "universal")
_STRINGS = (_BIT_STRING, _OCTET_STRING)


class SecretParts(list[range]):
    """The ranges of the bytes that hold secrets, in ascending order."""

    def touch(self, start: int, end: int) -> bool:
        """Return whether some of the bytes from `start` to before `end` are secret."""
        last = bisect_right(self, end - 1, key=lambda part: part.start) - 1
        return last >= 0 and self[last].stop > start

    def cover(self, start: int, end: int) -> bool:
        """Return whether all bytes from `start` to before `end` are secret, perhaps except the first."""
        last = bisect_right(self, start + 1, key=lambda part: part.start) - 1
        return last >= 0 and self[last].stop >= end > start

    def moved(self, distance: int) -> SecretParts:
        """Return these parts at offsets that are larger by `distance`."""
        return SecretParts(range(part.start + distance, part.stop + distance) for part in self)

    def blanked(self, octets: bytes) -> bytes:
        """Return the bytes of the document with another value in place of each secret byte.

        This value is valid in an INTEGER and in text, and no string of it is an element.
        """
        blanked = bytearray(octets)
        for part in self:
            blanked[part.start : part.stop] = b"*" * len(part)
        return bytes(blanked)


@lru_cache(maxsize=512)
def secrets_of(cls: Any) -> frozenset[str]:
    """Return the names of the fields of a class that hold secrets."""
    return next((_SECRETS[name] for name in schema_names(cls) if name in _SECRETS), frozenset())


def is_secret_field(value: Any, name: str | int) -> bool:
    """Return whether a field of a value holds a secret, or can hold one: a bag of an unknown type."""
    is_bag = name == "bag_value" and "pkcs12.SafeBag" in schema_names(type(value))
    cls: Any = type(value)  # For mypy, a class is not hashable.
    return name in secrets_of(cls) or (is_bag and isinstance(value.bag_value, TLV))


def hide_key(error: DecodeError, document: Document, type_: DocumentType) -> None:
    """Leave only the kind of an error in its message, if this could quote a part of a private key."""
    is_key = type_.name in _SECRET_TYPES or is_secret(document.label)
    if is_key or (type_.schema is None and has_key(document.der)):
        error.detail = f"{HIDDEN}: {error.kind}"


def shown_value(document: Document, secrets: bool) -> Callable[[Item], Any]:
    """Return a function that returns the value of an item of a document; `HIDDEN` if a part of it is a secret.

    With `secrets`, it hides nothing. Documents are searched for secrets at its first call.
    """
    parts: SecretParts | None = SecretParts() if secrets else None

    def shown(item: Item) -> Any:
        nonlocal parts
        if parts is None:
            parts = secret_parts(document)
        span = item.span
        return HIDDEN if parts.touch(span.content_offset, span.end) else plain_value(item)

    return shown


def secret_parts(document: Document, is_ber: bool = False) -> SecretParts:
    """Return the parts of a document that hold secrets, at offsets in its bytes."""
    der = document.der
    try:
        tree = derlib.parse_ber(der) if is_ber else derlib.parse(der, tolerate=ALL_DEVIATIONS)
    except (ASN1Error, MemoryError):
        # Anything in a damaged key can be a part of it.
        is_key = is_secret(document.label) or has_key(der)
        return SecretParts([range(min(2, len(der)), len(der))] if is_key else [])
    if isinstance(tree, TLV):
        if not is_secret(document.label) and not looks_like_key(tree):
            return SecretParts()
        value = _known(document)
        return _sorted(_primitives(tree) if value is None else _secret_fields(value))
    return _sorted(_primitives(tree)) if is_secret(document.label) or _is_key_in_ber(tree, der) else SecretParts()


def _sorted(parts: Iterator[range]) -> SecretParts:
    return SecretParts(sorted((part for part in parts if part), key=lambda part: part.start))


def _known(document: Document) -> Any:
    """Return the value of a document of a known type, or None. The schemas are imported only for this."""
    from derlib.cli.documents.document_types import DER, type_of

    try:
        type_ = type_of(document)
        return None if type_ is DER else type_.decode(document.der, ALL_DEVIATIONS)
    except (ASN1Error, MemoryError):
        return None


def _is_key_in_ber(tree: ber.Element, octets: bytes) -> bool:
    """Return whether BER, or the DER of its value, has the form of a private key."""
    from derlib import ber

    if has_key(octets):
        return True
    try:
        der = ber.convert(octets, TLV).der
    except (ASN1Error, MemoryError):
        return False
    return has_key_form(derlib.parse(der, tolerate=ALL_DEVIATIONS)) or has_key(der)


def _primitives(tree: TLV | ber.Element) -> Iterator[range]:
    """Yield the contents of the primitive elements in a tree, except those that hold no secret."""
    pending: list[tuple[TLV | ber.Element, int, int]] = [(tree, 0, NESTING_LIMIT)]
    while pending:
        one, base, levels = pending.pop()
        tag, span = one.tag, one.span
        if tag.constructed:
            pending += ((child, base, levels) for child in one)
            continue
        contained = contained_element(Element(one, base), str(tag)) if levels and tag in _STRINGS else None
        if contained is not None:
            pending.append((contained.tlv, contained.base, levels - 1))
        elif span.content_length > 1 and not (tag.tag_class == "universal" and tag.number in _PUBLIC):
            # The first contents octet of a BIT STRING is the number of unused bits.
            start = base + span.content_offset
            yield range(start + (tag == _BIT_STRING), start + span.content_length)


def _secret_fields(value: Any) -> Iterator[range]:
    """Yield the contents of the secrets in a value and in the values inside its strings."""
    pending = [root_item(value)]
    while pending:
        holder = pending.pop()
        for item in child_items(holder):
            if is_secret_field(holder.value, item.path[-1]) or _has_key(item.value):
                yield range(item.span.content_offset, item.span.end)
            else:
                pending.append(item)


def _has_key(value: Any) -> bool:
    """Return whether bytes, bits or an element of an unknown type have the form of a private key."""
    return holds_key(value.bytes if isinstance(value, BitString) else value)
