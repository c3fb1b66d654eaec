"""The names of object identifiers, such as `sha256WithRSAEncryption`.

`ObjectIdentifier.name`, `repr` and the command line use these names. Schema modules and users register more. The
module does not import the core, so that the core can import it. The initial names are in `_oid_names`.

>>> from derlib import oids
>>> oids.name_of("1.2.840.113549.1.1.11")
'sha256WithRSAEncryption'
>>> oids.oid_of("id-kp-serverAuth"), oids.usual_name_of("1.3.6.1.5.5.7.3.1")
('1.3.6.1.5.5.7.3.1', 'serverAuth')
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Protocol, TypeVar

from derlib._brief import brief, got
from derlib.errors import ConstraintError

__all__ = ["HasDotted", "name_of", "oid_of", "register", "register_all", "usual_name_of"]

# RFC 4514 section 3: the short names of attribute types that every implementation recognizes in the string form of a
# name. Other types are written in dotted decimal, as section 2.3 requires for names that may not be registered.
ATTRIBUTE_SHORT_NAMES = {
    "2.5.4.3": "CN",
    "2.5.4.7": "L",
    "2.5.4.8": "ST",
    "2.5.4.10": "O",
    "2.5.4.11": "OU",
    "2.5.4.6": "C",
    "2.5.4.9": "STREET",
    "0.9.2342.19200300.100.1.25": "DC",
    "0.9.2342.19200300.100.1.1": "UID",
}

# The prefixes of identifiers in ASN.1 modules, which people omit: commonName, serverAuth. Longer ones come first.
_PREFIXES = (
    *("id-at-", "id-ce-", "id-pe-", "id-kp-", "id-ad-", "id-qt-", "id-on-", "id-pda-", "id-aca-", "id-aa-", "id-ct-"),
    *("id-alg-", "pkcs-9-at-", "tcg-at-", "tcg-kp-", "id-"),
)

T = TypeVar("T")


class HasDotted(Protocol):
    """An object with a dotted form, such as `derlib.ObjectIdentifier`."""

    @property
    def dotted(self) -> str: ...


# The registered names; the names of `_oid_names` are added when a name is not found. Setting an item of a dict is
# atomic, with the GIL and in free-threaded builds.
_name_by_oid: dict[str, str] = {}
_oid_by_name: dict[str, str] = {}
# The results of `usual_name_of`. Each registration replaces the dict, so that no thread adds an outdated name to it.
_usual_names: dict[str, str] = {}
_state = object()


def register(oid: str | HasDotted, name: str) -> None:
    """Register a name of an object identifier, for the whole process.

    The last registration wins: `name_of` returns the newest name, and `oid_of` the newest object identifier. `oid_of`
    still accepts older names of the same object identifier.

    Args:
        oid: a dotted form, or an `ObjectIdentifier`.
        name: any text that is not empty and not a dotted form.

    Raises:
        TypeError: `oid` is not a str and has no dotted form.
        ValueError: `oid` is not the dotted form of an object identifier (X.660), or the name is invalid.

    >>> from derlib import oids
    >>> oids.register("1.3.6.1.4.1.99999.1", "acme-badge")
    >>> oids.name_of("1.3.6.1.4.1.99999.1")
    'acme-badge'
    """
    dotted = _dotted(oid)
    if not isinstance(name, str) or not name or _is_dotted(name):
        raise ValueError(f"{brief(name)} cannot be the name of the object identifier {dotted:.80}")
    _name_by_oid[dotted] = name
    _oid_by_name[name] = dotted
    _forget_usual_names()


def register_all(names: Mapping[str, str] | Mapping[HasDotted, str]) -> None:
    """Register each name of a mapping from object identifiers to names, as `register` does.

    >>> from derlib import oids
    >>> oids.register_all({"1.3.6.1.4.1.99999.2": "acme-door"})
    """
    for oid, name in names.items():
        register(oid, name)


def register_known(names: Mapping[str, str]) -> None:
    """Register the names of a schema module of derlib, which are valid: tests check them."""
    _name_by_oid.update(names)
    _oid_by_name.update(zip(names.values(), names, strict=True))
    _forget_usual_names()


def _forget_usual_names() -> None:
    global _state, _usual_names
    _usual_names = {}
    _state = object()


def names_state() -> object:
    """Return an object that each registration replaces. Caches of names have it in their key."""
    return _state


def name_of(oid: str | HasDotted) -> str:
    """Return the registered name of `oid`, or its dotted form if it has no name.

    A text that is not a dotted form is returned unchanged.

    Raises:
        TypeError: `oid` is not a str and has no dotted form.

    >>> from derlib import oids
    >>> oids.name_of("2.5.4.3"), oids.name_of("2.999.75")
    ('id-at-commonName', '2.999.75')
    """
    dotted = _text_of(oid)
    name = _name_by_oid.get(dotted)
    if name is None:
        _add_known_names()
        name = _name_by_oid.get(dotted, dotted)
    return name


def usual_name_of(oid: str | HasDotted) -> str:
    """Return the name of `oid` that people use: without the prefix of its ASN.1 module, such as ``id-at-``.

    `oid_of` reads the result back. If another object identifier has the same name, the result is the registered name;
    if that belongs to another one, too, or if there is none, it is the dotted form.

    Raises:
        TypeError: `oid` is not a str and has no dotted form.

    >>> from derlib import oids
    >>> oids.usual_name_of("2.5.4.3"), oids.usual_name_of("2.5.29.17"), oids.usual_name_of("1.2.840.10045.2.1")
    ('commonName', 'subjectAltName', 'ecPublicKey')
    >>> oids.usual_name_of(oids.oid_of("id-kp-timeStamping"))    # there is also id-ad-timeStamping
    'id-kp-timeStamping'
    """
    dotted = _text_of(oid)
    found = _usual_names
    usual = found.get(dotted)
    if usual is None:
        name = name_of(dotted)
        if name == dotted:
            return dotted  # Not kept: the number of identifiers without a name has no limit.
        usual = next((each for each in (without_prefix(name), name) if find_oid(each) == dotted), dotted)
        found[dotted] = usual
    return usual


def without_prefix(name: str) -> str:
    """Return a name without the prefix of its ASN.1 module. `usual_name_of` checks that the result is unique."""
    prefix = next(filter(name.startswith, _PREFIXES), "")
    return name.removeprefix(prefix) or name


def oid_of(name: str) -> str:
    """Return the dotted form of the object identifier with a name. A dotted form is returned unchanged.

    The name can be without the prefix of its ASN.1 module: see `usual_name_of`. Names are case-sensitive.

    Raises:
        KeyError: the name is not registered.
        TypeError: `name` is not a str.

    >>> from derlib import ObjectIdentifier, oids
    >>> ObjectIdentifier(oids.oid_of("prime256v1")).name, ObjectIdentifier(oids.oid_of("subjectAltName")).name
    ('secp256r1', 'id-ce-subjectAltName')
    """
    found = find_oid(name)
    if found is None:
        raise KeyError(_unknown(name))
    return found


def by_name(which: T | str) -> T | str:
    """Return the dotted form of a name, and anything else unchanged. For methods of schema classes, such as `get`.

    Raises:
        ConstraintError: the name is not registered.
        TypeError: `which` is a class.
    """
    if isinstance(which, type):
        raise TypeError(f"expected an OBJECT IDENTIFIER or its name, got the class {which.__name__}")
    if not isinstance(which, str):
        return which
    found = find_oid(which)
    if found is None:
        raise ConstraintError(_unknown(which))
    return found


def _unknown(name: str) -> str:
    from derlib._suggestions import nearest, with_words_of

    near = with_words_of(name, _oid_by_name)
    if near is None:
        near = nearest(name, [*_oid_by_name, *map(without_prefix, _oid_by_name)])
    elif find_oid(without_prefix(near)):
        near = without_prefix(near)
    remedy = f"; did you mean {near!r}?" if near else ""
    return f"no object identifier is registered under the name {brief(name)}{remedy}"


def find_oid(name: str) -> str | None:
    """Return what `oid_of` returns, but None for a name that is not registered. For other modules of derlib."""
    found = find_registered(name)
    if found is None:
        others = {_oid_by_name[known] for known in with_prefix(name)}
        found = others.pop() if len(others) == 1 else None
    return found


def with_prefix(name: str) -> list[str]:
    """Return the registered names that are `name` after the prefix of an ASN.1 module."""
    _add_known_names()
    return [known for known in (prefix + name for prefix in _PREFIXES) if known in _oid_by_name]


def find_registered(name: str) -> str | None:
    """Return the dotted form of exactly this registered name, or of a dotted form; None if there is none."""
    if not isinstance(name, str):
        raise TypeError(f"expected a name as str, got {got(name)}")
    known = _oid_by_name.get(name)
    if known is None:
        if _is_dotted(name):
            return name
        _add_known_names()
        known = _oid_by_name.get(name)
    return known


def registered() -> tuple[str, ...]:
    """Return the dotted forms of all object identifiers that have a name."""
    _add_known_names()
    return tuple(_name_by_oid)


def _text_of(oid: str | HasDotted) -> str:
    dotted = oid if isinstance(oid, str) else getattr(oid, "dotted", None)
    if not isinstance(dotted, str):
        raise TypeError(f"expected a dotted form or an ObjectIdentifier, got {got(oid)}")
    return dotted


def _dotted(oid: str | HasDotted) -> str:
    dotted = _text_of(oid)
    if not _is_dotted(dotted):
        raise ValueError(f"{brief(dotted)} is not the dotted form of an object identifier")
    return dotted


def _is_dotted(text: str) -> bool:
    """Return whether a text is the dotted form of an object identifier."""
    root, *arcs = text.split(".")
    if not arcs or not all(arc.isascii() and arc.isdigit() and (arc[0] != "0" or arc == "0") for arc in arcs):
        return False
    # X.660 7.6: the first arc is 0, 1 or 2; under 0 and 1 the second arc is below 40.
    return root == "2" or (root in ("0", "1") and (len(arcs[0]) == 1 or (len(arcs[0]) == 2 and arcs[0] < "40")))


@functools.cache
def _add_known_names() -> None:
    """Add the names of `_oid_names`, once. Names that were registered before have precedence."""
    from derlib._oid_names import ALIASES, TABLE

    # The aliases come first, so that the names of the table replace them in `name_of`.
    pairs = (*_pairs(ALIASES), *_pairs(TABLE))
    for oid, name in dict(pairs).items():
        _name_by_oid.setdefault(oid, name)
    for name, oid in {name: oid for oid, name in pairs}.items():
        _oid_by_name.setdefault(name, oid)


def _pairs(rows: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    for arc, text in rows:
        words = text.split()
        for suffix, name in zip(words[::2], words[1::2], strict=True):
            yield f"{arc}.{suffix}", name
