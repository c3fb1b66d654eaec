"""ASN.1 names for Python names: the reverse of `derlib.asn1.backend.names`."""

from __future__ import annotations

import re
from collections.abc import Callable

from derlib.asn1.backend.names import component_name, item_name

__all__ = ["Names", "component_identifier", "item_identifier"]

#: Reserved words that a reference could be (X.680 12.38), and the useful types.
_WORDS = """
    ABSENT ABSTRACT-SYNTAX ALL ANY APPLICATION AUTOMATIC BEGIN BIT BMPString BOOLEAN BY CHARACTER CHOICE CLASS
    COMPONENT COMPONENTS CONSTRAINED CONTAINING DATE DATE-TIME DEFAULT DEFINED DEFINITIONS DURATION EMBEDDED ENCODED
    ENCODING-CONTROL END ENUMERATED EXCEPT EXPLICIT EXPORTS EXTENSIBILITY EXTERNAL FALSE FROM GeneralizedTime
    GeneralString GraphicString IA5String IDENTIFIER IMPLICIT IMPLIED IMPORTS INCLUDES INSTANCE INSTRUCTIONS INTEGER
    INTERSECTION ISO646String MAX MIN MINUS-INFINITY NOT-A-NUMBER NULL NumericString OBJECT ObjectDescriptor OCTET
    OF OID-IRI OPTIONAL PATTERN PDV PLUS-INFINITY PRESENT PrintableString PRIVATE REAL RELATIVE-OID RELATIVE-OID-IRI
    SEQUENCE SET SETTINGS SIZE STRING SYNTAX T61String TAGS TeletexString TIME TIME-OF-DAY TRUE TYPE-IDENTIFIER
    UNION UNIQUE UNIVERSAL UniversalString UTCTime UTF8String VideotexString VisibleString WITH
"""
_RESERVED = frozenset(_WORDS.split())


def component_identifier(name: str, *, choice: bool = False) -> str:
    """Return the identifier of a component or an alternative, which compiles to the same name.

    Raises:
        ValueError: no identifier does, because the name has capitals or letters that ASN.1 lacks.

    >>> component_identifier("subject_public_key_info"), component_identifier("class_"), component_identifier("a_1")
    ('subjectPublicKeyInfo', 'class', 'a-1')
    """
    return _best(name, lambda found: component_name(found, choice=choice))


def item_identifier(name: str) -> str:
    """Return the identifier of a named number or bit, which compiles to the same name.

    Raises:
        ValueError: no identifier does.
    """
    return _best(name, item_name)


def _best(name: str, to_python: Callable[[str], str]) -> str:
    """Return the identifier that compiles to the name: in camel case if possible, otherwise with hyphens.

    Raises:
        ValueError: there is none.
    """
    words = [word for word in re.split("[^A-Za-z0-9]+", name) if word] or ["x"]
    first, *rest = words
    camel = first.lower() + "".join(word[:1].upper() + word[1:] for word in rest)
    hyphens = "-".join(words)
    forms = [form for form in (camel, hyphens) if "a" <= form[0] <= "z"] or [f"x-{hyphens}"]
    for form in forms:
        if to_python(form) == name:
            return form
    nearest = name if re.fullmatch("[a-z][A-Za-z0-9]*", name) else forms[0]
    remedy = f"{nearest} compiles to {to_python(nearest)}; rename it, for example to that"
    raise ValueError(f"derlib cannot write the name {name!r:.60} in ASN.1 notation: {remedy:.200}")


class Names:
    """The type references of a module: each is given once."""

    def __init__(self, reserved: frozenset[str] = _RESERVED) -> None:
        self._used = set(reserved)

    def reference(self, name: str) -> str:
        """Return a type reference for a class, a table or another Python name."""
        words = [word for word in re.split("[^A-Za-z0-9]+", name) if word] or ["Type"]
        wanted = "-".join(words)
        wanted = wanted[0].upper() + wanted[1:] if wanted[0].isalpha() else f"T{wanted}"
        count, unique = 1, wanted
        while unique in self._used:
            count += 1
            unique = f"{wanted}-{count}"
        self._used.add(unique)
        return unique
