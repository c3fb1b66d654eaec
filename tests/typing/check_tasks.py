"""Everyday tasks, which need no assertion and no cast to satisfy a type checker. Checked, not run."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from derlib import BitString, cache, pem
from derlib.schemas.cms import ContentInfo
from derlib.schemas.crl import CertificateList
from derlib.schemas.csr import CertificationRequest
from derlib.schemas.keys import PrivateKeyInfo
from derlib.schemas.ocsp import OCSPResponse
from derlib.schemas.pkcs12 import PFX
from derlib.schemas.x509 import (
    AlgorithmIdentifier,
    BasicConstraints,
    Certificate,
    Extension,
    Extensions,
    GeneralName,
    Name,
    SubjectAltName,
    SubjectPublicKeyInfo,
    TBSCertificate,
    Validity,
    Version,
)


def crl_to_csv(crl: CertificateList) -> None:
    out = csv.writer(sys.stdout)
    for entry in crl.revoked_certificates:
        reason = entry.reason.name if entry.reason else ""
        out.writerow([f"{entry.serial_number:x}", entry.revocation_date.isoformat(), reason, entry.invalidity_date])
    number: int | None = crl.number
    print(number, crl.this_update.isoformat(), crl.issuer.display())


def summaries(bundle: bytes) -> Iterator[str]:
    for der in pem.decode(bundle, "CERTIFICATE"):
        certificate = Certificate.decode(der)
        key = certificate.public_key
        yield f"{certificate.subject.display()} {', '.join(certificate.dns_names)} {key.kind} {key.size}"
        yield f"{certificate.fingerprint().hex()} {certificate.not_after.isoformat()} {certificate.is_ca}"


def urls(certificate: Certificate) -> list[str]:
    return [*certificate.ocsp_urls, *certificate.ca_issuer_urls, *certificate.crl_urls]


def path_length(certificate: Certificate) -> int | None:
    constraints = certificate.get(BasicConstraints)
    return constraints.path_len_constraint if constraints else None


def kind_of_key(file: bytes) -> str:
    key = PrivateKeyInfo.decode(pem.one(file, "PRIVATE KEY"))
    return f"{key.kind} {key.size or key.curve or ''}"


def request_names(file: bytes) -> tuple[str, ...]:
    request = CertificationRequest.decode(file)
    return (request.subject.display(), *request.dns_names, *map(str, request.ip_addresses))


def signing_times(file: bytes) -> list[datetime | None]:
    return [signer.signing_time for signer in ContentInfo.decode(file, rules="ber").signed_data.signer_infos]


def statuses(file: bytes) -> list[tuple[int, str]]:
    return [(each.serial_number, each.status) for each in OCSPResponse.decode(file).responses]


def friendly_names(file: bytes) -> list[str | None]:
    return [bag.friendly_name for bag in PFX.decode(file, rules="ber").bags]


def build(public_key: SubjectPublicKeyInfo, start: datetime, end: datetime, signature: bytes) -> Certificate:
    algorithm = AlgorithmIdentifier.of("sha256WithRSAEncryption")
    name = Name.of({"CN": "Example"})
    tbs = TBSCertificate(
        version=Version.v3, serial_number=5, signature=algorithm, issuer=name, subject=name,
        validity=Validity(not_before=start, not_after=end), subject_public_key_info=public_key,
        extensions=Extensions([
            Extension.of(BasicConstraints(ca=True), critical=True),
            Extension.of(SubjectAltName([GeneralName(dns_name="example.org")])),
        ]),
    )
    return Certificate(tbs_certificate=tbs, signature_algorithm=algorithm, signature_value=BitString(signature))


def cached(folder: Path, data: bytes) -> Certificate:
    return cache.Cache(cache.DirectoryStore(folder)).decode(Certificate, data)
