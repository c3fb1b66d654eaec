"""The types of the objects in files. The command line uses the table for `--type`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from derlib import Deviation, SequenceOf, parse
from derlib.errors import ASN1Error

__all__ = ["DOCUMENT_TYPES", "DocumentType", "hint"]

#: The hint of an error near the top of one of the types, and that of types with a method that reads other forms.
_HINT = "derlib.identify finds the type of the input"
_HINTS = {
    "OneAsymmetricKey": f"PrivateKeyInfo.read also reads keys that are not PKCS #8, and {_HINT}",
    "SubjectPublicKeyInfo": f"SubjectPublicKeyInfo.read also reads an RSAPublicKey, and {_HINT}",
}


@cache
def _schema(module: str, name: str) -> Any:
    return getattr(import_module(f"derlib.schemas.{module}"), name)


class DocumentType(NamedTuple):
    """A type of object that files contain.

    Attributes:
        name: its name in the command line.
        title: the name in messages, with its article.
        module, class_name: the module in derlib.schemas, and its class; empty for any DER.
        labels: the PEM labels, the one of RFC 7468 first.
        is_distinct: whether other data rarely has the same structure. The other types need their PEM label, or numbers
            that identify them (`look_alike`).
        settings: the module and class in derlib.schemas of a second value that follows; empty if none does.
        identifier: the first octet of each object.
    """

    name: str
    title: str
    module: str
    class_name: str
    labels: tuple[str, ...] = ()
    is_distinct: bool = True
    settings: tuple[str, str] = ("", "")
    identifier: int = 0x30

    @property
    def has_settings(self) -> bool:
        """Whether a second value follows."""
        return self.settings != ("", "")

    @property
    def schema(self) -> Any:
        """The class, whose module is imported at the first use; None for any DER."""
        return _schema(self.module, self.class_name) if self.module else None

    def decode(self, der: bytes, tolerate: Deviation | None = None) -> Any:
        """Return a value of the class, or for any DER the tree of elements. Raises ASN1Error."""
        if self.has_settings:
            return self.decode_both(der, tolerate)[0]
        schema = self.schema
        return parse(der, tolerate=tolerate) if schema is None else schema.decode(der, tolerate=tolerate)

    def recognize(self, der: bytes, tolerate: Deviation) -> Any:
        """Return what `decode` returns, to find a type. An empty list has no type. Raises ASN1Error."""
        schema = self.schema
        if schema is not None and issubclass(schema, SequenceOf):
            tolerate &= ~Deviation.EMPTY_LIST
        return self.decode(der, tolerate)

    def decode_both(self, der: bytes, tolerate: Deviation | None = None, rules: str = "der") -> tuple[Any, Any]:
        """Return a value of the class, and that of `settings`, or None if nothing follows. Raises ASN1Error."""
        value, rest = self.schema.decode_prefix(der, tolerate=tolerate, rules=rules)
        settings = _schema(*self.settings)
        return value, settings.decode(rest, tolerate=tolerate, rules=rules) if rest else None

    def fits(self, octets: bytes, tolerate: Deviation | None = None) -> bool:
        """Return whether the class decodes DER with some faults; without `tolerate`, whether it decodes BER."""
        try:
            if tolerate is not None:
                self.recognize(octets, tolerate)
            elif self.has_settings:
                self.decode_both(octets, rules="ber")
            else:
                self.schema.decode(octets, rules="ber")
        except ASN1Error:
            return False
        return True


#: The types, the frequent ones first. The labels are those of RFC 7468, and others that programs write.
DOCUMENT_TYPES = (
    DocumentType(
        "cert", "a certificate", "x509", "Certificate", ("CERTIFICATE", "X509 CERTIFICATE", "X.509 CERTIFICATE")
    ),
    DocumentType("crl", "a certificate revocation list", "crl", "CertificateList", ("X509 CRL", "CRL")),
    DocumentType(
        "csr",
        "a certification request",
        "csr",
        "CertificationRequest",
        ("CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"),
    ),
    DocumentType("cms", "a CMS object", "cms", "ContentInfo", ("CMS", "PKCS7", "PKCS #7 SIGNED DATA")),
    # The objects of PKCS #7 that CMS does not have: the content of a SignedData is not an OCTET STRING.
    DocumentType("pkcs7", "a PKCS #7 object", "authenticode", "ContentInfo", ("PKCS7",)),
    DocumentType("pkcs12", "a PKCS #12 file", "pkcs12", "PFX"),
    DocumentType("key", "a private key (PKCS #8)", "keys", "OneAsymmetricKey", ("PRIVATE KEY",)),
    DocumentType(
        "encrypted-key",
        "an encrypted private key (PKCS #8)",
        "keys",
        "EncryptedPrivateKeyInfo",
        ("ENCRYPTED PRIVATE KEY",),
    ),
    DocumentType("public-key", "a public key", "x509", "SubjectPublicKeyInfo", ("PUBLIC KEY",)),
    DocumentType("rsa-key", "an RSA private key (PKCS #1)", "keys", "RSAPrivateKey", ("RSA PRIVATE KEY",)),
    DocumentType(
        "ec-key", "an EC private key (RFC 5915)", "keys", "ECPrivateKey", ("EC PRIVATE KEY", "SM2 PRIVATE KEY")
    ),
    DocumentType("dsa-key", "a DSA private key (OpenSSL)", "keys", "DSAPrivateKey", ("DSA PRIVATE KEY",)),
    DocumentType("ocsp-request", "an OCSP request", "ocsp", "OCSPRequest", ("OCSP REQUEST",)),
    DocumentType("ocsp-response", "an OCSP response", "ocsp", "OCSPResponse", ("OCSP RESPONSE",)),
    DocumentType("time-stamp-request", "a request for a time stamp", "tsp", "TimeStampReq"),
    DocumentType("time-stamp-response", "an answer with a time stamp", "tsp", "TimeStampResp"),
    DocumentType("cmp-message", "a CMP message", "cmp", "PKIMessage"),
    DocumentType(
        "attribute-cert",
        "an attribute certificate",
        "attribute_cert",
        "AttributeCertificate",
        ("ATTRIBUTE CERTIFICATE",),
    ),
    DocumentType("evidence-record", "an evidence record", "ers", "EvidenceRecord"),
    DocumentType("time-stamp-info", "the content of a time stamp", "tsp", "TSTInfo"),
    DocumentType("crmf", "requests for certificates (CRMF)", "crmf", "CertReqMessages"),
    DocumentType("spkac", "a request for a certificate (SPKAC)", "openssl", "SignedPublicKeyAndChallenge"),
    DocumentType("session", "a session of TLS (OpenSSL)", "openssl", "SSLSession", ("SSL SESSION PARAMETERS",)),
    DocumentType("key-package", "a package of private keys", "keys", "AsymmetricKeyPackage"),
    DocumentType("ef-sod", "the security object of a passport (EF.SOD)", "icao", "EF_SOD", identifier=0x77),
    DocumentType("cert-path", "a certification path", "x509_2016", "PkiPath"),
    DocumentType("trust-anchors", "a list of trust anchors", "trust_anchors", "TrustAnchorList"),
    DocumentType(
        "trusted-cert",
        "a certificate with trust settings (OpenSSL)",
        "x509",
        "Certificate",
        ("TRUSTED CERTIFICATE",),
        False,
        ("openssl", "CertAux"),
    ),
    DocumentType(
        "rsa-public-key", "an RSA public key (PKCS #1)", "algorithms", "RSAPublicKey", ("RSA PUBLIC KEY",), False
    ),
    DocumentType("signature", "a signature of ECDSA or DSA", "algorithms", "DssSigValue", (), False),
    DocumentType("dsa-parameters", "DSA parameters", "algorithms", "DssParms", ("DSA PARAMETERS",), False),
    DocumentType("dh-parameters", "DH parameters", "algorithms", "DHParameter", ("DH PARAMETERS",), False),
    DocumentType(
        "x942-parameters", "DH parameters (X9.42)", "algorithms", "DomainParameters", ("X9.42 DH PARAMETERS",), False
    ),
    DocumentType(
        "ec-parameters", "EC parameters", "curves", "ECParameters", ("EC PARAMETERS", "SM2 PARAMETERS"), False
    ),
)


# A failed `decode` asks for its class, and many decodes fail.
_PLACES = frozenset((f"derlib.schemas.{each.module}", each.class_name) for each in DOCUMENT_TYPES)


def hint(cls: object) -> str | None:
    """Return the hint of an error near the top of a class; None if it is not the class of one of the types."""
    name = getattr(cls, "__name__", "")
    return _HINTS.get(name, _HINT) if (getattr(cls, "__module__", None), name) in _PLACES else None
