"""Values of the schemas as a person wants to see them: embedded parts on one line, encodings opened, secrets hidden.

`for_people` returns fields as dicts, lists as lists, and leaves that `values.lines` and JSON can show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from derlib import ASN1Error, Null, fields
from derlib.cli.documents.paths import read_field
from derlib.cli.rendering.summary import key_text, serial_json, serial_text
from derlib.cli.rendering.values import oid_text, one_level, text_leaf
from derlib.schemas import attributes, cms, cms_attributes, keys, keys_pq, pkcs12, x509
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.cms_certificates import IssuerAndSerialNumber
from derlib.schemas.crl import CertificateList
from derlib.schemas.pkcs12 import PKCS12Attribute

__all__ = ["HIDDEN", "for_people"]

#: The text in place of a secret.
HIDDEN = "(hidden; --secrets shows it)"

_PQ_KEYS = (
    keys_pq.MLDSA44PrivateKey,
    keys_pq.MLDSA65PrivateKey,
    keys_pq.MLDSA87PrivateKey,
    keys_pq.MLKEM512PrivateKey,
    keys_pq.MLKEM768PrivateKey,
    keys_pq.MLKEM1024PrivateKey,
)

#: The fields that hold secrets, by class.
_SECRETS: dict[type[Any], frozenset[str]] = {
    keys.OneAsymmetricKey: frozenset({"private_key"}),
    keys.RSAPrivateKey: frozenset(
        {"private_exponent", "prime1", "prime2", "exponent1", "exponent2", "coefficient", "other_prime_infos"}
    ),
    keys.ECPrivateKey: frozenset({"private_key"}),
    keys.DSAPrivateKey: frozenset({"private_key"}),
    keys.ValidationParams: frozenset({"seed"}),
    **dict.fromkeys(_PQ_KEYS, frozenset({"seed", "expanded_key", "both"})),
    pkcs12.SecretBag: frozenset({"secret_value"}),
}

#: The module and class of a content inside an OCTET STRING, by its content type. Modules are imported when they occur.
_CONTENTS = {
    "1.2.840.113549.1.9.16.1.1": ("ess", "Receipt"),
    "1.2.840.113549.1.9.16.1.4": ("tsp", "TSTInfo"),
    "1.2.840.113549.1.9.16.1.11": ("scvp", "CVResponse"),
    "1.2.840.113549.1.9.16.1.13": ("scvp", "ValPolResponse"),
    "1.2.840.113549.1.9.16.1.24": ("rpki", "RouteOriginAttestation"),
    "1.2.840.113549.1.9.16.1.26": ("rpki", "Manifest"),
    "1.2.840.113549.1.9.16.1.48": ("rpki", "RpkiSignedChecklist"),
    "1.3.6.1.5.5.7.12.2": ("cmc", "PKIData"),
    "1.3.6.1.5.5.7.12.3": ("cmc", "PKIResponse"),
}


def for_people(value: Any, *, secrets: bool, short: bool) -> Any:
    """Return a value as dicts, lists and leaves.

    Args:
        value: a value of any type.
        secrets: whether private keys and other secrets are shown.
        short: whether certificates, algorithms and other parts with a usual short form are one line.
    """
    form = next((form for cls, form in _SHORT_FORMS if isinstance(value, cls)), None) if short else None
    if form is not None:
        return form(value)
    found = one_level(value)
    opener = next((opener for cls, opener in _OPENERS if isinstance(value, cls)), None)
    if opener is not None:
        found = opener(value, found)
    if isinstance(found, dict):
        hidden = frozenset() if secrets else _SECRETS.get(type(value), frozenset())
        return {
            name: HIDDEN if name in hidden else _part(name, part, secrets, short) for name, part in found.items()
        }
    if isinstance(found, Iterator):
        return iter([for_people(part, secrets=secrets, short=short) for part in found])
    return found


def _part(name: str, part: Any, secrets: bool, short: bool) -> Any:
    """Return the value of a field; serial numbers are hexadecimal, as in every other program."""
    if name == "serial_number" and isinstance(part, int):
        return serial_text(part) if short else serial_json(part)
    return for_people(part, secrets=secrets, short=short)


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
    return {name: for_people(parameters, secrets=False, short=True)}


def _issuer_and_serial_number(value: IssuerAndSerialNumber) -> str:
    return f"certificate {serial_text(value.serial_number)} issued by {text_leaf(value.issuer)}"


def _extension(value: x509.Extension) -> dict[str, Any]:
    critical = " (critical)" if value.critical else ""
    return {oid_text(value.extn_id) + critical: read_field(value, "extn_value")}


def _attribute(value: attributes.Attribute | cms_attributes.Attribute | PKCS12Attribute) -> dict[str, Any]:
    oid, *_ = (read_field(value, field.name) for field in fields(type(value)))
    values = read_field(value, fields(type(value))[1].name)
    shown = [for_people(read_field(values, index), secrets=False, short=True) for index in range(len(values))]
    return {oid_text(oid): shown[0] if len(shown) == 1 else iter(shown)}


_SHORT_FORMS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (x509.Certificate, _certificate),
    (CertificateList, _crl),
    (AlgorithmIdentifier, _algorithm),
    (x509.SubjectPublicKeyInfo, key_text),
    (IssuerAndSerialNumber, _issuer_and_serial_number),
    (x509.Extension, _extension),
    ((attributes.Attribute, cms_attributes.Attribute, PKCS12Attribute), _attribute),
)


# --- Contents in an OCTET STRING whose type is known


def _open_pfx(value: pkcs12.PFX, found: Any) -> dict[str, Any]:
    return {**found, "auth_safe": _with_content(value.auth_safe, pkcs12.AuthenticatedSafe)}


def _open_safe(value: pkcs12.AuthenticatedSafe, _found: Any) -> Iterator[Any]:
    return (_with_content(info, pkcs12.SafeContents) for info in value)


def _open_content(value: cms.EncapsulatedContentInfo, found: Any) -> dict[str, Any]:
    known = _CONTENTS.get(value.e_content_type.dotted)
    if known is not None and value.e_content is not None:
        module, name = known
        found["e_content"] = _decoded(value.e_content, getattr(import_module(f"derlib.schemas.{module}"), name))
    return dict(found)


def _with_content(info: cms.ContentInfo, schema: Any) -> Any:
    """Return the fields of a ContentInfo; the content of id-data is decoded."""
    if not isinstance(info.content, bytes):
        return info
    return {"content_type": info.content_type, "content": _decoded(info.content, schema)}


def _decoded(octets: bytes, schema: Any) -> Any:
    """Return a value of this type, or the bytes if they are not its encoding."""
    try:
        return schema.decode(octets, rules="ber")
    except ASN1Error:
        return octets


_OPENERS: tuple[tuple[type[Any], Callable[[Any, Any], Any]], ...] = (
    (pkcs12.PFX, _open_pfx),
    (pkcs12.AuthenticatedSafe, _open_safe),
    (cms.EncapsulatedContentInfo, _open_content),
)
