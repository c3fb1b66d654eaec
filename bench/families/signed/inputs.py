"""The input of the family `signed`: a file under build/bench/, the same in every run. Called by its declaration.

The function imports what it needs itself, because every worker imports this module.
"""

from typing import Any

from bench.paths import INPUTS, write


def signed_data_file() -> str:
    """Return the file of a ContentInfo: the chain of a web server, one signer, and a content of 1,000 bytes."""
    path = INPUTS / "signed-three.der"
    if not path.exists():
        write(path, _signed_data())
    return str(path)


def _signed_data() -> bytes:
    from datetime import datetime, timedelta, timezone
    from hashlib import sha256
    from importlib import import_module
    from random import Random

    from derlib import NULL, BitString

    # Any: a type checker accepts only values of classes, where the constructors also take dicts and lists.
    cms: Any = import_module("derlib.schemas.cms")
    x509: Any = import_module("derlib.schemas.x509")

    random = Random(5652)
    start = datetime(2026, 11, 1, tzinfo=timezone.utc)
    http = "http://pki.example.org"

    def key() -> Any:
        modulus = random.getrandbits(2048) | 1 << 2047 | 1
        algorithm = {"algorithm": "1.2.840.113549.1.1.1", "parameters": NULL}
        return x509.SubjectPublicKeyInfo(
            algorithm=algorithm, subject_public_key={"modulus": modulus, "public_exponent": 65537}
        )

    def name(common_name: str) -> Any:
        return x509.Name.of({"C": "GB", "O": "Example", "OU": "Engineering", "CN": common_name})

    def certificate(serial: int, issuer: str, subject: str, issuer_key: Any, ca: bool) -> Any:
        own = issuer_key if issuer == subject else key()
        usage = x509.KeyUsage.key_cert_sign | x509.KeyUsage.crl_sign if ca else x509.KeyUsage.digital_signature
        names = [{"dns_name": f"{host}.example.org"} for host in ("www", "mail", "api")]
        point = {"distribution_point": {"full_name": [{"uniform_resource_identifier": f"{http}/{serial}.crl"}]}}
        access = [
            {"access_method": "1.3.6.1.5.5.7.48.1", "access_location": {"uniform_resource_identifier": http}},
            {"access_method": "1.3.6.1.5.5.7.48.2", "access_location": {"uniform_resource_identifier": f"{http}/ca"}},
        ]
        extensions = [
            x509.Extension.of(x509.BasicConstraints(ca=ca), critical=True),
            x509.Extension.of(usage, critical=True),
            x509.Extension.of(own.key_identifier, extn_id=x509.id_ce_subject_key_identifier),
            x509.Extension.of(x509.AuthorityKeyIdentifier(key_identifier=issuer_key.key_identifier)),
            x509.Extension.of(x509.CertificatePolicies([{"policy_identifier": "2.999.1"}])),
            x509.Extension.of(x509.CRLDistributionPoints([point])),
            x509.Extension.of(x509.AuthorityInfoAccessSyntax(access)),
        ]
        if not ca:
            extensions += [
                x509.Extension.of(x509.ExtKeyUsageSyntax(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"])),
                x509.Extension.of(x509.SubjectAltName(names)),
            ]
        tbs = x509.TBSCertificate(
            version="v3",
            serial_number=serial,
            signature=x509.sa_sha256_with_rsa_encryption,
            issuer=name(issuer),
            validity={"not_before": start, "not_after": start + timedelta(days=365)},
            subject=name(subject),
            subject_public_key_info=own,
            extensions=extensions,
        )
        signature = BitString(random.randbytes(256))
        return x509.Certificate(tbs_certificate=tbs, signature_algorithm=tbs.signature, signature_value=signature)

    root_key = key()
    root = certificate(1, "Example Root", "Example Root", root_key, True)
    middle = certificate(2, "Example Root", "Example CA", root_key, True)
    leaf = certificate(
        random.getrandbits(150), "Example CA", "signer", middle.tbs_certificate.subject_public_key_info, False
    )
    content = random.randbytes(1000)
    digest = {"algorithm": "2.16.840.1.101.3.4.2.1", "parameters": NULL}
    signer = cms.SignerInfo(
        version="v1",
        sid={
            "issuer_and_serial_number": {
                "issuer": leaf.tbs_certificate.issuer,
                "serial_number": leaf.tbs_certificate.serial_number,
            }
        },
        digest_algorithm=digest,
        signed_attrs=[
            {"attr_type": cms.id_content_type, "attr_values": [cms.id_data]},
            {"attr_type": cms.id_signing_time, "attr_values": [start]},
            {"attr_type": cms.id_message_digest, "attr_values": [sha256(content).digest()]},
        ],
        signature_algorithm=x509.sa_sha256_with_rsa_encryption,
        signature=random.randbytes(256),
    )
    data = cms.SignedData(
        version="v1",
        digest_algorithms=[digest],
        encap_content_info={"e_content_type": cms.id_data, "e_content": content},
        certificates=[{"certificate": each} for each in (root, middle, leaf)],
        signer_infos=[signer],
    )
    encoding: bytes = cms.ContentInfo(content_type=cms.id_signed_data, content=data).encode()
    return encoding
