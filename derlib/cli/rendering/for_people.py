"""Values of the schemas as a person wants to see them: embedded parts on one line, encodings opened, secrets hidden.

`for_people` returns a function that takes one level of a value apart, for `values.lines` and `json_text.write`.
`derlib.pretty` uses it, too. It finds classes by name and imports no schema module, because importing one can change
how later values are decoded: it registers the types of open types.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from derlib import TLV, ASN1Error, Null, fields
from derlib.cli.deviations import ALL_DEVIATIONS
from derlib.cli.documents.key_forms import holds_key
from derlib.cli.documents.known_contents import content_of_type, schema_names
from derlib.cli.documents.paths import read_field
from derlib.cli.documents.secret_parts import HIDDEN, secrets_of
from derlib.cli.output.escapes import clip, printable
from derlib.cli.rendering.summary import extension_value, key_text, serial_json, serial_text
from derlib.cli.rendering.values import MAX_CHARACTERS, EscapedText, oid_text, one_level, text_leaf
from derlib.oids import usual_name_of

if TYPE_CHECKING:
    from derlib.schemas import attributes, cms, cms_attributes, pkcs12, x509
    from derlib.schemas.algorithms import AlgorithmIdentifier
    from derlib.schemas.cms_certificates import IssuerAndSerialNumber
    from derlib.schemas.crl import CertificateList
    from derlib.schemas.general import AnotherName
    from derlib.schemas.ip_resources import IPAddressFamily
    from derlib.schemas.rpki import ROAIPAddressFamily

__all__ = ["for_people"]

_USER_PRINCIPAL_NAME = "1.3.6.1.4.1.311.20.2.3"

T = TypeVar("T")


class _Undecoded(bytes):
    """Bytes that are not a value of their type."""


def for_people(*, secrets: bool, short: bool, hidden: str = HIDDEN) -> Callable[[Any], Any]:
    """Return a function that takes one level of a value apart, as `values.one_level` does.

    Args:
        secrets: whether private keys and other secrets are shown.
        short: whether certificates, algorithms and other parts with a usual short form are one line.
        hidden: the text in place of a secret.
    """

    def level(value: object) -> Any:
        if not secrets and _can_be_secret(value):
            return hidden
        cls: Any = type(value)  # For mypy, a class is not hashable.
        by_class = _by_class(cls)
        if short and by_class.short_form is not None:
            shown = by_class.short_form(value)
            return EscapedText(shown) if isinstance(shown, str) else shown
        found = one_level(value)
        if short and by_class.heading is not None and isinstance(found, dict):
            found = {**by_class.heading(value), **found}
        if by_class.opener is not None:
            found = by_class.opener(value, found)
        if isinstance(found, dict):
            secret = frozenset() if secrets else secrets_of(cls)
            return {name: hidden if name in secret else _part(name, part, short) for name, part in found.items()}
        return found

    return level


def _can_be_secret(value: object) -> bool:
    """Return whether bytes or an element of an unknown type can be a private key."""
    return isinstance(value, _Undecoded) or holds_key(value)


class _ByClass(NamedTuple):
    """What is special about the values of a class."""

    short_form: Callable[[Any], Any] | None
    heading: Callable[[Any], dict[str, EscapedText]] | None
    opener: Callable[[Any, Any], Any] | None


@lru_cache(maxsize=512)
def _by_class(cls: type) -> _ByClass:
    """Return what the tables of this module have for a class, or for its nearest base."""

    def entry(table: dict[str, T]) -> T | None:
        return next((table[name] for name in schema_names(cls) if name in table), None)

    return _ByClass(entry(_SHORT_FORMS), entry(_HEADINGS), entry(_OPENERS))


def _part(name: str, part: Any, short: bool) -> Any:
    """Return the value of a field; serial numbers are hexadecimal, as in every other program."""
    if name == "serial_number" and isinstance(part, int):
        return serial_text(part) if short else serial_json(part)
    return part


# --- Parts with a usual short form


def _certificate(value: x509.Certificate) -> str:
    tbs = value.tbs_certificate
    return f"certificate {serial_text(tbs.serial_number)} of {text_leaf(tbs.subject)}"


def _crl(value: CertificateList) -> str:
    tbs = value.tbs_cert_list
    return f"CRL of {text_leaf(tbs.issuer)} with {len(tbs.revoked_certificates or ()):,} entries"


def _algorithm(value: AlgorithmIdentifier) -> str | dict[str, Any]:
    parameters = value.parameters
    name = oid_text(value.algorithm)
    if parameters is None or isinstance(parameters, Null):
        return name
    return {name: parameters}


def _issuer_and_serial_number(value: IssuerAndSerialNumber) -> str:
    return f"certificate {serial_text(value.serial_number)} issued by {text_leaf(value.issuer)}"


def _extension(value: x509.Extension) -> dict[str, Any]:
    critical = " (critical)" if value.critical else ""
    return {oid_text(value.extn_id) + critical: extension_value(value)}


def _attribute(value: attributes.Attribute | cms_attributes.Attribute | pkcs12.PKCS12Attribute) -> dict[str, Any]:
    oid, *_ = (read_field(value, field.name) for field in fields(type(value)))
    values = read_field(value, fields(type(value))[1].name)
    shown = (read_field(values, index) for index in range(len(values)))
    return {oid_text(oid): next(shown) if len(values) == 1 else shown}


def _other_name(value: AnotherName) -> str | dict[str, Any]:
    """Return a text as in `UPN=user@example.org`; a value of another known type is nested, other bytes hexadecimal."""
    label = "UPN" if value.type_id.dotted == _USER_PRINCIPAL_NAME else text_leaf(usual_name_of(value.type_id))
    part = read_field(value, "value")
    octets: Any = part
    if isinstance(part, TLV):
        with contextlib.suppress(ValueError):  # An ASN1Error, or a limit of datetime or int.
            part = part.value
        octets = value.value.der if not isinstance(part, str) else part
    if isinstance(octets, (str, bytes, memoryview)):
        return EscapedText(f"{label}={text_leaf(octets)}")
    return {label: part}


def _address_family(value: IPAddressFamily) -> Any:
    try:
        networks = value.networks
    except ValueError:
        return one_level(value)
    return {_family_name(value.address_family): "inherit" if networks is None else map(str, networks)}


def _roa_address_family(value: ROAIPAddressFamily) -> Any:
    try:
        prefixes = value.prefixes
    except ValueError:
        return one_level(value)
    shown = (f"{net}" if longest == net.prefixlen else f"{net} up to /{longest}" for net, longest in prefixes)
    return {_family_name(value.address_family): shown}


def _family_name(address_family: bytes) -> str:
    # The first two octets are the family. A third one is the SAFI, the use of the routes.
    name = {b"\x00\x01": "IPv4", b"\x00\x02": "IPv6"}.get(bytes(address_family[:2]), text_leaf(address_family))
    return name if len(address_family) == 2 else f"{name}, SAFI {text_leaf(address_family[2:])}"


_SHORT_FORMS: dict[str, Callable[[Any], Any]] = {
    "x509.Certificate": _certificate,
    "crl.CertificateList": _crl,
    "algorithms.AlgorithmIdentifier": _algorithm,
    "public_keys.SubjectPublicKeyInfo": key_text,
    "cms_certificates.IssuerAndSerialNumber": _issuer_and_serial_number,
    "x509.Extension": _extension,
    "general.AnotherName": _other_name,
    "attributes.Attribute": _attribute,
    "cms_attributes.Attribute": _attribute,
    "pkcs12.PKCS12Attribute": _attribute,
    "ip_resources.IPAddressFamily": _address_family,
    "rpki.ROAIPAddressFamily": _roa_address_family,
}


# --- Lines before the fields


def _private_key(value: Any) -> dict[str, EscapedText]:
    """Return the kind, the curve and the size of a private key."""
    size = None if value.size is None else f"{value.size} bits"
    words = (printable(word) for word in (value.kind, value.curve, size) if word)
    return {"key": EscapedText(clip(", ".join(words), MAX_CHARACTERS))}


_HEADINGS: dict[str, Callable[[Any], dict[str, EscapedText]]] = dict.fromkeys(
    ("keys.PrivateKeyInfo", "keys.RSAPrivateKey", "keys.ECPrivateKey", "keys.DSAPrivateKey"), _private_key
)


# --- Contents in an OCTET STRING whose type is known


def _open_pfx(value: pkcs12.PFX, found: Any) -> dict[str, Any]:
    schema = import_module("derlib.schemas.pkcs12").AuthenticatedSafe
    return {**found, "auth_safe": _with_content(value.auth_safe, schema)}


def _open_safe(value: pkcs12.AuthenticatedSafe, _found: Any) -> Iterator[Any]:
    schema = import_module("derlib.schemas.pkcs12").SafeContents
    return (_with_content(info, schema) for info in value)


def _open_bag(value: pkcs12.SafeBag, found: Any) -> dict[str, Any]:
    # A bag of an unknown type can have a private key.
    return {**found, "bag_value": _Undecoded(value.bag_value.der)} if isinstance(value.bag_value, TLV) else found


def _open_content(value: cms.EncapsulatedContentInfo, found: Any) -> dict[str, Any]:
    schema = content_of_type(value.e_content_type.dotted)
    if schema is not None and value.e_content is not None:
        found["e_content"] = _decoded(value.e_content, schema)
    return dict(found)


def _with_content(info: cms.ContentInfo, schema: Any) -> Any:
    """Return the fields of a ContentInfo; the content of id-data is decoded."""
    # Contents of an unknown type, or damaged ones, can have a private key.
    if isinstance(info.content, TLV):
        return {"content_type": info.content_type, "content": _Undecoded(info.content.der)}
    if not isinstance(info.content, bytes):
        return info
    content = _decoded(info.content, schema)
    return {"content_type": info.content_type, "content": _Undecoded(content) if content is info.content else content}


def _decoded(octets: bytes, schema: Any) -> Any:
    """Return a value of this type, which can have deviations, or the bytes if they are not its encoding.

    A damaged certificate in a bag is then opaque, and the other bags can be read.
    """
    try:
        return schema.decode(octets, rules="ber", tolerate=ALL_DEVIATIONS)
    except ASN1Error:
        return octets


_OPENERS: dict[str, Callable[[Any, Any], Any]] = {
    "pkcs12.PFX": _open_pfx,
    "pkcs12.AuthenticatedSafe": _open_safe,
    "pkcs12.SafeBag": _open_bag,
    "cms_signed.EncapsulatedContentInfo": _open_content,
}
