"""The speed and memory of derlib beside its peers: `python -m bench.crl [--quick]`.

Called by `make bench`; the rows of encoding, pickling and look-up stand in bench/crl_write.py. First everything that
both sides read is compared, entry by entry, and a difference ends the run; then each row is timed in interleaved runs
in this process, memory in processes of its own. A cell of the table gives the median and (the lowest to the highest).
`--quick` is for machines that only look whether the comparison still works: small inputs and few
runs, whose verdicts mean little.
"""

import argparse
import hashlib
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cryptography import x509
from cryptography.utils import CryptographyDeprecationWarning

from bench import crl_write, readers
from bench.der import uniform_crl
from bench.make_crl import crl_file
from bench.measure import QUICK, Figures, Plan, Work, circumstances, versus
from bench.memory import growth
from bench.report import Row, lines, ratio_row, store
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

CRYPTOGRAPHY = "cryptography"
# Six octets that differ from each other and do not occur in a CRL of this shape; this is asserted.
ABSENT = b"\xff\xfe\xfd\xfc\xfb\xfa"
THREAD_LOOPS = 5


def load_row(kind: str, data: bytes, plan: Plan) -> Row:
    """The complete check against cryptography's lazy load."""
    ours = Work(lambda: CertificateList.decode(data))
    theirs = Work(lambda: x509.load_der_x509_crl(data))
    figures = versus(ours, theirs, plan.runs)
    return ratio_row(f"decode CRL, {kind}", f"{CRYPTOGRAPHY} load", *figures, reach=1.0, aim=0.3)


def read_row(kind: str, data: bytes, plan: Plan) -> Row:
    """The complete check and the reading of every entry."""
    ours = Work(lambda: readers.read_crl_with_derlib(data))
    theirs = Work(lambda: readers.read_crl_with_cryptography(data))
    figures = versus(ours, theirs, plan.slow_runs)
    work = f"decode CRL, {kind}, and read every entry"
    return ratio_row(work, CRYPTOGRAPHY, *figures, reach=0.25, aim=0.12)


def memory_row(kind: str, path: Path, plan: Plan) -> Row:
    """The growth of the peak of memory over the input; cryptography's stands beside it."""
    ours, theirs = (
        Figures(tuple(growth(reader, path) for _ in range(plan.slow_runs)), "MiB")
        for reader in ("derlib", "cryptography")
    )
    work = f"growth of peak memory, decode CRL, {kind}"
    return Row(work, f"{CRYPTOGRAPHY} load", ours, theirs, ours.median, "MiB", reach=4, aim=0.1)


def certificate_row(
    work: str,
    ours: Callable[[bytes], object],
    theirs: Callable[[bytes], object],
    certificates: list[bytes],
    plan: Plan,
    *,
    reach: float | None = None,
    aim: float | None = None,
) -> Row:
    """One pass over all certificates with each of two functions."""

    def over_all(call: Callable[[bytes], object]) -> Work:
        def run() -> None:
            for der in certificates:
                call(der)

        return Work(run, loops=5)

    figures = versus(over_all(ours), over_all(theirs), plan.runs)
    return ratio_row(work, CRYPTOGRAPHY, *figures, reach=reach, aim=aim)


def certificate_rows(certificates: list[bytes], plan: Plan) -> Iterator[Row]:
    """Decode; decode and read; decode and read to the bottom."""
    yield certificate_row(
        f"decode {len(certificates)} certifi roots, all extensions checked",
        Certificate.decode,
        x509.load_der_x509_certificate,
        certificates,
        plan,
        reach=2.0,
        aim=1.0,
    )
    yield certificate_row(
        "the same, and read serial, names, validity, extensions",
        readers.read_certificate_with_derlib,
        readers.read_certificate_with_cryptography,
        certificates,
        plan,
        reach=0.4,
        aim=0.2,
    )
    yield certificate_row(
        "for comparison: and every field inside every extension",
        readers.read_certificate_to_the_bottom,
        readers.read_certificate_with_cryptography,
        certificates,
        plan,
    )


def thread_figures(
    call: Callable[[bytes], object], data: bytes, runs: int
) -> tuple[Figures, Figures]:
    """Time a call on two buffers in two threads, and on one buffer in one thread."""
    # Two buffers with two places in memory, as two downloads would be.
    first, second = data, bytes(bytearray(data))

    def repeatedly(octets: bytes) -> None:
        # Several times in one job: waking a thread takes a part of a millisecond and is not the question.
        for _ in range(THREAD_LOOPS):
            call(octets)

    with ThreadPoolExecutor(2) as pool:

        def run(*buffers: bytes) -> None:
            for job in [pool.submit(repeatedly, octets) for octets in buffers]:
                job.result()

        both, one = versus(Work(lambda: run(first, second)), Work(lambda: run(first)), runs)
    return both.per(THREAD_LOOPS, "ms"), one.per(THREAD_LOOPS, "ms")


def thread_rows(data: bytes, plan: Plan) -> Iterator[Row]:
    """Two threads against one; a hash that needs no lock shows what this machine can give."""
    figures = thread_figures(CertificateList.decode, data, plan.runs)
    yield ratio_row(
        "decode two CRLs in two threads", "one CRL in one thread", *figures, reach=1.3, aim=1.05
    )
    figures = thread_figures(lambda octets: hashlib.sha1(octets).digest(), data, plan.runs)
    yield ratio_row("for comparison: sha1 of two CRLs in two threads", "one, one thread", *figures)


def linear_row(plan: Plan) -> Row:
    """The time per octet of a large CRL against a small one."""
    large, small = uniform_crl(plan.large), uniform_crl(plan.small)
    figures = versus(
        Work(lambda: CertificateList.decode(large)),
        Work(lambda: CertificateList.decode(small), loops=20),
        plan.slow_runs,
    )
    per_octet = [
        figure.per(len(data) / 1e6, "ns/octet")
        for figure, data in zip(figures, (large, small), strict=True)
    ]
    work = f"decode, time per octet at {plan.large >> 20} MiB"
    return ratio_row(work, f"at {plan.small >> 20} MiB", *per_octet, reach=1.5, aim=1.1)


def find_row(data: bytes, plan: Plan) -> Row:
    """The complete check against a search through the same octets."""
    assert ABSENT not in data
    ours = Work(lambda: CertificateList.decode(data))
    figures = versus(ours, Work(lambda: data.find(ABSENT)), plan.runs)
    peer = "bytes.find of 6 absent octets"
    return ratio_row("decode CRL, plain", peer, *figures, reach=2.0, aim=0.7)


def measure(plan: Plan) -> Iterator[Row]:
    """Compare what both sides read, then yield every row of the table."""
    paths = {
        "plain": crl_file(plan.entries),
        "half with reasons": crl_file(plan.entries, with_reasons=True),
    }
    crls = {kind: path.read_bytes() for kind, path in paths.items()}
    for kind, data in crls.items():
        print(f"CRL, {kind}: {readers.demand_equal_crl(data):,} entries read alike by both")
    certificates, refused = readers.split_by_verdict(readers.certifi_certificates())
    readers.demand_equal_certificates(certificates)
    print(f"certifi: {len(certificates)} roots read alike by both, {len(refused)} refused")
    for reason in refused:
        print(f"  {reason}")

    for row in (load_row, read_row):
        for kind, data in crls.items():
            yield row(kind, data, plan)
    for kind, path in paths.items():
        yield memory_row(kind, path, plan)
    yield from certificate_rows(certificates, plan)
    yield from thread_rows(crls["plain"], plan)
    yield linear_row(plan)
    yield find_row(crls["plain"], plan)
    yield from crl_write.measure(crls, plan)


def main() -> None:
    """Run all rows and print the table."""
    parser = argparse.ArgumentParser(description="derlib beside its peers")
    parser.add_argument("--quick", action="store_true", help="small inputs and few runs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="store every sample here as well")
    options = parser.parse_args()

    # One root has a serial that is not positive, of which cryptography warns; it is legal DER.
    warnings.simplefilter("ignore", CryptographyDeprecationWarning)
    surroundings = circumstances() | {"quick": options.quick}
    for name, value in surroundings.items():
        print(f"{name}: {value}")
    rows = []
    for row in measure(QUICK if options.quick else Plan()):
        # The table takes minutes; who waits sees how far it is.
        print(f"  {row.work}: {row.ours}", file=sys.stderr, flush=True)
        rows.append(row)
    print("\nmedian (lowest to highest) of interleaved runs, garbage collector off during a run")
    print("\n".join(lines(rows)))
    if options.json:
        store(options.json, rows, surroundings)


if __name__ == "__main__":
    main()
