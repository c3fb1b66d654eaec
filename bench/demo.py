"""Decode one large CRL, say what it holds and how long it took: `python -m bench.demo [FILE]`.

Called by `make demo`. Without a file it makes the CRL of bench/make_crl.py, once.
"""

import platform
import sys
from collections import Counter
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from bench.families.crl.inputs import small
from bench.harness.declare import Peer
from bench.harness.figures import Figures
from bench.harness.remote import Worker
from bench.harness.task import Task
from bench.make_crl import crl_file
from bench.places import shown
from derlib import DecodeError, pem
from derlib.schemas.crl import CertificateList

RUNS = 9


def timed(call: Callable[[], object]) -> Figures:
    """Time a call a few times."""
    task = Task(call, loops=1)
    return Figures(tuple(task.run() for _ in range(RUNS)))


def growth(path: Path) -> float:
    """By how many MiB decoding a file raises the peak of memory of a fresh process."""
    with Worker(Peer("bench.families.crl.peers.derlib")) as worker:
        answer = worker.ask("memory", 600, operation="decode", argument=str(path.resolve()), warm=small(), facts=False)
    return float(answer["growth"]) / 2**20


def read_der(path: Path) -> bytes:
    """Return the octets of a CRL file, PEM or DER."""
    return pem.der_of(path.read_bytes())[0]


def print_summary(crl: CertificateList) -> None:
    """Print what the CRL says of itself, and a few entries with their places."""
    tbs = crl.tbs_cert_list
    entries = tbs.revoked_certificates or ()
    print(f"  issuer       {tbs.issuer}")
    print(f"  signature    {crl.signature_algorithm.algorithm.name}")
    print(f"  this update  {tbs.this_update:%Y-%m-%d %H:%M:%S} UTC")
    if tbs.next_update is not None:
        print(f"  next update  {tbs.next_update:%Y-%m-%d %H:%M:%S} UTC")
    print(f"  entries      {len(entries):,}")
    if not entries:
        return
    columns = ("entry", "serial", "revoked (UTC)", "offset", "header", "contents", "serial at")
    layout = "  {:>9}  {:>8}  {:>19}  {:>9}  {:>6}  {:>8}  {:>9}"
    print("\n" + layout.format(*columns))
    for at in sorted({0, len(entries) // 2, len(entries) - 1}):
        entry = entries[at]
        span = entry.span()
        cells = (
            f"{at:,}",
            f"{entry.user_certificate:x}",
            f"{entry.revocation_date:%Y-%m-%d %H:%M:%S}",
            span.offset,
            span.header_length,
            span.content_length,
            entry.span("user_certificate").offset,
        )
        print(layout.format(*cells))
    years = Counter(entry.revocation_date.year for entry in entries)
    busiest, count = years.most_common(1)[0]
    print(f"\n  {busiest} saw the most revocations: {count:,}")


def print_times(path: Path, data: bytes) -> None:
    """Print how long the check takes, beside a plain search through the same octets."""
    check = timed(lambda: CertificateList.decode(data))
    search = timed(lambda: data.find(b"\xff\xfe\xfd\xfc\xfb\xfa"))

    def read_all() -> None:
        for entry in CertificateList.decode(data).tbs_cert_list.revoked_certificates or ():
            _ = entry.user_certificate, entry.revocation_date, entry.crl_entry_extensions

    reading = timed(read_all)
    rate = len(data) / 2**20 / (check.median / 1e3)
    print(f"\n  every octet checked             {check.median:9.2f} ms   ({rate:,.0f} MiB/s)")
    print(f"  bytes.find of 6 absent octets   {search.median:9.2f} ms")
    print(f"  checked and every entry read    {reading.median:9.2f} ms")
    if path.stat().st_size == len(data):
        print(f"  memory needed over the input    {growth(path):9.2f} MiB")
    print(f"  (medians of {RUNS} runs)")


def main() -> None:
    """Show one CRL."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else crl_file()
    data = read_der(path)
    print(f"derlib {version('derlib')} on CPython {platform.python_version()}")
    print(f"{shown(path)}: {len(data):,} octets ({len(data) / 2**20:.2f} MiB)\n")
    try:
        crl = CertificateList.decode(data)
    except DecodeError as error:
        raise SystemExit(f"refused: {error}") from None
    print_summary(crl)
    print_times(path, data)


if __name__ == "__main__":
    main()
