"""The types of the objects in files. The command line uses the table for `--type`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from derlib import Deviation, SequenceOf, parse
from derlib._outlines import looks_like
from derlib._pem_labels import labels_of
from derlib.errors import ASN1Error

__all__ = ["DOCUMENT_TYPES", "DocumentType", "hint"]

#: The beginning of the hint of an error near the top of types with a method that reads other forms.
_READ = {
    "PrivateKeyInfo": "PrivateKeyInfo.read also reads keys that are not PKCS #8, and ",
    "SubjectPublicKeyInfo": "SubjectPublicKeyInfo.read also reads an RSAPublicKey, and ",
}


@cache
def _schema(module: str, name: str) -> Any:
    return getattr(import_module(f"derlib.schemas.{module}"), name)


class DocumentType(NamedTuple):
    """A type of object that files contain.

    Attributes:
        name: its name in the command line.
        title: the name of its structure in the standard, for messages, with its article.
        module, class_name: the module in derlib.schemas, and its class; empty for any DER.
        labels: the PEM labels, the one of RFC 7468 first.
        is_distinct: whether other data rarely has the same structure. The other types need their PEM label, or numbers
            that identify them (`look_alike`).
        settings: the module and class in derlib.schemas of a second value that follows; empty if none does.
        identifier: the first octet of each object.
        required: an optional field that an object needs to be found: without it, other data has the same structure.
    """

    name: str
    title: str
    module: str
    class_name: str
    labels: tuple[str, ...] = ()
    is_distinct: bool = True
    settings: tuple[str, str] = ("", "")
    identifier: int = 0x30
    required: str = ""

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

    def recognize(self, der: bytes, tolerate: Deviation | None) -> Any:
        """Return what `decode` returns, to find a type; without `tolerate`, of BER. Raises ASN1Error.

        An empty list has no type, and neither has an object without the field `required`.
        """
        schema = self.schema
        if tolerate is None:
            value = self.decode_both(der, rules="ber")[0] if self.has_settings else schema.decode(der, rules="ber")
        else:
            if schema is not None and issubclass(schema, SequenceOf):
                tolerate &= ~Deviation.EMPTY_LIST
            value = self.decode(der, tolerate)
        if self.required and getattr(value, self.required) is None:
            raise ASN1Error(f"{self.title} without {self.required} has the structure of other data")
        return value

    def decode_both(self, der: bytes, tolerate: Deviation | None = None, rules: str = "der") -> tuple[Any, Any]:
        """Return a value of the class, and that of `settings`, or None if nothing follows. Raises ASN1Error."""
        value, rest = self.schema.decode_prefix(der, tolerate=tolerate, rules=rules)
        settings = _schema(*self.settings)
        return value, settings.decode(rest, tolerate=tolerate, rules=rules) if rest else None

    def fits(self, octets: bytes, tolerate: Deviation | None = None) -> bool:
        """Return whether the class decodes DER with some faults; without `tolerate`, whether it decodes BER."""
        try:
            self.recognize(octets, tolerate)
        except ASN1Error:
            return False
        return True


#: The types, the frequent ones first. The labels are those of RFC 7468, and others that programs write.
DOCUMENT_TYPES = (
    DocumentType("cert", "an X.509 Certificate", "x509", "Certificate", labels_of("CERTIFICATE")),
    # The label CRL is only a hint at the type: `derlib.pem` does not read it as X509 CRL (RFC 7468 section 6).
    DocumentType("crl", "an X.509 CertificateList", "crl", "CertificateList", ("X509 CRL", "CRL")),
    DocumentType(
        "csr",
        "a PKCS #10 CertificationRequest",
        "csr",
        "CertificationRequest",
        labels_of("CERTIFICATE REQUEST"),
    ),
    DocumentType("cms", "a CMS ContentInfo", "cms", "ContentInfo", labels_of("CMS")),
    # The objects of PKCS #7 that CMS does not have: the content of a SignedData is not an OCTET STRING.
    # Their content is OPTIONAL (RFC 2315 section 7); without it, they look like an AlgorithmIdentifier.
    DocumentType("pkcs7", "a PKCS #7 ContentInfo", "authenticode", "ContentInfo", ("PKCS7",), required="content"),
    DocumentType("pkcs12", "a PKCS #12 PFX", "pkcs12", "PFX"),
    DocumentType("key", "a PKCS #8 PrivateKeyInfo", "keys", "PrivateKeyInfo", ("PRIVATE KEY",)),
    DocumentType(
        "encrypted-key",
        "a PKCS #8 EncryptedPrivateKeyInfo",
        "keys",
        "EncryptedPrivateKeyInfo",
        ("ENCRYPTED PRIVATE KEY",),
    ),
    DocumentType("public-key", "an X.509 SubjectPublicKeyInfo", "public_keys", "SubjectPublicKeyInfo", ("PUBLIC KEY",)),
    DocumentType("rsa-key", "a PKCS #1 RSAPrivateKey", "keys", "RSAPrivateKey", ("RSA PRIVATE KEY",)),
    DocumentType(
        "ec-key", "an RFC 5915 ECPrivateKey", "keys", "ECPrivateKey", ("EC PRIVATE KEY", "SM2 PRIVATE KEY")
    ),
    DocumentType("dsa-key", "an OpenSSL DSAPrivateKey", "keys", "DSAPrivateKey", ("DSA PRIVATE KEY",)),
    DocumentType("ocsp-request", "an OCSPRequest", "ocsp", "OCSPRequest", ("OCSP REQUEST",)),
    DocumentType("ocsp-response", "an OCSPResponse", "ocsp", "OCSPResponse", ("OCSP RESPONSE",)),
    DocumentType("time-stamp-request", "a TSP TimeStampReq", "tsp", "TimeStampReq"),
    DocumentType("time-stamp-response", "a TSP TimeStampResp", "tsp", "TimeStampResp"),
    DocumentType("cmp-message", "a CMP PKIMessage", "cmp", "PKIMessage"),
    DocumentType(
        "attribute-cert",
        "an X.509 AttributeCertificate",
        "attribute_cert",
        "AttributeCertificate",
        ("ATTRIBUTE CERTIFICATE",),
    ),
    DocumentType("evidence-record", "an ERS EvidenceRecord", "ers", "EvidenceRecord"),
    DocumentType("time-stamp-info", "a TSP TSTInfo", "tsp", "TSTInfo"),
    DocumentType("crmf", "a CRMF CertReqMessages", "crmf", "CertReqMessages"),
    DocumentType("spkac", "an SPKAC SignedPublicKeyAndChallenge", "openssl", "SignedPublicKeyAndChallenge"),
    DocumentType("session", "an OpenSSL SSL_SESSION", "openssl", "SSLSession", ("SSL SESSION PARAMETERS",)),
    DocumentType("key-package", "a CMS AsymmetricKeyPackage", "keys", "AsymmetricKeyPackage"),
    DocumentType("ef-sod", "an ICAO 9303 EF.SOD", "icao", "EF_SOD", identifier=0x77),
    DocumentType("cert-path", "an X.509 PkiPath", "x509_2016", "PkiPath"),
    DocumentType("trust-anchors", "an RFC 5914 TrustAnchorList", "trust_anchors", "TrustAnchorList"),
    DocumentType(
        "trusted-cert",
        "an X.509 Certificate with an OpenSSL X509_CERT_AUX",
        "x509",
        "Certificate",
        ("TRUSTED CERTIFICATE",),
        False,
        ("openssl", "CertAux"),
    ),
    DocumentType(
        "rsa-public-key", "a PKCS #1 RSAPublicKey", "algorithms", "RSAPublicKey", ("RSA PUBLIC KEY",), False
    ),
    DocumentType("signature", "an ECDSA-Sig-Value or Dss-Sig-Value", "algorithms", "DssSigValue", (), False),
    DocumentType("dsa-parameters", "an RFC 3279 Dss-Parms", "algorithms", "DssParms", ("DSA PARAMETERS",), False),
    DocumentType("dh-parameters", "a PKCS #3 DHParameter", "algorithms", "DHParameter", ("DH PARAMETERS",), False),
    DocumentType(
        "x942-parameters",
        "an X9.42 DomainParameters",
        "algorithms",
        "DomainParameters",
        ("X9.42 DH PARAMETERS",),
        False,
    ),
    DocumentType(
        "ec-parameters",
        "an RFC 5480 ECParameters",
        "curves",
        "ECParameters",
        ("EC PARAMETERS", "SM2 PARAMETERS"),
        False,
    ),
)


_BY_NAME = {each.name: each for each in DOCUMENT_TYPES}

# The beginnings of hints by the module and name of a class: of the types of files, and of the structures in them that
# users confuse with these. A failed `decode` asks for its class, and many decodes fail.
_PLACES = {
    (f"derlib.schemas.{each.module}", each.class_name): _READ.get(each.class_name, "") for each in DOCUMENT_TYPES
} | {
    (f"derlib.schemas.{module}", name): f"files contain it in a {outer}, and "
    for module, name, outer in (
        ("x509", "TBSCertificate", "Certificate"),
        ("crl", "TBSCertList", "CertificateList"),
        ("csr", "CertificationRequestInfo", "CertificationRequest"),
        ("cms_signed", "SignedData", "ContentInfo"),
        ("cms", "EnvelopedData", "ContentInfo"),
        ("ocsp", "BasicOCSPResponse", "OCSPResponse"),
    )
}


def hint(cls: object, octets: bytes) -> str | None:
    """Return the hint of an error near the top of a class, with the first bytes of the input.

    It is None if there is none for the class, or if the input looks like a value of it.
    """
    place = getattr(cls, "__module__", ""), getattr(cls, "__name__", "")
    beginning = _PLACES.get(place)
    if beginning is None:
        return None
    other = _BY_NAME.get(looks_like(octets))
    if other is None:
        return f"{beginning}derlib.identify finds the type of the input"
    if place == (f"derlib.schemas.{other.module}", other.class_name):
        # The type is correct, and the value is not, such as a request without attributes.
        return None
    return f"{beginning}the input looks like {other.title} of derlib.schemas.{other.module}"
