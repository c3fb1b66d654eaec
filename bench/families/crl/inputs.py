"""The inputs of the family `crl`: files under build/bench, made once. Called by the family's declaration.

What makes them imports inside the function: the declaration is read by every worker.
"""

import json
import re
import ssl
from base64 import b64encode

from bench.der import uniform_crl
from bench.harness import Input
from bench.places import BUILD, write

REDUCED = 20_000
QUICK_REDUCED = 1_000
QUICK = 20_000
CACERT = 415_756
KEY = bytes(range(32))
"""The private key of Ed25519 with which made CRLs are signed: the same signature each time."""


def crl_file(count: int, with_reasons: bool = False) -> str:
    """A CRL with so many entries."""
    from bench.make_crl import crl_file

    return str(crl_file(count, with_reasons=with_reasons, folder=BUILD))


def small() -> str:
    """A CRL that is enough to make modules and plans."""
    return crl_file(50)


def uniform_file(entries: int) -> str:
    """A CRL of about so many entries, quickly made: a block of entries is repeated."""
    path = BUILD / f"uniform-{entries}.crl"
    if not path.exists():
        # An entry takes 22 octets.
        write(path, uniform_crl(22 * entries))
    return str(path)


def certificates_file() -> str:
    """The roots of certifi that derlib accepts; a strict reader refuses one that breaks DER."""
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


def reduced(quick: bool) -> str:
    """The CRL for slow peers."""
    return crl_file(QUICK_REDUCED if quick else REDUCED)


def sizes(quick: bool) -> str:
    """Octets of a small and of a large CRL."""
    return f"{2**20} {(8 if quick else 100) * 2**20}"


INPUTS = {
    "plain": Input(
        "CRL of the shape of CAcert's: 415,756 entries, 8.72 MiB",
        lambda quick: crl_file(QUICK if quick else CACERT),
        small,
    ),
    "reasons": Input(
        "the same number of entries, half of them with a reason code",
        lambda quick: crl_file(QUICK if quick else CACERT, True),
        small,
    ),
    "reduced": Input("CRL of the same shape, 20,000 entries, for slow peers", reduced, small),
    "certifi": Input("the roots of certifi", lambda quick: certificates_file()),
    "two sizes": Input("CRLs of 1 MiB and 100 MiB", sizes),
    "stream": Input(
        "10,000,000 entries from a generator", lambda quick: "200000" if quick else "10000000", lambda: "10"
    ),
}
