"""The types of contents inside a string that the schema does not open, because another value names the type.

All commands that read documents by their schema open them. Schema modules are imported when their content occurs,
because importing one can change how later values are decoded.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from derlib import ObjectIdentifier, encode

__all__ = ["can_have_contents", "content_of", "content_of_type", "import_types", "schema_names", "signature_of"]

#: The modules that register the types of rare extensions and attributes of certificates.
_MODULES = {
    "1.3.6.1.4.1.11129.2.1.17": "attestation",  # id-android-keyAttestation
    "1.3.6.1.4.1.45724.1.1.4": "attestation",  # id-fido-gen-ce-aaguid
    "1.3.6.1.5.5.7.1.4": "attribute_cert_values",  # id-pe-ac-auditIdentity
    "1.3.6.1.5.5.7.1.6": "attribute_cert_values",  # id-pe-aaControls
    "1.3.6.1.5.5.7.1.10": "attribute_cert_values",  # id-pe-ac-proxying
    "2.5.29.55": "attribute_cert_values",  # id-ce-targetInformation
    "1.3.6.1.5.5.7.1.7": "ip_resources",  # id-pe-ipAddrBlocks
    "1.3.6.1.5.5.7.1.8": "ip_resources",  # id-pe-autonomousSysIds
    "2.23.136.1.1.6.1": "icao",  # nameChange
    "2.23.136.1.1.6.2": "icao",  # documentTypeList
    "1.3.6.1.5.5.7.1.20": "tamp",  # id-pe-wrappedApexContinKey
    "2.23.133.2.16": "tcg",  # tcg-at-tpmSpecification
    "2.23.133.2.18": "tcg",  # tcg-at-tpmSecurityAssertions
    "2.5.29.72": "x509_2016",  # id-ce-subjectAltPublicKeyInfo
    "2.5.29.73": "x509_2016",  # id-ce-altSignatureAlgorithm
    "2.5.29.74": "x509_2016",  # id-ce-altSignatureValue
}

#: The module and class of a content inside an OCTET STRING, by its content type.
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
    "2.23.136.1.1.1": ("icao", "LDSSecurityObject"),
    "2.23.136.1.1.2": ("icao", "CscaMasterList"),
    "2.23.136.1.1.7": ("icao", "DeviationList"),
}


def schema_names(cls: type) -> Iterator[str]:
    """Yield the names of a class and of its bases in derlib.schemas, such as "x509.Certificate".

    With `--schema`, a class of any name can have other fields.
    """
    for base in cls.__mro__:
        package, _, module = base.__module__.rpartition(".")
        if package == "derlib.schemas":
            yield f"{module}.{base.__name__}"


def import_types(der: bytes) -> None:
    """Import the modules that register the types of the extensions and attributes in certificates.

    The bytes of an identifier can occur in other places, too; then a module is imported that is not needed.
    """
    for oid, module in _encoded_identifiers().items():
        if oid in der:
            import_module(f"derlib.schemas.{module}")


@cache
def _encoded_identifiers() -> dict[bytes, str]:
    return {encode(ObjectIdentifier(dotted), ObjectIdentifier): module for dotted, module in _MODULES.items()}


def can_have_contents(value: Any) -> bool:
    """Return whether a document can have a string whose content has a known type; False for most large ones."""
    if "pkcs12.PFX" in schema_names(type(value)):
        return True
    der = bytes(value.der)
    return any(oid in der for oid in _encoded_content_types())


@cache
def _encoded_content_types() -> tuple[bytes, ...]:
    return tuple(encode(ObjectIdentifier(dotted), ObjectIdentifier) for dotted in _CONTENTS)


def content_of_type(content_type: str) -> Any:
    """Return the class of a content with this content type, or None."""
    known = _CONTENTS.get(content_type)
    return known and _schema(*known)


def signature_of(holder: Any, step: str | int) -> Any:
    """Return the class of the signature in the string at `step` of a signed structure, or None.

    The signature of an algorithm with elliptic curves, or of DSA, is two numbers (RFC 3279 sections 2.2.2 and 2.2.3).
    """
    algorithm = getattr(getattr(holder, "signature_algorithm", None), "algorithm", None)
    if step not in ("signature", "signature_value") or not isinstance(algorithm, ObjectIdentifier):
        return None
    dotted = algorithm.dotted
    # 1.2.840.10045: ansi-X9-62, also id-ecPublicKey in CMS. 1.2.840.10040 and sigAlgs of NIST: DSA.
    if dotted.startswith("1.2.840.10045."):
        return _schema("curves", "ECDSASigValue")
    if dotted in ("1.2.840.10040.4.1", "1.2.840.10040.4.3", "2.16.840.1.101.3.4.3.1", "2.16.840.1.101.3.4.3.2"):
        return _schema("algorithms", "DssSigValue")
    return None


def _schema(module: str, name: str) -> Any:
    return getattr(import_module(f"derlib.schemas.{module}"), name)


def content_of(holder: Any, step: str | int, holder_path: tuple[str | int, ...]) -> Any:
    """Return the class of the value inside the OCTET STRING at `step` of `holder`, or None.

    Args:
        holder: the structure with the OCTET STRING.
        step: the field of the OCTET STRING.
        holder_path: the path of `holder` in its document; empty for the document.
    """
    # RFC 7292 4: a PFX has an AuthenticatedSafe, which can be signed. It is the only list of ContentInfo and has
    # SafeContents.
    if step == "e_content" and "cms_signed.EncapsulatedContentInfo" in schema_names(type(holder)):
        if holder_path == ("auth_safe", "content", "encap_content_info"):
            return _schema("pkcs12", "AuthenticatedSafe")
        return content_of_type(holder.e_content_type.dotted)
    if step == "content" and holder_path and "cms.ContentInfo" in schema_names(type(holder)):
        if holder_path == ("auth_safe",):
            return _schema("pkcs12", "AuthenticatedSafe")
        if isinstance(holder_path[-1], int):
            return _schema("pkcs12", "SafeContents")
    return None
