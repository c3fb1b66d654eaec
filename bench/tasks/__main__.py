"""Run each task with each library, compare the results, and print lines of code and times: `python -m bench.tasks`."""

from __future__ import annotations

import ast
import inspect
import textwrap
import timeit
from collections.abc import Callable
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from typing import Any

import certifi
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from bench.paths import ROOT
from bench.tasks import structure, with_asn1crypto, with_cryptography, with_derlib
from derlib import pem

EXAMPLES = ROOT / "docs" / "examples"
LIBRARIES = {"derlib": with_derlib, "asn1crypto": with_asn1crypto, "cryptography": with_cryptography}
#: The number of mutated inputs that are refused differs: it shows how strict a library is.
STRICTNESS = "cache_and_fuzz"


def example(name: str, label: str | None = None) -> bytes:
    """Return the DER of an example file."""
    data = (EXAMPLES / name).read_bytes()
    return pem.decode(data, label)[0] if label else data


def inputs() -> dict[str, tuple[Any, ...]]:
    """Return the arguments of each task."""
    server = example("server.pem", "CERTIFICATE")
    key = rsa.generate_private_key(65537, 2048)
    der = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    start, end = (datetime(year, 1, 1, tzinfo=timezone.utc) for year in (2026, 2027))
    return {
        "crl_to_csv": (example("revoke.pem", "X509 CRL"),),
        "bundle_summary": (bundle(),),
        "revocation_urls": (with_urls(),),
        "key_facts": (der,),
        "request_facts": (example("request.pem", "CERTIFICATE REQUEST"),),
        "message_facts": (example("report.p7m"), example("status.der")),
        "build_and_sign": (ed25519.Ed25519PrivateKey.from_private_bytes(bytes(32)), start, end),
        "cache_and_fuzz": (server,),
    }


def bundle() -> bytes:
    """Return PEM of the first root certificates of certifi. asn1crypto reports 528 bits for P-521, which these lack."""
    blocks = islice(pem.blocks(Path(certifi.where()).read_bytes()), 40)
    return "".join(pem.encode(block.der, block.label) for block in blocks).encode()


def with_urls() -> bytes:
    """Return a certificate with the URLs of a CRL and of an OCSP responder."""
    from cryptography import x509

    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Example")])
    crl, ocsp = (x509.UniformResourceIdentifier(f"http://example.org/{kind}") for kind in ("crl", "ocsp"))
    key = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(32))
    builder = x509.CertificateBuilder(name, name, key.public_key(), 5, datetime(2026, 1, 1), datetime(2027, 1, 1))
    builder = builder.add_extension(
        x509.CRLDistributionPoints([x509.DistributionPoint([crl], None, None, None)]), critical=False
    )
    access = x509.AccessDescription(x509.oid.AuthorityInformationAccessOID.OCSP, ocsp)
    return (
        builder.add_extension(x509.AuthorityInformationAccess([access]), critical=False)
        .sign(key, None)
        .public_bytes(Encoding.DER)
    )


def statements(function: Callable[..., Any]) -> int:
    """Return the number of lines of a function after its first, formatted in one way, without comments."""
    [tree] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(tree, ast.FunctionDef)
    return sum(len(wrapped(ast.unparse(statement))) for statement in tree.body)


def wrapped(code: str) -> list[str]:
    """Return the lines of unparsed code; a line of more than 100 characters counts for each 100 of them."""
    return [piece for line in code.splitlines() for piece in textwrap.wrap(line, 100, drop_whitespace=False)]


def microseconds(function: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    """Return the shortest time of a call, in several rounds of about 20 ms."""
    timer = timeit.Timer(lambda: function(*arguments))
    number = max(1, int(0.02 / min(timer.repeat(3, 1))))
    return 1e6 * min(timer.repeat(7, number)) / number


def main() -> None:
    """Print a row for each task."""
    print(f"{'task':18}" + "".join(f"{name:>32}" for name in LIBRARIES))
    for task, arguments in inputs().items():
        cells = []
        results = []
        for module in LIBRARIES.values():
            function = getattr(module, task)
            if function is None:
                cells.append("-")
                continue
            result = function(*arguments)
            results.append(result)
            cell = f"{statements(function)} lines, {microseconds(function, arguments):,.1f} µs"
            cells.append(cell + (f", {result[1]} refused" if task == STRICTNESS else ""))
        if task != STRICTNESS:
            assert all(result == results[0] for result in results), task
        print(f"{task:18}" + "".join(f"{cell:>32}" for cell in cells))
    print("\nDecode a structure, and read every field:")
    readers = (structure.with_derlib, structure.with_asn1crypto, structure.with_hazmat)
    assert len({repr(read(structure.ORDER)) for read in readers}) == 1
    for read in readers:
        print(f"{read.__name__:18}{microseconds(read, (structure.ORDER,)):6.2f} µs")


if __name__ == "__main__":
    main()
