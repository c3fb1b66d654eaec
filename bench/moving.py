"""Measure the calls in the tables of docs/moving.md, and write their times there: `python -m bench.moving`.

The calls are the code of the page. A call on a certificate, a CRL, an entry or a request is measured together with
loading it, because each library caches values in the object. A row that is not about one call has no time.
"""

from __future__ import annotations

import re
import timeit
from datetime import datetime
from typing import Any

import pyasn1.codec.native.encoder
from asn1crypto import cms, core, pkcs12
from asn1crypto import x509 as asn1crypto_x509
from cryptography import x509
from cryptography.hazmat import asn1
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_der_private_key,
    pkcs7,
)
from cryptography.x509 import NameOID, ocsp
from pyasn1.codec.der.decoder import decode
from pyasn1.codec.der.encoder import encode
from pyasn1.type import char, namedtype, univ

import derlib
from bench.paths import ROOT
from bench.tasks.structure import ORDER, HazmatOrder, Order
from derlib import SequenceOf, pem
from derlib.schemas.cms import ContentInfo
from derlib.schemas.crl import CertificateList
from derlib.schemas.csr import CertificationRequest
from derlib.schemas.keys import PrivateKeyInfo
from derlib.schemas.ocsp import OCSPResponse
from derlib.schemas.pkcs12 import PFX
from derlib.schemas.x509 import BasicConstraints, Certificate

PAGE = ROOT / "docs" / "moving.md"
BLOCK = re.compile(r"(<!-- times of (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
EXAMPLES = ROOT / "docs" / "examples"


class PyasnOrder(univ.Sequence):  # type: ignore[misc]
    """The `Order` of bench/tasks/structure.py for pyasn1."""

    componentType = namedtype.NamedTypes(
        namedtype.NamedType("number", univ.Integer()),
        namedtype.DefaultedNamedType("express", univ.Boolean(False)),
        namedtype.NamedType("items", univ.SequenceOf(componentType=char.UTF8String())),
        namedtype.OptionalNamedType("remark", char.UTF8String()),
    )


def example(name: str) -> bytes:
    """Return the DER of an example file."""
    return pem.one((EXAMPLES / name).read_bytes())


def certificate() -> bytes:
    """Return a certificate with all parts that the calls read."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name.from_rfc4514_string("CN=www.example.org")
    dates = datetime(2026, 1, 1), datetime(2027, 1, 1)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 5, *dates)
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName("www.example.org")]), critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(x509.KeyUsage(True, *[False] * 8), critical=True)
    return builder.sign(key, hashes.SHA256()).public_bytes(Encoding.DER)


#: What the names in a call stand for, beside the libraries.
INPUTS: dict[str, Any] = {
    "certificate_der": certificate(),
    "crl_der": example("revoke.pem"),
    "request_der": example("request.pem"),
    "order_der": ORDER,
    "n": 0x1002,
}
INPUTS["data"] = pem.encode(INPUTS["certificate_der"], "CERTIFICATE").encode()

#: The statements that load the value of a name in a call, by library.
LOADED = {
    "cryptography": {
        "c": "c = x509.load_der_x509_certificate(certificate_der)",
        "crl": "crl = x509.load_der_x509_crl(crl_der)",
        "entry": "entry = x509.load_der_x509_crl(crl_der)[1]",
        "r": "r = x509.load_der_x509_csr(request_der)",
    },
    "asn1crypto": {"certificate": "certificate = x509.Certificate.load(certificate_der, strict=True)"},
    "pyasn1": {"order": "order, _ = decode(order_der, asn1Spec=PyasnOrder())"},
    "derlib": {
        "c": "c = Certificate.decode(certificate_der)",
        "certificate": "certificate = Certificate.decode(certificate_der)",
        "crl": "crl = CertificateList.decode(crl_der)",
        "entry": "entry = CertificateList.decode(crl_der).revoked_certificates[1]",
        "order": "order = Order.decode(order_der)",
        "r": "r = CertificationRequest.decode(request_der)",
    },
}

LIBRARIES: dict[str, dict[str, Any]] = {
    "cryptography": {
        "asn1": asn1,
        "HazmatOrder": HazmatOrder,
        "x509": x509,
        "hashes": hashes,
        "ocsp": ocsp,
        "pkcs7": pkcs7,
        "NameOID": NameOID,
        "load_der_private_key": load_der_private_key,
    },
    "asn1crypto": {"x509": asn1crypto_x509, "cms": cms, "core": core, "pkcs12": pkcs12},
    "pyasn1": {"decode": decode, "encode": encode, "native": pyasn1.codec.native, "PyasnOrder": PyasnOrder},
    "derlib": {
        "derlib": derlib,
        "pem": pem,
        "Order": Order,
        "SequenceOf": SequenceOf,
        "BasicConstraints": BasicConstraints,
        "Certificate": Certificate,
        "CertificateList": CertificateList,
        "CertificationRequest": CertificationRequest,
        "ContentInfo": ContentInfo,
        "OCSPResponse": OCSPResponse,
        "PFX": PFX,
        "PrivateKeyInfo": PrivateKeyInfo,
    },
}


def private_key() -> bytes:
    """Return a new private RSA key in PKCS #8."""
    return rsa.generate_private_key(65537, 2048).private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())


def inputs_of(call: str, key: bytes) -> dict[str, Any]:
    """Return the values of the names in a call; `der` is the file that the call reads."""
    files = {
        r"(?i)ocsp": example("status.der"),
        r"pkcs7|ContentInfo": example("report.p7m"),
        r"(?i)pfx": example("ann.p12"),
        r"private_key|PrivateKeyInfo": key,
    }
    found = (der for pattern, der in files.items() if re.search(pattern, call))
    return {**INPUTS, "der": next(found, INPUTS["certificate_der"])}


def prepared(library: str, call: str, key: bytes) -> tuple[str, dict[str, Any]] | None:
    """Run a call once, and return it with the statements before it, and its names; None for a part of a program."""
    names = set(re.findall(r"(?<![.\w])\w+", call))
    loading = [statement for name, statement in LOADED[library].items() if name in names]
    statement = "; ".join([*loading, call])
    known = {**LIBRARIES[library], **inputs_of(call, key)}
    try:
        exec(statement, dict(known))
    except (NameError, SyntaxError):
        return None
    return statement, known


def time_of(statement: str, known: dict[str, Any]) -> float:
    """Return the shortest time of a statement in microseconds."""
    timer = timeit.Timer(statement, globals=known)
    loops, _ = timer.autorange()
    loops = max(1, loops // 4)
    return min(timer.repeat(7, loops)) / loops * 1e6


def cells_of(line: str) -> list[str]:
    """Return the cells of a row of a table in Markdown."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def calls_of(cells: list[str]) -> tuple[str, str]:
    """Return the calls in the first two cells of a row."""
    before, after = (", ".join(re.findall(r"`([^`]+)`", cell)) for cell in cells[:2])
    return before, after


def rows(library: str, table: str, key: bytes) -> str:
    """Return a table with the times of its calls, which are in the last two cells of a row."""
    lines = table.splitlines()
    for number, line in enumerate(lines[2:], 2):
        cells = cells_of(line)
        before, after = calls_of(cells)
        pair = prepared(library, before, key), prepared("derlib", after, key)
        times = [time_of(*each) for each in pair if each] if all(pair) else []
        shown = [f"{each:.2g}" if each < 10 else f"{each:,.0f}" for each in times] or ["", ""]
        lines[number] = f"| {' | '.join([*cells[:-2], *shown])} |"
        print(*shown, before, sep="\t", flush=True)
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure the rows, and write the page."""
    key = private_key()
    text = PAGE.read_text(encoding="utf-8")
    text = BLOCK.sub(lambda block: block[1] + rows(block[2], block[3], key) + block[4], text)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
