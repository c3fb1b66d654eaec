"""Bytes as text: hexadecimal, or the characters of an OCTET STRING that is text; and the values that have such strings.

`derlib dump` and `derlib.pretty` show the characters of the same strings. Only the OCTET STRINGs of a program's own
schemas, of LDAP and of SNMP, and the SID of an account are shown so. Those of the other schemas of derlib are
identifiers, digests, keys and nonces: four bytes of a key identifier that happen to be letters are not a word.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from derlib import View
from derlib.cli.documents.known_contents import schema_names
from derlib.cli.documents.text_forms import text_in
from derlib.cli.output.escapes import clip, printable

__all__ = ["bytes_text", "characters", "has_fixed_size", "has_text"]

#: The longest byte string that is shown in full in hexadecimal.
_MAX_BYTES = 32

#: At most this many characters of a string are shown.
_MAX_CHARACTERS = 80

#: The modules and classes of derlib.schemas whose standards use OCTET STRING for text (RFC 4511 section 4.1.2,
#: RFC 2579 section 2, [MS-WCCE] section 2.2.2.7.7.4).
_TEXT = frozenset({"ldap", "ldap_controls", "ldap_search", "ldap_types", "snmp", "vendor.NtdsObjectSid"})


def bytes_text(value: bytes | memoryview) -> str:
    """Return bytes in hexadecimal; for a long value, the first bytes and the number of bytes."""
    if not value:
        return "(empty)"
    if len(value) <= _MAX_BYTES:
        return value.hex(":")
    return f"{value[:_MAX_BYTES].hex(':')}... ({len(value)} bytes)"


def characters(octets: bytes | memoryview) -> str:
    """Return bytes that look like text (`text_in`) as characters in quotation marks, else an empty text."""
    text = text_in(octets)
    return f'"{clip(printable(text), _MAX_CHARACTERS)}"' if text else ""


@lru_cache(maxsize=512)
def has_text(cls: Any, around: bool) -> bool:
    """Return whether the OCTET STRINGs in a value of this class can be text.

    `around` is the answer for the value around it, and for a list without a class of its own such as SequenceOf[bytes].
    """
    if names := tuple(schema_names(cls)):
        return any(not _TEXT.isdisjoint({name, name.partition(".")[0]}) for name in names)
    return around or (issubclass(cls, View) and cls.__module__ != "derlib")


@lru_cache(maxsize=512)
def has_fixed_size(cls: Any, step: str | int) -> bool:
    """Return whether the string in a field, alternative or element has only one size, as addresses and digests have."""
    from derlib.inspect import ChoiceType, ExplicitType, ListType, PrimitiveType, StructureType, TypeInfo, type_info

    if not issubclass(cls, View):
        return False
    info: TypeInfo | None = type_info(cls)
    while isinstance(info, ExplicitType):
        info = info.type
    if isinstance(info, ListType):
        info = info.element
    elif isinstance(info, (ChoiceType, StructureType)):
        parts = info.alternatives if isinstance(info, ChoiceType) else info.components
        info = next((part.type for part in parts if part.name == step), None)
    while isinstance(info, ExplicitType):
        info = info.type
    return isinstance(info, PrimitiveType) and info.size is not None and info.size[0] == info.size[1]
