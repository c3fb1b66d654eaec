"""Every base64 value in the tests of pyasn1-alt-modules decodes as the type that its test names, to the same bytes.

`TYPES` has the class for the type of each test. `WITHOUT_TYPE`, `REFUSED` and `CONTENTS_WITHOUT_TYPE` have the reason
for everything else. A value whose test does not name one type is a ContentInfo, whose contents are decoded, too.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.rebuilt import read

import derlib
from derlib import TLV, ObjectIdentifier, SetOf
from derlib.schemas import (
    attribute_cert,
    cmc,
    cmp,
    cms,
    crl,
    crmf,
    csr,
    ers,
    ess,
    keys,
    ocsp,
    pkcs12,
    rpki,
    scvp,
    smime,
    spnego,
    tamp,
    trust_anchors,
    tsp,
    x400,
    x509,
    x509_2016,
)
from derlib.schemas.attributes import Attribute
from derlib.schemas.ciphers import CCMParameters, GCMParameters

from .alt_modules import Value, values

# The classes for the types of the tests. Those of older RFCs are the classes for the current one.
TYPES: dict[str, Any] = {
    "AlgorithmIdentifier": x509.AlgorithmIdentifier,
    "Attribute": cms.Attribute,
    "AttributeCertificate": attribute_cert.AttributeCertificate,
    "AttributeSet": SetOf[Attribute],
    "AuthEnvelopedData": cms.AuthEnvelopedData,
    "CCMParameters": CCMParameters,
    "CertReqMessages": crmf.CertReqMessages,
    "CertRequest": crmf.CertRequest,
    "Certificate": x509.Certificate,
    "CertificateList": crl.CertificateList,
    "CertificationRequest": csr.CertificationRequest,
    "ContentInfo": cms.ContentInfo,
    "CsrAttrs": csr.CsrAttrs,
    "DSAPrivateKey": keys.DSAPrivateKey,
    "ECPrivateKey": keys.ECPrivateKey,
    "EncryptedPrivateKeyInfo": keys.EncryptedPrivateKeyInfo,
    "EvidenceRecord": ers.EvidenceRecord,
    "Extension": x509.Extension,
    "Extensions": x509.Extensions,
    "GCMParameters": GCMParameters,
    "GeneralName": x509.GeneralName,
    "InitialContextToken": spnego.InitialContextToken,
    "Nonce": ocsp.Nonce,
    "OCSPRequest": ocsp.OCSPRequest,
    "OCSPResponse": ocsp.OCSPResponse,
    "ORAddress": x400.ORAddress,
    "ObjectIdentifier": ObjectIdentifier,
    "OneAsymmetricKey": keys.OneAsymmetricKey,
    "PFX": pkcs12.PFX,
    "PKIMessage": cmp.PKIMessage,
    "PkiPath": x509_2016.PkiPath,
    "PrivateKeyInfo": keys.PrivateKeyInfo,
    "RSAPrivateKey": keys.RSAPrivateKey,
    "RecipientInfo": cms.RecipientInfo,
    "SMIMECapabilities": smime.SMIMECapabilities,
    "SignedAttributes": cms.SignedAttributes,
    "SubjectPublicKeyInfo": x509.SubjectPublicKeyInfo,
    "TimeStampReq": tsp.TimeStampReq,
    "TimeStampResp": tsp.TimeStampResp,
}

# Tests whose values have another type than the class names.
OTHER_TYPES: dict[str, Any] = {
    "pem": csr.CertificationRequest,
    # The values are PKCS #7 objects; the class names the type of the attributes that it looks for.
    "rfc5752": cms.ContentInfo,
}

# derlib has no class for the type.
WITHOUT_TYPE = {
    "rfc2631": "OtherInfo: input of the key derivation of Diffie-Hellman, not a part of a message",
    "rfc3125": "SignaturePolicy: electronic signature policies",
    "rfc5698": "SecuritySuitabilityPolicy: data structure for the suitability of algorithms",
    "rfc7296": "CertificateBundle: IKEv2",
    "rfc8226": "TNAuthorizationList, JWTClaimConstraints: certificates for telephone numbers",
    "rfc8494": "CompressedData of MULE, which is another type than that of RFC 3274",
    "rfc8894": "IssuerAndSubject: SCEP",
    "rfc9189": "GostKeyTransport: GOST cipher suites of TLS",
}

# The kind and clause of the error for values that are not valid.
REFUSED = {
    # The certificates are not sorted; the other value of the test is the same object with sorted certificates.
    "rfc2315.Pkcs7TestCase.pem_text_unordered": ("set-of-order", "X.690 11.6"),
    # The token is that of MS-SPNG, whose component [3] is not that of RFC 4178; `spnego.decode_token` reads it.
    "rfc2743.GSSAPITestCase.pem_text": ("unexpected-tag", "X.690 8.1.2"),
    # A VisibleString has letters of ISO 8859-1.
    "rfc4210.PKIMessageTestCase.pem_text": ("visible", "X.680 41.1"),
    "rfc9480.CertRepMessageTestCase.pem_text": ("visible", "X.680 41.1"),
    "rfc9810.CertRepMessageTestCase.pem_text": ("visible", "X.680 41.1"),
    # The time has 15 digits.
    "rfc5794.EncryptedDataBogusPadTestCase.pem_text": ("generalized-form", "X.690 11.7"),
    "rfc5794.EncryptedDataDefaultPadTestCase.pem_text": ("generalized-form", "X.690 11.7"),
    # The KeyUsage ends in zero bits; in RFC 5940, that of a certificate in an OCSP response.
    "rfc5940.CRLandOCSPResponseTestCase.pem_text": ("bits-named", "X.690 11.2.2"),
    "rfc7633.TLSFeaturesExtnTestCase.pem_text": ("bits-named", "X.690 11.2.2"),
    # The tests refuse the sizes of these nonces, too.
    "rfc8954.BadNonceSizeTestCase.empty_nonce_extn_value_pem_text": ("size", "X.680 51.5"),
    "rfc8954.BadNonceSizeTestCase.big_nonce_extn_value_pem_text": ("size", "X.680 51.5"),
    "rfc9654.BadNonceSizeTestCase.empty_nonce_extn_value_pem_text": ("size", "X.680 51.5"),
    "rfc9654.BadNonceSizeTestCase.big_nonce_extn_value_pem_text": ("size", "X.680 51.5"),
}

# The classes for the contents of signed objects, which are inside an OCTET STRING.
CONTENTS: dict[str, Any] = {
    "id-ct-receipt": ess.Receipt,
    "id-ct-scvp-certValResponse": scvp.CVResponse,
    "id-ct-scvp-valPolResponse": scvp.ValPolResponse,
    "id-ct-authEnvelopedData": cms.AuthEnvelopedData,
    "id-cct-PKIData": cmc.PKIData,
    "id-ct-routeOriginAuthz": rpki.RouteOriginAttestation,
    "id-ct-rpkiManifest": rpki.Manifest,
    "id-ct-signedChecklist": rpki.RpkiSignedChecklist,
    "id-ct-trustAnchorList": trust_anchors.TrustAnchorList,
    "id-ct-TAMP-statusResponse": tamp.TAMPStatusResponse,
    "id-ct-TAMP-update": tamp.TAMPUpdate,
}

# Contents that are not ASN.1, or that derlib has no class for.
CONTENTS_WITHOUT_TYPE = {
    "id-data": "any bytes",
    "id-ct-firmwarePackage": "any bytes (RFC 4108)",
    "id-ct-asciiTextWithCRLF": "text (RFC 5485)",
    "id-ct-xml": "XML (RFC 6492)",
    "1.2.840.113549.1.9.16.1.29": "PDF (RFC 8358)",
    "id-ct-rpkiGhostbusters": "a vCard (RFC 6493)",
    "1.2.840.113549.1.9.16.1.19": "a collection of contents (RFC 4073)",
    "1.2.840.113549.1.9.16.1.25": "symmetric keys (RFC 6031)",
    "1.2.840.113549.1.9.16.1.31": "data with time stamps (RFC 5544)",
    "1.2.840.113549.1.9.16.1.44": "CBOR (RFC 8769)",
    "1.2.840.113549.1.9.16.1.45": "CBOR (RFC 8769)",
    "1.2.840.113549.1.9.16.1.47": "CSV (RFC 9632)",
    "1.2.840.113549.1.9.16.1.50": "trust anchors of the RPKI (RFC 9691)",
    "1.2.410.200004.10.1.1.1": "tokens of anonymous certificates (RFC 5636)",
    "2.16.840.1.101.2.1.2.78.2": "encrypted keys (RFC 6032)",
    "2.16.840.1.101.2.1.2.78.3": "receipts of keys (RFC 7191)",
    "2.16.840.1.101.2.1.2.78.6": "errors about keys (RFC 7191)",
}


def type_of(value: Value) -> Any:
    """Return the class for a value, or None if derlib has none."""
    if value.file in WITHOUT_TYPE:
        return None
    if value.file in OTHER_TYPES:
        return OTHER_TYPES[value.file]
    return TYPES[value.spec.rpartition(".")[2]] if value.spec else cms.ContentInfo


def label(value: Value) -> str:
    """Return the name of a value in `REFUSED`."""
    return f"{value.file}.{value.test}.{value.name}"


def reread(type_: Any, octets: bytes) -> Any:
    """Return the value of valid bytes, after checking that building it again in each way gives the same bytes."""
    value = derlib.decode(type_, octets)
    assert derlib.encode(value, type_) == octets
    if isinstance(value, (derlib.Sequence, derlib.SequenceOf, derlib.SetOf, derlib.Choice)):
        read(type_, octets)
    return value


def test_each_value_decodes_as_its_type_and_encodes_to_the_same_bytes() -> None:
    wrong: dict[str, Exception] = {}
    count = 0
    for value in values():
        type_ = type_of(value)
        if type_ is None or label(value) in REFUSED:
            continue
        try:
            reread(type_, value.octets)
        except (derlib.ASN1Error, AssertionError) as error:
            wrong[label(value)] = error
        count += 1
    assert wrong == {}
    assert count > 280


def test_the_contents_of_objects_decode_as_their_types() -> None:
    seen: set[str] = set()
    for value in values():
        if type_of(value) is not cms.ContentInfo or label(value) in REFUSED:
            continue
        content_type, content = inner(cms.ContentInfo.decode(value.octets))
        seen.add(content_type)
        if content_type in CONTENTS and isinstance(content, bytes):
            reread(CONTENTS[content_type], content)
        elif isinstance(content, TLV):
            assert content_type in CONTENTS_WITHOUT_TYPE, label(value)
    # Every type has a class in `derlib.schemas`, or a reason.
    known = {oid.name for oid in cms.CONTENT_TYPES} | CONTENTS.keys()
    assert seen - known - CONTENTS_WITHOUT_TYPE.keys() == set()
    assert CONTENTS.keys() | CONTENTS_WITHOUT_TYPE.keys() <= seen


def inner(info: cms.ContentInfo) -> tuple[str, Any]:
    """Return the name of the type of the contents, and the contents; those that are signed, if the object is."""
    if isinstance(info.content, cms.SignedData):
        encapsulated = info.content.encap_content_info
        return encapsulated.e_content_type.name, encapsulated.e_content
    return info.content_type.name, info.content


def test_each_refusal_has_its_clause() -> None:
    found = {}
    for value in values():
        if label(value) in REFUSED:
            with pytest.raises(derlib.DecodeError) as caught:
                derlib.decode(type_of(value), value.octets)
            found[label(value)] = (caught.value.kind, caught.value.rule)
    assert found == REFUSED


def test_each_row_of_the_tables_is_used() -> None:
    found = values()
    files = {value.file for value in found}
    assert len(found) == 309
    assert {value.spec.rpartition(".")[2] for value in found if value.file not in WITHOUT_TYPE} - {""} == TYPES.keys()
    assert WITHOUT_TYPE.keys() | OTHER_TYPES.keys() <= files
