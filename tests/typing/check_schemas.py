"""The types that type checkers infer in the ready-made schemas: `make types` reads this file, nothing runs it.

This folder has no `__init__.py`: a package with its name at the start of the path would hide the module of the standard
library.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from derlib import BitString, ObjectIdentifier, Span, inspect
from derlib.schemas import cms
from derlib.schemas.cms import (
    ContentInfo,
    EncryptedData,
    EnvelopedData,
    SignedAttributes,
    SignedData,
    SignerIdentifier,
)
from derlib.schemas.crl import CertificateList, CRLReason, RevokedCertificate, TBSCertList
from derlib.schemas.ocsp import OCSPResponse
from derlib.schemas.pkcs12 import PFX, AuthenticatedSafe, SafeContents
from derlib.schemas.x509 import (
    AlgorithmIdentifier,
    Attribute,
    BasicConstraints,
    Certificate,
    Extension,
    Extensions,
    GeneralName,
    Name,
    RSAPublicKey,
    SubjectPublicKeyInfo,
    Version,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from typing_extensions import assert_type

    from derlib import SequenceOf


def check_crl(octets: bytes) -> None:
    crl = CertificateList.decode(octets)
    assert_type(crl, CertificateList)
    assert_type(crl.tbs_cert_list, TBSCertList)
    assert_type(crl.tbs_cert_list.version, Version | None)
    assert_type(crl.tbs_cert_list.this_update, datetime)
    assert_type(crl.tbs_cert_list.next_update, datetime | None)
    assert_type(crl.tbs_cert_list.crl_extensions, Extensions | None)
    assert_type(crl.signature_algorithm, AlgorithmIdentifier)
    assert_type(crl.signature_algorithm.algorithm, ObjectIdentifier)
    assert_type(crl.signature_value, BitString)
    assert_type(crl.encode(), bytes)
    assert_type(crl.der, memoryview)


def check_entries(entries: SequenceOf[RevokedCertificate]) -> None:
    assert_type(entries[0], RevokedCertificate)
    assert_type(entries[-3:], tuple[RevokedCertificate, ...])
    assert_type(iter(entries), Iterator[RevokedCertificate])
    assert_type(reversed(entries), Iterator[RevokedCertificate])
    assert_type([entry.user_certificate for entry in entries], list[int])
    assert_type(len(entries), int)
    assert_type(entries.index(entries[0]), int)
    assert_type(entries.count(entries[0]), int)
    assert_type(entries[0] in entries, bool)
    assert_type(entries[0].revocation_date, datetime)
    assert_type(entries[0].span(), Span)
    same: Sequence[RevokedCertificate] = entries
    assert_type(max(same, key=lambda entry: entry.user_certificate), RevokedCertificate)


def check_properties(certificate: Certificate, crl: CertificateList, signed: SignedData) -> None:
    assert_type(certificate.subject["CN"], str | Any)
    assert_type(certificate.subject["common_name"], str | Any)
    assert_type(certificate.subject.get("CN"), str | Any | None)
    assert_type(certificate.subject.get_all("OU"), tuple[str | Any, ...])
    assert_type(certificate.subject["1.2.840.113549.1.9.21"], Any)
    assert_type(certificate.subject[ObjectIdentifier("2.5.4.3")], Any)
    assert_type(certificate.subject.get("userPassword"), Any)
    assert_type(certificate.subject.get_all("userPassword"), tuple[Any, ...])
    assert_type("CN" in certificate.subject, bool)
    assert_type(certificate.dns_names, tuple[str, ...])
    assert_type(certificate.get(BasicConstraints), BasicConstraints | None)
    assert_type(certificate.max_path_length, int | None)
    assert_type(certificate.public_key, SubjectPublicKeyInfo)
    assert_type([entry.reason for entry in crl.revoked_certificates], list[CRLReason | None])
    assert_type(crl.revoked_certificates, SequenceOf[RevokedCertificate])
    assert_type(crl.revoked_certificates[0], RevokedCertificate)
    assert_type(len(crl.revoked_certificates), int)
    for signer in signed.signer_infos:
        assert_type(signer.signing_time, datetime | None)
        assert_type(signer.digest_algorithm.hash_name, str | None)
        assert_type(signed.certificate_of(signer), Certificate | None)
        assert_type(signer.get("1.2.840.113549.1.9.4"), Any)
    assert_type(signed.x509_certificates, tuple[Certificate, ...])


def check_ocsp(response: OCSPResponse) -> None:
    for single in response.responses:
        assert_type(single.serial_number, int)
        assert_type(single.status, Literal["good", "revoked", "unknown"])
        assert_type(single.revocation_time, datetime | None)


def check_absent_list(crl: CertificateList) -> None:
    for entry in crl.tbs_cert_list.revoked_certificates or ():
        assert_type(entry, RevokedCertificate)


def check_extensions(extensions: Extensions, oid: ObjectIdentifier) -> None:
    # The class has its own name and no type parameter; the type of its elements is still known.
    assert_type(extensions[0], Extension)
    assert_type(extensions[0].critical, bool)
    assert_type(extensions[0].extn_value, Any)
    assert_type(extensions.get(BasicConstraints), BasicConstraints | None)
    assert_type(extensions.get(CRLReason), CRLReason | None)
    assert_type(extensions.get(oid), Any)
    reason = extensions.get(CRLReason)
    if reason is not None:
        # An unknown reason is a CRLReason too, so these are true of every reason that is read.
        name: str = reason.name
        value: int = reason.value
        number: int = reason
        assert_type(value == number and len(name) > 0, bool)
    # A reason is never false.
    with_reason: Extensions | None = reason and Extensions([Extension.of(reason)])
    assert_type(with_reason, Extensions | None)
    constraints = extensions.get(BasicConstraints)
    if constraints is not None:
        assert_type(constraints.path_len_constraint, int | None)


def check_certificate(octets: bytes) -> None:
    certificate, rest = Certificate.decode_prefix(octets)
    assert_type(certificate, Certificate)
    assert_type(rest, memoryview)
    # A DEFAULT is never absent; a tag around a type does not change it.
    assert_type(certificate.tbs_certificate.version, Version)
    assert_type(certificate.tbs_certificate.issuer_unique_id, BitString | None)
    assert_type(certificate.tbs_certificate.extensions, Extensions | None)


def check_arms(name: GeneralName) -> str:
    assert_type(name.alternative, str | Any)
    assert_type(name.value, Any)
    assert_type(name.dns_name, str)
    assert_type(name.ip_address, bytes)
    # At run time attributes alone are enough, but type checkers assume that they always exist and that the next case is
    # unreachable. With the name of the alternative in the pattern they check every case.
    match name:
        case (
            GeneralName(alternative="dns_name", dns_name=text)
            | GeneralName(alternative="rfc822_name", rfc822_name=text)
        ):
            assert_type(text, str)
            return text
        case GeneralName(alternative="ip_address", ip_address=octets):
            assert_type(octets, bytes)
            return octets.hex()
        case GeneralName(alternative="registered_id", registered_id=oid):
            assert_type(oid, ObjectIdentifier)
            return oid.dotted
        case GeneralName(value=value):
            assert_type(value, Any)
            return str(value)


def build(key_info: SubjectPublicKeyInfo, parts: dict[str, str], oid: ObjectIdentifier) -> None:
    assert_type(Name.of({"CN": "x", "O": {"UTF8String": "y"}}), Name)
    assert_type(Name.of(parts), Name)
    assert_type(Name.of([("OU", "x"), (oid, "y")]), Name)
    assert_type(Extension.of(BasicConstraints(ca=True), critical=True), Extension)
    assert_type(Extension.of(key_info.key_identifier, extn_id=oid), Extension)
    assert_type(key_info.key_identifier, bytes)
    assert_type(AlgorithmIdentifier.of("id-sha256"), AlgorithmIdentifier)
    assert_type(GeneralName.of_ip("192.0.2.1"), GeneralName)
    assert_type(SubjectPublicKeyInfo.of(RSAPublicKey(modulus=7, public_exponent=5)), SubjectPublicKeyInfo)
    assert_type(Attribute.of(oid, b"value"), Attribute)
    assert_type(SignedAttributes([cms.Attribute.of("1.2.840.113549.1.9.4", b"hash")]), SignedAttributes)


def check_descriptions() -> None:
    assert_type(inspect.type_info(Certificate), inspect.StructureType)
    assert_type(inspect.type_info(GeneralName), inspect.ChoiceType)
    assert_type(inspect.type_info(Extensions), inspect.ListType)
    assert_type(inspect.type_info(int), inspect.TypeInfo)


def check_cms(octets: bytes) -> None:
    signed = ContentInfo.decode(octets).signed_data
    assert_type(signed, SignedData)
    assert_type(signed.encap_content_info.e_content, bytes | None)
    signer = signed.signer_infos[0]
    assert_type(signer.sid, SignerIdentifier)
    assert_type(signer.signed_attrs, SignedAttributes | None)
    assert_type(signer.signed_bytes, bytes | None)
    for choice in signed.certificates or ():
        assert_type(choice.certificate, Certificate)


def check_pkcs12(octets: bytes) -> None:
    pfx = PFX.decode(octets)
    assert_type(pfx.auth_safe, ContentInfo)
    assert_type(pfx.authenticated_safe, AuthenticatedSafe)
    assert_type(pfx.bags[0].friendly_name, str | None)
    for part in pfx.encrypted_parts:
        assert_type(part, EncryptedData | EnvelopedData)
    assert_type(AuthenticatedSafe.decode(pfx.auth_safe.content)[0], ContentInfo)
    assert_type(SafeContents.decode(octets)[0].bag_id, ObjectIdentifier)
