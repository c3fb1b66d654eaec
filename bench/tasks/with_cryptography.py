# mypy: ignore-errors
# pyright: basic
"""The tasks with cryptography."""

from __future__ import annotations

from typing import Any


def crl_to_csv(der: bytes) -> list[tuple[int, str, str | None]]:
    from cryptography import x509

    rows = []
    for entry in x509.load_der_x509_crl(der):
        try:
            reason = entry.extensions.get_extension_for_class(x509.CRLReason).value.reason.name
        except x509.ExtensionNotFound:
            reason = None
        rows.append((entry.serial_number, entry.revocation_date_utc.isoformat(), reason))
    return rows


def bundle_summary(text: bytes) -> list[tuple[Any, ...]]:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    rows = []
    for c in x509.load_pem_x509_certificates(text):
        common_names = c.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
        try:
            names = c.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
            domains = names.get_values_for_type(x509.DNSName)
        except x509.ExtensionNotFound:
            domains = []
        key = c.public_key()
        known = {rsa.RSAPublicKey: "RSA", ec.EllipticCurvePublicKey: "EC"}
        kinds = [name for cls, name in known.items() if isinstance(key, cls)]
        fingerprint = c.fingerprint(hashes.SHA256()).hex()
        rows.append((common_names[-1].value if common_names else None, domains, kinds[0], key.key_size, fingerprint))
    return rows


def revocation_urls(der: bytes) -> tuple[list[str], list[str]]:
    from cryptography import x509

    extensions = x509.load_der_x509_certificate(der).extensions
    points = extensions.get_extension_for_class(x509.CRLDistributionPoints).value
    access = extensions.get_extension_for_class(x509.AuthorityInformationAccess).value
    ocsp = x509.AuthorityInformationAccessOID.OCSP
    return (
        [name.value for point in points for name in point.full_name or ()],
        [each.access_location.value for each in access if each.access_method == ocsp],
    )


def key_facts(der: bytes) -> tuple[int, int]:
    from cryptography.hazmat.primitives.serialization import load_der_private_key

    key = load_der_private_key(der, None)
    return key.key_size, key.public_key().public_numbers().e


def request_facts(der: bytes) -> tuple[str, list[str], str]:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec

    request = x509.load_der_x509_csr(der)
    names = request.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    kind = "EC" if isinstance(request.public_key(), ec.EllipticCurvePublicKey) else "other"
    [common_name] = request.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    return common_name.value, names.get_values_for_type(x509.DNSName), kind


#: cryptography reads the certificates of a CMS message only.
message_facts = None


def build_and_sign(key: Any, start: Any, end: Any) -> bytes:
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding

    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Example")])
    builder = x509.CertificateBuilder(
        issuer_name=name,
        subject_name=name,
        public_key=key.public_key(),
        serial_number=5,
        not_valid_before=start,
        not_valid_after=end,
    )
    return builder.sign(key, None).public_bytes(Encoding.DER)


def cache_and_fuzz(der: bytes) -> tuple[bool, int]:
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding

    certificate = x509.load_der_x509_certificate(der)
    cached = certificate.public_bytes(Encoding.DER)
    refused = 0
    for position in range(len(der)):
        try:
            # Extensions and the key are validated when they are read.
            changed = x509.load_der_x509_certificate(der[:position] + b"\xff" + der[position + 1 :])
            changed.extensions, changed.public_key(), changed.subject, changed.issuer
        except Exception:
            refused += 1
    return x509.load_der_x509_certificate(cached) == certificate, refused
