"""Decode a large CRL, and print what it contains and how long that took: `python -m bench.demo [FILE]`.

Called by `make demo`. Without a file it creates the CRL of bench/make_crl.py, once.
"""

import platform
import sys
from collections import Counter
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from bench.families.crl.inputs import small
from bench.harness.declare import Peer
from bench.harness.remote import Worker
from bench.harness.results import Figures
from bench.harness.task import Task
from bench.harness.words import amount
from bench.make_crl import crl_file
from bench.paths import display
from derlib import DecodeError, pem
from derlib.schemas.crl import CertificateList

RUNS = 9


def median(call: Callable[[], object]) -> float:
    """Return the median time of a call in nanoseconds."""
    task = Task(call, loops=1)
    return Figures.of([task.run() for _ in range(RUNS)]).median


def memory(path: Path) -> float:
    """Return by how many bytes decoding a file raises the peak of memory of a fresh process."""
    with Worker(Peer("bench.families.crl.peers.derlib")) as worker:
        answer = worker.ask("memory", 600, operation="decode", argument=str(path.resolve()), warm=small(), facts=False)
    return float(answer["value"])


def read_der(path: Path) -> bytes:
    """Return the DER of a CRL file, which may be PEM."""
    return pem.der_of(path.read_bytes())[0]


def print_summary(crl: CertificateList) -> None:
    """Print what the CRL contains, and a few entries with their offsets."""
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
    """Print how long validation takes, beside a search through the same bytes."""
    check = median(lambda: CertificateList.decode(data))
    search = median(lambda: data.find(b"\xff\xfe\xfd\xfc\xfb\xfa"))

    def read_all() -> None:
        for entry in CertificateList.decode(data).tbs_cert_list.revoked_certificates or ():
            _ = entry.user_certificate, entry.revocation_date, entry.crl_entry_extensions

    rate = len(data) / 2**20 / (check / 1e9)
    print(f"\n  decode (validates every byte)   {amount(check, 'ns'):>10}   ({rate:,.0f} MiB/s)")
    print(f"  bytes.find of 6 absent bytes    {amount(search, 'ns'):>10}")
    print(f"  decode and read every entry     {amount(median(read_all), 'ns'):>10}")
    if path.stat().st_size == len(data):
        print(f"  memory in addition to the input {amount(memory(path), 'bytes'):>10}")
    print(f"  (medians of {RUNS} runs)")


def main() -> None:
    """Show a CRL."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else crl_file()
    data = read_der(path)
    print(f"derlib {version('derlib')} on CPython {platform.python_version()}")
    print(f"{display(path)}: {len(data):,} bytes ({len(data) / 2**20:.2f} MiB)\n")
    try:
        crl = CertificateList.decode(data)
    except DecodeError as error:
        raise SystemExit(f"invalid: {error}") from None
    print_summary(crl)
    print_times(path, data)


if __name__ == "__main__":
    main()
