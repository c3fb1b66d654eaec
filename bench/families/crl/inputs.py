"""The inputs of the family `crl`: files under build/bench/, created once. Called by the declaration of the family.

The functions import what they need themselves, because every worker imports this module.
"""

import json
import re
import ssl
from base64 import b64encode

from bench.der import uniform_crl
from bench.harness import Input
from bench.paths import BUILD, write

SMALL = 20_000
QUICK_SMALL = 1_000
LARGE = 415_756
QUICK_LARGE = 2_000
KEY = bytes(range(32))
"""The private Ed25519 key that signs, so that every run has the same signature."""


def crl_file(count: int, with_reasons: bool = False) -> str:
    """Return the file of a CRL with this many entries."""
    from bench.make_crl import crl_file

    return str(crl_file(count, with_reasons=with_reasons, folder=BUILD))


def small() -> str:
    """Return the file of a CRL that suffices to import modules and compile schemas."""
    return crl_file(50)


def uniform_file(entries: int) -> str:
    """Return the file of a CRL of about this many entries, which repeats a block of entries and is created fast."""
    path = BUILD / f"uniform-{entries}.crl"
    if not path.exists():
        # An entry takes 22 bytes.
        write(path, uniform_crl(22 * entries))
    return str(path)


def certificates_file() -> str:
    """Return the file of the root certificates of certifi, without the one that is not DER."""
    import certifi

    from derlib import DecodeError
    from derlib.schemas.x509 import Certificate

    accepted = []
    for block in re.findall("-----BEGIN CERT.+?-----END CERTIFICATE-----", certifi.contents(), re.S):
        der = ssl.PEM_cert_to_DER_cert(block)
        try:
            Certificate.decode(der)
        except DecodeError:
            continue
        accepted.append(b64encode(der).decode())
    path = BUILD / "certifi.json"
    write(path, json.dumps(accepted).encode())
    return str(path)


INPUTS = {
    "plain": Input(
        "CRL similar to CAcert's: 415,756 entries, 8.72 MiB",
        lambda quick: crl_file(QUICK_LARGE if quick else LARGE),
        small,
    ),
    "reasons": Input(
        "CRL of 415,756 entries, half of them with a reason code",
        lambda quick: crl_file(QUICK_LARGE if quick else LARGE, True),
        small,
    ),
    "small": Input("CRL of 20,000 entries", lambda quick: crl_file(QUICK_SMALL if quick else SMALL), small),
    "certifi": Input("the root certificates of certifi", lambda quick: certificates_file()),
    "stream": Input(
        "10,000,000 entries from a generator", lambda quick: "200000" if quick else "10000000", lambda: "10"
    ),
}
