"""derlib: decode validates everything; then all of it is read."""

from collections.abc import Iterator
from pathlib import Path

from bench.families.idioms.new_process import importing
from bench.harness import Task
from derlib.schemas.cms import ContentInfo, id_message_digest, id_signing_time
from derlib.schemas.x509 import Certificate, SubjectAltName


def facts(info: ContentInfo) -> Iterator[object]:
    """Yield what the object contains."""
    signed = info.signed_data
    yield signed.encap_content_info.e_content
    for choice in signed.certificates or ():
        tbs = choice.certificate.tbs_certificate
        yield tbs.serial_number, int(tbs.validity.not_after.timestamp())
        yield [each.value for relative in tbs.subject.rdn_sequence for each in relative]
        yield [(each.extn_id.dotted, each.critical) for each in tbs.extensions or ()]
        names = tbs.extensions.get(SubjectAltName) if tbs.extensions else None
        yield [name.value for name in names or ()]
        yield choice.certificate.signature_value.bytes
    for signer in signed.signer_infos:
        assert signer.signed_attrs is not None
        yield signer.sid.issuer_and_serial_number.serial_number
        yield int(signer.signed_attrs.get(id_signing_time).timestamp())
        yield signer.signed_attrs.get(id_message_digest)
        yield signer.signature


def decode(path: str) -> Task:
    """Validate the whole object."""
    data = Path(path).read_bytes()
    return Task(lambda: ContentInfo.decode(data), facts)


def decode_and_read(path: str) -> Task:
    """Validate the whole object, and convert all of it to dicts, lists and values, as `.native` of asn1crypto does."""
    data = Path(path).read_bytes()
    return Task(lambda: ContentInfo.decode(data).to_native(), lambda native: facts(ContentInfo.from_native(native)))


def read_by_name(path: str) -> Task:
    """Validate the whole object, and read each field by its name, as a program does."""
    data = Path(path).read_bytes()

    def call() -> ContentInfo:
        info = ContentInfo.decode(data)
        signed = info.signed_data
        _ = signed.version, list(signed.digest_algorithms)
        _ = signed.encap_content_info.e_content_type, signed.encap_content_info.e_content
        for choice in signed.certificates or ():
            read_certificate(choice.certificate)
        for signer in signed.signer_infos:
            _ = signer.version, signer.sid.value.issuer, signer.sid.value.serial_number
            _ = signer.digest_algorithm.algorithm, signer.signature_algorithm.algorithm, signer.signature
            for attribute in signer.signed_attrs or ():
                _ = attribute.attr_type, attribute.attr_values[0]
        return info

    return Task(call, facts)


def read_certificate(certificate: Certificate) -> None:
    """Read each field of a certificate."""
    tbs = certificate.tbs_certificate
    _ = tbs.version, tbs.serial_number, tbs.signature.algorithm, tbs.validity.not_before, tbs.validity.not_after
    for name in (tbs.issuer, tbs.subject):
        for relative in name.rdn_sequence:
            for attribute in relative:
                _ = attribute.type, attribute.value
    key = tbs.subject_public_key_info
    _ = key.algorithm.algorithm, key.subject_public_key.modulus, key.subject_public_key.public_exponent
    for extension in tbs.extensions or ():
        _ = extension.extn_id, extension.critical, extension.extn_value
    _ = certificate.signature_algorithm.algorithm, certificate.signature_value


def import_schemas(_: str) -> Task:
    """Import the schemas of CMS, which include those of certificates, CRLs and private keys."""
    return importing("derlib.schemas.cms")
