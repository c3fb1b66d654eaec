"""The inputs of the family `ber`: files under build/bench/, created once. Called by the declaration of the family.

The functions import what they need themselves, because every worker imports this module.
"""

from pathlib import Path

from bench.der import indefinite, uniform_crl
from bench.families.crl.inputs import LARGE, QUICK_LARGE, crl_file
from bench.harness import Input
from bench.paths import BUILD, write

CONTENT = 2**20
SEGMENT = 4096


def der_of(path: str) -> Path:
    """Return the file with the DER that an input in BER was made from: what its conversion must return."""
    return Path(path).with_suffix(".der")


def write_both(path: Path, der: bytes, ber: bytes) -> str:
    """Write an input in BER, and the DER that it was made from; return the file of the input."""
    write(der_of(str(path)), der)
    write(path, ber)
    return str(path)


def indefinite_file(entries: int) -> str:
    """Return the file of a CRL with this many entries, in which every constructed element has the indefinite length."""
    path = BUILD / f"indefinite-{entries}.crl"
    if der_of(str(path)).exists():
        return str(path)
    der = Path(crl_file(entries)).read_bytes()
    return write_both(path, der, indefinite(der))


def der_file(entries: int) -> str:
    """Return the file of the same CRL in DER."""
    return str(der_of(indefinite_file(entries)))


def uniform_file(entries: int) -> str:
    """Return the file of a CRL of about this many entries, which repeats a block of entries, in indefinite lengths."""
    path = BUILD / f"uniform-indefinite-{entries}.crl"
    if der_of(str(path)).exists():
        return str(path)
    # An entry takes 22 bytes in DER.
    der = uniform_crl(22 * entries)
    return write_both(path, der, indefinite(der))


def message_file() -> str:
    """Return the file of a signed CMS message in which the content is in segments, as `openssl cms -stream` writes it.

    Only the elements around the content have indefinite lengths: certificates and signed attributes are DER.
    """
    path = BUILD / f"message-{CONTENT}.p7m"
    if der_of(str(path)).exists():
        return str(path)
    der = signed_message()
    return write_both(path, der, indefinite(der, CONTENT, SEGMENT))


def signed_message() -> bytes:
    """Return the DER of a CMS message with 1 MiB of content."""
    from datetime import datetime
    from random import Random

    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import Encoding
    from cryptography.hazmat.primitives.serialization.pkcs7 import PKCS7Options, PKCS7SignatureBuilder

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "derlib benchmark")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, datetime(2026, 1, 1), datetime(2027, 1, 1))
    certificate = builder.sign(key, SHA256())
    signed = PKCS7SignatureBuilder().set_data(Random(0).randbytes(CONTENT)).add_signer(certificate, key, SHA256())
    return signed.sign(Encoding.DER, [PKCS7Options.Binary])


INPUTS = {
    "crl": Input(
        "CRL of 415,756 entries, every SEQUENCE of indefinite length",
        lambda quick: indefinite_file(QUICK_LARGE if quick else LARGE),
        lambda: indefinite_file(50),
    ),
    "der": Input("CRL of 415,756 entries in DER", lambda quick: der_file(QUICK_LARGE if quick else LARGE)),
    "cms": Input("signed CMS message, 1 MiB of content in segments of 4 KiB", lambda quick: message_file()),
}
